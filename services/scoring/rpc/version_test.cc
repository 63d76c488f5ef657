// A version of the rules that is not served is refused by every rpc that takes one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "libs/base/status_testing.h"
#include "libs/variants/registry.h"
#include "services/scoring/rpc/server_testing.h"

namespace mj::scoring::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;

constexpr char kForeign[] = "chaozhou-0123456789abcdef";

// Every rpc with a good question about Chaozhou by the version `version`.
absl::Status ScoreBy(const std::string& version) {
  v1::ScoreRoundRequest request = GoodRound();
  request.set_rulebook_version(version);
  return Call(request).status();
}
absl::Status EvaluateBy(const std::string& version) {
  auto request = Parse<v1::EvaluateHandRequest>(R"(
    context { variant: "chaozhou" base: 100 }
    win { seat: 1 concealed: "111222333m44p55z" tile: "4p" how: WIN_METHOD_SELF_DRAW })");
  request.mutable_context()->set_rulebook_version(version);
  return Call(request).status();
}
absl::Status WaitBy(const std::string& version) {
  auto request = Parse<v1::ListWaitsRequest>(R"(
    context { variant: "chaozhou" base: 100 } concealed: "23m456p789s11122z")");
  request.mutable_context()->set_rulebook_version(version);
  return Call(request).status();
}
absl::Status ReadBy(const std::string& version) {
  v1::GetRulebookRequest request;
  request.set_variant("chaozhou");
  request.set_rulebook_version(version);
  return Call(request).status();
}

struct Versioned {
  const char* name;
  absl::Status (*ask)(const std::string& version);
  const char* field;
};
void PrintTo(const Versioned& rpc, std::ostream* out) { *out << rpc.name; }

class VersionTest : public ::testing::TestWithParam<Versioned> {};

TEST_P(VersionTest, AnOlderOneIsRefusedAndTheServedOneNamed) {
  const std::string served = rules::RulebookVersion(*variants::Find("chaozhou"));
  const absl::Status status = GetParam().ask(kForeign);
  ASSERT_THAT(status, FailsWith(Reason::kRulebookVersionUnknown));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr(served));
  const auto carried = base::CarriedBy(status);
  ASSERT_TRUE(carried.has_value());
  EXPECT_EQ(carried->details.field, GetParam().field);
  EXPECT_EQ(carried->details.metadata.at("served"), served);
}

TEST_P(VersionTest, AnotherGamesOneAndRubbishAreRefused) {
  const std::string other = rules::RulebookVersion(*variants::Find("jieyang"));
  for (const std::string& version : {other, std::string("x"), std::string(100'000, 'x')}) {
    EXPECT_THAT(GetParam().ask(version), FailsWith(Reason::kRulebookVersionUnknown));
  }
}

TEST_P(VersionTest, TheServedOneAndNoneAreTaken) {
  EXPECT_THAT(GetParam().ask(""), IsOk());
  EXPECT_THAT(GetParam().ask(rules::RulebookVersion(*variants::Find("chaozhou"))), IsOk());
}

INSTANTIATE_TEST_SUITE_P(
    Every, VersionTest,
    ::testing::Values(Versioned{"ScoreRound", ScoreBy, "rulebook_version"},
                      Versioned{"EvaluateHand", EvaluateBy, "context.rulebook_version"},
                      Versioned{"ListWaits", WaitBy, "context.rulebook_version"},
                      Versioned{"GetRulebook", ReadBy, "rulebook_version"}),
    [](const auto& row) { return row.param.name; });

TEST(BatchVersionTest, IsLookedAtForEachRoundOfABatch) {
  v1::BatchScoreRoundsRequest request;
  *request.add_requests() = GoodRound();
  *request.add_requests() = GoodRound();
  request.mutable_requests(0)->set_rulebook_version(kForeign);
  const auto response = Call(request);
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->results(0).error().code(),
            static_cast<int>(absl::StatusCode::kFailedPrecondition));
  EXPECT_TRUE(response->results(1).has_score());
}

}  // namespace
}  // namespace mj::scoring::rpc
