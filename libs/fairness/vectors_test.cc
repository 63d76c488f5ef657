// The published vectors, written by reference.mjs: a second implementation, in another language.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "libs/fairness/fairness_testing.h"
#include "libs/fairness/verify.h"
#include "libs/tiles/mpsz.h"

namespace mj::fairness {
namespace {

using nlohmann::json;

json Vectors() {
  std::ifstream file("tests/cases/fairness_vectors.json");
  return json::parse(file);
}

NonceOutcome OutcomeFromText(const std::string& text) {
  if (text == "revealed") return NonceOutcome::kRevealed;
  if (text == "not_committed") return NonceOutcome::kNotCommitted;
  if (text == "not_revealed") return NonceOutcome::kNotRevealed;
  if (text == "bad_length") return NonceOutcome::kBadLength;
  EXPECT_EQ(text, "mismatch");
  return NonceOutcome::kMismatch;
}

// The published record of a vector, whatever this room thinks of it.
PublishedDeal Published(const json& vector) {
  PublishedDeal deal;
  const auto copy = [](const json& hex, auto& out) {
    const Bytes bytes = FromHex(hex.get<std::string>());
    ASSERT_EQ(bytes.size(), out.size());
    std::copy(bytes.begin(), bytes.end(), out.begin());
  };
  copy(vector["seed"], deal.seed);
  copy(vector["commitment"], deal.commitment);
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    const json& nonce = vector["nonces"][seat];
    if (!nonce["commitment"].is_null())
      copy(nonce["commitment"], deal.nonces[seat].commitment.emplace());
    if (!nonce["reveal"].is_null())
      deal.nonces[seat].reveal = FromHex(nonce["reveal"].get<std::string>());
    deal.nonce_outcomes[seat] = OutcomeFromText(vector["nonce_outcomes"][seat]);
  }
  deal.round_id = vector["round_id"];
  deal.variant = vector["variant"];
  deal.options = vector["options"].get<std::map<std::string, std::string>>();
  deal.wall = tiles::ParseTiles(vector["wall"].get<std::string>()).value();
  deal.dice = Dice{vector["dice"][0], vector["dice"][1]};
  deal.dealer = vector["dealer"].get<int>();
  const std::size_t east = vector["east"];
  SeatWinds winds;
  for (std::size_t step = 0; step < kSeats; ++step) {
    winds[(east + step) % kSeats] = tiles::Tile::At(27 + static_cast<int>(step));
  }
  deal.winds = winds;
  return deal;
}

TEST(VectorsTest, EveryPublishedVectorIsReproduced) {
  const json vectors = Vectors();
  std::set<std::size_t> sizes;
  bool wall_word_thrown_away = false;
  bool dice_word_thrown_away = false;
  for (const json& vector : vectors) {
    SCOPED_TRACE(vector["name"].get<std::string>());
    const PublishedDeal deal = Published(vector);
    const tiles::TileCounts tiles = tiles::ParseCounts(vector["tiles"].get<std::string>()).value();
    RoundContext context{{}, deal.round_id, deal.variant, deal.options};
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      context.nonces[seat] = EffectiveNonce(deal.nonces[seat]);
    }
    EXPECT_EQ(ToHex(ContextDigest(context)), vector["context"].get<std::string>());
    const Verdict verdict = VerifyDeal(deal, tiles);
    EXPECT_EQ(MisfitText(verdict.misfit), "fits") << "at " << verdict.at;
    sizes.insert(deal.wall.size());
    wall_word_thrown_away |= vector["thrown_away"]["wall"] > 0;
    dice_word_thrown_away |= vector["thrown_away"]["dice"] > 0;
  }
  EXPECT_EQ(sizes, (std::set<std::size_t>{100, 108, 136}));
  // Else an implementation without rejection would pass.
  EXPECT_TRUE(wall_word_thrown_away);
  EXPECT_TRUE(dice_word_thrown_away);
}

}  // namespace
}  // namespace mj::fairness
