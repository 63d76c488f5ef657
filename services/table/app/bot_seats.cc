#include "services/table/app/bot_seats.h"

#include <utility>
#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "libs/ledger/bot_account.h"

namespace mj::table {

PlayerId BotIdOf(const TableId& table, Seat seat) {
  return PlayerId(base::Cat(ledger::kBotAccountPrefix, table.value(), "-",
                            std::to_string(rules::IndexOf(seat))));
}

bool NeedsGrant(const absl::StatusOr<Coins>& balance) {
  if (balance.ok()) return *balance < kBotLeast;
  return base::HasReason(balance.status(), base::Reason::kAccountNotFound) ||
         base::HasReason(balance.status(), base::Reason::kBelowMinimum);
}

RequestId GrantIdOf(const PlayerId& bot, int rounds_begun) {
  return RequestId(base::Cat(bot.value(), "-", std::to_string(rounds_begun)));
}

void BotSeats::Show(const Showing& showing) {
  const ShownEvent& event = *showing.shown.event;
  if (const auto* formed = std::get_if<TableFormed>(&event)) {
    players_[showing.seat].reset();
    if (!formed->table.seats[showing.seat].bot) return;
    if (distances_ == nullptr) distances_ = std::make_unique<bots::Distances>();
    players_[showing.seat] = std::make_unique<BotPlayer>(*formed, showing.shown.time, *distances_);
    return;
  }
  auto& player = players_[showing.seat];
  if (player == nullptr) return;
  const auto* left = std::get_if<PlayerLeft>(&event);
  if (left != nullptr && left->seat == showing.seat) {
    player.reset();
  } else {
    player->See(showing.shown);
  }
}

std::optional<Seat> BotSeats::First() const {
  std::optional<Seat> first;
  for (Seat seat : rules::kSeats) {
    if (players_[seat] == nullptr || !players_[seat]->next()) continue;
    if (!first || *players_[seat]->next() < *players_[*first]->next()) first = seat;
  }
  return first;
}

std::optional<WallTime> BotSeats::next() const {
  const std::optional<Seat> first = First();
  return first ? players_[*first]->next() : std::nullopt;
}

std::optional<SeatMove> BotSeats::Take(WallTime now) {
  const std::optional<Seat> first = First();
  if (!first || *players_[*first]->next() > now) return std::nullopt;
  return SeatMove{*first, players_[*first]->Move()};
}

}  // namespace mj::table
