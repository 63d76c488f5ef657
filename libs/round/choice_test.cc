#include "libs/round/choice.h"

#include <gtest/gtest.h>

#include "libs/tiles/mpsz.h"

namespace mj::round {
namespace {

Tile T(std::string_view text) { return *tiles::ParseTile(text); }

TEST(ChoiceTest, EveryChoiceReadsBackFromItsText) {
  const Choice choices[] = {Choice::Win(),
                            Choice::Pass(),
                            Choice::Pung(),
                            Choice::Roll(),
                            Choice::Chow(T("4m"), T("5m")),
                            Choice::Chow(T("4s"), T("6s")),
                            Choice::DiscardKong(T("5m")),
                            Choice::AddedKong(T("7z")),
                            Choice::ConcealedKong(T("9p")),
                            Choice::Discard(T("1z"))};
  for (const Choice& choice : choices) EXPECT_EQ(ParseChoice(ToText(choice)), choice);
  EXPECT_EQ(ToText(choices[4]), "chow 45m");
  EXPECT_EQ(ToText(choices[7]), "kong added 7z");
}

TEST(ChoiceTest, AChowNamesItsTilesInEitherOrder) {
  EXPECT_EQ(ParseChoice("chow 54m"), Choice::Chow(T("4m"), T("5m")));
}

TEST(ChoiceTest, RefusesEverythingElse) {
  for (std::string_view text :
       {"",         " ",        "Win",        "win ",           " win",       "passs",
        "pung 5m",  "discard",  "discard ",   "discard 55m",    "discard 0m", "discard 8z",
        "kong",     "kong 5m",  "kong added", "kong robbed 5m", "chow",       "chow 4m",
        "chow 44m", "chow 47m", "chow 4m5p",  "chow 12z",       "chow 345m",  "roll 6"}) {
    EXPECT_FALSE(ParseChoice(text)) << text;
  }
}

TEST(OfferTest, HoldsExactlyWhatIsAdded) {
  Offer offer;
  offer.tile = T("5m");
  for (std::string_view text :
       {"win", "pung", "chow 34m", "chow 46m", "chow 67m", "pass", "kong discard 5m",
        "kong concealed 1z", "kong added 2z", "discard 9s"}) {
    const Choice choice = *ParseChoice(text);
    EXPECT_FALSE(offer.Allows(choice)) << text;
    EXPECT_TRUE(offer.Add(choice));
    EXPECT_TRUE(offer.Allows(choice)) << text;
    EXPECT_TRUE(offer.Add(choice)) << "a second time";
  }
  for (std::string_view text : {"roll", "chow 45m", "kong discard 6m", "kong concealed 2z",
                                "kong added 1z", "discard 8s"}) {
    EXPECT_FALSE(offer.Allows(*ParseChoice(text))) << text;
  }
  EXPECT_FALSE(offer.Add(*ParseChoice("chow 78m")));
  EXPECT_EQ(ChoicesOf(offer).size(), 10u);

  Offer again;
  again.tile = offer.tile;
  for (const Choice& choice : ChoicesOf(offer)) again.Add(choice);
  EXPECT_EQ(again, offer);
}

TEST(OfferTest, AllDiscardsAreOneText) {
  Offer offer;
  for (std::string_view text : {"discard 1m", "discard 7z", "discard 3m", "win"}) {
    offer.Add(*ParseChoice(text));
  }
  EXPECT_EQ(ToTexts(offer), (std::vector<std::string>{"win", "discard 13m7z"}));
}

// COM-09.
TEST(SystemChoiceTest, PassesClaimsAndThrowsWhatWasDrawn) {
  Offer claim;
  claim.tile = T("5m");
  claim.pung = claim.pass = true;
  EXPECT_EQ(SystemChoice(claim, false), Choice::Pass());
  EXPECT_EQ(SystemChoice(claim, true), Choice::Pass());
  claim.win = true;
  EXPECT_EQ(SystemChoice(claim, false), Choice::Pass());
  EXPECT_EQ(SystemChoice(claim, true), Choice::Win());

  Offer turn;
  turn.tile = T("2p");
  for (std::string_view tile : {"1m", "2p", "7z"}) turn.discards.Add(T(tile));
  turn.concealed_kongs.Add(T("1m"));
  EXPECT_EQ(SystemChoice(turn, false), Choice::Discard(T("2p")));
  turn.tile.reset();  // after a call
  EXPECT_EQ(SystemChoice(turn, true), Choice::Discard(T("7z")));
  turn.win = true;
  EXPECT_EQ(SystemChoice(turn, true), Choice::Win());
  EXPECT_EQ(SystemChoice(turn, false), Choice::Win());

  Offer dice;
  dice.roll = true;
  EXPECT_EQ(SystemChoice(dice, false), Choice::Roll());
}

}  // namespace
}  // namespace mj::round
