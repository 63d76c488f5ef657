// ScoreRound over real gRPC: golden cases in, golden answers out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "libs/base/status_testing.h"
#include "libs/casefile/expect.h"
#include "services/scoring/rpc/server_testing.h"

namespace mj::scoring::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using Json = nlohmann::json;

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

TEST(ScoreRoundTest, GivesAReceiptThatAPersonCanCheck) {
  const auto response = Call(GoodRound());
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
  EXPECT_EQ(line.arithmetic(), "100 x 3 x 2 x 3 = 1800");
  EXPECT_THAT(line.rule_ids(), ::testing::ElementsAre("CZ-10", "CZ-22", "CZ-24"));
  EXPECT_THAT(line.from_seats(), ::testing::ElementsAre(3u));
  EXPECT_THAT(line.text().zh_hans(), ::testing::HasSubstr("炮胡"));
  EXPECT_THAT(line.text().en(),
              ::testing::HasSubstr("base 100 x 3 fan x 2 x 3; CZ-22 all pungs x2"));
}

TEST(ScoreRoundTest, ServesThePresentRulebookByName) {
  v1::ScoreRoundRequest request = GoodRound();
  const auto first = Call(request);
  ASSERT_THAT(first, IsOk());
  request.set_rulebook_version(first->score().rulebook_version());
  EXPECT_THAT(Call(request), IsOk());
  request.set_rulebook_version("chaozhou-0123456789abcdef");
  const auto response = Call(request);
  EXPECT_THAT(response, FailsWith(Reason::kRulebookVersionUnknown));
  EXPECT_EQ(response.status().code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace mj::scoring::rpc
