// One round from bytes to bytes: what is written without messages is what messages would write.
#include "services/scoring/rpc/score_one.h"

#include <gtest/gtest.h>

#include <string>

#include "libs/base/status_testing.h"
#include "services/scoring/rpc/server_testing.h"

namespace mj::scoring::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;

constexpr int kField = v1::ScoreRoundResponse::kScoreFieldNumber;

std::string Scored(const std::string& request) {
  wire::FlatWriter out;
  EXPECT_THAT(ScoreOne(request, kField, out), IsOk());
  return std::string(out.bytes());
}

TEST(ScoreOneTest, WritesWhatProtobufWould) {
  for (const casefile::Case& one : GoldenCases()) {
    SCOPED_TRACE(one.id);
    const std::string bytes = Scored(RequestOf(one).SerializeAsString());
    v1::ScoreRoundResponse response;
    ASSERT_TRUE(response.ParseFromString(bytes));
    // Every field by its number, known, with the shortest length, and none that says nothing.
    EXPECT_EQ(response.SerializeAsString(), bytes);
  }
}

// A field that the server does not know is nothing to it, but takes the long way through a message.
TEST(ScoreOneTest, AnswersTheSameOnTheLongWay) {
  const std::string unknown = "\xA2\x06\x01x";
  for (const casefile::Case& one : GoldenCases()) {
    SCOPED_TRACE(one.id);
    const std::string request = RequestOf(one).SerializeAsString();
    EXPECT_EQ(Scored(request + unknown), Scored(request));
  }
}

TEST(ScoreOneTest, RefusesBytesThatAreNoRequestAndWritesNothing) {
  wire::FlatWriter out;
  const std::string good = GoodRound().SerializeAsString();
  for (const std::string& bad : {std::string("\x0A\x05x"), std::string("\xFF"),
                                 good.substr(0, good.size() - 1), std::string("\x12\x01\xFF")}) {
    EXPECT_THAT(ScoreOne(bad, kField, out), FailsWith(Reason::kBadText));
  }
  EXPECT_THAT(ScoreOne("", kField, out), FailsWith(Reason::kFieldRequired));
  EXPECT_TRUE(out.bytes().empty());
}

}  // namespace
}  // namespace mj::scoring::rpc
