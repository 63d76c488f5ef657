#include "libs/wire/choice.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>

#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"

namespace mj::wire {
namespace {

namespace table = ::mahjong::table::v1;
using base::Reason;

TEST(ChoiceTest, EveryChoiceComesBack) {
  for (const char* text : {"win", "pass", "pung", "roll", "chow 45m", "chow 79p", "kong discard 5m",
                           "kong added 1z", "kong concealed 9s", "discard 7z"}) {
    const auto choice = round::ParseChoice(text);
    ASSERT_TRUE(choice.has_value()) << text;
    table::Choice message;
    ToProto(*choice, message);
    EXPECT_THAT(FromProto(message), base::IsOkAndHolds(*choice)) << text;
  }
}

struct BadRow {
  const char* choice;
  Reason reason;
  const char* field;
};
void PrintTo(const BadRow& row, std::ostream* out) { *out << row.choice; }
class BadChoiceTest : public ::testing::TestWithParam<BadRow> {};

TEST_P(BadChoiceTest, IsRefusedWithItsField) {
  table::Choice message;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(GetParam().choice, &message));
  EXPECT_THAT(FromProto(message), base::FailsWith(GetParam().reason, GetParam().field));
}

INSTANTIATE_TEST_SUITE_P(
    Every, BadChoiceTest,
    ::testing::Values(BadRow{"", Reason::kFieldRequired, "choice"},
                      BadRow{"discard {}", Reason::kBadTiles, "discard.tile"},
                      BadRow{"discard { tile: \"55m\" }", Reason::kBadTiles, "discard.tile"},
                      BadRow{"discard { tile: \"8z\" }", Reason::kBadTiles, "discard.tile"},
                      BadRow{"discard { tile: \"5m \" }", Reason::kBadTiles, "discard.tile"},
                      BadRow{"chow { tiles: \"4m\" }", Reason::kBadTiles, "chow.tiles"},
                      BadRow{"chow { tiles: \"19m\" }", Reason::kBadTiles, "chow.tiles"},
                      BadRow{"chow { tiles: \"4m5p\" }", Reason::kBadTiles, "chow.tiles"},
                      BadRow{"chow { tiles: \"12z\" }", Reason::kBadTiles, "chow.tiles"},
                      BadRow{"kong { tile: \"5m\" }", Reason::kBadKong, "kong.kind"},
                      BadRow{"kong { kind: 9 tile: \"5m\" }", Reason::kBadKong, "kong.kind"},
                      BadRow{"kong { kind: KONG_KIND_ADDED }", Reason::kBadTiles, "kong.tile"}));

TEST(OfferTest, ATurnComesBack) {
  round::Offer offer;
  offer.tile = tiles::Tile::At(4);
  for (const char* text : {"win", "kong added 1z", "kong concealed 5m", "kong concealed 9s",
                           "discard 5m", "discard 1p", "discard 7z"}) {
    ASSERT_TRUE(offer.Add(*round::ParseChoice(text)));
  }
  table::Decision message;
  ToProto(offer, message);
  EXPECT_EQ(message.kind(), table::DECISION_KIND_TURN);
  EXPECT_EQ(message.tile(), "5m");
  EXPECT_EQ(message.offers().discards(), "5m1p7z");
  EXPECT_EQ(message.offers().kongs_size(), 3);
  EXPECT_THAT(FromProto(message), base::IsOkAndHolds(offer));
}

TEST(OfferTest, AClaimComesBack) {
  round::Offer offer;
  for (const char* text :
       {"kong discard 5m", "pung", "pass", "win", "chow 34m", "chow 46m", "chow 67m"}) {
    ASSERT_TRUE(offer.Add(*round::ParseChoice(text)));
  }
  table::Decision message;
  ToProto(offer, message);
  EXPECT_EQ(message.kind(), table::DECISION_KIND_CLAIM);
  EXPECT_EQ(message.offers().chows(1), "46m");
  EXPECT_THAT(FromProto(message), base::IsOkAndHolds(offer));
}

TEST(OfferTest, TheDiceComeBack) {
  round::Offer offer;
  offer.roll = true;
  table::Decision message;
  ToProto(offer, message);
  EXPECT_EQ(message.kind(), table::DECISION_KIND_DICE);
  EXPECT_THAT(FromProto(message), base::IsOkAndHolds(offer));
}

TEST(OfferTest, WhatNoServerSendsIsRefused) {
  const auto read = [](const char* text) {
    table::Decision message;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message));
    return FromProto(message);
  };
  EXPECT_THAT(read("tile: \"x\""), base::FailsWith(Reason::kBadTiles, "tile"));
  EXPECT_THAT(read("offers { discards: \"123\" }"),
              base::FailsWith(Reason::kBadTiles, "offers.discards"));
  EXPECT_THAT(read("offers { chows: \"34m\" chows: \"9m\" }"),
              base::FailsWith(Reason::kBadTiles, "offers.chows[1]"));
  EXPECT_THAT(read("offers { chows: \"12m\" chows: \"23m\" chows: \"34m\" chows: \"45m\" }"),
              base::FailsWith(Reason::kBadTiles, "offers.chows[3]"));
  EXPECT_THAT(read("offers { kongs { tile: \"5m\" } }"),
              base::FailsWith(Reason::kBadKong, "offers.kongs[0].kind"));
}

}  // namespace
}  // namespace mj::wire
