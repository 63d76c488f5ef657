#include "services/table/peers/wallet_client.h"

#include <array>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/wire/fields.h"

namespace mj::table::peers {
namespace {

namespace wallet = ::mahjong::wallet::v1;
namespace common = ::mahjong::common::v1;

wallet::SettleRoundRequest ToRequest(const Settlement& settlement) {
  wallet::SettleRoundRequest request;
  request.set_round_id(settlement.round.value());
  request.set_table_id(settlement.table.value());
  request.set_variant(settlement.variant);
  request.set_rulebook_version(settlement.rulebook_version);
  request.set_base(settlement.base);
  request.set_currency(settlement.currency == Currency::kCoin ? common::CURRENCY_COIN
                                                              : common::CURRENCY_PRACTICE);
  for (const PlayerId& player : settlement.players) request.add_player_ids(player.value());
  for (const SeatTransfer& transfer : settlement.transfers) {
    common::Transfer& added = *request.add_transfers();
    added.set_from_seat(wire::Number(transfer.from));
    added.set_to_seat(wire::Number(transfer.to));
    added.set_coins(transfer.coins);
    added.set_rule_id(transfer.rule);
  }
  return request;
}

absl::StatusOr<RoundPosted> FromResponse(const wallet::SettleRoundResponse& response) {
  RoundPosted posted;
  posted.journal_id = response.journal_id();
  std::array<bool, rules::kSeatCount> seen{};
  for (const wallet::SeatSettlement& settled : response.seats()) {
    MJ_ASSIGN_OR_RETURN(const Seat seat, wire::SeatFromNumber(settled.seat(), "seats.seat"));
    if (std::exchange(seen[static_cast<std::size_t>(rules::IndexOf(seat))], true)) {
      return absl::InternalError("seats: one seat twice");
    }
    posted.seats[seat] = {settled.net(), settled.rake(), settled.balance()};
  }
  if (response.seats_size() != rules::kSeatCount) return absl::InternalError("seats: not four");
  for (const wallet::SeatPayment& shortfall : response.shortfalls()) {
    MJ_ASSIGN_OR_RETURN(const Seat from,
                        wire::SeatFromNumber(shortfall.from_seat(), "shortfalls.from_seat"));
    MJ_ASSIGN_OR_RETURN(const Seat to,
                        wire::SeatFromNumber(shortfall.to_seat(), "shortfalls.to_seat"));
    posted.shortfalls.push_back({from, to, shortfall.coins()});
  }
  return posted;
}

}  // namespace

void WalletClient::SettleRound(const Settlement& settlement,
                               std::function<void(absl::StatusOr<RoundPosted>)> done) {
  calls_.Start<wallet::SettleRoundResponse>(
      *stub_->async(), &wallet::WalletService::StubInterface::async_interface::SettleRound,
      ToRequest(settlement), {.timeout = timeout_, .request_id = settlement.round.value()},
      [done = std::move(done)](absl::StatusOr<wallet::SettleRoundResponse> response) {
        if (!response.ok()) return done(response.status());
        absl::StatusOr<RoundPosted> posted = FromResponse(*response);
        if (!posted.ok()) {
          return done(base::Error(base::Reason::kInternal, base::ToStd(posted.status().message())));
        }
        done(std::move(posted));
      });
}

}  // namespace mj::table::peers
