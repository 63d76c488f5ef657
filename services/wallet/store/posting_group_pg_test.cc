// Groups of postings on real PostgreSQL: each with an outcome of its own.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "services/wallet/store/posting_group.h"
#include "services/wallet/store/races_testing.h"

namespace mj::wallet::store {
namespace {

class PostingGroupTest : public BooksFixture {
 protected:
  PostingGroupTest() {
    Open("ann", 100);
    Open("bob", 100);
  }

  // Writes them as one group; their outcomes in order.
  std::vector<absl::StatusOr<PostOutcome>> Write(const std::vector<Posting>& postings) {
    std::vector<std::shared_ptr<PendingPosting>> group;
    for (const Posting& posting : postings) {
      group.push_back(std::make_shared<PendingPosting>(std::make_shared<const Posting>(posting)));
    }
    PostingGroupWriter writer(pool_, rulebooks_, [](PendingPosting& pending, const Ground& ground) {
      return pending.posting().decide(ground);
    });
    writer.Write(group, Context().deadline);
    std::vector<absl::StatusOr<PostOutcome>> outcomes;
    for (const auto& pending : group) outcomes.push_back(pending->outcome);
    return outcomes;
  }

  static const Posted& Written(const absl::StatusOr<PostOutcome>& outcome) {
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    return std::get<Posted>(*outcome);
  }

  RulebookCache rulebooks_;
};

TEST_F(PostingGroupTest, EachStandsOnWhatThoseBeforeItLeft) {
  const auto outcomes = Write({Move("a", "ann", "bob", 100), Move("b", "bob", "ann", 200),
                               Move("c", "ann", "bob", 200), Move("d", "ann", "bob", 1)});
  EXPECT_EQ(Written(outcomes[0]).balance.value(), 0);
  EXPECT_EQ(Written(outcomes[1]).balance.value(), 0);
  EXPECT_EQ(Written(outcomes[2]).balance.value(), 0);
  EXPECT_TRUE(std::holds_alternative<Refused>(*outcomes[3]));
  EXPECT_EQ(Balance("bob"), 200);
  EXPECT_EQ(database_.Execute("SELECT count(DISTINCT (xmin::text, chain_no)) FROM wallet.journal"
                              " WHERE kind = 'adjustment'"),
            "1");
  ExpectBooksAreRight(database_);
}

TEST_F(PostingGroupTest, OneKeyHasOneEffect) {
  Posting other = Move("a", "ann", "bob", 2);
  const auto outcomes = Write({Move("a", "ann", "bob", 1), Move("a", "ann", "bob", 1), other,
                               Move("r", "ann", "bob", 1000), Move("r", "ann", "bob", 1000)});
  EXPECT_FALSE(Written(outcomes[0]).again);
  EXPECT_TRUE(Written(outcomes[1]).again);
  EXPECT_EQ(Written(outcomes[1]).journal_no, Written(outcomes[0]).journal_no);
  EXPECT_TRUE(std::holds_alternative<KeyTaken>(*outcomes[2]));
  EXPECT_FALSE(std::get<Refused>(*outcomes[3]).again);
  EXPECT_TRUE(std::get<Refused>(*outcomes[4]).again);
  EXPECT_EQ(Balance("bob"), 101);
  // And once more, from what is remembered.
  EXPECT_TRUE(Written(Write({Move("a", "ann", "bob", 1)})[0]).again);
  EXPECT_EQ(Balance("bob"), 101);
  ExpectBooksAreRight(database_);
}

TEST_F(PostingGroupTest, WhoseDecisionFailsSpoilsNobodys) {
  Posting failing = Move("f", "ann", "bob", 1);
  failing.decide = [](const Ground&) -> absl::StatusOr<Verdict> {
    return absl::NotFoundError("no");
  };
  const auto outcomes = Write({Move("a", "ann", "bob", 1), failing, Move("z", "ann", "bob", 1)});
  EXPECT_EQ(outcomes[1].status(), absl::NotFoundError("no"));
  Written(outcomes[0]);
  Written(outcomes[2]);
  EXPECT_EQ(Balance("bob"), 102);
}

// What the schema refuses, and what cannot even be sent.
TEST_F(PostingGroupTest, APoisonedPostingSpoilsNobodys) {
  const auto poisoned = [](const std::string& key, auto poison) {
    Posting posting = Move(key, "ann", "bob", 1);
    posting.decide = [decide = posting.decide, poison](const Ground& ground) {
      auto verdict = decide(ground);
      poison(std::get<Event>(*verdict));
      return verdict;
    };
    return posting;
  };
  const auto outcomes =
      Write({Move("a", "ann", "bob", 1),
             poisoned("b", [](Event& event) { event.approver = event.actor; }),
             poisoned("c", [](Event& event) { event.reason = std::string("\0", 1); }),
             poisoned("d", [](Event& event) { event.reason = "\xff"; }),
             poisoned("e", [](Event& event) { event.lines[0].after->last_sequence = 1; }),
             poisoned("f", [](Event& event) { event.lines.pop_back(); }),
             poisoned("g", [](Event& event) { event.lines[0].entry.account.text = "eve"; }),
             Move("z", "ann", "bob", 1)});
  Written(outcomes[0]);
  Written(outcomes[7]);
  for (std::size_t at = 1; at < 7; ++at) EXPECT_FALSE(outcomes[at].ok()) << at;
  for (const std::size_t bug : {1U, 4U, 5U, 6U}) {
    EXPECT_EQ(outcomes[bug].status().code(), absl::StatusCode::kInternal) << outcomes[bug].status();
  }
  EXPECT_EQ(Balance("bob"), 102);
  EXPECT_EQ(Balance("ann"), 98);
  ExpectBooksAreRight(database_);
}

TEST_F(PostingGroupTest, WhatOnlyAsksWritesNothing) {
  Posting asks = Move("a", "ann", "bob", 1);
  asks.validate_only = true;
  const auto outcomes = Write({asks, Move("b", "ann", "bob", 100)});
  EXPECT_EQ(Written(outcomes[0]).journal_no, 0);
  EXPECT_EQ(Written(outcomes[0]).balance.value(), 99);
  EXPECT_EQ(Written(outcomes[1]).balance.value(), 0);
  EXPECT_FALSE(Written(Write({Move("a", "bob", "ann", 1)})[0]).again);
}

TEST_F(PostingGroupTest, AKeyThatAnotherTransactionUsesMeanwhileIsFound) {
  // Another replica writes the same request between the look-up and the commit.
  PgLedgerStore other(pool_);
  Posting posting = Move("a", "ann", "bob", 1);
  int decided = 0;
  posting.decide = [&, decide = posting.decide](const Ground& ground) {
    if (++decided == 1) {
      database_.Execute(
          "INSERT INTO wallet.requests (request_key, content_version, content_hash, outcome,"
          " account_no, balance) SELECT 'a', 1, sha256('ann/bob/1'), 'INSUFFICIENT_FUNDS',"
          " account_no, 7 FROM wallet.accounts WHERE account_id = 'ann' AND currency = 'COIN'");
    }
    return decide(ground);
  };
  const auto outcomes = Write({posting, Move("b", "ann", "bob", 1)});
  EXPECT_EQ(decided, 1);
  EXPECT_TRUE(std::get<Refused>(*outcomes[0]).again);
  Written(outcomes[1]);
  EXPECT_EQ(Balance("bob"), 101);
}

TEST_F(PostingGroupTest, ACutConnectionLeavesAllOfThemOpenAndDoublesNone) {
  bool cut = false;
  const auto cutting = [&](const std::string& key) {
    Posting posting = Move(key, "ann", "bob", 1);
    posting.decide = [&, decide = posting.decide](const Ground& ground) {
      if (!cut) {
        cut = true;
        database_.Execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE application_name = 'races'");
      }
      return decide(ground);
    };
    return posting;
  };
  const std::vector<Posting> group = {cutting("a"), Move("b", "ann", "bob", 1)};
  for (const auto& outcome : Write(group)) {
    EXPECT_EQ(outcome.status().code(), absl::StatusCode::kUnavailable) << outcome.status();
  }
  for (const auto& outcome : Write(group)) Written(outcome);
  for (const auto& outcome : Write(group)) EXPECT_TRUE(Written(outcome).again);
  EXPECT_EQ(Balance("bob"), 102);
  ExpectBooksAreRight(database_);
}

}  // namespace
}  // namespace mj::wallet::store
