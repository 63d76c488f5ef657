#include "libs/audit/day.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/audit/audit_testing.h"

namespace mj::audit {
namespace {

SigningKey Key(char filler) { return *SigningKey::FromSeed(std::string(32, filler)); }

struct Sealed {
  Day day;
  std::vector<std::string> texts;
  std::vector<Digest> leaf_hashes;
};

Sealed SomeDay(std::int64_t rows) {
  Sealed sealed;
  sealed.day.day = "2026-11-30";
  MerkleRoot tree;
  Digest previous = kNothingBefore;
  for (std::int64_t sequence = 1; sequence <= rows; ++sequence) {
    sealed.texts.push_back(CanonicalText(SomeDeposit(sequence, previous)));
    previous = Sha256(sealed.texts.back());
    sealed.leaf_hashes.push_back(LeafHash(AsBytes(previous)));
    tree.Add(AsBytes(previous));
  }
  sealed.day.rows = rows;
  sealed.day.root = tree.Root();
  sealed.day.previous_root = Sha256("the day before");
  sealed.day.chains[3] = {1, rows, previous};
  return sealed;
}

Proof ProofOf(const Sealed& sealed, std::size_t index, const SigningKey& key) {
  return {*ReadExport(Export(sealed.day, key)), static_cast<std::int64_t>(index),
          InclusionPath(sealed.leaf_hashes, index), sealed.texts[index]};
}

TEST(DayTest, ADayIsThatOfItsMomentInUtc) {
  EXPECT_EQ(DayOf(0), "1970-01-01");
  EXPECT_EQ(DayOf(-1), "1969-12-31");
  EXPECT_EQ(DayOf(86'400'000'000 - 1), "1970-01-01");
  EXPECT_EQ(DayOf(86'400'000'000), "1970-01-02");
  EXPECT_EQ(DayBegins("1970-01-02"), 86'400'000'000);
  for (const char* const day : {"2024-02-29", "2026-11-30", "1999-12-31", "0001-01-01"}) {
    EXPECT_EQ(DayOf(DayBegins(day).value()), day);
  }
  for (const char* const none : {"", "2026-02-29", "2026-13-01", "2026-00-01", "2026-1-01",
                                 "2026-01-01 ", "+026-01-01", "2026/01/01", "0000-01-01"}) {
    EXPECT_FALSE(DayBegins(none).has_value()) << none;
  }
}

TEST(DayTest, AnExportIsReadAsItWasWritten) {
  const SigningKey key = Key('k');
  const Sealed sealed = SomeDay(5);
  const std::string text = Export(sealed.day, key);
  const auto read = ReadExport(text);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->day, sealed.day);
  EXPECT_TRUE(Signed(*read, key.Public()));
  EXPECT_FALSE(Signed(*read, Key('l').Public()));
}

// Whatever byte is changed: it is no export any more, or it is not signed.
TEST(DayTest, NoByteOfAnExportCanBeChanged) {
  const SigningKey key = Key('k');
  const std::string text = Export(SomeDay(3).day, key);
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char flip : {'\1', '\x20'}) {
      std::string changed = text;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const auto read = ReadExport(changed);
      EXPECT_FALSE(read && Signed(*read, key.Public())) << at;
    }
    EXPECT_FALSE(ReadExport(text.substr(0, at)).has_value());
  }
  EXPECT_FALSE(ReadExport(text + "\n").has_value());
}

TEST(DayTest, ARowIsProvedWithoutADatabase) {
  const SigningKey key = Key('k');
  const Sealed sealed = SomeDay(11);
  for (std::size_t index = 0; index < 11; ++index) {
    const std::string text = ToText(ProofOf(sealed, index, key));
    const auto proof = ReadProof(text);
    ASSERT_TRUE(proof.has_value());
    EXPECT_EQ(proof->row, sealed.texts[index]);
    EXPECT_EQ(Check(*proof, key.Public()), ProofFault::kNone);
    EXPECT_EQ(Check(*proof, Key('l').Public()), ProofFault::kSignature);
  }
}

TEST(DayTest, NoByteOfAProofCanBeChanged) {
  const SigningKey key = Key('k');
  const std::string text = ToText(ProofOf(SomeDay(5), 3, key));
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    const auto read = ReadProof(changed);
    EXPECT_FALSE(read && Check(*read, key.Public()) == ProofFault::kNone) << at;
  }
  EXPECT_FALSE(ReadProof("").has_value());
}

TEST(DayTest, ARowThatWasNotThereIsNotProved) {
  const SigningKey key = Key('k');
  Proof proof = ProofOf(SomeDay(5), 3, key);
  proof.row += " ";
  EXPECT_EQ(Check(proof, key.Public()), ProofFault::kPath);
}

}  // namespace
}  // namespace mj::audit
