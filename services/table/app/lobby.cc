#include "services/table/app/lobby.h"

#include <variant>

#include "libs/base/page_token.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/table/app/decide.h"

namespace mj::table {
namespace {

using base::Cat;
using base::Error;
using base::Reason;

absl::Status Check(const LobbyFilter& filter, std::int64_t page_size) {
  if (filter.room < 0 || filter.room > kBaseMax) {
    return Error(Reason::kBadBase, Cat("base: got ", std::to_string(filter.room)),
                 {.field = "base"});
  }
  if (page_size < 0 || page_size > kPageMax) {
    return Error(Reason::kBadPageSize, Cat("page_size: got ", std::to_string(page_size)),
                 {.field = "page_size"});
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LobbyPage> ListTables(Lobby& lobby, const LobbyFilter& filter,
                                     std::int64_t page_size, std::string_view token) {
  MJ_ASSIGN_OR_RETURN(const rules::Variant* const game, FindGame(filter.variant));
  MJ_RETURN_IF_ERROR(Check(filter, page_size));
  const std::string room = std::to_string(filter.room);
  const auto mark = {std::string_view(filter.variant),
                     std::string_view(filter.currency == Currency::kCoin ? "coin" : "practice"),
                     std::string_view(room), std::string_view(filter.free_seats ? "free" : "all")};
  TableId after;
  if (!token.empty()) {
    const auto position = base::ReadPageToken("t1", mark, token);
    if (!position || !base::IsId(*position)) {
      return Error(Reason::kBadPageToken, {}, {.field = "page_token"});
    }
    after = TableId(*position);
  }
  const std::int64_t size = page_size == 0 ? kPageDefault : page_size;
  LobbyPage page;
  MJ_ASSIGN_OR_RETURN(page.tables, lobby.List(filter, after, size + 1));
  if (static_cast<std::int64_t>(page.tables.size()) > size) {
    page.tables.resize(static_cast<std::size_t>(size));
    page.next = base::MakePageToken("t1", mark, page.tables.back().id.value());
  }
  for (LobbyTable& table : page.tables) table.options = DifferingOptions(*game, table.options);
  return page;
}

OptionTexts DifferingOptions(const rules::Variant& game, const OptionTexts& all) {
  const auto parsed = rules::ParseOptions(game.options(), all);
  const auto* options = std::get_if<rules::Options>(&parsed);
  // Of another program's rules: as they are.
  return options == nullptr ? all : rules::ToTexts(game.options(), *options, /*all=*/false);
}

}  // namespace mj::table
