// Rounds of the engine, of bots that play each for itself, two pairs of partners among them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libs/bots/bot.h"
#include "libs/collusion/of_record.h"
#include "libs/collusion/report.h"
#include "libs/round/decide.h"
#include "libs/round/random_testing.h"
#include "libs/round/result.h"
#include "libs/rules/score.h"
#include "libs/variants/registry.h"

namespace mj::collusion {
namespace {

using round::Choice;
using rules::Seat;

class BotsTest : public ::testing::Test {
 protected:
  static constexpr int kPlayers = 16;
  static constexpr std::int64_t kSittings = 1'400;  // of a round each

  static std::string Name(int player) { return "bot-" + std::to_string(10 + player); }

  // A throw that the partner wins on, if there is one: as whoever is told its waits would do.
  static std::optional<Choice> Feed(const round::Setup& setup, const round::State& now, Seat seat,
                                    Seat partner, const round::Offer& offer) {
    const round::SeatView view = round::Project(setup, now, seat);
    for (const tiles::Tile tile : offer.discards) {
      const round::Decision decided =
          Decide(setup, now, round::Act{seat, view.ask->decision, Choice::Discard(tile)});
      const auto* events = std::get_if<std::vector<round::Event>>(&decided);
      if (events == nullptr) continue;
      for (const round::Event& event : *events) {
        const auto* asked = std::get_if<round::Asked>(&event);
        if (asked != nullptr && asked->asks[partner] && asked->asks[partner]->offer.win) {
          return Choice::Discard(tile);
        }
      }
    }
    return std::nullopt;
  }

  // One round as it is kept. `feeder` throws to `fed`; `soft` lets the tiles of `spared` go.
  record::RoundRecord Play(const std::array<int, kSeats>& seated) {
    const rules::Variant& game = *variants::Find("guangdong");
    const rules::Options options = rules::DefaultOptions(game.options());
    const round::Setup setup = round::RandomSetup(game, options, random_);
    const auto seat_of = [&](int player) -> std::optional<Seat> {
      const auto* at = std::find(seated.begin(), seated.end(), player);
      if (at == seated.end()) return std::nullopt;
      return rules::SeatFromIndex(static_cast<int>(at - seated.begin()));
    };
    const auto feeder = seat_of(feeder_);
    const auto fed = seat_of(fed_);
    const auto soft = seat_of(soft_);
    const auto spared = seat_of(spared_);
    bots::Bot bot(game, options, random_.Next(), distances_);
    record::RoundRecord record;
    record.round_id = "r" + std::to_string(++rounds_);
    std::optional<Seat> thrower;
    const auto choose = [&](const round::State& now, Seat seat, const round::Offer& offer) {
      if (partners_ && feeder && fed && seat == *feeder) {
        if (const auto thrown = Feed(setup, now, seat, *fed, offer)) return *thrown;
      }
      if (partners_ && soft && spared && seat == *soft && offer.win && offer.pass &&
          thrower == *spared) {
        return Choice::Pass();
      }
      return bot.Choose(round::Project(setup, now, seat));
    };
    const auto seen = [&](const round::State&, const round::Event& event) {
      record.events.push_back({record::Time(), event});
      if (const auto* thrown = std::get_if<round::Discarded>(&event)) thrower = thrown->seat;
      if (std::holds_alternative<round::Drew>(event)) thrower.reset();
    };
    round::State state;
    EXPECT_TRUE(round::PlayOut(setup, state, random_, choose, seen, 1'000));
    const rules::RoundScore score = rules::ScoreRound(game, options, *round::Finished(state));
    record::Settled settled;
    for (const rules::Transfer& transfer : score.transfers) {
      settled.scored.transfers.push_back({transfer.from, transfer.to, 100 * transfer.units, ""});
    }
    record.end = settled;
    for (const Seat seat : rules::kSeats) {
      record.players[seat] = Name(seated[static_cast<std::size_t>(rules::IndexOf(seat))]);
    }
    return record;
  }

  Report PlayAll(std::int64_t sittings) {
    Examiner examiner;
    for (std::int64_t i = 0; i < sittings; ++i) {
      std::array<int, kSeats> seated{};
      for (std::size_t seat = 0; seat < kSeats; ++seat) {
        do {
          seated[seat] = random_.Below(kPlayers);
        } while (std::count(seated.begin(), seated.begin() + static_cast<std::ptrdiff_t>(seat),
                            seated[seat]) > 0);
      }
      // Partners come at the same moments.
      if (i % 2 == 0) seated = {feeder_, 8 + random_.Below(4), fed_, 12 + random_.Below(4)};
      if (i % 4 == 1) seated = {soft_, spared_, 8 + random_.Below(4), 12 + random_.Below(4)};
      const auto round = OfRecord(Play(seated));
      EXPECT_TRUE(round.has_value());
      if (round) examiner.Add(*round);
    }
    return examiner.Examine();
  }

  const int feeder_ = 0;
  const int fed_ = 1;
  const int soft_ = 2;
  const int spared_ = 3;
  bool partners_ = true;
  testing::Random random_{7};
  bots::Distances distances_;
  int rounds_ = 0;
};

TEST_F(BotsTest, PartnersAmongHonestBotsAreFoundByWhatTheyPlay) {
  const Report report = PlayAll(kSittings);
  std::vector<std::string> told;
  for (const Finding& finding : report.findings) {
    told.push_back(std::string(NameOf(finding.kind)) + " " + finding.one + " " + finding.other);
    EXPECT_TRUE(finding.one == Name(feeder_) || finding.one == Name(soft_)) << told.back();
    EXPECT_FALSE(finding.rounds.empty());
  }
  EXPECT_THAT(told, ::testing::Contains("feeding " + Name(feeder_) + " " + Name(fed_)));
  EXPECT_THAT(told, ::testing::Contains("passing " + Name(soft_) + " " + Name(spared_)));
}

TEST_F(BotsTest, TheSameBotsWithoutAPlanAreNot) {
  partners_ = false;
  EXPECT_THAT(PlayAll(kSittings).findings, ::testing::IsEmpty());
}

}  // namespace
}  // namespace mj::collusion
