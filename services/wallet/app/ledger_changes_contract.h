// The contract of LedgerStore as tests: seats, rounds, tiers, reversals, lists. See
// ledger_store_contract.h.
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

#include "libs/audit/digest.h"
#include "libs/base/clock.h"
#include "libs/ledger/journal.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/ledger_fixture_contract.h"
#include "services/wallet/app/ledger_store.h"
#include "services/wallet/app/memory_ledger_store_testing.h"

namespace mj::wallet {

template <typename Factory>
class LedgerChangesContract : public LedgerStoreContract<Factory> {};

TYPED_TEST_SUITE_P(LedgerChangesContract);

TYPED_TEST_P(LedgerChangesContract, ValidatingDecidesAndWritesNothing) {
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

TYPED_TEST_P(LedgerChangesContract, AHoldLivesByTheStoresClock) {
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

TYPED_TEST_P(LedgerChangesContract, ARefusedChangeIsRemembered) {
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

TYPED_TEST_P(LedgerChangesContract, WhatStandsAboutAnAccountIsKept) {
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

TYPED_TEST_P(LedgerChangesContract, ARoundBeginsOnceAndClosesOnce) {
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
  EXPECT_EQ(std::get<KeyTaken>(this->Post(this->Round("round/round-1", ids))).closed,
            (RoundClose{JournalKind::kVoid, closed.journal_no}));
}

TYPED_TEST_P(LedgerChangesContract, AHoldInABegunRoundLivesPastItsTime) {
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

TYPED_TEST_P(LedgerChangesContract, APenaltyIsKeptWhole) {
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

TYPED_TEST_P(LedgerChangesContract, AMovementIsBookedOnce) {
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

TYPED_TEST_P(LedgerChangesContract, ARowIsReversedOnce) {
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

TYPED_TEST_P(LedgerChangesContract, ATierGetsPeriodsAndKeepsThem) {
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

TYPED_TEST_P(LedgerChangesContract, EntriesAfterANumberComeOldestFirst) {
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

TYPED_TEST_P(LedgerChangesContract, ManyPlayersAreAskedAtOnceHowFarTheyCame) {
  this->Open("ann");
  this->Open("bob");
  this->Give("ann", 5);
  const auto reached = this->store().LastSequences({{"ann", Currency::kCoin},
                                                    {"bob", Currency::kCoin},
                                                    {"ann", Currency::kPractice},
                                                    {"issue", Currency::kCoin},
                                                    {"nobody", Currency::kCoin}},
                                                   this->deadline());
  ASSERT_TRUE(reached.ok()) << reached.status();
  const std::map<AccountKey, std::int64_t> want = {{{"ann", Currency::kCoin}, 1},
                                                   {{"bob", Currency::kCoin}, 0}};
  EXPECT_EQ(*reached, want);
  EXPECT_TRUE(this->store().LastSequences({}, this->deadline())->empty());
}

TYPED_TEST_P(LedgerChangesContract, SettlementsAreListedByPlayerAndTable) {
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

TYPED_TEST_P(LedgerChangesContract, TheRowThatClosedARoundIsReadAsItIsHashed) {
  const std::vector<std::string> ids = {"a", "b", "c", "d"};
  for (const std::string& id : ids) this->Open(id);
  this->Give("b", 100);
  JournalNo before = 0;
  for (const std::string round : {"round-0", "round-1"}) {
    this->Begin(round, ids);
    EXPECT_EQ(*this->store().FindHashedRow(round, 0, this->deadline()), std::nullopt);
    const Posted posted = std::get<Posted>(this->Post(
        round == "round-0" ? this->Void(round, ids) : this->Round("round/" + round, ids)));
    const auto row = this->store().FindHashedRow(round, 0, this->deadline());
    ASSERT_TRUE(row.ok()) << row.status();
    ASSERT_TRUE(row->has_value());
    EXPECT_EQ((*row)->journal_no, posted.journal_no);
    EXPECT_NE((*row)->journal_no, before);
    EXPECT_NE((*row)->canonical.find("\nround=" + round + "\n"), std::string::npos);
    EXPECT_EQ((*row)->hash, audit::Sha256((*row)->canonical));
    EXPECT_EQ(*this->store().FindHashedRow("", posted.journal_no, this->deadline()), *row);
    before = posted.journal_no;
  }
  EXPECT_EQ(*this->store().FindHashedRow("", before + 1'000, this->deadline()), std::nullopt);
}

REGISTER_TYPED_TEST_SUITE_P(LedgerChangesContract, ValidatingDecidesAndWritesNothing,
                            AHoldLivesByTheStoresClock, ARefusedChangeIsRemembered,
                            WhatStandsAboutAnAccountIsKept, ARoundBeginsOnceAndClosesOnce,
                            AHoldInABegunRoundLivesPastItsTime, APenaltyIsKeptWhole,
                            AMovementIsBookedOnce, ARowIsReversedOnce, ATierGetsPeriodsAndKeepsThem,
                            EntriesAfterANumberComeOldestFirst,
                            SettlementsAreListedByPlayerAndTable,
                            TheRowThatClosedARoundIsReadAsItIsHashed,
                            ManyPlayersAreAskedAtOnceHowFarTheyCame);

}  // namespace mj::wallet
