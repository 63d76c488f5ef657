#include "tests/proof/made_testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "libs/bots/bot.h"
#include "libs/fairness/deal.h"
#include "libs/fairness/stream.h"
#include "libs/proof/replay.h"
#include "libs/receipt/price.h"
#include "libs/round/decide.h"
#include "libs/round/random_testing.h"
#include "libs/round/result.h"
#include "libs/round/view.h"
#include "libs/wire/flat_writer.h"
#include "libs/wire/score_misfit.h"
#include "libs/wire/score_writer.h"
#include "tests/proof/posted_testing.h"

namespace mj::proof {
namespace {

using round::Event;
using rules::Seat;
using testing::Random;

constexpr int kOverruns = 2;  // after so many the system plays
constexpr int kStepsMax = 5'000;

std::string Id(std::string_view what, Random& random) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string id(what);
  for (int i = 0; i < 12; ++i) id += kDigits[static_cast<std::size_t>(random.Below(16))];
  return id;
}

record::Nonce MakeNonce(Random& random) {
  record::Nonce nonce;
  const auto bytes = [&](int size) {
    fairness::Bytes all(static_cast<std::size_t>(size));
    for (std::uint8_t& byte : all) byte = static_cast<std::uint8_t>(random.Below(256));
    return all;
  };
  switch (random.Below(6)) {
    case 0:
      break;  // none
    case 1:
      nonce.record.commitment = fairness::CommitNonce(bytes(16));
      break;
    case 2:
      nonce.record.reveal = bytes(8);
      nonce.record.commitment = fairness::CommitNonce(*nonce.record.reveal);
      break;
    case 3:
      nonce.record.reveal = bytes(20);
      nonce.record.commitment = fairness::CommitNonce(bytes(20));
      break;
    default:
      nonce.record.reveal = bytes(16 + random.Below(49));
      nonce.record.commitment = fairness::CommitNonce(*nonce.record.reveal);
  }
  nonce.outcome = fairness::CheckNonce(nonce.record);
  return nonce;
}

// Seed, nonces, wall, dice, dealer and winds.
void Deal(const rules::Variant& game, const rules::Options& options, const Making& making,
          Random& random, record::RoundRecord& record) {
  for (std::uint8_t& byte : record.seed) byte = static_cast<std::uint8_t>(random.Below(256));
  record.seed_hash = fairness::CommitSeed(record.seed);
  fairness::RoundContext context;
  context.round_id = record.round_id;
  context.variant = record.variant;
  context.options = record.options;
  for (const Seat seat : rules::kSeats) {
    if (making.nonces) record.nonces[seat] = MakeNonce(random);
    context.nonces[static_cast<std::size_t>(rules::IndexOf(seat))] =
        fairness::EffectiveNonce(record.nonces[seat].record);
  }
  const fairness::Digest digest = fairness::ContextDigest(context);
  const rules::PlayRules play = game.play(options);
  record.wall = fairness::ShuffleWall(play.wall, digest, record.seed);
  record.dice = fairness::RollDice(digest, record.seed);
  record.drawn = record.number == 1 || !making.winds || random.OneIn(2);
  if (play.winds) {
    record.seat_winds = rules::PerSeat<tiles::Tile>(fairness::DrawWinds(digest, record.seed));
    record.round_wind = tiles::kEast;
    for (const Seat seat : rules::kSeats) {
      if ((*record.seat_winds)[seat] == tiles::kEast) record.dealer = seat;
    }
    if (!record.drawn) record.round_wind = tiles::kSouth;
  } else {
    record.dealer = static_cast<Seat>(fairness::DrawDealer(digest, record.seed));
  }
  if (!record.drawn) record.dealer = rules::After(record.dealer, random.Below(4));
}

// Plays as a table plays: decides, journals, holds back what a pause would hold back.
class Table {
 public:
  Table(const rules::Variant& game, const rules::Options& options, const Making& making,
        const round::Setup& setup, Random& random, record::RoundRecord& record)
      : making_(making), setup_(setup), random_(random), record_(record), now_(record.began_at) {
    pauses_ = random.OneIn(2);
    for (const Seat seat : rules::kSeats) {
      bots_[seat] = std::make_unique<bots::Bot>(game, options, random.Next(), distances_);
    }
  }

  void PlayOut() {
    Tick();
    if (making_.ending == Ending::kEscape && random_.OneIn(8)) {
      leaver_ = AnySeat();
      Say(record::Leaving{*leaver_, record_.players[*leaver_], record::LeaveReason::kClientClosed});
    }
    Send(round::Begin{});
    if (leaver_) Send(round::Void{round::VoidReason::kEscape, *leaver_});
    // Past this many steps whoever ends the round does.
    const int end_at = making_.ending == Ending::kPlayed ? kStepsMax : random_.Below(60);
    for (int step = 0; step < kStepsMax && !state_.over(); ++step) {
      Tick();
      if (step >= end_at && !leaver_ && End()) continue;
      if (making_.incidents && random_.OneIn(40)) Incident();
      Step();
    }
    EXPECT_TRUE(state_.over());
    LeaveBehind();
  }

  const round::State& state() const { return state_; }
  record::Time now() const { return now_; }

 private:
  Seat AnySeat() { return static_cast<Seat>(random_.Below(rules::kSeatCount)); }
  void Tick() { now_ += std::chrono::microseconds(random_.Below(2'000'000)); }
  void Say(record::What what) { record_.events.push_back({now_, std::move(what)}); }

  void Send(const round::Command& command) {
    round::Decision decision = round::Decide(setup_, state_, command);
    auto* decided = std::get_if<std::vector<Event>>(&decision);
    ASSERT_NE(decided, nullptr) << "a command that is refused";
    std::size_t told = decided->size();
    for (std::size_t i = 1; i < decided->size() && pauses_ && told == decided->size(); ++i) {
      if (round::FollowsUnclaimedTile((*decided)[i])) told = i;
    }
    for (std::size_t i = 0; i < told; ++i) {
      const Event& event = (*decided)[i];
      round::Apply(setup_, state_, event);
      Say(event);
      const auto* answered = std::get_if<round::Answered>(&event);
      if (answered != nullptr && i == 0) AfterAnswer(*answered, decided->back());
    }
  }

  // Right behind the answer, as the table does it.
  void AfterAnswer(const round::Answered& answered, const Event& last) {
    if (answered.by != round::AnswerBy::kOverrun ||
        answered.choice.kind == round::ChoiceKind::kPass ||
        answered.choice.kind == round::ChoiceKind::kRoll) {
      return;
    }
    const bool over = std::holds_alternative<round::RoundEnded>(last) && !pauses_;
    if (++overruns_[answered.seat] < kOverruns || over || auto_play_[answered.seat]) return;
    auto_play_[answered.seat] = true;
    Say(record::AutoPlaySet{answered.seat, true});
  }

  // Whether it could end now.
  bool End() {
    switch (making_.ending) {
      case Ending::kEscape: {
        leaver_ = AnySeat();
        const bool lost = random_.OneIn(2);
        Say(record::Leaving{
            *leaver_, record_.players[*leaver_],
            lost ? record::LeaveReason::kConnectionLost : record::LeaveReason::kLeft});
        Send(round::Void{lost ? round::VoidReason::kConnectionLost : round::VoidReason::kEscape,
                         *leaver_});
        return true;
      }
      case Ending::kOperator:
        Send(round::Void{
            random_.OneIn(2) ? round::VoidReason::kOperator : round::VoidReason::kAllAbsent,
            std::nullopt});
        return true;
      case Ending::kPlayed:
      case Ending::kRefused:
        break;
    }
    return false;
  }

  void Incident() {
    const Seat seat = AnySeat();
    if (random_.OneIn(3)) {
      Say(record::ClocksRestarted{});
    } else if (random_.OneIn(2)) {
      shown_[seat] = !shown_[seat];
      Say(record::HandShown{seat, record_.players[seat], shown_[seat]});
    } else if (auto_play_[seat]) {
      auto_play_[seat] = false;
      Say(record::AutoPlaySet{seat, false});
    }
  }

  void Step() {
    std::vector<Seat> asked;
    for (const Seat seat : rules::kSeats) {
      if (state_.seats[seat].open && !state_.seats[seat].answer) asked.push_back(seat);
    }
    if (asked.empty() || (round::HoldsBack(state_) && random_.OneIn(2))) {
      return Send(round::Proceed{});
    }
    const Seat seat =
        asked[static_cast<std::size_t>(random_.Below(static_cast<int>(asked.size())))];
    const round::SeatState& its = state_.seats[seat];
    if (auto_play_[seat]) {
      if (!random_.OneIn(6)) return Send(round::Timeout{seat, its.decisions, true});
      auto_play_[seat] = false;
      Say(record::AutoPlaySet{seat, false});
    } else if (making_.incidents && random_.OneIn(12)) {
      return Send(round::Timeout{seat, its.decisions, false});
    }
    Send(round::Act{seat, its.decisions, Choose(seat, *its.open)});
  }

  round::Choice Choose(Seat seat, const round::Offer& offer) {
    if (making_.bots) return bots_[seat]->Choose(round::Project(setup_, state_, seat));
    return offer.win && random_.OneIn(2) ? round::Choice::Win()
                                         : round::RandomChoice(offer, random_);
  }

  // Who said that it leaves goes with the end; another may.
  void LeaveBehind() {
    const auto& over = std::get<round::Over>(state_.phase);
    if (over.outcome == round::Outcome::kVoid) return;
    if (leaver_) {
      for (const record::RecordedEvent& event : record_.events) {
        if (const auto* leaving = std::get_if<record::Leaving>(&event.what)) {
          Say(record::Left{leaving->seat, leaving->player, leaving->reason, {}});
          break;
        }
      }
    }
    if (!making_.incidents || !random_.OneIn(4)) return;
    const Seat seat = AnySeat();
    if (seat == leaver_) return;
    Tick();
    Say(record::Left{seat, record_.players[seat], record::LeaveReason::kLeft, {}});
  }

  const Making& making_;
  const round::Setup& setup_;
  Random& random_;
  record::RoundRecord& record_;
  record::Time now_;
  bool pauses_ = false;
  round::State state_;
  bots::Distances distances_;
  rules::PerSeat<std::unique_ptr<bots::Bot>> bots_;
  rules::PerSeat<bool> auto_play_;
  rules::PerSeat<bool> shown_;
  rules::PerSeat<int> overruns_;
  std::optional<Seat> leaver_;
};

void Score(const rules::Variant& game, const rules::Options& options, const round::State& state,
           record::RoundRecord& record, record::Settled& settled) {
  const auto finished = round::Finished(state);
  ASSERT_TRUE(finished.has_value());
  const auto priced = receipt::PriceRound(game, options, record.base, *finished);
  ASSERT_TRUE(priced.ok());
  for (const receipt::CoinTransfer& transfer : priced.value().transfers) {
    settled.scored.transfers.push_back(
        {transfer.from, transfer.to, transfer.coins.value(), std::string(transfer.rule)});
  }
  wire::FlatWriter out;
  wire::WriteRound(game, record.rulebook_version, *finished, priced.value(), out);
  settled.scored.score = std::string(out.bytes());
}

}  // namespace

record::RoundRecord MakeRecord(const rules::Variant& game, Random& random, const Making& making) {
  record::RoundRecord record;
  record.round_id = Id("round-", random);
  record.table_id = Id("table-", random);
  record.number = 1 + random.Below(3);
  record.variant = std::string(game.info().id);
  const rules::Options options = round::RandomOptions(game, random);
  record.options = rules::ToTexts(game.options(), options, /*all=*/true);
  record.base = 100 * (1 + random.Below(10));
  record.currency = random.OneIn(5) ? record::Currency::kPractice : record::Currency::kCoin;
  record.rulebook_version = rules::RulebookVersion(game);
  for (const Seat seat : rules::kSeats) {
    record.bots[seat] = record.currency == record::Currency::kPractice && seat != Seat::k0;
    record.players[seat] = Id(record.bots[seat] ? "practice-bot-" : "player-", random);
  }
  record.began_at = record::Time(std::chrono::microseconds(1'796'000'000'000'000));
  Deal(game, options, making, random, record);

  const auto setup = SetupOf(game, record);
  EXPECT_TRUE(setup.has_value());
  if (making.ending == Ending::kRefused) {
    record.ended_at = record.began_at;
    record.end = record::Voided{{record::VoidReason::kRefused, {}, {}}, {}};
    return record;
  }
  Table table(game, options, making, *setup, random, record);
  table.PlayOut();
  record.ended_at = table.now() + std::chrono::microseconds(random.Below(1'000'000));
  const auto& over = std::get<round::Over>(table.state().phase);
  if (over.outcome == round::Outcome::kVoid) {
    record::Voided voided;
    voided.voided.reason = record::ReasonOf(*over.reason);
    voided.voided.escaped = over.seat;
    PostVoid(record, random, voided);
    record.end = std::move(voided);
    return record;
  }
  record::Settled settled;
  settled.scored_at = table.now();
  Score(game, options, table.state(), record, settled);
  PostSettlement(record, random, settled);
  record.end = std::move(settled);
  return record;
}

Report VerifyRecord(const record::RoundRecord& record) { return Verify(record, wire::ScoreMisfit); }

}  // namespace mj::proof
