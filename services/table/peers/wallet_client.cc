#include "services/table/peers/wallet_client.h"

#include <array>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/ledger/coins.h"
#include "libs/wire/fields.h"

namespace mj::table::peers {
namespace {

namespace wallet = ::mahjong::wallet::v1;
namespace common = ::mahjong::common::v1;

common::Currency ToProto(Currency currency) {
  return currency == Currency::kCoin ? common::CURRENCY_COIN : common::CURRENCY_PRACTICE;
}

wallet::SettleRoundRequest ToRequest(const Settlement& settlement) {
  wallet::SettleRoundRequest request;
  request.set_round_id(settlement.round.value());
  request.set_table_id(settlement.table.value());
  request.set_variant(settlement.variant);
  request.set_rulebook_version(settlement.rulebook_version);
  request.set_base(settlement.base);
  request.set_currency(ToProto(settlement.currency));
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

absl::StatusOr<PenaltyPosted> FromResponse(const wallet::ApplyPenaltyResponse& response,
                                           Seat escaper) {
  if (response.balances_size() != rules::kSeatCount) {
    return absl::InternalError("balances: not four");
  }
  PenaltyPosted posted;
  posted.journal_id = response.journal_id();
  posted.shortfall = response.shortfall();
  for (Seat seat : rules::kSeats) {
    posted.seats[seat].net = seat == escaper ? -response.taken() : response.share();
    posted.seats[seat].balance = response.balances(rules::IndexOf(seat));
  }
  return posted;
}

bool IsAmount(std::int64_t coins) { return coins >= 0 && coins <= ledger::kCoinsMax; }

absl::StatusOr<std::vector<Room>> RoomsOf(const wallet::ListStakeTiersResponse& response) {
  std::vector<Room> rooms;
  for (const wallet::StakeTier& tier : response.tiers()) {
    if (tier.base() < 1 || tier.base() > kBaseMax || !IsAmount(tier.minimum_balance()) ||
        !IsAmount(tier.rake_per_player()) || !IsAmount(tier.escape_penalty())) {
      return base::Error(base::Reason::kInternal, "tiers: no amount");
    }
    rooms.push_back(
        {tier.base(), tier.minimum_balance(), tier.rake_per_player(), tier.escape_penalty()});
  }
  return rooms;
}

// For the books.
std::string_view WordsOf(VoidReason reason) {
  switch (reason) {
    case VoidReason::kEscape:
      return "left while the round was played";
    case VoidReason::kConnectionLost:
      return "connection lost for too long";
    case VoidReason::kAllAbsent:
      return "all four were away";
    case VoidReason::kOperator:
      return "ended by the operator";
    case VoidReason::kRefused:
      return "not begun";
  }
  return "";
}

// An answer of which only whether it came matters.
template <typename Response>
std::function<void(absl::StatusOr<Response>)> Told(std::function<void(absl::Status)> done) {
  return [done = std::move(done)](const absl::StatusOr<Response>& response) {
    done(response.status());
  };
}

}  // namespace

void WalletClient::ListRooms(const std::string& variant, Currency currency,
                             std::function<void(absl::StatusOr<std::vector<Room>>)> done) {
  wallet::ListStakeTiersRequest request;
  request.set_variant(variant);
  request.set_currency(ToProto(currency));
  calls_.Start<wallet::ListStakeTiersResponse>(
      *stub_->async(), &wallet::WalletService::StubInterface::async_interface::ListStakeTiers,
      request, {.timeout = timeout_, .request_id = {}},
      [done = std::move(done)](const absl::StatusOr<wallet::ListStakeTiersResponse>& response) {
        if (!response.ok()) return done(response.status());
        done(RoomsOf(*response));
      });
}

void WalletClient::Reserve(const SeatHold& seat, std::function<void(absl::StatusOr<Coins>)> done) {
  wallet::ReserveRequest request;
  request.set_request_id(seat.request.value());
  request.set_player_id(seat.player.value());
  request.set_currency(ToProto(seat.currency));
  request.set_table_id(seat.table.value());
  request.set_variant(seat.variant);
  request.set_base(seat.base);
  calls_.Start<wallet::ReserveResponse>(
      *stub_->async(), &wallet::WalletService::StubInterface::async_interface::Reserve, request,
      {.timeout = timeout_, .request_id = seat.request.value()},
      [done = std::move(done)](const absl::StatusOr<wallet::ReserveResponse>& response) {
        if (!response.ok()) return done(response.status());
        if (!IsAmount(response->balance())) {
          return done(base::Error(base::Reason::kInternal, "balance: no amount"));
        }
        done(response->balance());
      });
}

void WalletClient::Release(const SeatHold& seat, std::function<void(absl::Status)> done) {
  wallet::ReleaseRequest request;
  request.set_request_id(seat.request.value());
  request.set_player_id(seat.player.value());
  request.set_currency(ToProto(seat.currency));
  request.set_table_id(seat.table.value());
  calls_.Start<wallet::ReleaseResponse>(
      *stub_->async(), &wallet::WalletService::StubInterface::async_interface::Release, request,
      {.timeout = timeout_, .request_id = seat.request.value()},
      Told<wallet::ReleaseResponse>(std::move(done)));
}

void WalletClient::GrantBot(const BotGrant& grant, std::function<void(absl::Status)> done) {
  wallet::OpenAccountRequest request;
  request.set_request_id(grant.bot.value());  // for ever the same: it is opened once
  request.set_account_id(grant.bot.value());
  request.set_kind(wallet::ACCOUNT_KIND_PLAYER);
  request.set_currency(common::CURRENCY_PRACTICE);
  calls_.Start<wallet::OpenAccountResponse>(
      *stub_->async(), &wallet::WalletService::StubInterface::async_interface::OpenAccount, request,
      {.timeout = timeout_, .request_id = grant.bot.value()},
      [this, grant,
       done = std::move(done)](const absl::StatusOr<wallet::OpenAccountResponse>& response) {
        if (response.ok() || base::HasReason(response.status(), base::Reason::kAccountExists)) {
          return Deposit(grant, done);
        }
        done(response.status());
      });
}

void WalletClient::Deposit(const BotGrant& grant, std::function<void(absl::Status)> done) {
  wallet::DepositRequest request;
  request.set_request_id(grant.request.value());
  request.set_account_id(grant.bot.value());
  request.set_currency(common::CURRENCY_PRACTICE);
  request.set_coins(grant.coins);
  request.set_reason("a bot at a practice table");
  request.set_flow(wallet::MONEY_FLOW_GRANT);
  calls_.Start<wallet::DepositResponse>(
      *stub_->async(), &wallet::WalletService::StubInterface::async_interface::Deposit, request,
      {.timeout = timeout_, .request_id = grant.request.value()},
      Told<wallet::DepositResponse>(std::move(done)));
}

void WalletClient::BeginRound(const Beginning& beginning, std::function<void(absl::Status)> done) {
  wallet::BeginRoundRequest request;
  request.set_round_id(beginning.round.value());
  request.set_table_id(beginning.table.value());
  request.set_variant(beginning.variant);
  request.set_rulebook_version(beginning.rulebook_version);
  request.set_currency(ToProto(beginning.currency));
  request.set_base(beginning.base);
  for (const PlayerId& player : beginning.players) request.add_player_ids(player.value());
  calls_.Start<wallet::BeginRoundResponse>(
      *stub_->async(), &wallet::WalletService::StubInterface::async_interface::BeginRound, request,
      {.timeout = timeout_, .request_id = beginning.round.value()},
      Told<wallet::BeginRoundResponse>(std::move(done)));
}

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

void WalletClient::VoidRound(
    const Voiding& voiding,
    std::function<void(absl::StatusOr<std::optional<PenaltyPosted>>)> done) {
  const mj::rpc::CallOptions options{.timeout = timeout_, .request_id = voiding.round.value()};
  if (!voiding.escaped) {
    wallet::VoidRoundRequest request;
    request.set_round_id(voiding.round.value());
    request.set_reason(std::string(WordsOf(voiding.reason)));
    request.set_requested_by("table");
    calls_.Start<wallet::VoidRoundResponse>(
        *stub_->async(), &wallet::WalletService::StubInterface::async_interface::VoidRound, request,
        options,
        [done = std::move(done)](const absl::StatusOr<wallet::VoidRoundResponse>& response) {
          if (!response.ok()) return done(response.status());
          done(std::optional<PenaltyPosted>());
        });
    return;
  }
  wallet::ApplyPenaltyRequest request;
  request.set_round_id(voiding.round.value());
  request.set_escaper_seat(wire::Number(*voiding.escaped));
  request.set_reason(std::string(WordsOf(voiding.reason)));
  calls_.Start<wallet::ApplyPenaltyResponse>(
      *stub_->async(), &wallet::WalletService::StubInterface::async_interface::ApplyPenalty,
      request, options,
      [done = std::move(done),
       escaper = *voiding.escaped](const absl::StatusOr<wallet::ApplyPenaltyResponse>& response) {
        if (!response.ok()) return done(response.status());
        absl::StatusOr<PenaltyPosted> posted = FromResponse(*response, escaper);
        if (!posted.ok()) {
          return done(base::Error(base::Reason::kInternal, base::ToStd(posted.status().message())));
        }
        done(std::optional(*std::move(posted)));
      });
}

}  // namespace mj::table::peers
