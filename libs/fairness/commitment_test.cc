#include "libs/fairness/commitment.h"

#include <gtest/gtest.h>

#include "libs/fairness/fairness_testing.h"

namespace mj::fairness {
namespace {

NonceRecord Honest(std::size_t length) {
  Bytes nonce(length, 0xa5);
  return {CommitNonce(nonce), nonce};
}

TEST(CommitmentTest, IsPlainSha256) {
  // FIPS 180-2, appendix B.1.
  EXPECT_EQ(ToHex(CommitNonce(Bytes{'a', 'b', 'c'})),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(ToHex(CommitNonce({})),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(CommitmentTest, EveryByteOfTheSeedCounts) {
  const Seed seed = TestSeed(1);
  for (std::size_t i = 0; i < kSeedBytes; ++i) {
    Seed other = seed;
    other[i] = static_cast<std::uint8_t>(other[i] ^ 1);
    EXPECT_NE(CommitSeed(other), CommitSeed(seed)) << "byte " << i;
  }
}

struct NonceCase {
  std::string_view name;
  NonceRecord record;
  NonceOutcome outcome;
};

void PrintTo(const NonceCase& c, std::ostream* os) { *os << c.name; }

class NonceTest : public ::testing::TestWithParam<NonceCase> {};

TEST_P(NonceTest, CountsOnlyWhenRevealedInTimeAndRight) {
  const NonceCase& c = GetParam();
  EXPECT_EQ(CheckNonce(c.record), c.outcome);
  if (c.outcome == NonceOutcome::kRevealed) {
    EXPECT_EQ(EffectiveNonce(c.record), *c.record.reveal);
  } else {
    EXPECT_EQ(EffectiveNonce(c.record), Bytes{});
  }
}

// In the order of precedence: each row repairs what was wrong in the one above.
INSTANTIATE_TEST_SUITE_P(
    All, NonceTest,
    ::testing::Values(
        NonceCase{"NothingAtAll", {}, NonceOutcome::kNotCommitted},
        NonceCase{
            "RevealedWithoutPromise", {std::nullopt, Bytes(32, 1)}, NonceOutcome::kNotCommitted},
        NonceCase{"NotRevealed", {Honest(32).commitment, std::nullopt}, NonceOutcome::kNotRevealed},
        NonceCase{"Empty", Honest(0), NonceOutcome::kBadLength},
        NonceCase{"TooShort", Honest(kNonceBytesMin - 1), NonceOutcome::kBadLength},
        NonceCase{"TooLong", Honest(kNonceBytesMax + 1), NonceOutcome::kBadLength},
        NonceCase{
            "TooShortAndWrong", {Honest(32).commitment, Bytes(3, 1)}, NonceOutcome::kBadLength},
        NonceCase{"Wrong", {Honest(32).commitment, Bytes(32, 1)}, NonceOutcome::kMismatch},
        NonceCase{"Shortest", Honest(kNonceBytesMin), NonceOutcome::kRevealed},
        NonceCase{"Longest", Honest(kNonceBytesMax), NonceOutcome::kRevealed}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace mj::fairness
