// What the contract of LedgerStore is told with: accounts, postings and changes of every kind. The
// contract itself is in ledger_store_contract.h and ledger_changes_contract.h.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/clock.h"
#include "libs/ledger/journal.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/ledger_store.h"
#include "services/wallet/app/memory_ledger_store_testing.h"

namespace mj::wallet {

template <typename Factory>
class LedgerStoreContract : public ::testing::Test {
 protected:
  LedgerStore& store() { return factory_.store(); }
  base::MonotonicTime deadline() const { return clock_.Monotonic() + std::chrono::minutes(2); }

  static AccountKey Key(const std::string& id, Currency currency = Currency::kCoin) {
    return {id, currency};
  }

  Account Open(const std::string& id, Currency currency = Currency::kCoin) {
    const auto outcome =
        store().OpenAccount({"open/" + id + std::to_string(static_cast<int>(currency)), 1, id},
                            {id, currency}, deadline());
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    EXPECT_TRUE(std::holds_alternative<Account>(*outcome));
    return std::get<Account>(*outcome);
  }

  // A write that moves coins from the issue account (or, below zero, to it).
  Posting Money(const std::string& key, const std::string& id, std::int64_t coins,
                Currency currency = Currency::kCoin) {
    Posting posting;
    posting.key = {key, 1, id + "/" + std::to_string(coins)};
    posting.sticky = true;
    posting.currency = currency;
    posting.account_ids = {id};
    posting.decide = [id, coins](const Ground& ground) -> absl::StatusOr<Verdict> {
      const absl::Status player = RequirePlayer(ground.accounts.at(0).what, "account_id", id);
      if (!player.ok()) return player;
      ledger::Journal journal;
      const ledger::AccountId account{id};
      const ledger::AccountId issue{"issue"};
      const Coins size = Coins::From(coins < 0 ? -coins : coins).value();
      EXPECT_EQ(coins < 0 ? journal.Move(account, issue, size, ledger::Purpose::kMoneyOut)
                          : journal.Move(issue, account, size, ledger::Purpose::kMoneyIn),
                std::nullopt);
      auto lines = Compose(journal.Entries(), std::vector<std::string>{id}, ground.accounts,
                           ledger::Reach::kAvailable);
      if (!lines.ok()) {
        return Refuse(base::Reason::kInsufficientFunds, "coins", {{"seen", "first"}});
      }
      Event event;
      event.kind = coins < 0 ? JournalKind::kWithdrawal : JournalKind::kDeposit;
      event.actor = "contract";
      event.reason = "because";
      event.happened_at = base::WallTime(std::chrono::seconds(1));
      event.lines = std::move(lines).value();
      return event;
    };
    return posting;
  }

  PostOutcome Post(const Posting& posting) {
    auto outcome = store().Post(posting, deadline());
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    return outcome.ok() ? *std::move(outcome) : PostOutcome(KeyTaken{});
  }

  void Give(const std::string& id, std::int64_t coins, Currency currency = Currency::kCoin) {
    const std::string key = "give/" + id + std::to_string(static_cast<int>(currency));
    EXPECT_TRUE(std::holds_alternative<Posted>(Post(Money(key, id, coins, currency))));
  }

  std::int64_t Balance(const std::string& id, Currency currency = Currency::kCoin) {
    const auto found = store().FindAccount({id, currency}, deadline());
    EXPECT_TRUE(found.ok()) << found.status();
    EXPECT_TRUE(found->account.has_value()) << id;
    return found->account ? found->account->balance : -1;
  }

  // A change of what stands about accounts, whatever it is. Every standing is `alter`ed.
  ChangeRequest Altered(const std::string& key, const std::vector<std::string>& ids,
                        const std::function<void(Standing&, base::WallTime)>& alter) {
    ChangeRequest request;
    request.key = {key, 1, "content of " + key};
    request.sticky = true;
    request.account_ids = ids;
    request.decide = [alter](const Ground& ground) -> absl::StatusOr<ChangeVerdict> {
      Alteration alteration;
      for (const Found& found : ground.accounts) {
        if (found.what != Found::What::kPlayer) return absl::NotFoundError("player");
        alteration.after.push_back(found.standing);
        alter(alteration.after.back(), ground.now);
      }
      alteration.facts = {{"said", "first"}};
      return alteration;
    };
    return request;
  }

  // A seat at table-1 that is held for so long.
  ChangeRequest Seat(const std::string& key, const std::string& id, std::int64_t coins,
                     std::chrono::milliseconds time) {
    ChangeRequest request =
        Altered(key, {id}, [coins, time](Standing& standing, base::WallTime now) {
          standing.hold = Hold{"table-1", Coins::From(coins).value(), now + time};
        });
    const auto decide = request.decide;
    request.decide = [decide](const Ground& ground) -> absl::StatusOr<ChangeVerdict> {
      auto verdict = decide(ground);
      if (verdict.ok()) std::get<Alteration>(*verdict).reserved_tier_id = "shaoguan-10";
      return verdict;
    };
    return request;
  }

  // The beginning of a round of Shaoguan at table-1.
  ChangeRequest Beginning(const std::string& round_id, const std::vector<std::string>& ids) {
    ChangeRequest request;
    request.key = {"begin/" + round_id, 2, "content of " + round_id};
    request.account_ids = ids;
    request.round_id = round_id;
    request.tier_variant = "shaoguan";
    request.tier_base = 10;
    request.decide = [ids, round_id](const Ground& ground) -> absl::StatusOr<ChangeVerdict> {
      Alteration alteration;
      for (const Found& found : ground.accounts) {
        if (found.what != Found::What::kPlayer) return absl::NotFoundError("player");
        alteration.after.push_back(found.standing);
        alteration.after.back().hold =
            Hold{"table-1", std::min(found.balance.coins, Coins::From(10).value()),
                 ground.now + std::chrono::minutes(5)};
        alteration.after.back().round_id = round_id;
      }
      BegunRound round;
      round.round_id = round_id;
      round.table_id = "table-1";
      round.variant = "shaoguan";
      round.rulebook_version = "v1";
      round.base = ground.tier.value().stakes.base;
      round.tier_id = ground.tier->id;
      round.rake = ground.tier->stakes.rake;
      round.escape_penalty = ground.tier->stakes.escape_penalty;
      round.escape_compensation = ground.tier->stakes.escape_compensation;
      std::copy_n(ids.begin(), 4, round.player_ids.begin());
      round.rule_ids = RuleIds({"SG-30", "SG-40"});
      round.begun_at = ground.now;
      round.close_due = ground.now + std::chrono::minutes(60);
      alteration.round = round;
      return alteration;
    };
    return request;
  }

  ChangeOutcome Change(const ChangeRequest& request) {
    auto outcome = store().Change(request, deadline());
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    return outcome.ok() ? *std::move(outcome) : ChangeOutcome(KeyTaken{});
  }

  void Begin(const std::string& round_id, const std::vector<std::string>& ids) {
    EXPECT_TRUE(std::holds_alternative<Changed>(Change(Beginning(round_id, ids))));
  }

  Standing StandingOf(const std::string& id) {
    const auto found = store().FindAccount({id}, deadline());
    EXPECT_TRUE(found.ok() && found->account.has_value()) << id;
    return found.ok() && found->account ? found->account->standing : Standing{};
  }

  // A settlement of round-1 in which seat 1 pays seat 0, set-offs and shortfalls in it, rake.
  Posting Round(const std::string& key, const std::vector<std::string>& ids) {
    Posting posting;
    posting.key = {key, 3, "content of " + key};
    posting.account_ids = ids;
    posting.round_id = "round-1";
    posting.decide = [ids](const Ground& ground) -> absl::StatusOr<Verdict> {
      if (ground.round == nullptr) return absl::NotFoundError("round");
      for (const Found& found : ground.accounts) {
        if (found.what != Found::What::kPlayer) return absl::NotFoundError("player");
      }
      ledger::Journal journal;
      const ledger::AccountId winner{ids[0]};
      const ledger::AccountId loser{ids[1]};
      using ledger::operator""_coins;
      EXPECT_EQ(journal.Move(loser, winner, 30_coins, ledger::Purpose::kPayment), std::nullopt);
      EXPECT_EQ(journal.Move(winner, {"house_rake"}, 4_coins, ledger::Purpose::kRake),
                std::nullopt);
      auto lines = Compose(journal.Entries(), ids, ground.accounts, ledger::Reach::kHeld);
      if (!lines.ok()) return absl::InternalError("short");
      Event event;
      event.kind = JournalKind::kSettlement;
      event.actor = "contract";
      event.round_id = "round-1";
      event.table_id = "table-1";
      event.rulebook_version = "v1";
      event.happened_at = base::WallTime(std::chrono::seconds(1));
      event.lines = std::move(lines).value();
      Settlement settlement;
      settlement.variant = "shaoguan";
      settlement.base = 10_coins;
      settlement.rake = 4_coins;
      std::copy_n(ids.begin(), 4, settlement.player_ids.begin());
      settlement.owed_lines = {{1, 0, "SG-30", 20_coins},
                               {1, 0, "SG-40", 40_coins},
                               {2, 3, "SG-30", 5_coins},
                               {3, 2, "SG-30", 5_coins}};
      settlement.owed[1][0] = 60_coins;
      settlement.paid[1][0] = 30_coins;
      settlement.shortfall[1][0] = 30_coins;
      settlement.owed[2][3] = settlement.set_off[2][3] = 5_coins;
      settlement.owed[3][2] = settlement.set_off[3][2] = 5_coins;
      settlement.net = {26_coins, -30_coins, 0_coins, 0_coins};
      settlement.rake_paid = {4_coins, 0_coins, 0_coins, 0_coins};
      settlement.rake_shortfall = {0_coins, 4_coins, 4_coins, 4_coins};
      for (std::size_t seat = 0; seat < 4; ++seat) {
        settlement.balance_after[seat] =
            Add(ground.accounts[seat].balance.coins, settlement.net[seat]).value();
      }
      event.settlement = settlement;
      return event;
    };
    return posting;
  }

  // A close by which nobody pays.
  Posting Void(const std::string& round_id, const std::vector<std::string>& ids) {
    Posting posting;
    posting.key = {"round/" + round_id, 1, "void"};
    posting.account_ids = ids;
    posting.round_id = round_id;
    posting.decide = [round_id](const Ground& ground) -> absl::StatusOr<Verdict> {
      if (ground.round == nullptr) return absl::NotFoundError("round");
      Event event;
      event.kind = JournalKind::kVoid;
      event.actor = "contract";
      event.reason = "because";
      event.table_id = ground.round->table_id;
      event.round_id = round_id;
      event.rulebook_version = ground.round->rulebook_version;
      event.happened_at = base::WallTime(std::chrono::seconds(1));
      return event;
    };
    return posting;
  }

  base::SystemClock clock_;
  Factory factory_;
};

}  // namespace mj::wallet
