// The contract of LedgerStore as tests. Every store runs all of them:
//
//   struct MemoryStoreFactory { LedgerStore& store(); };
//   INSTANTIATE_TYPED_TEST_SUITE_P(Memory, LedgerStoreContract, MemoryStoreFactory);
//
// A factory makes a fresh store with the house's accounts and at least the tiers of SomeTiers().
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

TYPED_TEST_SUITE_P(LedgerStoreContract);

TYPED_TEST_P(LedgerStoreContract, AnAccountIsOpenedOnceUnderItsKey) {
  const Account first = this->Open("ann");
  EXPECT_EQ(first.key.id, "ann");
  EXPECT_EQ(first.kind, AccountKind::kPlayer);
  EXPECT_EQ(first.balance, 0);
  this->Give("ann", 7);
  // The same request: as it stood when it was opened.
  EXPECT_EQ(this->Open("ann"), first);
  const auto other_content =
      this->store().OpenAccount({"open/ann0", 1, "other"}, {"bob"}, this->deadline());
  EXPECT_TRUE(std::holds_alternative<KeyTaken>(*other_content));
  const auto other_version =
      this->store().OpenAccount({"open/ann0", 2, "ann"}, {"ann"}, this->deadline());
  EXPECT_TRUE(std::holds_alternative<KeyTaken>(*other_version));
  const auto other_key =
      this->store().OpenAccount({"open/again", 1, "ann"}, {"ann"}, this->deadline());
  EXPECT_TRUE(std::holds_alternative<AccountExists>(*other_key));
  EXPECT_FALSE(this->store().FindAccount({"bob"}, this->deadline())->account.has_value());
}

TYPED_TEST_P(LedgerStoreContract, AnIdMayHaveAnAccountInEachCurrency) {
  this->Open("ann", Currency::kPractice);
  auto found = this->store().FindAccount({"ann", Currency::kCoin}, this->deadline());
  EXPECT_FALSE(found->account.has_value());
  EXPECT_TRUE(found->in_other_currency);
  this->Open("ann", Currency::kCoin);
  this->Give("ann", 5, Currency::kCoin);
  this->Give("ann", 8, Currency::kPractice);
  EXPECT_EQ(this->Balance("ann", Currency::kCoin), 5);
  EXPECT_EQ(this->Balance("ann", Currency::kPractice), 8);
  EXPECT_EQ(this->Balance("issue", Currency::kCoin), -5);
  EXPECT_EQ(this->Balance("issue", Currency::kPractice), -8);
}

TYPED_TEST_P(LedgerStoreContract, TheHouseIsThereAndNobodyTakesItsIds) {
  for (const char* const id : {"house_rake", "penalties", "issue", "house_loss"}) {
    for (const Currency currency : {Currency::kCoin, Currency::kPractice}) {
      const auto found = this->store().FindAccount({id, currency}, this->deadline());
      ASSERT_TRUE(found->account.has_value()) << id;
      EXPECT_NE(found->account->kind, AccountKind::kPlayer);
      EXPECT_EQ(HouseAccountId(found->account->kind), id);
      const auto opened = this->store().OpenAccount({std::string("take/") + id, 1, "x"},
                                                    {id, currency}, this->deadline());
      EXPECT_TRUE(std::holds_alternative<AccountExists>(*opened)) << id;
    }
  }
}

TYPED_TEST_P(LedgerStoreContract, NobodyIsNotFound) {
  const auto found = this->store().FindAccount({"nobody"}, this->deadline());
  EXPECT_FALSE(found->account.has_value());
  EXPECT_FALSE(found->in_other_currency);
  EXPECT_TRUE(this->store().ListEntries({"nobody"}, {}, 10, this->deadline())->empty());
}

TYPED_TEST_P(LedgerStoreContract, DecisionsSeeWhatIsThere) {
  this->Open("ann");
  this->Open("pat", Currency::kPractice);
  this->Give("ann", 7);
  Posting posting;
  posting.key = {"look", 1, "look"};
  posting.account_ids = {"pat", "ann", "nobody", "issue"};
  Ground seen;
  posting.decide = [&seen](const Ground& ground) -> absl::StatusOr<Verdict> {
    seen = ground;
    return absl::NotFoundError("only looking");
  };
  EXPECT_EQ(this->store().Post(posting, this->deadline()).status(),
            absl::NotFoundError("only looking"));
  const auto expect_accounts = [&seen] {
    ASSERT_EQ(seen.accounts.size(), 4U);
    EXPECT_EQ(seen.accounts[0].what, Found::What::kOtherCurrency);
    EXPECT_EQ(seen.accounts[1].what, Found::What::kPlayer);
    EXPECT_EQ(seen.accounts[1].balance.coins.value(), 7);
    EXPECT_EQ(seen.accounts[1].balance.last_sequence, 1);
    EXPECT_EQ(seen.accounts[1].standing, Standing{});
    EXPECT_EQ(seen.accounts[2].what, Found::What::kNothing);
    EXPECT_EQ(seen.accounts[3].what, Found::What::kHouse);
  };
  expect_accounts();
  EXPECT_EQ(seen.round, nullptr);
  EXPECT_GT(seen.now, base::WallTime{});

  ChangeRequest change;
  change.key = {"look2", 1, "look"};
  change.sticky = true;
  change.account_ids = posting.account_ids;
  change.tier_variant = "shaoguan";
  change.tier_base = 100;
  change.decide = [&seen](const Ground& ground) -> absl::StatusOr<ChangeVerdict> {
    seen = ground;
    return absl::NotFoundError("only looking");
  };
  EXPECT_EQ(this->store().Change(change, this->deadline()).status(),
            absl::NotFoundError("only looking"));
  expect_accounts();
  EXPECT_TRUE(seen.variant_known);
  ASSERT_TRUE(seen.tier.has_value());
  EXPECT_EQ(seen.tier->id, "shaoguan-100");
  EXPECT_EQ(seen.tier->stakes.rake.value(), 40);

  change.currency = Currency::kPractice;
  EXPECT_FALSE(this->store().Change(change, this->deadline()).ok());
  EXPECT_EQ(seen.tier->id, "shaoguan-100-practice");
  change.tier_base = 11;
  EXPECT_FALSE(this->store().Change(change, this->deadline()).ok());
  EXPECT_TRUE(seen.variant_known);
  EXPECT_FALSE(seen.tier.has_value());
  change.tier_variant = "no-such-game";
  EXPECT_FALSE(this->store().Change(change, this->deadline()).ok());
  EXPECT_FALSE(seen.variant_known);
}

TYPED_TEST_P(LedgerStoreContract, AFailedDecisionLeavesNoTrace) {
  this->Open("ann");
  Posting posting = this->Money("d", "ann", 5);
  const auto decide = posting.decide;
  posting.decide = [](const Ground&) -> absl::StatusOr<Verdict> {
    return absl::NotFoundError("not today");
  };
  EXPECT_EQ(this->store().Post(posting, this->deadline()).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(this->Balance("ann"), 0);
  posting.decide = decide;  // the key is still free
  EXPECT_FALSE(std::get<Posted>(this->Post(posting)).again);
  EXPECT_EQ(this->Balance("ann"), 5);
}

TYPED_TEST_P(LedgerStoreContract, TheSameRequestGetsItsFirstAnswer) {
  this->Open("ann");
  const Posted first = std::get<Posted>(this->Post(this->Money("d1", "ann", 5)));
  EXPECT_FALSE(first.again);
  EXPECT_EQ(first.balance.value(), 5);
  std::get<Posted>(this->Post(this->Money("d2", "ann", 10)));
  Posting same = this->Money("d1", "ann", 5);
  same.decide = [](const Ground&) -> absl::StatusOr<Verdict> {
    ADD_FAILURE() << "decided again";
    return absl::InternalError("");
  };
  const Posted again = std::get<Posted>(this->Post(same));
  EXPECT_TRUE(again.again);
  EXPECT_EQ(again.journal_no, first.journal_no);
  EXPECT_EQ(again.balance.value(), 5);
  EXPECT_EQ(this->Balance("ann"), 15);
}

TYPED_TEST_P(LedgerStoreContract, OtherContentUnderAUsedKeyIsRefused) {
  this->Open("ann");
  std::get<Posted>(this->Post(this->Money("d", "ann", 5)));
  EXPECT_TRUE(std::holds_alternative<KeyTaken>(this->Post(this->Money("d", "ann", 6))));
  Posting other_version = this->Money("d", "ann", 5);
  other_version.key.content_version = 2;
  EXPECT_TRUE(std::holds_alternative<KeyTaken>(this->Post(other_version)));
  EXPECT_EQ(this->Balance("ann"), 5);
}

TYPED_TEST_P(LedgerStoreContract, ARefusalIsRemembered) {
  this->Open("ann");
  this->Give("ann", 4);
  const Refused first = std::get<Refused>(this->Post(this->Money("w", "ann", -5)));
  EXPECT_EQ(first.refusal.reason, base::Reason::kInsufficientFunds);
  EXPECT_EQ(first.refusal.facts, (Facts{{"field", "coins"}, {"seen", "first"}}));
  EXPECT_EQ(first.balance.value(), 4);
  EXPECT_FALSE(first.again);
  std::get<Posted>(this->Post(this->Money("d", "ann", 100)));
  const Refused again = std::get<Refused>(this->Post(this->Money("w", "ann", -5)));
  EXPECT_EQ(again.balance.value(), 4);
  EXPECT_EQ(again.refusal, first.refusal);
  EXPECT_TRUE(again.again);
  EXPECT_TRUE(std::holds_alternative<KeyTaken>(this->Post(this->Money("w", "ann", -6))));
  EXPECT_EQ(this->Balance("ann"), 104);
}

TYPED_TEST_P(LedgerStoreContract, ASettlementIsKeptWhole) {
  const std::vector<std::string> ids = {"d", "a", "c", "b"};  // not in the order of their numbers
  for (const char* const id : {"a", "b", "c", "d"}) this->Open(id);
  this->Give("a", 30);
  this->Give("c", 9);
  this->Begin("round-1", ids);
  const Posted first = std::get<Posted>(this->Post(this->Round("round/1", ids)));
  ASSERT_TRUE(first.settlement.has_value());
  EXPECT_FALSE(first.again);
  EXPECT_EQ(this->Balance("d"), 26);
  EXPECT_EQ(this->Balance("a"), 0);
  EXPECT_EQ(this->Balance("c"), 9);
  EXPECT_EQ(this->Balance("house_rake"), 4);

  const Posted again = std::get<Posted>(this->Post(this->Round("round/1", ids)));
  EXPECT_TRUE(again.again);
  EXPECT_EQ(again.journal_no, first.journal_no);
  ASSERT_TRUE(again.settlement.has_value());
  EXPECT_EQ(*again.settlement, *first.settlement);
  EXPECT_EQ(this->Balance("d"), 26);

  Posting poisoned = this->Round("round/1", ids);
  poisoned.key.content = "another";
  EXPECT_TRUE(std::holds_alternative<KeyTaken>(this->Post(poisoned)));
}

TYPED_TEST_P(LedgerStoreContract, EntriesAreListedNewestFirst) {
  const std::vector<std::string> ids = {"a", "b", "c", "d"};
  for (const std::string& id : ids) this->Open(id);
  this->Give("a", 100);
  this->Give("b", 30);
  this->Begin("round-1", ids);
  std::get<Posted>(this->Post(this->Round("round/1", ids)));
  std::get<Posted>(this->Post(this->Money("w", "a", -26)));

  const auto all = this->store().ListEntries({"a"}, {}, 100, this->deadline());
  ASSERT_TRUE(all.ok()) << all.status();
  ASSERT_EQ(all->size(), 4U);
  const std::vector<std::int64_t> coins = {-26, -4, 30, 100};
  const std::vector<std::int64_t> balances = {100, 126, 130, 100};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ((*all)[i].sequence, static_cast<std::int64_t>(4 - i));
    EXPECT_EQ((*all)[i].coins.value(), coins[i]);
    ASSERT_TRUE((*all)[i].balance_after.has_value());
    EXPECT_EQ((*all)[i].balance_after->value(), balances[i]);
  }
  EXPECT_EQ((*all)[0].kind, JournalKind::kWithdrawal);
  EXPECT_EQ((*all)[0].reason, "because");
  EXPECT_EQ((*all)[0].round_id, "");
  EXPECT_EQ((*all)[1].kind, JournalKind::kSettlement);
  EXPECT_EQ((*all)[1].round_id, "round-1");
  EXPECT_EQ((*all)[1].table_id, "table-1");
  EXPECT_EQ((*all)[1].journal_no, (*all)[2].journal_no);
  EXPECT_EQ((*all)[3].kind, JournalKind::kDeposit);

  const auto page = this->store().ListEntries({"a"}, (*all)[1].position, 1, this->deadline());
  ASSERT_EQ(page->size(), 1U);
  EXPECT_EQ((*page)[0].sequence, 2);
}

TYPED_TEST_P(LedgerStoreContract, TheHousesEntriesAreListedToo) {
  this->Open("ann");
  for (int i = 1; i <= 3; ++i) {
    std::get<Posted>(this->Post(this->Money("d" + std::to_string(i), "ann", i)));
  }
  const auto all = this->store().ListEntries({"issue"}, {}, 2, this->deadline());
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ((*all)[0].coins.value(), -3);
  EXPECT_EQ((*all)[1].coins.value(), -2);
  EXPECT_EQ((*all)[0].sequence, 0);
  EXPECT_FALSE((*all)[0].balance_after.has_value());
  const auto rest = this->store().ListEntries({"issue"}, (*all)[1].position, 2, this->deadline());
  ASSERT_EQ(rest->size(), 1U);
  EXPECT_EQ((*rest)[0].coins.value(), -1);
}

TYPED_TEST_P(LedgerStoreContract, ManyWithOneKeyAreOne) {
  this->Open("ann");
  std::vector<std::thread> threads;
  std::vector<PostOutcome> outcomes(16);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    threads.emplace_back([&, i] { outcomes[i] = this->Post(this->Money("d", "ann", 5)); });
  }
  for (std::thread& thread : threads) thread.join();
  int decided = 0;
  for (const PostOutcome& outcome : outcomes) {
    const Posted& posted = std::get<Posted>(outcome);
    decided += posted.again ? 0 : 1;
    EXPECT_EQ(posted.journal_no, std::get<Posted>(outcomes[0]).journal_no);
    EXPECT_EQ(posted.balance.value(), 5);
  }
  EXPECT_EQ(decided, 1);
  EXPECT_EQ(this->Balance("ann"), 5);
}

TYPED_TEST_P(LedgerStoreContract, ManyRoundsWithOneKeyAreOne) {
  const std::vector<std::string> ids = {"a", "b", "c", "d"};
  for (const std::string& id : ids) this->Open(id);
  this->Give("b", 1000);
  this->Begin("round-1", ids);
  std::vector<std::thread> threads;
  std::vector<PostOutcome> outcomes(16);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    threads.emplace_back([&, i] { outcomes[i] = this->Post(this->Round("round/1", ids)); });
  }
  for (std::thread& thread : threads) thread.join();
  int decided = 0;
  for (const PostOutcome& outcome : outcomes) {
    decided += std::get<Posted>(outcome).again ? 0 : 1;
    EXPECT_EQ(*std::get<Posted>(outcome).settlement, *std::get<Posted>(outcomes[0]).settlement);
  }
  EXPECT_EQ(decided, 1);
  EXPECT_EQ(this->Balance("a"), 26);
}

TYPED_TEST_P(LedgerStoreContract, TiersAreThoseOfTheGame) {
  const auto tiers = this->store().TiersOf("shaoguan", Currency::kCoin, this->deadline());
  ASSERT_TRUE(tiers.ok()) << tiers.status();
  std::vector<Tier> sorted = *tiers;
  std::sort(sorted.begin(), sorted.end(),
            [](const Tier& a, const Tier& b) { return a.stakes.base < b.stakes.base; });
  std::vector<Tier> want = SomeTiers();
  std::erase_if(want, [](const Tier& tier) {
    return tier.stakes.variant != "shaoguan" || tier.currency != Currency::kCoin;
  });
  EXPECT_EQ(sorted, want);
  EXPECT_TRUE(this->store().TiersOf("no-such-game", Currency::kCoin, this->deadline())->empty());
}

TYPED_TEST_P(LedgerStoreContract, EntriesThatDoNotBalanceAreABug) {
  this->Open("ann");
  Posting posting = this->Money("d", "ann", 5);
  const auto decide = posting.decide;
  posting.decide = [decide](const Ground& ground) -> absl::StatusOr<Verdict> {
    Event event = std::get<Event>(*decide(ground));
    event.lines.erase(event.lines.begin());  // the issue account's side
    return event;
  };
  EXPECT_EQ(this->store().Post(posting, this->deadline()).status().code(),
            absl::StatusCode::kInternal);
  EXPECT_EQ(this->Balance("ann"), 0);
  EXPECT_EQ(this->Balance("issue"), 0);
}

TYPED_TEST_P(LedgerStoreContract, ValidatingDecidesAndWritesNothing) {
  this->Open("ann");
  this->Give("ann", 4);
  Posting posting = this->Money("v", "ann", 5);
  posting.validate_only = true;
  const Posted would = std::get<Posted>(this->Post(posting));
  EXPECT_EQ(would.journal_no, 0);
  EXPECT_EQ(would.balance.value(), 9);
  posting = this->Money("v", "ann", -5);
  posting.validate_only = true;
  EXPECT_EQ(std::get<Refused>(this->Post(posting)).balance.value(), 4);
  EXPECT_EQ(this->Balance("ann"), 4);
  ChangeRequest change = this->Seat("v", "ann", 4, std::chrono::minutes(1));
  change.validate_only = true;
  EXPECT_EQ(std::get<Changed>(this->Change(change)).facts.at("said"), "first");
  EXPECT_EQ(this->StandingOf("ann"), Standing{});
  // The key is still free, and what has an answer gives it.
  EXPECT_FALSE(std::get<Posted>(this->Post(this->Money("v", "ann", 5))).again);
  posting = this->Money("v", "ann", 5);
  posting.validate_only = true;
  EXPECT_TRUE(std::get<Posted>(this->Post(posting)).again);
}

TYPED_TEST_P(LedgerStoreContract, AHoldLivesByTheStoresClock) {
  this->Open("ann");
  this->Give("ann", 100);
  const ChangeRequest seat = this->Seat("s", "ann", 60, std::chrono::milliseconds(300));
  const Changed first = std::get<Changed>(this->Change(seat));
  EXPECT_EQ(first.balance.value(), 100);
  EXPECT_FALSE(first.again);
  ASSERT_TRUE(this->StandingOf("ann").hold.has_value());
  EXPECT_EQ(this->StandingOf("ann").hold->coins.value(), 60);
  EXPECT_EQ(this->StandingOf("ann").hold->table_id, "table-1");
  const Refused early = std::get<Refused>(this->Post(this->Money("w1", "ann", -41)));
  EXPECT_EQ(early.refusal.reason, base::Reason::kInsufficientFunds);
  // Nobody sweeps: it ends by itself.
  base::MonotonicTime end = this->clock_.Monotonic() + std::chrono::milliseconds(400);
  while (this->clock_.Monotonic() < end) std::this_thread::yield();
  EXPECT_EQ(this->StandingOf("ann").hold, std::nullopt);
  std::get<Posted>(this->Post(this->Money("w2", "ann", -100)));
  EXPECT_EQ(this->Balance("ann"), 0);
  const Changed again = std::get<Changed>(this->Change(seat));
  EXPECT_TRUE(again.again);
  EXPECT_EQ(again.facts, first.facts);
  EXPECT_EQ(again.balance.value(), 100);
  ChangeRequest poisoned = seat;
  poisoned.key.content = "another";
  EXPECT_TRUE(std::holds_alternative<KeyTaken>(this->Change(poisoned)));
}

TYPED_TEST_P(LedgerStoreContract, ARefusedChangeIsRemembered) {
  this->Open("ann");
  ChangeRequest request = this->Seat("s", "ann", 0, std::chrono::minutes(1));
  request.decide = [](const Ground&) -> absl::StatusOr<ChangeVerdict> {
    return Refuse(base::Reason::kBelowMinimum, "player_id", {{"minimum", "7"}});
  };
  const Refused first = std::get<Refused>(this->Change(request));
  const Refused again =
      std::get<Refused>(this->Change(this->Seat("s", "ann", 0, std::chrono::minutes(1))));
  EXPECT_TRUE(again.again);
  EXPECT_EQ(again.refusal, first.refusal);
  EXPECT_EQ(this->StandingOf("ann"), Standing{});
}

TYPED_TEST_P(LedgerStoreContract, WhatStandsAboutAnAccountIsKept) {
  this->Open("ann");
  for (const auto& [frozen, closed] : {std::pair(true, false), {false, false}, {false, true}}) {
    ChangeRequest request = this->Altered("s" + std::to_string(frozen) + std::to_string(closed),
                                          {"ann"}, [&](Standing& standing, base::WallTime) {
                                            standing.frozen = frozen;
                                            standing.closed = closed;
                                          });
    const auto decide = request.decide;
    request.decide = [&, decide](const Ground& ground) -> absl::StatusOr<ChangeVerdict> {
      auto verdict = decide(ground);
      Alteration& alteration = std::get<Alteration>(*verdict);
      alteration.account_event = closed   ? AccountEventKind::kClosed
                                 : frozen ? AccountEventKind::kFrozen
                                          : AccountEventKind::kUnfrozen;
      alteration.actor = "ops";
      alteration.reason = "because";
      return verdict;
    };
    std::get<Changed>(this->Change(request));
    EXPECT_EQ(this->StandingOf("ann").frozen, frozen);
    EXPECT_EQ(this->StandingOf("ann").closed, closed);
  }
}

TYPED_TEST_P(LedgerStoreContract, ARoundBeginsOnceAndClosesOnce) {
  const std::vector<std::string> ids = {"d", "a", "c", "b"};
  for (const std::string& id : ids) this->Open(id);
  this->Give("a", 500);
  EXPECT_FALSE(this->store().FindRound("round-1", this->deadline())->begun.has_value());
  const Changed begun = std::get<Changed>(this->Change(this->Beginning("round-1", ids)));
  ASSERT_TRUE(begun.round.has_value());
  EXPECT_EQ(this->StandingOf("c").round_id, "round-1");
  const auto found = this->store().FindRound("round-1", this->deadline());
  ASSERT_TRUE(found->begun.has_value());
  EXPECT_EQ(*found->begun, *begun.round);
  EXPECT_EQ(found->closed, std::nullopt);
  const Changed again = std::get<Changed>(this->Change(this->Beginning("round-1", ids)));
  EXPECT_TRUE(again.again);
  EXPECT_EQ(*again.round, *begun.round);
  ChangeRequest poisoned = this->Beginning("round-1", ids);
  poisoned.key.content = "another";
  EXPECT_TRUE(std::holds_alternative<KeyTaken>(this->Change(poisoned)));

  std::get<Posted>(this->Post(this->Money("d", "a", 5)));
  const Posted closed = std::get<Posted>(this->Post(this->Void("round-1", ids)));
  EXPECT_FALSE(closed.again);
  EXPECT_EQ(this->StandingOf("a").round_id, "");
  EXPECT_TRUE(this->StandingOf("a").hold.has_value());
  EXPECT_EQ(this->Balance("a"), 505);
  EXPECT_EQ(this->store().FindRound("round-1", this->deadline())->closed,
            (RoundClose{JournalKind::kVoid, closed.journal_no}));
  const Posted same = std::get<Posted>(this->Post(this->Void("round-1", ids)));
  EXPECT_TRUE(same.again);
  EXPECT_EQ(same.journal_no, closed.journal_no);
  EXPECT_TRUE(std::holds_alternative<KeyTaken>(this->Post(this->Round("round/round-1", ids))));
}

TYPED_TEST_P(LedgerStoreContract, AHoldInABegunRoundLivesPastItsTime) {
  const std::vector<std::string> ids = {"a", "b", "c", "d"};
  for (const std::string& id : ids) this->Open(id);
  this->Give("a", 500);
  ChangeRequest begin = this->Beginning("round-1", ids);
  const auto decide = begin.decide;
  begin.decide = [decide](const Ground& ground) -> absl::StatusOr<ChangeVerdict> {
    auto verdict = decide(ground);
    for (Standing& standing : std::get<Alteration>(*verdict).after) {
      standing.hold->until = ground.now;
    }
    return verdict;
  };
  std::get<Changed>(this->Change(begin));
  EXPECT_TRUE(this->StandingOf("a").hold.has_value());
  std::get<Posted>(this->Post(this->Void("round-1", ids)));
  EXPECT_EQ(this->StandingOf("a").hold, std::nullopt);
}

TYPED_TEST_P(LedgerStoreContract, APenaltyIsKeptWhole) {
  const std::vector<std::string> ids = {"d", "a", "c", "b"};
  for (const std::string& id : ids) this->Open(id);
  this->Give("a", 100);
  this->Begin("round-1", ids);
  Posting posting = this->Void("round-1", ids);
  posting.decide = [ids](const Ground& ground) -> absl::StatusOr<Verdict> {
    using ledger::operator""_coins;
    ledger::Journal journal;
    const ledger::AccountId escaper{"a"};
    for (const char* const id : {"d", "c", "b"}) {
      EXPECT_EQ(journal.Move(escaper, {id}, 33_coins, ledger::Purpose::kPenalty), std::nullopt);
    }
    EXPECT_EQ(journal.Move(escaper, {"penalties"}, 1_coins, ledger::Purpose::kPenalty),
              std::nullopt);
    auto lines = Compose(journal.Entries(), ids, ground.accounts, ledger::Reach::kHeld);
    if (!lines.ok()) return absl::InternalError("short");
    Event event;
    event.kind = JournalKind::kPenalty;
    event.actor = "contract";
    event.table_id = "table-1";
    event.round_id = "round-1";
    event.rulebook_version = "v1";
    event.happened_at = base::WallTime(std::chrono::seconds(1));
    event.lines = std::move(lines).value();
    PenaltyTaken penalty;
    std::copy_n(ids.begin(), 4, penalty.player_ids.begin());
    penalty.escaper = 1;
    penalty.penalty = 640_coins;
    penalty.shares = {100_coins, 33_coins, 1_coins, 540_coins};
    penalty.balance_after = {33_coins, 0_coins, 33_coins, 33_coins};
    event.penalty = penalty;
    return event;
  };
  const Posted first = std::get<Posted>(this->Post(posting));
  const Posted again = std::get<Posted>(this->Post(posting));
  ASSERT_TRUE(again.penalty.has_value());
  EXPECT_EQ(*again.penalty, *first.penalty);
  EXPECT_TRUE(again.again);
  EXPECT_EQ(this->Balance("a"), 0);
  EXPECT_EQ(this->StandingOf("a").hold->coins.value(), 0);
  EXPECT_EQ(this->Balance("penalties"), 1);
}

TYPED_TEST_P(LedgerStoreContract, AMovementIsBookedOnce) {
  this->Open("ann");
  const auto with = [this](const std::string& key, Flow flow, const std::string& reference,
                           bool& used) {
    Posting posting = this->Money(key, "ann", 5);
    posting.movement = Movement{flow, reference.empty() ? "" : "apay", reference};
    const auto decide = posting.decide;
    posting.decide = [decide, &used, movement = *posting.movement](
                         const Ground& ground) -> absl::StatusOr<Verdict> {
      used = ground.reference_used;
      if (used) return Refuse(base::Reason::kExternalReferenceUsed, "external_reference");
      auto verdict = decide(ground);
      if (verdict.ok()) std::get<Event>(*verdict).movement = movement;
      return verdict;
    };
    return posting;
  };
  bool used = true;
  std::get<Posted>(this->Post(with("k1", Flow::kPurchase, "order-1", used)));
  EXPECT_FALSE(used);
  std::get<Refused>(this->Post(with("k2", Flow::kPurchase, "order-1", used)));
  EXPECT_TRUE(used);
  std::get<Posted>(this->Post(with("k3", Flow::kGrant, "order-1", used)));
  std::get<Posted>(this->Post(with("k4", Flow::kPurchase, "order-2", used)));
  std::get<Posted>(this->Post(with("k5", Flow::kGrant, "", used)));
  std::get<Posted>(this->Post(with("k6", Flow::kGrant, "", used)));
  EXPECT_EQ(this->Balance("ann"), 25);
}

TYPED_TEST_P(LedgerStoreContract, ARowIsReversedOnce) {
  this->Open("ann");
  EXPECT_EQ(*this->store().FindJournal(1'000'000, this->deadline()), std::nullopt);
  const Posted deposit = std::get<Posted>(this->Post(this->Money("d", "ann", 5)));
  auto record = this->store().FindJournal(deposit.journal_no, this->deadline());
  ASSERT_TRUE(record.ok() && record->has_value());
  EXPECT_EQ((*record)->kind, JournalKind::kDeposit);
  EXPECT_EQ((*record)->entries.size(), 2U);
  EXPECT_EQ((*record)->player_ids, std::vector<std::string>{"ann"});
  EXPECT_EQ((*record)->reversed_by, 0);

  const auto reversal = [&](const std::string& key, JournalNo& seen) {
    Posting posting = this->Money(key, "ann", -5);
    posting.reverses = deposit.journal_no;
    posting.decide = [&seen, &deposit](const Ground& ground) -> absl::StatusOr<Verdict> {
      seen = ground.reversed_by;
      if (seen != 0) return Refuse(base::Reason::kAlreadyReversed, "journal_id");
      using ledger::operator""_coins;
      auto lines = Compose({{{"ann"}, -5_coins, ledger::Purpose::kReversal},
                            {{"issue"}, 5_coins, ledger::Purpose::kReversal}},
                           std::vector<std::string>{"ann"}, ground.accounts, ledger::Reach::kHeld);
      Event event;
      event.kind = JournalKind::kReversal;
      event.actor = "contract";
      event.approver = "another";
      event.reason = "because";
      event.happened_at = base::WallTime(std::chrono::seconds(1));
      event.lines = std::move(lines).value();
      event.reverses = deposit.journal_no;
      event.facts = {{"covered", "0"}};
      return event;
    };
    return posting;
  };
  JournalNo seen = 1;
  const Posted first = std::get<Posted>(this->Post(reversal("r1", seen)));
  EXPECT_EQ(seen, 0);
  EXPECT_EQ(first.facts.at("covered"), "0");
  EXPECT_EQ(std::get<Posted>(this->Post(reversal("r1", seen))).facts, first.facts);
  std::get<Refused>(this->Post(reversal("r2", seen)));
  EXPECT_EQ(seen, first.journal_no);
  EXPECT_EQ(this->Balance("ann"), 0);
  record = this->store().FindJournal(deposit.journal_no, this->deadline());
  EXPECT_EQ((*record)->reversed_by, first.journal_no);
}

TYPED_TEST_P(LedgerStoreContract, ATierGetsPeriodsAndKeepsThem) {
  const std::vector<Tier> before =
      *this->store().TiersOf("shaoguan", Currency::kCoin, this->deadline());
  TierPeriod period;
  period.tier = before[0];
  period.tier.stakes.rake = Coins::From(9).value();
  period.from_now = true;
  period.actor = "ops";
  const RequestKey key{"put/1", 1, "content"};
  const auto put = this->store().PutTier(key, period, this->deadline());
  ASSERT_TRUE(put.ok()) << put.status();
  const Tier now = std::get<Tier>(*put);
  EXPECT_GT(now.valid_from, before[0].valid_from);
  EXPECT_EQ(std::get<Tier>(*this->store().PutTier(key, period, this->deadline())), now);
  EXPECT_TRUE(std::holds_alternative<KeyTaken>(
      *this->store().PutTier({"put/1", 1, "other"}, period, this->deadline())));
  const auto after = this->store().TiersOf("shaoguan", Currency::kCoin, this->deadline());
  EXPECT_NE(std::find(after->begin(), after->end(), now), after->end());
  EXPECT_EQ(after->size(), before.size());

  const auto refused = [&](const TierPeriod& other, const std::string& name) {
    return std::get<TierRefused>(
        *this->store().PutTier({"put/" + name, 1, name}, other, this->deadline()));
  };
  TierPeriod past = period;
  past.from_now = false;
  EXPECT_EQ(refused(past, "past"), TierRefused::kInThePast);
  TierPeriod elsewhere = period;
  elsewhere.tier.id = "another-id";
  EXPECT_EQ(refused(elsewhere, "elsewhere"), TierRefused::kOtherRoom);
  elsewhere = period;
  elsewhere.tier.stakes.base = Coins::From(7).value();
  EXPECT_EQ(refused(elsewhere, "base"), TierRefused::kOtherRoom);
  TierPeriod later = period;
  later.from_now = false;
  later.tier.valid_from = now.valid_from + std::chrono::hours(1);
  later.tier.valid_until = later.tier.valid_from + std::chrono::hours(1);
  std::get<Tier>(*this->store().PutTier({"put/later", 1, "later"}, later, this->deadline()));
  EXPECT_EQ(refused(period, "between"), TierRefused::kNotTheLast);
  TierPeriod fresh = period;
  fresh.tier.id = "shaoguan-7";
  fresh.tier.stakes.base = Coins::From(7).value();
  std::get<Tier>(*this->store().PutTier({"put/fresh", 1, "fresh"}, fresh, this->deadline()));
  EXPECT_EQ(this->store().TiersOf("", Currency::kCoin, this->deadline())->size(),
            this->store().TiersOf("", Currency::kPractice, this->deadline())->size() + 1);
}

TYPED_TEST_P(LedgerStoreContract, EntriesAfterANumberComeOldestFirst) {
  this->Open("ann");
  for (int i = 1; i <= 4; ++i) {
    std::get<Posted>(this->Post(this->Money("d" + std::to_string(i), "ann", i)));
  }
  const auto entries = this->store().ListEntriesAfter({"ann"}, 1, 2, this->deadline());
  ASSERT_TRUE(entries.ok()) << entries.status();
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ((*entries)[0].sequence, 2);
  EXPECT_EQ((*entries)[1].sequence, 3);
  EXPECT_EQ((*entries)[1].coins.value(), 3);
  EXPECT_EQ((*entries)[1].balance_after->value(), 6);
  EXPECT_TRUE(this->store().ListEntriesAfter({"ann"}, 4, 2, this->deadline())->empty());
  EXPECT_TRUE(this->store().ListEntriesAfter({"issue"}, 0, 2, this->deadline())->empty());
}

TYPED_TEST_P(LedgerStoreContract, SettlementsAreListedByPlayerAndTable) {
  const std::vector<std::string> ids = {"a", "b", "c", "d"};
  for (const std::string& id : ids) this->Open(id);
  this->Give("b", 100);
  this->Begin("round-0", ids);
  std::get<Posted>(this->Post(this->Void("round-0", ids)));
  this->Begin("round-1", ids);
  const Posted posted = std::get<Posted>(this->Post(this->Round("round/round-1", ids)));
  for (const SettlementFilter& filter :
       {SettlementFilter{AccountKey{"c"}, ""}, SettlementFilter{std::nullopt, "table-1"}}) {
    const auto list = this->store().ListSettlements(filter, {}, 10, this->deadline());
    ASSERT_TRUE(list.ok()) << list.status();
    ASSERT_EQ(list->size(), 1U);
    const SettledRound& round = list->front();
    EXPECT_EQ(round.journal_no, posted.journal_no);
    EXPECT_EQ(round.round_id, "round-1");
    EXPECT_EQ(round.table_id, "table-1");
    EXPECT_EQ(round.rulebook_version, "v1");
    EXPECT_EQ(round.settlement, *posted.settlement);
    EXPECT_EQ(round.reversed_by, 0);
    EXPECT_TRUE(
        this->store().ListSettlements(filter, round.position, 10, this->deadline())->empty());
  }
  EXPECT_TRUE(
      this->store()
          .ListSettlements({AccountKey{"c", Currency::kPractice}, ""}, {}, 10, this->deadline())
          ->empty());
  EXPECT_EQ((*this->store().FindSettlement("round-1", 0, this->deadline()))->journal_no,
            posted.journal_no);
  EXPECT_EQ((*this->store().FindSettlement("", posted.journal_no, this->deadline()))->round_id,
            "round-1");
  EXPECT_EQ(*this->store().FindSettlement("round-0", 0, this->deadline()), std::nullopt);
}

REGISTER_TYPED_TEST_SUITE_P(LedgerStoreContract, AnAccountIsOpenedOnceUnderItsKey,
                            AnIdMayHaveAnAccountInEachCurrency, TheHouseIsThereAndNobodyTakesItsIds,
                            NobodyIsNotFound, DecisionsSeeWhatIsThere, AFailedDecisionLeavesNoTrace,
                            TheSameRequestGetsItsFirstAnswer, OtherContentUnderAUsedKeyIsRefused,
                            ARefusalIsRemembered, ASettlementIsKeptWhole,
                            EntriesAreListedNewestFirst, TheHousesEntriesAreListedToo,
                            ManyWithOneKeyAreOne, ManyRoundsWithOneKeyAreOne,
                            TiersAreThoseOfTheGame, EntriesThatDoNotBalanceAreABug,
                            ValidatingDecidesAndWritesNothing, AHoldLivesByTheStoresClock,
                            ARefusedChangeIsRemembered, WhatStandsAboutAnAccountIsKept,
                            ARoundBeginsOnceAndClosesOnce, AHoldInABegunRoundLivesPastItsTime,
                            APenaltyIsKeptWhole, AMovementIsBookedOnce, ARowIsReversedOnce,
                            ATierGetsPeriodsAndKeepsThem, EntriesAfterANumberComeOldestFirst,
                            SettlementsAreListedByPlayerAndTable);

}  // namespace mj::wallet
