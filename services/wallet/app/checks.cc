#include "services/wallet/app/checks.h"

#include <algorithm>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::wallet {

using base::Cat;
using base::Reason;

absl::Status CheckTwoPeople(std::string_view requested_by, std::string_view approved_by) {
  MJ_RETURN_IF_ERROR(CheckId("requested_by", requested_by));
  MJ_RETURN_IF_ERROR(CheckId("approved_by", approved_by));
  if (requested_by != approved_by) return absl::OkStatus();
  return base::Error(Reason::kSameApprover, "approved_by: want somebody else than requested_by",
                     {.field = "approved_by"});
}

absl::StatusOr<Coins> CheckBase(std::string_view field, std::int64_t coins) {
  constexpr std::int64_t kBaseMax = 10000;  // D-SET-3
  if (coins >= 1 && coins <= kBaseMax) return Coins::From(coins).value();
  return base::Error(Reason::kBadBase,
                     Cat(field, ": got ", std::to_string(coins), ", want 1 to 10000"),
                     {.field = std::string(field)});
}

absl::Status CheckPlayers(const std::vector<std::string>& player_ids) {
  if (player_ids.size() != ledger::kParties) {
    return base::Error(
        Reason::kBadSeat,
        Cat("player_ids: got ", std::to_string(player_ids.size()), ", want one for each seat"),
        {.field = "player_ids"});
  }
  for (std::size_t seat = 0; seat < player_ids.size(); ++seat) {
    MJ_RETURN_IF_ERROR(CheckId(At("player_ids", seat), player_ids[seat]));
  }
  for (std::size_t seat = 1; seat < player_ids.size(); ++seat) {
    const auto end = player_ids.begin() + static_cast<std::ptrdiff_t>(seat);
    if (std::find(player_ids.begin(), end, player_ids[seat]) != end) {
      return base::Error(Reason::kDuplicatePlayer,
                         Cat(At("player_ids", seat), ": ", player_ids[seat], " sits twice"),
                         {.field = At("player_ids", seat)});
    }
  }
  return absl::OkStatus();
}

absl::Status CheckRulebookVersion(std::string_view version) {
  return CheckSomeText("rulebook_version", version, 128);
}

absl::StatusOr<int> CheckPageSize(std::int64_t page_size) {
  constexpr std::int64_t kPageSizeMax = 1000;
  if (page_size < 0 || page_size > kPageSizeMax) {
    return base::Error(Reason::kBadPageSize,
                       Cat("page_size: got ", std::to_string(page_size), ", want 0 to 1000"),
                       {.field = "page_size"});
  }
  return page_size == 0 ? 100 : static_cast<int>(page_size);
}

std::string At(std::string_view list, std::size_t index, std::string_view field) {
  std::string path = Cat(list, "[", std::to_string(index), "]");
  if (!field.empty()) path.append(".").append(field);
  return path;
}

absl::StatusOr<Coins> CheckAmountOrNone(std::string_view field, std::int64_t coins) {
  const auto amount = Coins::From(coins);
  if (amount && !amount->IsNegative()) return *amount;
  return base::Error(Reason::kBadAmount,
                     Cat(field, ": got ", std::to_string(coins), ", want 0 to 2^53"),
                     {.field = std::string(field)});
}

absl::StatusOr<Coins> CheckAmount(std::string_view field, std::int64_t coins) {
  const auto amount = Coins::From(coins);
  if (amount && amount->IsPositive()) return *amount;
  return base::Error(Reason::kBadAmount,
                     Cat(field, ": got ", std::to_string(coins), ", want 1 to 2^53"),
                     {.field = std::string(field)});
}

}  // namespace mj::wallet
