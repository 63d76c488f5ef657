// The scoring service over real gRPC: golden cases in, golden answers out, and every fault refused.
#include "services/scoring/rpc/service.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/casefile/case.h"
#include "libs/casefile/documents.h"
#include "libs/casefile/expect.h"
#include "libs/rpc/client.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/service.h"
#include "libs/wire/finished_round.h"
#include "mahjong/scoring/v1/scoring_service.grpc.pb.h"

namespace mj::scoring::rpc {
namespace {

namespace v1 = ::mahjong::scoring::v1;
namespace common = ::mahjong::common::v1;
using base::FailsWith;
using base::IsOk;
using base::Reason;
using Json = nlohmann::json;

// One server for all tests: it has no state.
class ScoringServer : public ::testing::Environment {
 public:
  void SetUp() override {
    auto started = mj::rpc::StartService("scoring", {},
                                         [](mj::rpc::Bindings& bindings) {
                                           bindings.AddService<v1::ScoringService>(
                                               std::make_unique<ScoringService>(bindings.front()));
                                           return absl::OkStatus();
                                         },
                                         {.log_line = [](std::string_view) {}});
    ASSERT_THAT(started, IsOk());
    service_ = *std::move(started);
    stub_ = v1::ScoringService::NewStub(
        mj::rpc::ConnectedChannel({.target = service_->address(), .retry_safe = {}}));
  }
  void TearDown() override {
    stub_.reset();
    service_.reset();
  }

  static std::unique_ptr<v1::ScoringService::Stub> stub_;

 private:
  std::unique_ptr<mj::rpc::RunningService> service_;
};
std::unique_ptr<v1::ScoringService::Stub> ScoringServer::stub_;
[[maybe_unused]] auto* const kServer = ::testing::AddGlobalTestEnvironment(new ScoringServer);

const mj::rpc::CallOptions kOptions{.timeout = std::chrono::seconds(20)};

absl::StatusOr<v1::ScoreRoundResponse> Call(const v1::ScoreRoundRequest& request) {
  return mj::rpc::Invoke(*ScoringServer::stub_, &v1::ScoringService::StubInterface::ScoreRound,
                         request, kOptions);
}
absl::StatusOr<v1::EvaluateHandResponse> Call(const v1::EvaluateHandRequest& request) {
  return mj::rpc::Invoke(*ScoringServer::stub_, &v1::ScoringService::StubInterface::EvaluateHand,
                         request, kOptions);
}
absl::StatusOr<v1::ListWaitsResponse> Call(const v1::ListWaitsRequest& request) {
  return mj::rpc::Invoke(*ScoringServer::stub_, &v1::ScoringService::StubInterface::ListWaits,
                         request, kOptions);
}
absl::StatusOr<v1::ListVariantsResponse> Call(const v1::ListVariantsRequest& request) {
  return mj::rpc::Invoke(*ScoringServer::stub_, &v1::ScoringService::StubInterface::ListVariants,
                         request, kOptions);
}

template <typename Message>
Message Parse(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

// ------------------------------------------------------------------------------ golden cases

std::vector<casefile::Case> GoldenCases() {
  std::ifstream file("tests/cases/cases.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<casefile::Case> cases;
  for (const casefile::Document& document : casefile::SplitDocuments(text)) {
    auto read = casefile::ReadCase(std::get<Json>(document));
    if (auto* one = std::get_if<casefile::Case>(&read)) cases.push_back(std::move(*one));
  }
  return cases;
}

v1::ScoreRoundRequest RequestOf(const casefile::Case& one) {
  v1::ScoreRoundRequest request;
  common::FinishedRound& round = *request.mutable_round();
  wire::ToProto(one.round, round);
  round.set_variant(std::string(one.variant->info().id));
  for (const auto& [name, value] : rules::ToTexts(one.variant->options(), one.options, false)) {
    (*round.mutable_options())[name] = value;
  }
  round.set_base(one.base);
  return request;
}

// The answer in the words of the case format.
Json ExpectOf(const v1::RoundScore& score) {
  Json expect = {{"wins", Json::array()}, {"transfers", Json::array()}, {"net", Json::array()}};
  for (const v1::WinScore& win : score.wins()) {
    Json& out = expect["wins"].emplace_back(Json{{"seat", win.seat()}, {"legal", win.legal()}});
    if (!win.legal()) {
      out["reason"] = win.reason();
      continue;
    }
    out["patterns"] = Json::array();
    for (const v1::PatternHit& hit : win.patterns()) out["patterns"].push_back(hit.id());
    if (win.has_fan()) out["fan"] = win.fan();
    if (win.has_multiplier()) out["multiplier"] = win.multiplier();
    if (win.has_horses_hit()) out["horses_hit"] = win.horses_hit();
  }
  for (const common::Transfer& transfer : score.transfers()) {
    expect["transfers"].push_back({{"from", transfer.from_seat()},
                                   {"to", transfer.to_seat()},
                                   {"coins", transfer.coins()},
                                   {"rule", transfer.rule_id()}});
  }
  for (const std::int64_t net : score.net()) expect["net"].push_back(net);
  return expect;
}

TEST(ScoreRoundTest, AnswersEveryGoldenCaseAsTheLibraryDoes) {
  const std::vector<casefile::Case> cases = GoldenCases();
  ASSERT_GE(cases.size(), 40u);
  for (const casefile::Case& one : cases) {
    SCOPED_TRACE(one.id);
    const auto response = Call(RequestOf(one));
    ASSERT_THAT(response, IsOk());
    EXPECT_EQ(ExpectOf(response->score()),
              Json(std::get<casefile::OrderedJson>(casefile::Expect(one))));
    EXPECT_EQ(response->score().rulebook_version(), rules::RulebookVersion(*one.variant));
    EXPECT_EQ(response->score().transfers().empty(), response->score().receipt().lines().empty());
  }
}

constexpr char kGood[] = R"(
  round {
    variant: "chaozhou" base: 100 dealer: 0 end: ROUND_END_WIN
    wins { seat: 2 concealed: "3335557779s" tile: "9s" how: WIN_METHOD_DISCARD from: 3
           melds { kind: MELD_KIND_PUNG tiles: "222s" from: 1 } }
    wins { seat: 0 concealed: "444888m666456p7z" tile: "9s" how: WIN_METHOD_DISCARD from: 3 }
    kongs { seat: 1 kind: KONG_KIND_DISCARD tile: "6z" from: 3 }
    kongs { seat: 1 kind: KONG_KIND_CONCEALED tile: "1z" }
  })";
v1::ScoreRoundRequest Good() { return Parse<v1::ScoreRoundRequest>(kGood); }

TEST(ScoreRoundTest, GivesAReceiptThatAPersonCanCheck) {
  const auto response = Call(Good());
  ASSERT_THAT(response, IsOk());
  const v1::RoundScore& score = response->score();
  ASSERT_EQ(score.wins_size(), 2);
  EXPECT_TRUE(score.wins(0).legal());
  EXPECT_EQ(score.wins(0).shape(), "standard");
  EXPECT_EQ(score.wins(0).patterns(1).name().zh_hans(), "清一色");
  EXPECT_EQ(score.wins(0).patterns(1).value(), 3);
  EXPECT_EQ(score.wins(0).patterns(1).unit(), v1::PATTERN_UNIT_MULTIPLIER);
  EXPECT_FALSE(score.wins(1).legal());
  EXPECT_EQ(score.wins(1).reason(), "not_a_winning_shape");
  ASSERT_EQ(score.receipt().lines_size(), 3);
  const v1::ReceiptLine& line = score.receipt().lines(0);
  EXPECT_EQ(line.arithmetic(), "100 x 3 x 6 = 1800");
  EXPECT_THAT(line.rule_ids(), ::testing::ElementsAre("CZ-10", "CZ-22", "CZ-24"));
  EXPECT_THAT(line.from_seats(), ::testing::ElementsAre(3u));
  EXPECT_THAT(line.text().zh_hans(), ::testing::HasSubstr("炮胡"));
  EXPECT_THAT(line.text().en(), ::testing::HasSubstr("base 100 x 3 fan x 6 multiplier"));
}

TEST(ScoreRoundTest, ServesThePresentRulebookByName) {
  v1::ScoreRoundRequest request = Good();
  const auto first = Call(request);
  ASSERT_THAT(first, IsOk());
  request.set_rulebook_version(first->score().rulebook_version());
  EXPECT_THAT(Call(request), IsOk());
  request.set_rulebook_version("chaozhou-0123456789abcdef");
  const auto response = Call(request);
  EXPECT_THAT(response, FailsWith(Reason::kRulebookVersionUnknown));
  EXPECT_EQ(response.status().code(), absl::StatusCode::kFailedPrecondition);
}

// -------------------------------------------------------------------------------- bad input

struct BadRound {
  const char* name;
  void (*break_it)(common::FinishedRound&);
  Reason reason;
  const char* field;
  const char* tile = "";
};
void PrintTo(const BadRound& bad, std::ostream* out) { *out << bad.name; }

common::ClaimedWin& First(common::FinishedRound& round) { return *round.mutable_wins(0); }

// A self-draw by seat 2 alone, for the faults that only it can have.
void MakeSelfDraw(common::FinishedRound& round) {
  round.mutable_wins()->RemoveLast();
  First(round).set_how(common::WIN_METHOD_SELF_DRAW);
  First(round).clear_from();
}

const BadRound kBadRounds[] = {
    {"UnknownVariant", [](auto& r) { r.set_variant("bridge"); }, Reason::kUnknownVariant,
     "round.variant"},
    {"NoVariant", [](auto& r) { r.clear_variant(); }, Reason::kUnknownVariant, "round.variant"},
    {"UnknownOption", [](auto& r) { (*r.mutable_options())["speed"] = "1"; },
     Reason::kUnknownOption, "round.options.speed"},
    {"OptionOutOfRange", [](auto& r) { (*r.mutable_options())["max_multiplier"] = "-1"; },
     Reason::kOptionOutOfRange, "round.options.max_multiplier"},
    {"OptionIsNoNumber", [](auto& r) { (*r.mutable_options())["max_multiplier"] = "1e1"; },
     Reason::kOptionOutOfRange, "round.options.max_multiplier"},
    {"BaseZero", [](auto& r) { r.set_base(0); }, Reason::kBadBase, "round.base"},
    {"BaseNegative", [](auto& r) { r.set_base(-100); }, Reason::kBadBase, "round.base"},
    {"BaseOverflows", [](auto& r) { r.set_base(INT64_MAX); }, Reason::kBadBase, "round.base"},
    {"BaseTooHigh", [](auto& r) { r.set_base(10'001); }, Reason::kBadBase, "round.base"},
    {"Dealer", [](auto& r) { r.set_dealer(4); }, Reason::kBadSeat, "round.dealer"},
    {"NoEnd", [](auto& r) { r.clear_end(); }, Reason::kFieldRequired, "round.end"},
    {"WinnersSeat", [](auto& r) { First(r).set_seat(9); }, Reason::kBadSeat, "round.wins[0].seat"},
    {"NoTiles", [](auto& r) { First(r).set_concealed("hello"); }, Reason::kBadTiles,
     "round.wins[0].concealed"},
    {"FifteenTiles", [](auto& r) { First(r).set_concealed("33355577799s12m"); },
     Reason::kWrongTileCount, "round.wins[0].concealed"},
    {"TwelveTiles", [](auto& r) { First(r).set_concealed("333555777s"); }, Reason::kWrongTileCount,
     "round.wins[0].concealed"},
    {"FiveOfAKind", [](auto& r) { First(r).set_concealed("2235557779s"); }, Reason::kTooManyCopies,
     "round.wins[0]", "2s"},
    {"FiveOverTheTable", [](auto& r) { r.mutable_wins(1)->set_concealed("444888m666456p1z"); },
     Reason::kTooManyCopies, "round.wins", "1z"},
    {"TileOutsideTheSet",
     [](auto& r) {
       r.set_variant("shaoguan");
       r.clear_wins();
       r.set_end(common::ROUND_END_EXHAUSTED);
       r.mutable_kongs(0)->set_tile("5m");
     },
     Reason::kTileOutsideSet, "round.kongs[0].tile", "5m"},
    {"NoSuchMeld", [](auto& r) { First(r).mutable_melds(0)->set_tiles("223s"); }, Reason::kBadMeld,
     "round.wins[0].melds[0].tiles"},
    {"ChowInAGameWithout",
     [](auto& r) {
       First(r).mutable_melds(0)->set_kind(common::MELD_KIND_CHOW);
       First(r).mutable_melds(0)->set_tiles("456m");
     },
     Reason::kBadMeld, "round.wins[0].melds", "4m"},
    {"MeldFromSelf", [](auto& r) { First(r).mutable_melds(0)->set_from(2); },
     Reason::kBadMeldSource, "round.wins[0].melds", "2s"},
    {"MeldFromNobody", [](auto& r) { First(r).mutable_melds(0)->clear_from(); },
     Reason::kBadMeldSource, "round.wins[0].melds", "2s"},
    {"ChowNotFromThePreviousSeat",
     [](auto& r) {
       r.set_variant("guangdong");
       r.set_round_wind("1z");
       for (const char* wind : {"1z", "2z", "3z", "4z"}) r.add_seat_winds(wind);
       First(r).mutable_melds(0)->set_kind(common::MELD_KIND_CHOW);
       First(r).mutable_melds(0)->set_tiles("456m");
       First(r).mutable_melds(0)->set_from(3);
     },
     Reason::kBadMeldSource, "round.wins[0].melds", "4m"},
    {"ConcealedKongFromSomebody",
     [](auto& r) {
       First(r).mutable_melds(0)->set_kind(common::MELD_KIND_CONCEALED_KONG);
       First(r).mutable_melds(0)->set_tiles("2222s");
     },
     Reason::kBadMeldSource, "round.wins[0].melds", "2s"},
    {"WinFromSelf", [](auto& r) { First(r).set_from(2); }, Reason::kBadWinSource,
     "round.wins[0].from", "9s"},
    {"WinFromNobody", [](auto& r) { First(r).clear_from(); }, Reason::kBadWinSource,
     "round.wins[0].from", "9s"},
    {"SelfDrawFromSomebody", [](auto& r) { First(r).set_how(common::WIN_METHOD_SELF_DRAW); },
     Reason::kBadWinSource, "round.wins[0].from", "9s"},
    {"WinnersOfTwoTiles", [](auto& r) { r.mutable_wins(1)->set_tile("8s"); }, Reason::kBadWinners,
     "round.wins[1]", "8s"},
    {"WinnerTwice", [](auto& r) { r.mutable_wins(1)->set_seat(2); }, Reason::kBadWinners,
     "round.wins[1].seat", "9s"},
    {"NoWinner", [](auto& r) { r.clear_wins(); }, Reason::kBadWinners, "round.wins"},
    {"WinnerOfAnExhaustedWall", [](auto& r) { r.set_end(common::ROUND_END_EXHAUSTED); },
     Reason::kBadWinners, "round.wins"},
    {"LastTileOnADiscard", [](auto& r) { First(r).add_flags(common::WIN_FLAG_LAST_TILE); },
     Reason::kContradictoryFlags, "round.wins[0].flags", "9s"},
    {"HeavenlyByANonDealer",
     [](auto& r) {
       MakeSelfDraw(r);
       First(r).add_flags(common::WIN_FLAG_HEAVENLY);
     },
     Reason::kContradictoryFlags, "round.wins[0].flags", "9s"},
    {"ReplacementWithoutAKong",
     [](auto& r) {
       MakeSelfDraw(r);
       First(r).add_flags(common::WIN_FLAG_KONG_REPLACEMENT);
     },
     Reason::kContradictoryFlags, "round.wins[0].flags", "9s"},
    {"FlagTwice",
     [](auto& r) {
       First(r).add_flags(common::WIN_FLAG_EARTHLY);
       First(r).add_flags(common::WIN_FLAG_EARTHLY);
     },
     Reason::kContradictoryFlags, "round.wins[0].flags[1]"},
    {"FeederWithoutAReplacement", [](auto& r) { First(r).set_kong_feeder(1); },
     Reason::kBadKongFeeder, "round.wins[0].kong_feeder"},
    {"KillInAGameWithout", [](auto& r) { First(r).set_killer_paid_by(1); }, Reason::kBadKill,
     "round.wins[0].killer_paid_by"},
    {"KilledKongInAGameWithout", [](auto& r) { r.mutable_kongs(1)->set_paid_by(0); },
     Reason::kBadKill, "round.kongs[1].paid_by", "1z"},
    {"WinnersKongIsNoMeld", [](auto& r) { r.mutable_kongs(1)->set_seat(2); }, Reason::kBadKong,
     "round.kongs[1]", "1z"},
    {"WinnersMeldIsNoKong",
     [](auto& r) {
       First(r).mutable_melds(0)->set_kind(common::MELD_KIND_DISCARD_KONG);
       First(r).mutable_melds(0)->set_tiles("2222s");
     },
     Reason::kBadKong, "round.wins[0].melds", "2s"},
    {"DiscardKongFromNobody", [](auto& r) { r.mutable_kongs(0)->clear_from(); }, Reason::kBadKong,
     "round.kongs[0].from", "6z"},
    {"DiscardKongFromSelf", [](auto& r) { r.mutable_kongs(0)->set_from(1); }, Reason::kBadKong,
     "round.kongs[0].from", "6z"},
    {"ConcealedKongWithFrom", [](auto& r) { r.mutable_kongs(1)->set_from(0); }, Reason::kBadKong,
     "round.kongs[1].from", "1z"},
    {"KindKongedTwice", [](auto& r) { r.mutable_kongs(1)->set_tile("6z"); }, Reason::kBadKong,
     "round.kongs[1].tile", "6z"},
    {"WindsInAGameWithout", [](auto& r) { r.set_round_wind("1z"); }, Reason::kBadWind,
     "round.seat_winds"},
    {"NoWindsInAGameWithThem", [](auto& r) { r.set_variant("guangdong"); }, Reason::kBadWind,
     "round.seat_winds"},
    {"WildInAGameWithout", [](auto& r) { r.set_wild("5z"); }, Reason::kBadWild, "round.wild", "5z"},
    {"HorsesInAGameWithout", [](auto& r) { r.set_horses("1p"); }, Reason::kBadHorses,
     "round.horses", "1p"},
};

class BadRoundTest : public ::testing::TestWithParam<BadRound> {};

TEST_P(BadRoundTest, IsRefusedWithReasonFieldAndTile) {
  v1::ScoreRoundRequest request = Good();
  GetParam().break_it(*request.mutable_round());
  const auto response = Call(request);
  ASSERT_THAT(response, FailsWith(GetParam().reason));
  EXPECT_EQ(response.status().code(), absl::StatusCode::kInvalidArgument);
  const auto carried = base::CarriedBy(response.status());
  ASSERT_TRUE(carried.has_value());
  EXPECT_EQ(carried->details.field, GetParam().field);
  const auto tile = carried->details.metadata.find("tile");
  EXPECT_EQ(tile == carried->details.metadata.end() ? "" : tile->second, GetParam().tile);
}

INSTANTIATE_TEST_SUITE_P(Every, BadRoundTest, ::testing::ValuesIn(kBadRounds),
                         [](const auto& row) { return row.param.name; });

TEST(ScoreRoundTest, RefusesARequestWithoutARound) {
  const auto response = Call(v1::ScoreRoundRequest());
  EXPECT_THAT(response, FailsWith(Reason::kFieldRequired));
}

TEST(ScoreRoundTest, GoesOnAfterAnythingThatWasRefused) {
  for (const BadRound& bad : kBadRounds) {
    v1::ScoreRoundRequest request = Good();
    bad.break_it(*request.mutable_round());
    EXPECT_FALSE(Call(request).ok());
  }
  EXPECT_THAT(Call(Good()), IsOk());
}

// ---------------------------------------------------------------------------- the other rpcs

v1::EvaluateHandRequest GoodHand() {
  return Parse<v1::EvaluateHandRequest>(R"(
    context { variant: "chaozhou" base: 100 }
    win { seat: 1 concealed: "111222333m44p55z" tile: "4p" how: WIN_METHOD_SELF_DRAW })");
}

TEST(EvaluateHandTest, ShowsEveryReadingAndWhyItDidNotCount) {
  const auto response = Call(GoodHand());
  ASSERT_THAT(response, IsOk());
  EXPECT_TRUE(response->score().legal());
  ASSERT_EQ(response->readings_size(), 2);
  EXPECT_EQ(response->readings(0).verdict(), v1::READING_VERDICT_COUNTED);
  EXPECT_EQ(response->readings(0).coins(), 1800);
  EXPECT_EQ(response->readings(0).sets_size(), 5);
  EXPECT_EQ(response->readings(0).sets(4).tiles(), "55z");
  EXPECT_EQ(response->readings(1).verdict(), v1::READING_VERDICT_PAYS_LESS);
  EXPECT_EQ(response->readings(1).sets(0).kind(), v1::READING_SET_KIND_CHOW);
  ASSERT_EQ(response->receipt().lines_size(), 1);
}

TEST(EvaluateHandTest, AnswersThatAHandIsNone) {
  v1::EvaluateHandRequest request = GoodHand();
  request.mutable_win()->set_tile("9s");
  const auto response = Call(request);
  ASSERT_THAT(response, IsOk());
  EXPECT_FALSE(response->score().legal());
  EXPECT_EQ(response->score().reason(), "not_a_winning_shape");
  EXPECT_TRUE(response->readings().empty());
}

TEST(EvaluateHandTest, RefusesWhatCannotBe) {
  const auto field_of = [](const absl::StatusOr<v1::EvaluateHandResponse>& response) {
    const auto carried = base::CarriedBy(response.status());
    return carried ? carried->details.field : "no reason";
  };
  v1::EvaluateHandRequest request = GoodHand();
  request.mutable_win()->set_concealed("111222333m44p5z");
  EXPECT_EQ(field_of(Call(request)), "win.concealed");
  request = GoodHand();
  request.mutable_win()->set_concealed("1112223331m4p55z");
  EXPECT_EQ(field_of(Call(request)), "no reason");
  request = GoodHand();
  request.mutable_win()->set_concealed("1111122233m4p55z");
  EXPECT_EQ(field_of(Call(request)), "win.concealed");
  request = GoodHand();
  request.mutable_context()->set_base(0);
  EXPECT_EQ(field_of(Call(request)), "context.base");
  request = GoodHand();
  request.mutable_context()->set_variant("x");
  EXPECT_EQ(field_of(Call(request)), "context.variant");
  request = GoodHand();
  request.mutable_context()->set_rulebook_version("x");
  EXPECT_EQ(field_of(Call(request)), "context.rulebook_version");
  request = GoodHand();
  request.set_horses("1p");
  EXPECT_EQ(field_of(Call(request)), "horses");
  EXPECT_EQ(field_of(Call(v1::EvaluateHandRequest())), "context");
}

v1::ListWaitsRequest GoodWaits() {
  return Parse<v1::ListWaitsRequest>(R"(
    context { variant: "chaozhou" base: 100 }
    seat: 2 concealed: "23m456p789s11122z" seen: "44m")");
}

TEST(ListWaitsTest, SaysWhatEachTileIsWorth) {
  const auto response = Call(GoodWaits());
  ASSERT_THAT(response, IsOk());
  ASSERT_EQ(response->waits_size(), 2);
  EXPECT_EQ(response->waits(0).tile(), "1m");
  EXPECT_EQ(response->waits(0).unseen_left(), 4u);
  EXPECT_EQ(response->waits(1).tile(), "4m");
  EXPECT_EQ(response->waits(1).unseen_left(), 2u);
  ASSERT_EQ(response->waits(1).ways_size(), 3);
  EXPECT_EQ(response->waits(1).ways(1).how(), common::WIN_METHOD_DISCARD);
  EXPECT_EQ(response->waits(1).ways(1).coins(), 400);
}

TEST(ListWaitsTest, RefusesWhatCannotBe) {
  const auto field_of = [](const v1::ListWaitsRequest& request) {
    const auto carried = base::CarriedBy(Call(request).status());
    return carried ? carried->details.field : "no reason";
  };
  v1::ListWaitsRequest request = GoodWaits();
  request.set_concealed("23m");
  EXPECT_EQ(field_of(request), "concealed");
  request = GoodWaits();
  request.set_concealed("23m456p789s1111122z");
  EXPECT_EQ(field_of(request), "concealed");
  request = GoodWaits();
  request.set_seat(4);
  EXPECT_EQ(field_of(request), "seat");
  request = GoodWaits();
  request.set_seen("1111z");
  EXPECT_EQ(field_of(request), "seen");
  request = GoodWaits();
  *request.add_melds() = Parse<common::Meld>("kind: MELD_KIND_PUNG tiles: \"333s\" from: 2");
  request.set_concealed("23m456p11122z");
  EXPECT_EQ(field_of(request), "melds");
}

TEST(ListVariantsTest, GivesEveryTable) {
  const auto response = Call(v1::ListVariantsRequest());
  ASSERT_THAT(response, IsOk());
  ASSERT_FALSE(response->variants().empty());
  std::string last;
  for (const v1::Variant& variant : response->variants()) {
    SCOPED_TRACE(variant.id());
    EXPECT_LT(last, variant.id());
    last = variant.id();
    EXPECT_FALSE(variant.name().zh_hans().empty());
    EXPECT_TRUE(variant.rulebook_version().starts_with(variant.id()));
    EXPECT_GE(variant.wall_tiles(), 100u);
    std::set<std::string> ids;
    for (const v1::PatternInfo& pattern : variant.patterns()) {
      EXPECT_TRUE(ids.insert(pattern.id()).second) << pattern.id();
      EXPECT_FALSE(pattern.name().zh_hans().empty()) << pattern.id();
      EXPECT_FALSE(pattern.name().en().empty()) << pattern.id();
      EXPECT_FALSE(pattern.source().empty()) << pattern.id();
    }
    EXPECT_FALSE(variant.rules().empty());
  }
}

TEST(ListVariantsTest, GivesOneOrRefuses) {
  v1::ListVariantsRequest request;
  request.set_variant("chaozhou");
  const auto one = Call(request);
  ASSERT_THAT(one, IsOk());
  ASSERT_EQ(one->variants_size(), 1);
  EXPECT_EQ(one->variants(0).options(0).key(), "max_multiplier");
  EXPECT_EQ(one->variants(0).options(0).default_value(), "10");
  request.set_variant("bridge");
  EXPECT_THAT(Call(request), FailsWith(Reason::kUnknownVariant));
}

}  // namespace
}  // namespace mj::scoring::rpc
