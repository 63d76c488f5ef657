#include "services/table/app/operations.h"

#include <utility>

#include "libs/base/page_token.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/table/app/decide.h"
#include "services/table/app/lobby.h"

namespace mj::table {
namespace {

using base::Cat;
using base::Error;
using base::Reason;

absl::Status CheckPageSize(std::int64_t page_size) {
  if (page_size >= 0 && page_size <= kPageMax) return absl::OkStatus();
  return Error(Reason::kBadPageSize, Cat("page_size: got ", std::to_string(page_size)),
               {.field = "page_size"});
}

absl::Status BadToken() { return Error(Reason::kBadPageToken, {}, {.field = "page_token"}); }

absl::Status CheckAge(std::chrono::seconds age, std::string_view field) {
  if (age.count() >= 0) return absl::OkStatus();
  return Error(Reason::kBadAmount, Cat(field, ": got ", std::to_string(age.count())),
               {.field = std::string(field)});
}

// Whether `asked` is what was written under its request id.
bool IsSame(const Operation& asked, const Operation& written) {
  return asked.kind == written.kind && asked.who == written.who && asked.reason == written.reason &&
         asked.at_once == written.at_once && (asked.at_once || asked.from == written.from);
}

absl::StatusOr<std::optional<Operation>> FindSame(Operations& operations, const Operation& asked) {
  MJ_ASSIGN_OR_RETURN(std::optional<Operation> written, operations.Find(asked.request));
  if (written && !IsSame(asked, *written)) {
    return Error(Reason::kRequestIdReused, {}, {.field = "request_id"});
  }
  return written;
}

std::string_view NameOf(const std::optional<TableStage>& stage) {
  if (!stage) return "";
  switch (*stage) {
    case TableStage::kWaiting:
      return "waiting";
    case TableStage::kPlaying:
      return "playing";
    case TableStage::kSettling:
      return "settling";
    case TableStage::kClosed:
      return "closed";
  }
  return "";
}

}  // namespace

absl::StatusOr<Operation> StopRounds(Operations& operations, Operation asked, WallTime now) {
  asked.at_once = asked.kind == OperationKind::kStopRounds && !asked.from;
  MJ_ASSIGN_OR_RETURN(std::optional<Operation> before, FindSame(operations, asked));
  if (before) return *std::move(before);
  if (asked.from && *asked.from < now) {
    return Error(Reason::kBadPeriod, "from_time: has passed", {.field = "from_time"});
  }
  if (asked.at_once) asked.from = now;
  MJ_RETURN_IF_ERROR(operations.WriteStop(asked).status());
  // By this call, or by another one meanwhile.
  MJ_ASSIGN_OR_RETURN(std::optional<Operation> written, FindSame(operations, asked));
  if (!written) return Error(Reason::kUnavailable, "what was written is not there");
  return *std::move(written);
}

absl::StatusOr<OperationPage> ListOperations(Operations& operations, const OperationFilter& filter,
                                             std::int64_t page_size, std::string_view token) {
  MJ_RETURN_IF_ERROR(CheckPageSize(page_size));
  const auto mark = {std::string_view(filter.table.value()),
                     std::string_view(filter.player.value()), std::string_view(filter.who)};
  std::int64_t before = 0;
  if (!token.empty()) {
    const auto position = base::ReadPageToken("o1", mark, token);
    const auto number = position ? base::ParseInt64(*position) : std::nullopt;
    if (!number || *number < 1) return BadToken();
    before = *number;
  }
  const std::int64_t size = page_size == 0 ? kPageDefault : page_size;
  OperationPage page;
  MJ_ASSIGN_OR_RETURN(page.operations, operations.ListOperations(filter, before, size + 1));
  if (static_cast<std::int64_t>(page.operations.size()) > size) {
    page.operations.resize(static_cast<std::size_t>(size));
    page.next = base::MakePageToken("o1", mark, std::to_string(page.operations.back().number));
  }
  return page;
}

absl::StatusOr<FoundPage> FindTables(Operations& operations, const TableFilter& filter,
                                     std::int64_t page_size, std::string_view token) {
  if (!filter.variant.empty()) MJ_RETURN_IF_ERROR(FindGame(filter.variant).status());
  MJ_RETURN_IF_ERROR(CheckAge(filter.unsettled, "unsettled_seconds"));
  MJ_RETURN_IF_ERROR(CheckAge(filter.quiet, "quiet_seconds"));
  MJ_RETURN_IF_ERROR(CheckPageSize(page_size));
  const std::string unsettled = std::to_string(filter.unsettled.count());
  const std::string quiet = std::to_string(filter.quiet.count());
  const auto mark = {std::string_view(filter.variant),
                     NameOf(filter.stage),
                     std::string_view(filter.player.value()),
                     std::string_view(unsettled),
                     std::string_view(quiet),
                     std::string_view(filter.unheld ? "unheld" : "")};
  TableId after;
  if (!token.empty()) {
    const auto position = base::ReadPageToken("f1", mark, token);
    if (!position || !base::IsId(*position)) return BadToken();
    after = TableId(*position);
  }
  const std::int64_t size = page_size == 0 ? kPageDefault : page_size;
  FoundPage page;
  MJ_ASSIGN_OR_RETURN(page.tables, operations.FindTables(filter, after, size + 1));
  if (static_cast<std::int64_t>(page.tables.size()) > size) {
    page.tables.resize(static_cast<std::size_t>(size));
    page.next = base::MakePageToken("f1", mark, page.tables.back().id.value());
  }
  return page;
}

}  // namespace mj::table
