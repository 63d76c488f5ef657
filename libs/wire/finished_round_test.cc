#include "libs/wire/finished_round.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>

#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/finished_round_testing.h"

namespace mj::wire {
namespace {

using ::mahjong::common::v1::FinishedRound;

FinishedRound Good() {
  FinishedRound message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(kGoodRound, &message));
  return message;
}

TEST(FinishedRoundTest, ReadsEveryField) {
  const auto round = FromProto(Good());
  ASSERT_THAT(round, base::IsOk());
  EXPECT_EQ(round->deal.dealer, rules::Seat::k1);
  EXPECT_EQ(round->deal.wild, tiles::kWhite);
  EXPECT_EQ((*round->deal.seat_winds)[rules::Seat::k0], tiles::kNorth);
  const rules::Win& win = round->wins[0];
  EXPECT_EQ(win.hand.melds[1].meld.kind, rules::MeldKind::kDiscardKong);
  EXPECT_FALSE(win.hand.melds[2].from.has_value());
  EXPECT_TRUE(win.flags.last_tile && win.flags.kong_replacement && !win.flags.heavenly);
  EXPECT_EQ(win.kong_feeder, rules::Seat::k3);
  EXPECT_EQ(win.killed, rules::Seat::k0);
  EXPECT_EQ(round->wins[1].from, rules::Seat::k3);
  EXPECT_EQ(round->kongs[1].paid_by, rules::Seat::k0);
  EXPECT_EQ(round->horses.size(), 4u);
}

TEST(FinishedRoundTest, WritesBackWhatItRead) {
  const auto round = FromProto(Good());
  ASSERT_THAT(round, base::IsOk());
  FinishedRound written;
  ToProto(*round, written);
  const auto again = FromProto(written);
  ASSERT_THAT(again, base::IsOk());
  EXPECT_EQ(*again, *round);
}

struct BadRow {
  const char* change;  // text format, merged into the good message
  base::Reason reason;
  const char* field;
};
class BadRoundTest : public ::testing::TestWithParam<BadRow> {};

TEST_P(BadRoundTest, IsRefusedWithItsField) {
  FinishedRound bad = Good();
  const std::string change = GetParam().change;
  // Changes to a win or kong replace the first; lists of texts are replaced as a whole.
  FinishedRound patch;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(change, &patch));
  if (patch.wins_size() == 1) {
    auto& win = *bad.mutable_wins(0);
    if (patch.wins(0).melds_size() > 0) win.clear_melds();
    if (patch.wins(0).flags_size() > 0) win.clear_flags();
    win.MergeFrom(patch.wins(0));
    patch.clear_wins();
  }
  if (patch.kongs_size() == 1) {
    bad.mutable_kongs(0)->MergeFrom(patch.kongs(0));
    patch.clear_kongs();
  }
  if (patch.seat_winds_size() > 0) bad.clear_seat_winds();
  bad.MergeFrom(patch);

  const auto round = FromProto(bad);
  EXPECT_THAT(round, base::FailsWith(GetParam().reason));
  const auto carried = base::CarriedBy(round.status());
  ASSERT_TRUE(carried.has_value());
  EXPECT_EQ(carried->details.field, GetParam().field);
}

using base::Reason;
INSTANTIATE_TEST_SUITE_P(
    Every, BadRoundTest,
    ::testing::Values(
        BadRow{"dealer: 4", Reason::kBadSeat, "dealer"},
        BadRow{"dealer: 4294967295", Reason::kBadSeat, "dealer"},
        BadRow{"round_wind: \"8z\"", Reason::kBadWind, "round_wind"},
        BadRow{"seat_winds: \"1z\"", Reason::kBadWind, "seat_winds"},
        BadRow{"seat_winds: \"1z\" seat_winds: \"2z\" seat_winds: \"\" seat_winds: \"4z\"",
               Reason::kBadWind, "seat_winds[2]"},
        BadRow{"wild: \"55z\"", Reason::kBadWild, "wild"},
        BadRow{"end: 9", Reason::kUnknownEnumValue, "end"},
        BadRow{"horses: \"12345p\"", Reason::kBadHorses, "horses"},
        BadRow{"horses: \"p\"", Reason::kBadHorses, "horses"},
        BadRow{"wins { seat: 7 }", Reason::kBadSeat, "wins[0].seat"},
        BadRow{"wins { concealed: \"0m\" }", Reason::kBadTiles, "wins[0].concealed"},
        BadRow{"wins { concealed: \"123\" }", Reason::kBadTiles, "wins[0].concealed"},
        BadRow{"wins { tile: \"66s\" }", Reason::kBadTiles, "wins[0].tile"},
        BadRow{"wins { how: 17 }", Reason::kUnknownEnumValue, "wins[0].how"},
        BadRow{"wins { from: 4 }", Reason::kBadSeat, "wins[0].from"},
        BadRow{"wins { kong_feeder: 4 }", Reason::kBadSeat, "wins[0].kong_feeder"},
        BadRow{"wins { killer_paid_by: 4 }", Reason::kBadSeat, "wins[0].killer_paid_by"},
        BadRow{"wins { flags: WIN_FLAG_UNSPECIFIED }", Reason::kContradictoryFlags,
               "wins[0].flags[0]"},
        BadRow{"wins { flags: WIN_FLAG_HEAVENLY flags: WIN_FLAG_HEAVENLY }",
               Reason::kContradictoryFlags, "wins[0].flags[1]"},
        BadRow{"wins { melds { tiles: \"222s\" } }", Reason::kBadMeld, "wins[0].melds[0].kind"},
        BadRow{"wins { melds { kind: MELD_KIND_PUNG tiles: \"223s\" } }", Reason::kBadMeld,
               "wins[0].melds[0].tiles"},
        BadRow{"wins { melds { kind: MELD_KIND_PUNG tiles: \"222\" } }", Reason::kBadTiles,
               "wins[0].melds[0].tiles"},
        BadRow{"wins { melds { kind: MELD_KIND_PUNG tiles: \"222s\" from: 5 } }", Reason::kBadSeat,
               "wins[0].melds[0].from"},
        BadRow{"wins { melds { kind: MELD_KIND_PUNG tiles: \"111s\" } melds { kind: MELD_KIND_PUNG "
               "tiles: \"222s\" } melds { kind: MELD_KIND_PUNG tiles: \"333s\" } melds { kind: "
               "MELD_KIND_PUNG tiles: \"444s\" } melds { kind: MELD_KIND_PUNG tiles: \"555s\" } }",
               Reason::kBadMeld, "wins[0].melds[4]"},
        BadRow{"kongs { seat: 4 }", Reason::kBadSeat, "kongs[0].seat"},
        BadRow{"kongs { kind: 8 }", Reason::kBadKong, "kongs[0].kind"},
        BadRow{"kongs { tile: \"22m\" }", Reason::kBadTiles, "kongs[0].tile"},
        BadRow{"kongs { from: 4 }", Reason::kBadSeat, "kongs[0].from"},
        BadRow{"kongs { paid_by: 4 }", Reason::kBadSeat, "kongs[0].paid_by"}));

TEST(FinishedRoundTest, HoldsTheLengthsOfTheLists) {
  FinishedRound bad = Good();
  for (int i = 0; i < 2; ++i) *bad.add_wins() = bad.wins(0);
  EXPECT_THAT(FromProto(bad), base::FailsWith(Reason::kBadWinners));
  bad = Good();
  for (int i = 0; i < 14; ++i) *bad.add_kongs() = bad.kongs(0);
  EXPECT_THAT(FromProto(bad), base::FailsWith(Reason::kBadKong));
}

TEST(FinishedRoundTest, KindsOfMeldsComeBack) {
  namespace common = ::mahjong::common::v1;
  for (int kind = common::MELD_KIND_CHOW; kind <= common::MeldKind_MAX; ++kind) {
    const auto meld = MeldKindOf(static_cast<common::MeldKind>(kind));
    ASSERT_TRUE(meld.has_value()) << kind;
    EXPECT_EQ(ToProto(*meld), kind);
  }
  for (int kind = common::KONG_KIND_UNSPECIFIED + 1; kind <= common::KongKind_MAX; ++kind) {
    const auto meld = MeldKindOf(static_cast<common::KongKind>(kind));
    ASSERT_TRUE(meld.has_value()) << kind;
    EXPECT_EQ(KongKindToProto(*meld), kind);
  }
  EXPECT_EQ(MeldKindOf(common::MELD_KIND_UNSPECIFIED), std::nullopt);
  EXPECT_EQ(MeldKindOf(static_cast<common::KongKind>(99)), std::nullopt);
}

TEST(FinishedRoundTest, NeedsAnEndAndAMethod) {
  FinishedRound bad = Good();
  bad.clear_end();
  EXPECT_THAT(FromProto(bad), base::FailsWith(Reason::kFieldRequired));
  bad = Good();
  bad.mutable_wins(1)->clear_how();
  const auto round = FromProto(bad);
  EXPECT_THAT(round, base::FailsWith(Reason::kFieldRequired));
  EXPECT_EQ(base::CarriedBy(round.status())->details.field, "wins[1].how");
}

}  // namespace
}  // namespace mj::wire
