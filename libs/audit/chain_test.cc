#include "libs/audit/chain.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "libs/audit/audit_testing.h"

namespace mj::audit {
namespace {

struct Stored {
  JournalRow row;
  Digest hash{};
};

std::vector<Stored> Chain(std::int64_t rows) {
  std::vector<Stored> chain;
  Digest previous = kNothingBefore;
  for (std::int64_t sequence = 1; sequence <= rows; ++sequence) {
    const JournalRow row = SomeDeposit(sequence, previous);
    previous = RowHash(row);
    chain.push_back({row, previous});
  }
  return chain;
}

// What the verifier finds in a chain of five after `change`; the head is that of the five.
std::optional<Finding> Found(const std::function<void(std::vector<Stored>&)>& change) {
  std::vector<Stored> chain = Chain(5);
  const ChainPlace head{5, chain.back().hash};
  change(chain);
  ChainVerifier verifier(3, {});
  for (const Stored& stored : chain) {
    if (auto finding = verifier.Next(stored.row, stored.hash)) return finding;
  }
  return verifier.Finish(head);
}

void ExpectFound(const std::function<void(std::vector<Stored>&)>& change, Fault fault,
                 std::int64_t sequence) {
  const auto finding = Found(change);
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->fault, fault) << Describe(*finding);
  EXPECT_EQ(finding->chain_no, 3);
  EXPECT_EQ(finding->chain_sequence, sequence) << Describe(*finding);
}

TEST(ChainTest, AWholeChainIsRight) {
  EXPECT_FALSE(Found([](auto&) {}).has_value());
}

TEST(ChainTest, AChangedRowIsNamed) {
  ExpectFound([](auto& chain) { chain[2].row.reason = "!"; }, Fault::kRowChanged, 3);
  ExpectFound([](auto& chain) { chain[2].hash[7] ^= 1; }, Fault::kRowChanged, 3);
  ExpectFound([](auto& chain) { ++chain[0].row.entries[0].coins; }, Fault::kRowChanged, 1);
}

TEST(ChainTest, ARowThatIsHashedAnewBreaksTheNext) {
  ExpectFound(
      [](auto& chain) {
        chain[2].row.reason = "!";
        chain[2].hash = RowHash(chain[2].row);
      },
      Fault::kRowOutOfPlace, 4);
}

TEST(ChainTest, ADeletedRowIsNamed) {
  ExpectFound([](auto& chain) { chain.erase(chain.begin()); }, Fault::kRowMissing, 1);
  ExpectFound([](auto& chain) { chain.erase(chain.begin() + 2); }, Fault::kRowMissing, 3);
  ExpectFound([](auto& chain) { chain.pop_back(); }, Fault::kRowMissing, 5);
  ExpectFound([](auto& chain) { chain.clear(); }, Fault::kRowMissing, 1);
}

TEST(ChainTest, SwappedRowsAreNamed) {
  ExpectFound(
      [](auto& chain) {
        std::swap(chain[1].row.chain_sequence, chain[3].row.chain_sequence);
        std::swap(chain[1], chain[3]);
      },
      Fault::kRowChanged, 2);
  // Hashed anew as well.
  ExpectFound(
      [](auto& chain) {
        std::swap(chain[1].row.chain_sequence, chain[2].row.chain_sequence);
        std::swap(chain[1], chain[2]);
        for (Stored& stored : chain) stored.hash = RowHash(stored.row);
      },
      Fault::kRowOutOfPlace, 2);
}

TEST(ChainTest, ARowTwiceIsNamed) {
  ExpectFound([](auto& chain) { chain.insert(chain.begin() + 1, chain[0]); }, Fault::kRowOutOfPlace,
              1);
}

TEST(ChainTest, ARowOfAnotherChainIsNamed) {
  ExpectFound([](auto& chain) { chain[1].row.chain_no = 4; }, Fault::kRowOutOfPlace, 2);
}

TEST(ChainTest, ARowTooManyIsNamed) {
  ExpectFound(
      [](auto& chain) {
        const JournalRow row = SomeDeposit(6, chain.back().hash);
        chain.push_back({row, RowHash(row)});
      },
      Fault::kHeadWrong, 6);
}

TEST(ChainTest, TimeAndNumbersRise) {
  const auto rebuilt = [](const std::function<void(JournalRow&)>& change) {
    return [change](std::vector<Stored>& chain) {
      change(chain[2].row);
      chain[2].hash = RowHash(chain[2].row);
    };
  };
  ExpectFound(rebuilt([](JournalRow& row) { row.written_at = 7; }), Fault::kRowOutOfPlace, 3);
  ExpectFound(rebuilt([](JournalRow& row) { row.journal_no = 102; }), Fault::kRowOutOfPlace, 3);
}

TEST(ChainTest, AChainIsTakenUpWhereItIsTrusted) {
  const std::vector<Stored> chain = Chain(5);
  ChainVerifier verifier(3, {2, chain[1].hash});
  for (std::size_t i = 2; i < 5; ++i) {
    EXPECT_FALSE(verifier.Next(chain[i].row, chain[i].hash).has_value());
  }
  EXPECT_FALSE(verifier.Finish({5, chain[4].hash}).has_value());
  EXPECT_EQ(verifier.Finish({5, kNothingBefore})->fault, Fault::kHeadWrong);
}

TEST(ChainTest, WhatCannotBeIsUnsound) {
  const auto unsound = [](const std::function<void(JournalRow&)>& change) {
    JournalRow row = SomeDeposit(1, kNothingBefore);
    change(row);
    const auto finding = CheckSound(row);
    return finding && finding->fault == Fault::kRowUnsound && finding->journal_no == 101;
  };
  EXPECT_FALSE(CheckSound(SomeDeposit(1, kNothingBefore)).has_value());
  EXPECT_TRUE(unsound([](JournalRow& r) { ++r.entries[0].coins; }));
  EXPECT_TRUE(unsound([](JournalRow& r) { r.entries[0].currency = "PRACTICE"; }));
  EXPECT_TRUE(unsound([](JournalRow& r) { r.entries[0].sequence.reset(); }));
  EXPECT_TRUE(unsound([](JournalRow& r) { r.entries.push_back({}); }));
  EXPECT_TRUE(unsound([](JournalRow& r) { r.kind = "settlement"; }));
  EXPECT_TRUE(unsound([](JournalRow& r) { r.settlement.emplace(); }));
  EXPECT_TRUE(unsound([](JournalRow& r) { r.kind = "penalty"; }));
  EXPECT_TRUE(unsound([](JournalRow& r) { r.penalty.emplace(); }));
  EXPECT_TRUE(unsound([](JournalRow& r) { r.kind = "void"; }));
  // A sum that would overflow 64 bits to zero.
  EXPECT_TRUE(unsound([](JournalRow& r) {
    r.entries.assign(4, r.entries[0]);
    for (EntryRow& entry : r.entries) entry.coins = INT64_MIN / 2;
  }));
}

}  // namespace
}  // namespace mj::audit
