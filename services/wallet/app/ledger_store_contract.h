// The contract of LedgerStore as tests: accounts and postings. Every store runs all of them, and
// those of ledger_changes_contract.h:
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
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/clock.h"
#include "libs/ledger/journal.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/ledger_fixture_contract.h"
#include "services/wallet/app/ledger_store.h"
#include "services/wallet/app/memory_ledger_store_testing.h"

namespace mj::wallet {

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

TYPED_TEST_P(LedgerStoreContract, WhoDoesNotWaitIsToldTheSame) {
  this->Open("ann");
  const auto post = [this](Posting posting) {
    std::promise<absl::StatusOr<PostOutcome>> told;
    this->store().PostAsync(
        std::make_shared<const Posting>(std::move(posting)), this->deadline(),
        [&told](absl::StatusOr<PostOutcome> outcome) { told.set_value(std::move(outcome)); });
    return told.get_future().get();
  };
  const auto first = post(this->Money("d", "ann", 5));
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(std::get<Posted>(*first).balance.value(), 5);
  const auto again = post(this->Money("d", "ann", 5));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(std::get<Posted>(*again).again);
  EXPECT_EQ(std::get<Posted>(*again).journal_no, std::get<Posted>(*first).journal_no);
  EXPECT_TRUE(std::holds_alternative<KeyTaken>(*post(this->Money("d", "ann", 6))));
  EXPECT_TRUE(std::holds_alternative<Refused>(*post(this->Money("w", "ann", -6))));
  EXPECT_EQ(post(this->Money("x", "nobody", 5)).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(this->Balance("ann"), 5);
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

REGISTER_TYPED_TEST_SUITE_P(LedgerStoreContract, AnAccountIsOpenedOnceUnderItsKey,
                            AnIdMayHaveAnAccountInEachCurrency, TheHouseIsThereAndNobodyTakesItsIds,
                            NobodyIsNotFound, DecisionsSeeWhatIsThere, AFailedDecisionLeavesNoTrace,
                            TheSameRequestGetsItsFirstAnswer, WhoDoesNotWaitIsToldTheSame,
                            OtherContentUnderAUsedKeyIsRefused, ARefusalIsRemembered,
                            ASettlementIsKeptWhole, EntriesAreListedNewestFirst,
                            TheHousesEntriesAreListedToo, ManyWithOneKeyAreOne,
                            ManyRoundsWithOneKeyAreOne, TiersAreThoseOfTheGame,
                            EntriesThatDoNotBalanceAreABug);

}  // namespace mj::wallet
