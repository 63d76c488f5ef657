#include "services/table/store/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/variants/registry.h"
#include "mahjong/record/v1/record.pb.h"
#include "services/table/app/world_testing.h"

namespace mj::table::store {
namespace {

using base::HasCode;
using base::IsOkAndHolds;

// Every event of two rounds of every game, of leaving and of the end.
std::vector<LogEntry> AllKinds() {
  std::vector<LogEntry> all;
  for (const rules::Variant* variant : variants::All()) {
    World world(5);
    const TableId table = world.MakeTable(std::string(variant->info().id));
    Company company(world, table);
    company.PlayRound();
    company.PlayRound();
    EXPECT_TRUE(world.Leave(table, "p0").ok());
    EXPECT_TRUE(world.Join(table, "x").ok());
    for (const char* player : {"x", "p1", "p2", "p3"}) EXPECT_TRUE(world.Leave(table, player).ok());
    const auto journal = world.memory.All(table);
    all.insert(all.end(), journal.begin(), journal.end());
  }
  LogEntry shortfall{9, {}, RoundPosted{"j", {}, {{Seat::k1, Seat::k3, 77}}}};
  std::get<RoundPosted>(shortfall.event).seats[Seat::k2] = {-5, 4, 3};
  all.push_back(shortfall);
  for (const LeaveReason reason :
       {LeaveReason::kClientClosed, LeaveReason::kBelowMinimum, LeaveReason::kRefused,
        LeaveReason::kNoAnswer, LeaveReason::kConnectionLost, LeaveReason::kDisagreed,
        LeaveReason::kOperator}) {
    all.push_back({9, {}, SeatLeft{Seat::k1, PlayerId("p"), reason}});
    all.push_back({9, {}, SeatLeaving{Seat::k1, PlayerId("p"), reason}});
  }
  for (const VoidReason reason :
       {VoidReason::kRefused, VoidReason::kAllAbsent, VoidReason::kOperator}) {
    all.push_back({9, {}, RoundVoided{reason, {}, {}}});
  }
  PenaltyPosted penalty{"j2", {}, 12};
  penalty.seats[Seat::k1] = {-640, 0, 5};
  all.push_back({9, {}, RoundVoided{VoidReason::kEscape, Seat::k1, penalty}});
  all.push_back({9, {}, RoundVoided{VoidReason::kConnectionLost, Seat::k0, penalty}});
  for (const bool on : {false, true}) all.push_back({9, {}, AutoPlaySet{Seat::k3, on}});
  for (const bool show : {false, true}) {
    all.push_back({9, {}, HandShown{Seat::k2, PlayerId("p2"), show}});
  }
  all.push_back({9, {}, ClocksRestarted{}});
  all.push_back({9, {}, SeatLeft{Seat::k1, PlayerId("p"), LeaveReason::kRefused, "PLAYER_BUSY"}});
  all.push_back({9, {}, StakesAsked{3, Seat::k2, {10, 20, 10'000}}});
  all.push_back({9, {}, StakesProposed{3, Seat::k2, 20, {{"a", "b"}}, {{"a", "b"}, {"c", "d"}}}});
  all.push_back({9, {}, ConsentAsked{4}});
  all.push_back({9, {}, StakesAccepted{4, Seat::k3}});
  all.push_back({9, {}, BaseSet{1'000}});
  for (const OperatorActed& order :
       {OperatorActed{OperationKind::kVoidRound, RequestId("v"), "eve", "卡住", RoundId("r")},
        OperatorActed{OperationKind::kCloseTable, RequestId("c"), "eve", "x", {}, {}, true},
        OperatorActed{
            OperationKind::kRemovePlayer, RequestId("q"), "eve", "x", {}, PlayerId("p")}}) {
    all.push_back({9, {}, order});
  }
  all.push_back({9, {}, RoundsStopped{WallTime(std::chrono::microseconds(17))}});
  all.push_back({9, {}, RoundsStopped{WallTime{}}});
  all.push_back({9, {}, RoundsStopped{}});
  fairness::Digest hash{};
  hash.fill(0xfe);
  all.push_back({9, {}, SeatReadied{Seat::k2, 3, hash}});
  RoundBegun begun;
  begun.nonce_hashes[Seat::k3] = hash;
  begun.bots[Seat::k2] = true;
  all.push_back({9, {}, begun});
  all.push_back({9, {}, NonceRevealed{Seat::k1, fairness::Bytes{0, 255, 7}}});
  all.push_back({9, {}, NonceRevealed{Seat::k1, {}}});
  DealDrawn drawn;
  drawn.nonces[Seat::k0] = {fairness::Bytes(32, 0xff), fairness::NonceOutcome::kRevealed};
  drawn.nonces[Seat::k1] = {std::nullopt, fairness::NonceOutcome::kNotRevealed};
  drawn.nonces[Seat::k2] = {fairness::Bytes{}, fairness::NonceOutcome::kBadLength};
  drawn.nonces[Seat::k3] = {fairness::Bytes(16, 0), fairness::NonceOutcome::kMismatch};
  all.push_back({9, {}, drawn});
  all.push_back(
      {9, {}, RoundScored{{{Seat::k0, Seat::k1, 100, "CZ-10"}}, std::string("\0\xff", 2)}});
  TableCreated practice{TableId("t"), RequestId("r"), World::Spec()};
  practice.spec.currency = Currency::kPractice;
  practice.spec.players[Seat::k1] = PlayerId();
  practice.spec.bots[Seat::k0] = practice.spec.bots[Seat::k3] = true;
  all.push_back({1, {}, practice});
  practice.spec.token_hashes[Seat::k1] = hash;
  practice.spec.media_room = "room-1";
  all.push_back({1, {}, practice});
  all.push_back({9, {}, SeatTaken{Seat::k1, PlayerId("p"), hash}});
  return all;
}

TEST(RecordTest, EveryEventComesBackAsItWas) {
  std::vector<bool> seen(std::variant_size_v<TableEvent>);
  for (const LogEntry& entry : AllKinds()) {
    seen[entry.event.index()] = true;
    const EncodedEvent encoded = Encode(entry);
    EXPECT_FALSE(encoded.kind.empty());
    ASSERT_THAT(Decode(entry.seq, encoded.payload), IsOkAndHolds(entry)) << encoded.kind;
    EXPECT_EQ(Encode(entry).payload, encoded.payload);
  }
  EXPECT_THAT(seen, ::testing::Each(true));
}

TEST(RecordTest, KindsAreNamedAsInTheSchema) {
  EXPECT_EQ(Encode({1, {}, SeatReadied{}}).kind, "seat_readied");
  EXPECT_EQ(Encode({1, {}, RoundPlayed{round::RoundEnded{}}}).kind, "round_event");
}

TEST(RecordTest, AHashThatIsNoneIsDataLoss) {
  for (const auto& spoil : std::vector<std::function<void(::mahjong::record::v1::TableRecord&)>>{
           [](auto& record) { record.mutable_seat_taken()->set_join_token_hash("short"); },
           [](auto& record) { record.mutable_table_created()->add_join_token_hashes("short"); },
           [](auto& record) {
             for (int i = 0; i < 4; ++i) {
               record.mutable_table_created()->add_join_token_hashes(i == 2 ? "short" : "");
             }
           }}) {
    ::mahjong::record::v1::TableRecord record;
    ASSERT_TRUE(record.ParseFromString(
        Encode({1, {}, TableCreated{TableId("t"), RequestId("r"), World::Spec()}}).payload));
    spoil(record);
    EXPECT_THAT(Decode(1, record.SerializeAsString()), HasCode(absl::StatusCode::kDataLoss));
  }
}

TEST(RecordTest, ANewerFormatIsRefused) {
  ::mahjong::record::v1::TableRecord record;
  record.mutable_table_ended();
  for (unsigned format : {0U, kRecordFormat + 1}) {
    record.set_format(format);
    EXPECT_THAT(Decode(1, record.SerializeAsString()), HasCode(absl::StatusCode::kDataLoss));
  }
  record.set_format(kRecordFormat);
  EXPECT_TRUE(Decode(1, record.SerializeAsString()).ok());
}

TEST(RecordTest, NoTextOrBytesAreARecordByChance) {
  EXPECT_THAT(Decode(1, ""), HasCode(absl::StatusCode::kDataLoss));
  EXPECT_THAT(Decode(1, "\xff\xff\xff"), HasCode(absl::StatusCode::kDataLoss));
}

// Every field that can be wrong, one at a time.
TEST(RecordTest, ABrokenRowIsDataLoss) {
  using ::mahjong::record::v1::TableRecord;
  World world;
  const TableId table = world.MakeTable("guangdong");
  Company company(world, table);
  company.PlayRound();
  ASSERT_TRUE(world.ShowHand(table, "p1", true).ok());
  std::map<std::string, TableRecord> by_kind;
  std::vector<LogEntry> entries = world.memory.All(table);
  entries.push_back({1, {}, StakesAsked{}});
  entries.push_back({1, {}, StakesProposed{}});
  entries.push_back({1, {}, StakesAccepted{}});
  entries.push_back({1, {}, NonceRevealed{}});
  entries.push_back({1, {}, OperatorActed{}});
  for (const LogEntry& entry : entries) {
    TableRecord record;
    const EncodedEvent encoded = Encode(entry);
    ASSERT_TRUE(record.ParseFromString(encoded.payload));
    by_kind.emplace(encoded.kind, record);
  }
  const std::vector<std::pair<std::string, std::function<void(TableRecord&)>>> breaks = {
      {"table_created", [](TableRecord& r) { r.mutable_table_created()->set_currency("EURO"); }},
      {"table_created", [](TableRecord& r) { r.mutable_table_created()->add_player_ids("x"); }},
      {"table_created", [](TableRecord& r) { r.mutable_table_created()->add_bot_seats(4); }},
      {"round_begun", [](TableRecord& r) { r.mutable_round_begun()->add_bot_seats(4); }},
      {"seat_readied", [](TableRecord& r) { r.mutable_seat_readied()->set_seat(4); }},
      {"hand_shown", [](TableRecord& r) { r.mutable_hand_shown()->set_seat(4); }},
      {"seat_readied", [](TableRecord& r) { r.mutable_seat_readied()->set_nonce_hash("short"); }},
      {"round_begun", [](TableRecord& r) { r.mutable_round_begun()->set_seed("short"); }},
      {"round_begun", [](TableRecord& r) { r.mutable_round_begun()->add_nonce_hashes(""); }},
      {"round_begun", [](TableRecord& r) { r.mutable_round_begun()->set_nonce_hashes(1, "x"); }},
      {"nonce_revealed", [](TableRecord& r) { r.mutable_nonce_revealed()->set_seat(4); }},
      {"deal_drawn", [](TableRecord& r) { r.mutable_deal_drawn()->set_dealer(9); }},
      {"deal_drawn", [](TableRecord& r) { r.mutable_deal_drawn()->add_dice(1); }},
      {"deal_drawn", [](TableRecord& r) { r.mutable_deal_drawn()->set_dice(0, 7); }},
      {"deal_drawn", [](TableRecord& r) { r.mutable_deal_drawn()->set_wall("12x"); }},
      {"deal_drawn", [](TableRecord& r) { r.mutable_deal_drawn()->set_round_wind("9z"); }},
      {"deal_drawn", [](TableRecord& r) { r.mutable_deal_drawn()->set_seat_winds(2, ""); }},
      {"deal_drawn", [](TableRecord& r) { r.mutable_deal_drawn()->add_seat_winds("1z"); }},
      {"deal_drawn", [](TableRecord& r) { r.mutable_deal_drawn()->add_nonces(); }},
      {"deal_drawn",
       [](TableRecord& r) { r.mutable_deal_drawn()->mutable_nonces(1)->set_outcome("lost"); }},
      {"round_begun", [](TableRecord& r) { r.mutable_round_begun()->clear_player_ids(); }},
      {"round_event", [](TableRecord& r) { r.mutable_round_event()->clear_event(); }},
      {"round_posted",
       [](TableRecord& r) { r.mutable_round_posted()->mutable_seats(1)->set_seat(3); }},
      {"round_posted", [](TableRecord& r) { r.mutable_round_posted()->clear_seats(); }},
      {"stakes_asked", [](TableRecord& r) { r.mutable_stakes_asked()->set_seat(4); }},
      {"stakes_proposed", [](TableRecord& r) { r.mutable_stakes_proposed()->set_seat(4); }},
      {"operator_acted", [](TableRecord& r) { r.mutable_operator_acted()->set_kind("sold"); }},
      {"operator_acted",
       [](TableRecord& r) { r.mutable_operator_acted()->set_kind("stop_rounds"); }},
      {"stakes_accepted", [](TableRecord& r) { r.mutable_stakes_accepted()->set_seat(4); }},
      {"table_created", [](TableRecord& r) { r.clear_record(); }},
  };
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    TableRecord record = by_kind.at(breaks[i].first);
    ASSERT_TRUE(Decode(1, record.SerializeAsString()).ok()) << breaks[i].first;
    breaks[i].second(record);
    EXPECT_THAT(Decode(1, record.SerializeAsString()), HasCode(absl::StatusCode::kDataLoss))
        << i << " " << breaks[i].first;
  }
}

}  // namespace
}  // namespace mj::table::store
