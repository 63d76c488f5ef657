#include "libs/wire/kept_round.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/wire/played_testing.h"
#include "libs/wire/round_record.h"

namespace mj::wire {
namespace {

using base::HasCode;
using base::IsOk;
using rules::Seat;
namespace stored = ::mahjong::record::v1;

template <typename Array>
Array Filled(std::uint8_t byte) {
  Array array{};
  array.fill(byte);
  return array;
}

// A record with something in every field.
record::RoundRecord Full() {
  record::RoundRecord round;
  round.round_id = "round";
  round.table_id = "table";
  round.number = 3;
  round.variant = "guangdong";
  round.options = {{"a", "1"}, {"b", "2"}, {"c", ""}};
  round.base = 100;
  round.currency = record::Currency::kPractice;
  round.rulebook_version = "v";
  round.players = rules::PerSeat<std::string>({"p0", "p1", "p2", "p3"});
  round.bots[Seat::k1] = round.bots[Seat::k3] = true;
  round.began_at = record::Time(std::chrono::microseconds(1'000'001));
  round.ended_at = record::Time(std::chrono::microseconds(9'000'001));
  round.seed_hash = Filled<fairness::Digest>(7);
  round.seed = Filled<fairness::Seed>(255);
  round.nonces[Seat::k1] = {{Filled<fairness::Digest>(1), fairness::Bytes(16, 9)},
                            fairness::NonceOutcome::kRevealed};
  round.nonces[Seat::k2] = {{Filled<fairness::Digest>(2), fairness::Bytes()},
                            fairness::NonceOutcome::kBadLength};
  round.nonces[Seat::k3] = {{Filled<fairness::Digest>(2), std::nullopt},
                            fairness::NonceOutcome::kNotRevealed};
  round.drawn = true;
  round.wall = {tiles::kEast, tiles::kEast};
  round.dice = fairness::Dice{6, 1};
  round.dealer = Seat::k2;
  round.round_wind = tiles::kEast;
  round.seat_winds.emplace();
  for (const Seat seat : rules::kSeats) (*round.seat_winds)[seat] = tiles::kEast;
  const record::Time later(std::chrono::microseconds(2'000'000));
  round.events = {{later, round::Event(round::Discarded{Seat::k1, tiles::kEast})},
                  {later, record::AutoPlaySet{Seat::k3, true}},
                  {later, record::Leaving{Seat::k2, "p2", record::LeaveReason::kClientClosed}},
                  {later, record::ClocksRestarted{}},
                  {later, record::HandShown{Seat::k0, "p0", true}},
                  {later, record::Left{Seat::k2, "p2", record::LeaveReason::kRefused, "WHY"}}};
  record::Settled settled;
  settled.scored_at = later;
  settled.scored = {{{Seat::k0, Seat::k1, 100, "GD-1"}}, std::string("\0\xff", 2)};
  settled.posted.journal_id = "77";
  settled.posted.seats[Seat::k1] = {96, 4, 1'096};
  settled.posted.shortfalls = {{Seat::k0, Seat::k1, 5}};
  settled.row = {"77", "text\nof it", Filled<fairness::Digest>(3)};
  round.end = settled;
  return round;
}

record::RoundRecord Void() {
  record::RoundRecord round = Full();
  record::PenaltyPosted penalty{"78", {}, 12};
  penalty.seats[Seat::k1] = {-640, 0, 5};
  record::Voided voided;
  voided.voided.reason = record::VoidReason::kEscape;
  voided.voided.escaped = Seat::k1;
  voided.voided.penalty = penalty;
  voided.row = record::JournalRow{"78", "text", Filled<fairness::Digest>(4)};
  round.end = voided;
  return round;
}

stored::RoundRecord MessageOf(const record::RoundRecord& round) {
  stored::RoundRecord message;
  ToRecord(round, message);
  return message;
}
std::string BytesOf(const record::RoundRecord& round) { return Serialized(MessageOf(round)); }

TEST(KeptRoundTest, EverythingComesBack) {
  record::RoundRecord refused = Full();
  refused.end = record::Voided();
  refused.wall.clear();
  refused.dice.reset();
  refused.round_wind.reset();
  refused.seat_winds.reset();
  refused.events.clear();
  for (const record::RoundRecord& round : {Full(), Void(), refused}) {
    const auto read = ParseRoundRecord(BytesOf(round));
    ASSERT_THAT(read, IsOk());
    EXPECT_EQ(BytesOf(*read), BytesOf(round));
    EXPECT_EQ(read->players, round.players);
    EXPECT_EQ(read->events, round.events);
    EXPECT_EQ(read->end, round.end);
    EXPECT_EQ(read->wall, round.wall);
    EXPECT_EQ(read->dice, round.dice);
    EXPECT_EQ(read->began_at, round.began_at);
    for (const Seat seat : rules::kSeats) {
      EXPECT_EQ(read->nonces[seat].record.reveal, round.nonces[seat].record.reveal);
      EXPECT_EQ(read->nonces[seat].record.commitment, round.nonces[seat].record.commitment);
      EXPECT_EQ(read->nonces[seat].outcome, round.nonces[seat].outcome);
    }
  }
}

TEST(KeptRoundTest, EveryReasonAndOutcomeHasItsWord) {
  using record::LeaveReason;
  using record::VoidReason;
  for (const LeaveReason reason :
       {LeaveReason::kLeft, LeaveReason::kClientClosed, LeaveReason::kBelowMinimum,
        LeaveReason::kRefused, LeaveReason::kNoAnswer, LeaveReason::kConnectionLost,
        LeaveReason::kDisagreed}) {
    const record::Leaving leaving{Seat::k1, "p", reason};
    stored::SeatLeaving written;
    ToRecord(leaving, written);
    EXPECT_FALSE(written.reason().empty());
    EXPECT_THAT(FromRecord(written), base::IsOkAndHolds(leaving));
  }
  for (const VoidReason reason :
       {VoidReason::kEscape, VoidReason::kConnectionLost, VoidReason::kAllAbsent,
        VoidReason::kOperator, VoidReason::kRefused}) {
    const record::RoundVoided voided{reason, {}, {}};
    stored::RoundVoided written;
    ToRecord(voided, written);
    EXPECT_FALSE(written.reason().empty());
    EXPECT_THAT(FromRecord(written), base::IsOkAndHolds(voided));
  }
  for (const auto outcome :
       {fairness::NonceOutcome::kNotCommitted, fairness::NonceOutcome::kNotRevealed,
        fairness::NonceOutcome::kBadLength, fairness::NonceOutcome::kMismatch,
        fairness::NonceOutcome::kRevealed}) {
    EXPECT_EQ(OutcomeOf(WordOf(outcome)), outcome);
  }
  EXPECT_EQ(OutcomeOf("lost"), std::nullopt);
}

TEST(KeptRoundTest, RandomRoundsComeBack) {
  record::RoundRecord round = Full();
  round.events.clear();
  ForEachPlayedStep(5, [&round](const PlayedStep& step) {
    if (std::holds_alternative<round::RoundBegan>(step.event)) round.events.clear();
    round.events.push_back({round.began_at, step.event});
    if (!std::holds_alternative<round::RoundEnded>(step.event)) return;
    const auto read = ParseRoundRecord(BytesOf(round));
    ASSERT_THAT(read, IsOk());
    ASSERT_EQ(read->events, round.events);
  });
}

// Each a message that is no record, or no record's one form.
TEST(KeptRoundTest, WhatIsNoRecordIsDataLoss) {
  using Break = std::function<void(stored::RoundRecord&)>;
  const std::vector<std::pair<const char*, Break>> breaks = {
      {"format", [](auto& r) { r.set_format(0); }},
      {"format", [](auto& r) { r.set_format(kRoundRecordFormat + 1); }},
      {"number", [](auto& r) { r.set_number(0); }},
      {"number", [](auto& r) { r.set_number(0xffffffffU); }},
      {"currency", [](auto& r) { r.set_currency("EURO"); }},
      {"player_ids", [](auto& r) { r.add_player_ids("p4"); }},
      {"bot_seats", [](auto& r) { r.add_bot_seats(4); }},
      {"bot_seats", [](auto& r) { r.add_bot_seats(r.bot_seats(0)); }},
      {"seed_hash", [](auto& r) { r.set_seed_hash("short"); }},
      {"seed", [](auto& r) { r.mutable_seed()->pop_back(); }},
      {"nonces", [](auto& r) { r.mutable_nonces()->RemoveLast(); }},
      {"nonces[1]", [](auto& r) { r.mutable_nonces(1)->set_hash("x"); }},
      {"nonces[2]", [](auto& r) { r.mutable_nonces(2)->set_outcome("lost"); }},
      {"wall", [](auto& r) { r.set_wall("12x"); }},
      {"dice", [](auto& r) { r.add_dice(1); }},
      {"dice", [](auto& r) { r.set_dice(0, 7); }},
      {"dice", [](auto& r) { r.set_dice(1, 0); }},
      {"dealer", [](auto& r) { r.set_dealer(4); }},
      {"round_wind", [](auto& r) { r.set_round_wind("9z"); }},
      {"seat_winds", [](auto& r) { r.add_seat_winds("1z"); }},
      {"seat_winds", [](auto& r) { r.set_seat_winds(1, ""); }},
      {"events[0]", [](auto& r) { r.mutable_events(0)->mutable_round_event()->clear_event(); }},
      {"events[1]", [](auto& r) { r.mutable_events(1)->mutable_auto_play_set()->set_seat(4); }},
      {"events[2]", [](auto& r) { r.mutable_events(2)->mutable_seat_leaving()->set_reason("?"); }},
      {"events[4]", [](auto& r) { r.mutable_events(4)->mutable_hand_shown()->set_seat(4); }},
      {"events[5]", [](auto& r) { r.mutable_events(5)->mutable_seat_left()->set_reason(""); }},
      {"events[3]", [](auto& r) { r.mutable_events(3)->clear_event(); }},
      {"end", [](auto& r) { r.clear_end(); }},
      {"settled.transfers[0]",
       [](auto& r) {
         r.mutable_settled()->mutable_scored()->mutable_transfers(0)->set_to_seat(4);
       }},
      {"settled.seats", [](auto& r) { r.mutable_settled()->mutable_posted()->clear_seats(); }},
      {"settled.seats",
       [](auto& r) { r.mutable_settled()->mutable_posted()->mutable_seats(0)->set_seat(1); }},
      {"settled.shortfalls[0]",
       [](auto& r) {
         r.mutable_settled()->mutable_posted()->mutable_shortfalls(0)->set_from_seat(9);
       }},
      {"settled.hash", [](auto& r) { r.mutable_settled()->mutable_row()->set_hash("x"); }},
      {"settled.hash", [](auto& r) { r.mutable_settled()->clear_row(); }},
      {"voided.reason",
       [](auto& r) {
         r = MessageOf(Void());
         r.mutable_voided()->mutable_voided()->set_reason("bored");
       }},
      {"voided.escaped_seat",
       [](auto& r) {
         r = MessageOf(Void());
         r.mutable_voided()->mutable_voided()->set_escaped_seat(4);
       }},
      {"voided.penalty",
       [](auto& r) {
         r = MessageOf(Void());
         r.mutable_voided()->mutable_voided()->mutable_penalty()->clear_seats();
       }},
      {"one form",  // a shortfall has no rule
       [](auto& r) {
         r.mutable_settled()->mutable_posted()->mutable_shortfalls(0)->set_rule_id("GD-1");
       }},
      {"one form", [](auto& r) { r.set_wall("1z1z"); }},
  };
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    stored::RoundRecord message = MessageOf(Full());
    breaks[i].second(message);
    message.set_digest(DigestOf(message));
    const auto read = FromRecord(message);
    ASSERT_THAT(read, HasCode(absl::StatusCode::kDataLoss)) << i << " " << breaks[i].first;
    EXPECT_NE(std::string(read.status().message()).find(breaks[i].first), std::string::npos)
        << i << " " << read.status();
  }
}

TEST(KeptRoundTest, TheDigestIsThatOfTheRest) {
  stored::RoundRecord message = MessageOf(Full());
  EXPECT_EQ(message.digest(), DigestOf(message));
  message.set_number(message.number() + 1);
  const auto read = FromRecord(message);
  ASSERT_THAT(read, HasCode(absl::StatusCode::kDataLoss));
  EXPECT_NE(std::string(read.status().message()).find("digest"), std::string::npos);
  message.set_digest(DigestOf(message));
  EXPECT_THAT(FromRecord(message), IsOk());
}

TEST(KeptRoundTest, BytesHaveOneForm) {
  const std::string bytes = BytesOf(Full());
  ASSERT_THAT(ParseRoundRecord(bytes), IsOk());
  EXPECT_THAT(ParseRoundRecord(""), HasCode(absl::StatusCode::kDataLoss));
  EXPECT_THAT(ParseRoundRecord("\xff\xff\xff"), HasCode(absl::StatusCode::kDataLoss));
  EXPECT_THAT(ParseRoundRecord(bytes.substr(0, bytes.size() - 1)),
              HasCode(absl::StatusCode::kDataLoss));
  // A field twice, and one that is not known: protobuf takes both.
  EXPECT_THAT(ParseRoundRecord(bytes + std::string("\x08\x01", 2)),
              HasCode(absl::StatusCode::kDataLoss));
  EXPECT_THAT(ParseRoundRecord(bytes + std::string("\xf8\x3f\x01", 3)),
              HasCode(absl::StatusCode::kDataLoss));
}

}  // namespace
}  // namespace mj::wire
