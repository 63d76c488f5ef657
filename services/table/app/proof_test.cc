// What one player's stream proves of the deals of its rounds, and that it does so whatever became of
// the nonces and of the round.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/fairness/stream.h"
#include "libs/fairness/verify.h"
#include "libs/variants/registry.h"
#include "services/table/app/world_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using fairness::Bytes;
using fairness::NonceOutcome;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::SizeIs;

Bytes Nonce(std::uint8_t byte) { return Bytes(32, byte); }

constexpr NonceOutcome kNone = NonceOutcome::kNotCommitted;

// A round's deal as one player can publish it from its own stream, the wall with every tile in its place
// that the player saw there.
class Proof {
 public:
  Proof(const TestPlayer& player, const rules::Variant& game) : seat_(player.seat()), game_(&game) {
    options_ = rules::DefaultOptions(game.options());
    deal_.variant = std::string(game.info().id);
    deal_.options = rules::ToTexts(game.options(), options_, /*all=*/true);
    for (const Shown& shown : player.seen()) std::visit(*this, *shown.event);
  }

  void operator()(const RoundOpened& opened) {
    plays_.clear();
    deal_.round_id = opened.round.value();
    deal_.commitment = opened.seed_hash;
    hashes_ = opened.nonce_hashes;
    deal_.dice.reset();
    deal_.dealer.reset();
    deal_.winds.reset();
  }
  void operator()(const DealOpened& opened) {
    dealer_ = opened.dealer;
    nonces_ = opened.nonces;
    if (!opened.anew) return;
    if (opened.seat_winds) {
      deal_.winds.emplace();
      for (Seat seat : rules::kSeats) (*deal_.winds)[Index(seat)] = (*opened.seat_winds)[seat];
      EXPECT_EQ((*opened.seat_winds)[opened.dealer], tiles::kEast);
    } else {
      deal_.dealer = rules::IndexOf(opened.dealer);
    }
  }
  void operator()(const PlayShown& play) { plays_.push_back(play.event); }
  void operator()(const RoundPaid& paid) { End(paid.seed, paid.nonces); }
  void operator()(const RoundDropped& dropped) { End(dropped.seed, dropped.nonces); }
  template <typename E>
  void operator()(const E&) {}

  const fairness::PublishedDeal& deal() const { return deal_; }
  fairness::PublishedDeal& deal() { return deal_; }
  fairness::Verdict Verify() const {
    return fairness::VerifyDeal(deal_, game_->play(options_).wall);
  }
  // The wall's places that the player saw.
  const std::vector<std::size_t>& seen() const { return seen_; }

 private:
  static std::size_t Index(Seat seat) { return static_cast<std::size_t>(seat); }

  void End(const fairness::Seed& seed, const PerSeat<SeatNonce>& nonces) {
    EXPECT_EQ(nonces, nonces_) << "as they were told with the deal";
    deal_.seed = seed;
    fairness::RoundContext context{{}, deal_.round_id, deal_.variant, deal_.options};
    for (Seat seat : rules::kSeats) {
      deal_.nonces[Index(seat)] = {hashes_[seat], nonces[seat].reveal};
      deal_.nonce_outcomes[Index(seat)] = nonces[seat].outcome;
      context.nonces[Index(seat)] = fairness::EffectiveNonce(deal_.nonces[Index(seat)]);
    }
    deal_.wall =
        fairness::ShuffleWall(game_->play(options_).wall, fairness::ContextDigest(context), seed);
    PutSeen();
  }

  void See(std::size_t place, Tile tile) {
    deal_.wall[place] = tile;
    seen_.push_back(place);
  }

  void PutSeen() {
    seen_.clear();
    std::size_t front = 0;
    std::size_t back = deal_.wall.size() - 1;
    for (const round::SeatEvent& event : plays_) {
      if (const auto* rolled = std::get_if<round::DiceRolled>(&event)) {
        deal_.dice = fairness::Dice{rolled->faces[0], rolled->faces[1]};
      } else if (const auto* dealt = std::get_if<round::HandDealt>(&event)) {
        PutHand(*dealt->hand, front);
      } else if (const auto* turned = std::get_if<round::IndicatorTurned>(&event)) {
        See(back--, turned->indicator);
      } else if (const auto* drew = std::get_if<round::SeatDrew>(&event)) {
        const bool replaces = drew->kind == round::DrawKind::kReplacement;
        const std::size_t place = replaces ? back-- : front++;
        if (drew->tile) See(place, *drew->tile);
      }
    }
  }

  // Where in the hand's places each of its tiles lies is not told: as the wall says, while it can.
  void PutHand(tiles::TileCounts hand, std::size_t& front) {
    std::vector<std::size_t> open;
    for (const int tiles : {4, 4, 4, 1}) {
      for (int turn = 0; turn < 4; ++turn) {
        for (int i = 0; i < tiles; ++i, ++front) {
          if (rules::After(dealer_, turn) != seat_) continue;
          if (hand.Has(deal_.wall[front])) {
            hand.Remove(deal_.wall[front]);
            seen_.push_back(front);
          } else {
            open.push_back(front);
          }
        }
      }
    }
    for (Tile tile : tiles::kAllKinds) {
      for (int copy = 0; copy < hand[tile]; ++copy) {
        See(open.back(), tile);
        open.pop_back();
      }
    }
  }

  Seat seat_;
  const rules::Variant* game_;
  rules::Options options_;
  fairness::PublishedDeal deal_;
  PerSeat<std::optional<fairness::Digest>> hashes_;
  PerSeat<SeatNonce> nonces_;
  Seat dealer_ = Seat::k0;
  std::vector<round::SeatEvent> plays_;
  std::vector<std::size_t> seen_;
};

class ProofTest : public ::testing::TestWithParam<const rules::Variant*> {
 protected:
  // p0 has no nonce; p1's counts; p2's is another; p3's comes too late. Or each the next one's.
  void PlayRound(int number, int shift, bool to_end = true) {
    const auto who = [shift](int role) { return "p" + std::to_string((role + shift) % 4); };
    const auto nonce = [number](int role) {
      return Nonce(static_cast<std::uint8_t>(16 * number + role));
    };
    for (int role = 0; role < 4; ++role) {
      std::optional<fairness::Digest> hash;
      if (role != 0) hash = fairness::CommitNonce(nonce(role));
      ASSERT_THAT(world_.Ready(table_, who(role), number, hash), IsOk());
    }
    EXPECT_THAT(world_.RevealNonce(table_, who(0), number, nonce(0)),
                FailsWith(Reason::kNonceNotCommitted));
    EXPECT_THAT(world_.RevealNonce(table_, who(1), number, nonce(1)), IsOk());
    EXPECT_THAT(world_.RevealNonce(table_, who(2), number, nonce(3)),
                FailsWith(Reason::kBadNonce, "nonce"));
    world_.Advance(milliseconds(2'000));
    EXPECT_THAT(world_.RevealNonce(table_, who(3), number, nonce(3)),
                FailsWith(Reason::kNonceTooLate));
    company_.Listen();
    if (to_end) company_.PlayOn();
  }

  // Every player's own stream proves the deal; and that one thing changed anywhere would be found.
  void ExpectProven(int shift) {
    for (const TestPlayer& player : company_.players()) {
      Proof proof(player, *GetParam());
      EXPECT_TRUE(proof.Verify().fits()) << fairness::MisfitText(proof.Verify().misfit);
      EXPECT_EQ(proof.deal().nonce_outcomes[static_cast<std::size_t>(shift % 4)], kNone);
      EXPECT_EQ(proof.deal().nonce_outcomes[static_cast<std::size_t>((1 + shift) % 4)],
                NonceOutcome::kRevealed);
      EXPECT_EQ(proof.deal().nonce_outcomes[static_cast<std::size_t>((2 + shift) % 4)],
                NonceOutcome::kMismatch);
      EXPECT_EQ(proof.deal().nonce_outcomes[static_cast<std::size_t>((3 + shift) % 4)],
                NonceOutcome::kNotRevealed);
      Proof other = proof;
      other.deal().seed[3] ^= 1;
      EXPECT_EQ(other.Verify().misfit, fairness::Misfit::kSeed);
      other = proof;
      (*other.deal().nonces[static_cast<std::size_t>((1 + shift) % 4)].reveal)[0] ^= 1;
      EXPECT_EQ(other.Verify().misfit, fairness::Misfit::kNonceOutcome);
      for (const std::size_t place : proof.seen()) {
        other = proof;
        Tile& tile = other.deal().wall[place];
        tile = tile == tiles::kRed ? tiles::kGreen : tiles::kRed;
        EXPECT_FALSE(other.Verify().fits());
      }
    }
  }

  World world_{7};
  TableId table_ = world_.MakeTable(std::string(GetParam()->info().id));
  Company company_{world_, table_};
};

INSTANTIATE_TEST_SUITE_P(Games, ProofTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

TEST_P(ProofTest, OnePlayersStreamProvesTheWholeDeal) {
  for (int number = 1; number <= 4; ++number) {
    PlayRound(number, number - 1);
    ASSERT_EQ(world_.wallet.rounds(), static_cast<std::size_t>(number));
    ExpectProven(number - 1);
  }
  const Proof proof(company_.player(Seat::k2), *GetParam());
  EXPECT_GT(proof.seen().size(), 13U);
  EXPECT_TRUE(proof.deal().dice);
  EXPECT_FALSE(proof.deal().dealer || proof.deal().winds) << "they follow from the round before";
}

TEST_P(ProofTest, DealerOrWindsOfTheFirstRoundAreProvenToo) {
  PlayRound(1, 0);
  Proof proof(company_.player(Seat::k0), *GetParam());
  if (proof.deal().winds) {
    std::swap((*proof.deal().winds)[0], (*proof.deal().winds)[1]);
    EXPECT_EQ(proof.Verify().misfit, fairness::Misfit::kWinds);
  } else {
    ASSERT_TRUE(proof.deal().dealer);
    proof.deal().dealer = (*proof.deal().dealer + 1) % 4;
    EXPECT_EQ(proof.Verify().misfit, fairness::Misfit::kDealer);
  }
}

TEST_P(ProofTest, AVoidRoundIsProvenToo) {
  PlayRound(1, 0, /*to_end=*/false);
  ASSERT_THAT(world_.Leave(table_, "p3"), IsOk());
  world_.Advance(milliseconds(1'000));
  company_.Listen();
  ASSERT_EQ(world_.monitor.counts().rounds_voided, 1);
  ExpectProven(0);
}

TEST_P(ProofTest, ARoundThatTheWalletDoesNotLetBeginIsProvenToo) {
  world_.wallet.FailBeginsWith({base::Error(Reason::kInsufficientFunds)});
  PlayRound(1, 0, /*to_end=*/false);
  for (const TestPlayer& player : company_.players()) {
    const bool dropped = std::any_of(
        player.seen().begin(), player.seen().end(),
        [](const Shown& shown) { return std::holds_alternative<RoundDropped>(*shown.event); });
    ASSERT_TRUE(dropped);
    const Proof proof(player, *GetParam());
    EXPECT_TRUE(proof.Verify().fits());
    EXPECT_FALSE(proof.deal().dice) << "nothing of it was played";
  }
}

TEST_P(ProofTest, ARestartWhileNoncesAreWaitedForLosesNothing) {
  for (const char* player : {"p0", "p1", "p2", "p3"}) {
    ASSERT_THAT(world_.Ready(table_, player, 1, fairness::CommitNonce(Nonce(5))), IsOk());
  }
  ASSERT_THAT(world_.RevealNonce(table_, "p0", 1, Nonce(5)), IsOk());
  ASSERT_THAT(world_.RevealNonce(table_, "p1", 1, Nonce(6)), FailsWith(Reason::kBadNonce));
  world_.Advance(milliseconds(1'900));
  world_.Restart();
  company_.Resubscribe();
  world_.Advance(milliseconds(1'900));
  EXPECT_EQ(world_.Get(table_)->stage, TableStage::kPlaying);
  ASSERT_THAT(world_.RevealNonce(table_, "p2", 1, Nonce(5)), IsOk()) << "the full time again";
  world_.Advance(milliseconds(200));
  company_.Listen();
  company_.PlayOn();
  ASSERT_EQ(world_.wallet.rounds(), 1U);
  for (const TestPlayer& player : company_.players()) {
    const Proof proof(player, *GetParam());
    EXPECT_TRUE(proof.Verify().fits());
    EXPECT_THAT(proof.deal().nonce_outcomes,
                ElementsAre(NonceOutcome::kRevealed, NonceOutcome::kMismatch,
                            NonceOutcome::kRevealed, NonceOutcome::kNotRevealed));
  }
}

// What was answered OK is in the journal: another process deals the same.
TEST_P(ProofTest, AProcessThatEndsBeforeTheDealIsDrawnDealsTheSameWall) {
  std::vector<std::vector<Tile>> walls;
  for (const bool restarts : {false, true}) {
    World world(11);
    const TableId table = world.MakeTable(std::string(GetParam()->info().id));
    for (const char* player : {"p0", "p1", "p2", "p3"}) {
      ASSERT_THAT(world.Ready(table, player, 1, fairness::CommitNonce(Nonce(5))), IsOk());
    }
    for (const char* player : {"p0", "p1", "p2"}) {
      ASSERT_THAT(world.RevealNonce(table, player, 1, Nonce(5)), IsOk());
    }
    if (restarts) world.Restart();
    ASSERT_THAT(world.RevealNonce(table, "p3", 1, Nonce(5)), IsOk());
    for (const LogEntry& entry : world.memory.All(table)) {
      if (const auto* drawn = std::get_if<DealDrawn>(&entry.event)) walls.push_back(drawn->wall);
    }
  }
  ASSERT_THAT(walls, SizeIs(2));
  EXPECT_EQ(walls[0], walls[1]);
}

}  // namespace
}  // namespace mj::table
