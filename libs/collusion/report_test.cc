#include "libs/collusion/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::collusion {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// "kind one other" of each finding.
std::vector<std::string> Told(const Report& report) {
  std::vector<std::string> told;
  for (const Finding& finding : report.findings) {
    told.push_back(std::string(NameOf(finding.kind)) + " " + finding.one + " " + finding.other);
  }
  return told;
}

// A town of players of different skill, drawn to tables at random. Some of them, by name, are partners.
class Town {
 public:
  explicit Town(std::uint64_t seed) : random_(seed) {}

  // Who would sit with whom oftener than the draw makes it: every so many sittings of the first.
  std::optional<std::pair<int, int>> seek;
  // The first throws what the second wins on, who so wins often.
  std::optional<std::pair<int, int>> feed;
  // The first passes what the second throws.
  std::optional<std::pair<int, int>> pass;

  void Play(int sittings, Examiner& examiner) {
    for (int i = 0; i < sittings; ++i) {
      std::array<int, kSeats> seated = DrawFour();
      examiner.Add(SittingOf(seated, "hour " + std::to_string(i / 100)));
      for (int round = 0; round < 4; ++round) examiner.Add(PlayRound(seated));
    }
  }

 private:
  static constexpr int kPlayers = 60;

  int Below(int bound) { return random_.Below(bound); }
  static std::string Name(int player) { return "p" + std::to_string(100 + player); }
  // How good a player is, 1 to 3; how careless, 1 to 3.
  static int Skill(int player) { return 1 + player % 3; }
  static int Carelessness(int player) { return 1 + player / 3 % 3; }

  std::array<int, kSeats> DrawFour() {
    std::array<int, kSeats> seated{};
    for (std::size_t i = 0; i < kSeats; ++i) {
      do {
        seated[i] = Below(kPlayers);
      } while (
          std::count(seated.begin(), seated.begin() + static_cast<std::ptrdiff_t>(i), seated[i]));
    }
    // Partners sit together often, whatever the draw would make of it.
    for (const auto& pair : {seek, feed, pass}) {
      if (!pair || Below(15) != 0) continue;
      if (pair != seek && Below(2) != 0) continue;
      seated = {pair->first, pair->second, 30 + Below(15), 45 + Below(15)};
    }
    return seated;
  }

  static Sitting SittingOf(const std::array<int, kSeats>& seated, const std::string& draw) {
    Sitting sitting{.draw = draw};
    for (std::size_t i = 0; i < kSeats; ++i) {
      sitting.places[i] = {.player = Name(seated[i]),
                           .request = Name(seated[i]),
                           .device = "device of " + Name(seated[i]),
                           .network = "a carrier's"};
    }
    return sitting;
  }

  std::size_t Weighed(const std::array<int, kSeats>& weights) {
    int at = Below(weights[0] + weights[1] + weights[2] + weights[3]);
    std::size_t seat = 0;
    while (at >= weights[seat]) at -= weights[seat++];
    return seat;
  }

  Round PlayRound(const std::array<int, kSeats>& seated) {
    Round round{.id = "r" + std::to_string(++rounds_)};
    std::array<int, kSeats> skills{};
    std::array<int, kSeats> careless{};
    for (std::size_t i = 0; i < kSeats; ++i) {
      round.players[i] = Name(seated[i]);
      skills[i] = Skill(seated[i]);
      careless[i] = Carelessness(seated[i]);
    }
    std::size_t winner = Weighed(skills);
    for (std::size_t i = 0; i < kSeats; ++i) {
      const bool fed = feed && seated[i] == feed->second &&
                       std::count(seated.begin(), seated.end(), feed->first) > 0;
      if (fed && Below(2) == 0) winner = i;
    }
    const Coins worth = 100 << Below(4);
    if (Below(3) == 0) {
      for (std::size_t i = 0; i < kSeats; ++i) {
        if (i != winner) round.payments.push_back({i, winner, worth});
      }
      return round;
    }
    careless[winner] = 0;
    std::size_t thrower = Weighed(careless);
    for (std::size_t i = 0; i < kSeats; ++i) {
      if (feed && seated[i] == feed->first && seated[winner] == feed->second && Below(100) < 85) {
        thrower = i;
      }
    }
    const bool partners = pass && seated[winner] == pass->first && seated[thrower] == pass->second;
    if (partners || Below(20) == 0) {
      round.chances.push_back({thrower, winner, false});
      return round;  // nobody wins after all
    }
    round.chances.push_back({thrower, winner, true});
    round.deal_ins.push_back({thrower, winner});
    round.payments.push_back({thrower, winner, worth});
    return round;
  }

  mj::testing::Random random_;
  int rounds_ = 0;
};

TEST(ReportTest, HonestPlayersAreNotNamedHoweverUnevenTheyAre) {
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(mj::testing::Count(100)); ++seed) {
    Examiner examiner;
    Town(seed).Play(2'000, examiner);
    const Report report = examiner.Examine();
    EXPECT_EQ(report.sittings, 2'000U);
    EXPECT_EQ(report.rounds, 8'000U);
    EXPECT_EQ(report.players, 60U);
    EXPECT_THAT(Told(report), IsEmpty()) << "seed " << seed;
  }
}

TEST(ReportTest, PlantedPartnersAreFoundAndNobodyElse) {
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(mj::testing::Count(100)); ++seed) {
    Examiner examiner;
    Town town(seed);
    town.seek = {3, 4};
    town.feed = {6, 8};
    town.pass = {11, 16};
    town.Play(3'000, examiner);
    const Report report = examiner.Examine();
    const std::vector<std::string> told = Told(report);
    for (const char* planted :
         {"meetings p103 p104", "feeding p106 p108", "flow p106 p108", "passing p111 p116"}) {
      EXPECT_THAT(told, ::testing::Contains(planted)) << "seed " << seed;
    }
    for (const Finding& finding : report.findings) {
      EXPECT_TRUE((finding.one == "p103" && finding.other == "p104") ||
                  (finding.one == "p106" && finding.other == "p108") ||
                  (finding.one == "p111" && finding.other == "p116"))
          << "seed " << seed << ": " << finding.one << " " << finding.other;
      EXPECT_THAT(finding.rounds, SizeIs(::testing::AllOf(::testing::Ge(4U), ::testing::Le(20U))));
      EXPECT_GT(finding.power, 5);
    }
  }
}

class FactsTest : public ::testing::Test {
 protected:
  // a, b, c and d, each from a place of its own but for what `change` makes of it.
  static Sitting Four(const std::function<void(Sitting&)>& change = {}) {
    Sitting sitting{.draw = "hour"};
    for (std::size_t i = 0; i < kSeats; ++i) {
      const std::string player(1, static_cast<char>('a' + i));
      sitting.places[i] = {player, "request " + player, "device " + player, "network " + player};
    }
    if (change) change(sitting);
    return sitting;
  }
  static Round Played(const std::string& id) { return {.id = id, .players = {"a", "b", "c", "d"}}; }

  Examiner examiner_;
};

TEST_F(FactsTest, OneDeviceAtDifferentTimesIsFoundWithItsRounds) {
  examiner_.Add(Four());
  examiner_.Add(Played("r1"));
  examiner_.Add(Played("r2"));
  examiner_.Add(Four([](Sitting& sitting) { sitting.places[3].device = "device b"; }));
  const Report report = examiner_.Examine();
  ASSERT_THAT(Told(report), ::testing::ElementsAre("device b d"));
  EXPECT_THAT(report.findings[0].rounds, ::testing::ElementsAre("r2", "r1"));
  EXPECT_EQ(report.findings[0].seen, 2);
}

TEST_F(FactsTest, AnAddressOfManyTellsNothing) {
  examiner_.Add(Four([](Sitting& sitting) { sitting.places[0].network = "network c"; }));
  EXPECT_THAT(Told(examiner_.Examine()), ::testing::ElementsAre("network a c"));
  for (const char* other : {"e", "f", "g"}) {
    examiner_.Add(Four([&](Sitting& sitting) {
      sitting.places[0].player = other;
      sitting.places[0].device = other;
      sitting.places[0].network = "network c";
    }));
  }
  EXPECT_THAT(Told(examiner_.Examine()), IsEmpty());
}

TEST_F(FactsTest, FriendsMayMeetAsOftenAsTheyLike) {
  const auto play = [&](Examiner& examiner, const std::string& request) {
    for (int i = 0; i < 400; ++i) {
      Sitting sitting = Four();
      for (std::size_t place = 0; place < kSeats; ++place) {
        const std::string name = "q" + std::to_string(i * 4 + static_cast<int>(place));
        if (place >= 2 || i % 4 != 0) sitting.places[place] = {name, name, name, name};
      }
      if (i % 4 == 0) sitting.places[1].request = request;
      examiner.Add(sitting);
    }
  };
  play(examiner_, "request a");
  EXPECT_THAT(Told(examiner_.Examine()), IsEmpty());
  Examiner apart;
  play(apart, "request b");
  EXPECT_THAT(Told(apart.Examine()), ::testing::ElementsAre("meetings a b"));
}

TEST_F(FactsTest, FourWhoAreAllThereAreCannotHelpMeeting) {
  for (int i = 0; i < 500; ++i) examiner_.Add(Four());
  EXPECT_THAT(Told(examiner_.Examine()), IsEmpty());
}

TEST_F(FactsTest, NothingIsSaidOfFewRounds) {
  for (int i = 0; i < 4; ++i) {
    Round round = Played("r" + std::to_string(i));
    round.deal_ins.push_back({0, 1});
    round.payments.push_back({0, 1, 1'000'000'000'000});
    examiner_.Add(round);
  }
  EXPECT_THAT(Told(examiner_.Examine()), IsEmpty());
}

TEST_F(FactsTest, NobodyPlayedAndNothingIsSaid) {
  const Report report = examiner_.Examine();
  EXPECT_EQ(report.pairs, 0U);
  EXPECT_THAT(report.findings, IsEmpty());
}

}  // namespace
}  // namespace mj::collusion
