#include "libs/fairness/stream.h"

#include <gtest/gtest.h>
#include <sodium.h>

#include <set>
#include <vector>

#include "libs/fairness/fairness_testing.h"

namespace mj::fairness {
namespace {

RoundContext SomeContext() {
  return {{Bytes(16, 1), Bytes{}, Bytes(32, 3), Bytes(64, 4)},
          "round-7",
          "some-game",
          {{"cap", "10"}, {"horses", "4"}}};
}

TEST(ContextTest, NoTwoContextsShareADigest) {
  std::vector<RoundContext> contexts(14, SomeContext());
  std::size_t i = 1;
  contexts[i++].nonces = {Bytes{}, Bytes(16, 1), Bytes(32, 3), Bytes(64, 4)};  // another seat's
  contexts[i++].nonces[0].push_back(1);
  contexts[i++].nonces[3].clear();
  contexts[i++].round_id = "round-8";
  contexts[i++].variant = "other-game";
  contexts[i++].options["cap"] = "0";
  contexts[i++].options.erase("cap");
  contexts[i++].options["extra"] = "";
  // The same letters with the border elsewhere.
  contexts[i].round_id = "round-7s";
  contexts[i++].variant = "ome-game";
  contexts[i++].options = {{"cap1", "0"}, {"horses", "4"}};
  contexts[i++].options = {{"cap", "10horses"}, {"4", ""}};
  contexts[i].variant = "";
  contexts[i++].round_id = "round-7some-game";
  contexts[i++] = RoundContext{};
  ASSERT_EQ(i, contexts.size());

  std::set<Digest> digests;
  for (const RoundContext& context : contexts) digests.insert(ContextDigest(context));
  EXPECT_EQ(digests.size(), contexts.size());
}

TEST(StreamTest, IsTheHashThatTheSpecificationNames) {
  const Digest context = ContextDigest(SomeContext());
  const Seed seed = TestSeed(5);
  Stream stream(Label::kWall, context, seed);
  for (std::uint8_t counter = 0; counter < 3; ++counter) {
    Bytes input = {0, 0, 0, 4, 'w', 'a', 'l', 'l', 0, 0, 0, 0, 0, 0, 0, counter};
    input.insert(input.end(), context.begin(), context.end());
    input.insert(input.end(), seed.begin(), seed.end());
    std::array<std::uint8_t, 64> block;
    crypto_hash_sha512(block.data(), input.data(), input.size());
    for (std::size_t i = 0; i < block.size(); i += 2) {
      ASSERT_EQ(stream.NextWord(), block[i] * 256 + block[i + 1]) << "block " << int{counter};
    }
  }
}

TEST(StreamTest, EveryBitOfTheSeedReachesTheFirstBlock) {
  const Digest context = ContextDigest(SomeContext());
  const Seed seed = TestSeed(6);
  const auto first_words = [&](const Seed& s) {
    Stream stream(Label::kWall, context, s);
    std::vector<std::uint16_t> words(32);
    for (auto& word : words) word = stream.NextWord();
    return words;
  };
  const std::vector<std::uint16_t> original = first_words(seed);
  for (std::size_t bit = 0; bit < 8 * kSeedBytes; ++bit) {
    Seed flipped = seed;
    flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ (1U << bit % 8));
    ASSERT_NE(first_words(flipped), original) << "bit " << bit;
  }
}

TEST(StreamTest, LabelsAreStreamsOfTheirOwn) {
  std::set<std::string_view> texts;
  std::set<std::uint16_t> words;
  for (Label label : {Label::kWall, Label::kDice, Label::kDealer, Label::kWinds}) {
    texts.insert(LabelText(label));
    words.insert(Stream(label, Digest{}, TestSeed(7)).NextWord());
  }
  EXPECT_EQ(texts, (std::set<std::string_view>{"wall", "dice", "dealer", "winds"}));
  EXPECT_EQ(words.size(), 4u);
}

// Feeds chosen words and counts how many were read.
class Words {
 public:
  explicit Words(std::vector<std::uint16_t> words) : words_(std::move(words)) {}
  std::uint16_t operator()() { return words_.at(read_++); }
  std::size_t read() const { return read_; }

 private:
  std::vector<std::uint16_t> words_;
  std::size_t read_ = 0;
};

TEST(UniformBelowTest, ThrowsAwayTheWordsThatWouldFavourSmallNumbers) {
  // 65536 = 6 × 10922 + 4: 65532…65535 are too many.
  Words words({65535, 65532, 65531, 7});
  EXPECT_EQ(UniformBelow(6, words), 65531u % 6);
  EXPECT_EQ(words.read(), 3u);
  EXPECT_EQ(UniformBelow(6, words), 1u);
}

TEST(UniformBelowTest, PowersOfTwoAndTheEndsOfTheRangeThrowNothingAway) {
  for (std::uint32_t bound : {1u, 2u, 4u, 65536u}) {
    Words words({65535});
    EXPECT_EQ(UniformBelow(bound, words), bound - 1) << bound;
  }
}

TEST(UniformBelowTest, OverAllWordsEveryResultIsEquallyOften) {
  for (std::uint32_t bound : {3u, 4u, 6u, 100u, 108u, 135u, 136u, 40000u}) {
    std::vector<std::uint32_t> hits(bound);
    std::uint32_t thrown_away = 0;
    for (std::uint32_t word = 0; word < 65536; ++word) {
      int asked = 0;
      // A rejected word is followed by 0, so that the loop ends.
      const std::uint32_t result =
          UniformBelow(bound, [&]() -> std::uint32_t { return asked++ == 0 ? word : 0; });
      if (asked > 1) {
        ++thrown_away;
      } else {
        ++hits.at(result);
      }
    }
    for (std::uint32_t count : hits) ASSERT_EQ(count, 65536 / bound) << "below " << bound;
    EXPECT_EQ(thrown_away, 65536 % bound);
  }
}

}  // namespace
}  // namespace mj::fairness
