// EvaluateHand and ListWaits over real gRPC.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "libs/base/status_testing.h"
#include "services/scoring/rpc/server_testing.h"

namespace mj::scoring::rpc {
namespace {

using base::IsOk;

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

}  // namespace
}  // namespace mj::scoring::rpc
