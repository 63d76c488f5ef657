// The slow scorer against the golden cases, and the product against the slow scorer.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libs/casefile/case.h"
#include "libs/rules/check.h"
#include "libs/rules/score.h"
#include "libs/variants/registry.h"
#include "tests/scorer/rounds_testing.h"
#include "tests/scorer/slow_scorer_testing.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::scorer {
namespace {

using Json = nlohmann::json;

OptionTexts TextsOf(const Json& row) {
  OptionTexts texts;
  if (!row.contains("options")) return texts;
  for (const auto& [name, value] : row.at("options").items()) {
    texts[name] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return texts;
}

void CompareWin(const Json& expected, const WinResult& actual) {
  EXPECT_EQ(actual.reason.empty(), expected.at("legal").get<bool>());
  EXPECT_EQ(actual.reason, expected.value("reason", ""));
  if (!actual.reason.empty()) return;
  EXPECT_EQ(actual.patterns, expected.at("patterns").get<std::vector<std::string>>());
  if (expected.contains("fan")) {
    EXPECT_EQ(actual.fan, expected.at("fan"));
  }
  if (expected.contains("multiplier")) {
    EXPECT_EQ(actual.multiplier, expected.at("multiplier"));
  }
  EXPECT_EQ(actual.horses_hit, expected.value("horses_hit", 0));
}

TEST(SlowScorerTest, ReproducesEveryGoldenCase) {
  std::ifstream file("tests/cases/cases.json");
  ASSERT_TRUE(file) << "run from the repository's root";
  std::map<std::string, int> games;
  for (const Json& row : Json::parse(file)) {
    SCOPED_TRACE(row.at("id").get<std::string>() + ": " + row.at("note").get<std::string>());
    const auto read = casefile::ReadCase(row);
    if (const auto* error = std::get_if<casefile::FormatError>(&read)) {
      ADD_FAILURE() << error->ToText();
      continue;
    }
    const auto& golden = std::get<casefile::Case>(read);
    const std::string game = row.at("game");
    ++games[game];
    const Result actual = Score(game, TextsOf(row), golden.round);
    const Json& expected = row.at("expect");

    ASSERT_EQ(actual.wins.size(), expected.at("wins").size());
    for (std::size_t i = 0; i < actual.wins.size(); ++i) {
      CompareWin(expected.at("wins").at(i), actual.wins[i]);
    }
    const std::int64_t base = row.at("base");
    const int units_per_base = UnitsPerBase(game);
    std::map<Line, std::int64_t> coins, expected_coins;
    for (const auto& [line, units] : actual.lines) coins[line] = units * base / units_per_base;
    for (const Json& line : expected.at("transfers")) {
      expected_coins[{line.at("from"), line.at("to"), line.at("rule")}] +=
          line.at("coins").get<std::int64_t>();
    }
    EXPECT_TRUE(coins == expected_coins);
    for (std::size_t seat = 0; seat < 4; ++seat) {
      EXPECT_EQ(actual.net[seat] * base / units_per_base, expected.at("net").at(seat));
    }
  }
  EXPECT_GE(games["chaozhou"], 49);
  EXPECT_GE(games["guangdong"], 68);
  EXPECT_GE(games["shaoguan"], 53);
  EXPECT_GE(games["jieyang"], 59);
}

// ------------------------------------------------------------- the product on random rounds

// The product's answer in the slow scorer's terms.
Result Product(const rules::Variant& variant, const rules::Options& options,
               const rules::FinishedRound& round) {
  const rules::RoundScore score = rules::ScoreRound(variant, options, round);
  const rules::VariantInfo& info = variant.info();
  Result result;
  for (const rules::Judgement& judgement : score.wins) {
    WinResult win;
    if (judgement.worth.no_win) {
      switch (*judgement.worth.no_win) {
        case rules::NoWin::kNotAWinningShape:
          win.reason = "not_a_winning_shape";
          break;
        case rules::NoWin::kChickenNotAllowed:
          win.reason = "chicken_not_allowed";
          break;
        case rules::NoWin::kDiscardWinNotAllowed:
          win.reason = "discard_win_not_allowed";
          break;
      }
    } else {
      const rules::Worth& worth = judgement.worth;
      win.patterns = {worth.patterns.begin(), worth.patterns.end()};
      if (info.counts_fan) win.fan = worth.fan;
      if (info.counts_multiplier) win.multiplier = worth.multiplier;
      if (info.counts_horses) win.horses_hit = worth.horses_hit;
      win.share = worth.share;
    }
    result.wins.push_back(win);
  }
  for (const rules::Transfer& transfer : score.transfers) {
    result.lines[{rules::IndexOf(transfer.from), rules::IndexOf(transfer.to),
                  std::string(transfer.rule)}] += transfer.units;
  }
  for (rules::Seat seat : rules::kSeats) {
    result.net[static_cast<std::size_t>(seat)] = score.net[seat];
  }
  return result;
}

// What the rulebook lets stand in a result's patterns.
const std::map<std::string, std::vector<std::string>, std::less<>>& PatternIds() {
  static const std::map<std::string, std::vector<std::string>, std::less<>> ids = {
      {"chaozhou",
       {"CZ-12", "CZ-20", "CZ-21", "CZ-22", "CZ-23", "CZ-24", "CZ-25", "CZ-26", "CZ-27", "CZ-28",
        "CZ-29", "CZ-30", "CZ-31", "CZ-32", "CZ-33", "CZ-34"}},
      {"guangdong",
       {"GD-10", "GD-11", "GD-12", "GD-13", "GD-20", "GD-21", "GD-22", "GD-23", "GD-24", "GD-25",
        "GD-26", "GD-27", "GD-28", "GD-29", "GD-30", "GD-31", "GD-32", "GD-40", "GD-41", "GD-42"}},
      {"shaoguan",
       {"SG-11", "SG-12", "SG-13", "SG-14", "SG-15", "SG-16", "SG-17", "SG-18", "SG-19"}},
      {"jieyang",
       {"JY-20", "JY-21", "JY-22", "JY-23", "JY-24", "JY-25", "JY-26", "JY-27", "JY-28", "JY-29",
        "JY-30", "JY-31", "JY-32", "JY-33", "JY-34"}},
  };
  return ids;
}

// How each line of money is named.
const std::map<std::string, std::vector<std::string>, std::less<>>& PaymentIds() {
  static const std::map<std::string, std::vector<std::string>, std::less<>> ids = {
      {"chaozhou", {"CZ-10", "CZ-11", "CZ-13", "CZ-40"}},
      {"guangdong", {"GD-52", "GD-53", "GD-60", "GD-61", "GD-62", "GD-63", "GD-64", "GD-65"}},
      {"shaoguan", {"SG-30", "SG-40", "SG-41", "SG-42", "SG-43"}},
      {"jieyang", {"JY-02", "JY-03", "JY-10", "JY-40"}},
  };
  return ids;
}

// The round as text, for a case of its own.
std::string CaseOf(const rules::Variant& variant, const RandomRound& made) {
  return casefile::WriteCase({.id = "",
                              .variant = &variant,
                              .options = made.options,
                              .base = 100,
                              .round = made.round})
      .dump();
}

std::string TextOf(const Result& result) {
  Json text;
  for (const WinResult& win : result.wins) {
    text["wins"].push_back({{"reason", win.reason},
                            {"patterns", win.patterns},
                            {"fan", win.fan},
                            {"multiplier", win.multiplier},
                            {"horses", win.horses_hit},
                            {"share", win.share}});
  }
  for (const auto& [line, units] : result.lines) {
    text["lines"].push_back({line.from, line.to, line.rule, units});
  }
  text["net"] = result.net;
  return text.dump();
}

constexpr std::int64_t kRounds = 200'000;  // a game, in the long run
constexpr int kShown = 10;                 // disagreements printed in full

TEST(SlowScorerTest, AgreesWithTheProductOnRandomRounds) {
  for (const rules::Variant* variant : variants::All()) {
    const std::string game(variant->info().id);
    ASSERT_TRUE(PatternIds().contains(game)) << game << " has no slow scorer";
    mj::testing::Random random(20'260'101);
    std::map<std::string, std::int64_t> hits;
    std::map<std::string, std::int64_t> reasons;
    int disagreements = 0;
    for (std::int64_t i = 0; i < mj::testing::Count(kRounds); ++i) {
      const RandomRound made = MakeRound(*variant, random);
      const Result slow = Score(game, made.texts, made.round);
      const Result fast = Product(*variant, made.options, made.round);
      for (const WinResult& win : slow.wins) {
        ++reasons[win.reason.empty() ? "legal" : win.reason];
        for (const std::string& id : win.patterns) ++hits[id];
      }
      for (const auto& [line, units] : slow.lines) ++hits[line.rule];
      if (slow == fast) continue;
      if (++disagreements <= kShown) {
        ADD_FAILURE() << CaseOf(*variant, made) << "\n slow    " << TextOf(slow) << "\n product "
                      << TextOf(fast);
      }
    }
    EXPECT_EQ(disagreements, 0) << game;

    std::vector<std::string> expected = PatternIds().at(game);
    const std::vector<std::string>& payments = PaymentIds().at(game);
    expected.insert(expected.end(), payments.begin(), payments.end());
    std::string missed;
    std::size_t missing = 0;
    for (const std::string& id : expected) {
      if (hits[id] > 0) continue;
      missed += " " + id;
      ++missing;
    }
    std::cout << "[ coverage ] " << game << ": " << expected.size() - missing << " of "
              << expected.size() << " ids" << (missing > 0 ? ", not" + missed : "");
    for (const auto& [reason, count] : reasons) std::cout << ", " << count << " " << reason;
    std::cout << "\n";
    EXPECT_EQ(hits.size(), expected.size()) << game << " counted an id that is not listed";
    EXPECT_LE(missing, mj::testing::LongRun() ? 0U : expected.size() / 5) << game << missed;
  }
}

// ----------------------------------------------------------------------------- invariance

// No rule names a seat.
rules::FinishedRound Turned(rules::FinishedRound round) {
  const auto turn = [](std::optional<rules::Seat>& seat) {
    if (seat) seat = rules::After(*seat);
  };
  round.deal.dealer = rules::After(round.deal.dealer);
  if (round.deal.seat_winds) {
    const rules::PerSeat<tiles::Tile> winds = *round.deal.seat_winds;
    for (rules::Seat seat : rules::kSeats) {
      (*round.deal.seat_winds)[rules::After(seat)] = winds[seat];
    }
  }
  for (rules::Win& win : round.wins) {
    win.seat = rules::After(win.seat);
    turn(win.from);
    turn(win.kong_feeder);
    turn(win.killed);
    for (rules::CalledMeld& called : win.hand.melds) turn(called.from);
  }
  for (rules::Kong& kong : round.kongs) {
    kong.seat = rules::After(kong.seat);
    turn(kong.from);
    turn(kong.paid_by);
  }
  return round;
}

Result TurnedResult(const Result& result) {
  Result turned;
  turned.wins = result.wins;
  for (const auto& [line, units] : result.lines) {
    turned.lines[{(line.from + 1) % 4, (line.to + 1) % 4, line.rule}] = units;
  }
  for (std::size_t seat = 0; seat < 4; ++seat) turned.net[(seat + 1) % 4] = result.net[seat];
  return turned;
}

// Each suit becomes another.
rules::FinishedRound WithSuits(rules::FinishedRound round, const std::array<int, 3>& suits) {
  const auto change = [&suits](tiles::Tile& tile) {
    if (tile.is_honour()) return;
    const int suit = suits[static_cast<std::size_t>(tile.index() / 9)];
    tile = tiles::Tile::At(9 * suit + tile.index() % 9);
  };
  if (round.deal.wild) change(*round.deal.wild);
  for (rules::Win& win : round.wins) {
    change(win.tile);
    rules::TileCounts concealed;
    for (tiles::Tile tile : tiles::kAllKinds) {
      tiles::Tile changed = tile;
      change(changed);
      concealed.Add(changed, win.hand.concealed[tile]);
    }
    win.hand.concealed = concealed;
    for (rules::CalledMeld& called : win.hand.melds) change(called.meld.tile);
  }
  for (rules::Kong& kong : round.kongs) change(kong.tile);
  for (tiles::Tile& horse : round.horses) change(horse);
  return round;
}

TEST(SlowScorerTest, TurningTheTableOrExchangingSuitsChangesNothing) {
  for (const rules::Variant* variant : variants::All()) {
    SCOPED_TRACE(variant->info().id);
    // Where characters are terminals only, the other two suits are still alike.
    const bool alike =
        variant->play(rules::DefaultOptions(variant->options())).wall.Has(tiles::Tile::At(4));
    const std::array<int, 3> suits = alike ? std::array{1, 2, 0} : std::array{0, 2, 1};
    mj::testing::Random random(7);
    for (std::int64_t i = 0; i < mj::testing::Count(kRounds); ++i) {
      const RandomRound made = MakeRound(*variant, random);
      const Result result = Product(*variant, made.options, made.round);
      ASSERT_EQ(TextOf(Product(*variant, made.options, Turned(made.round))),
                TextOf(TurnedResult(result)))
          << CaseOf(*variant, made);
      const rules::FinishedRound exchanged = WithSuits(made.round, suits);
      ASSERT_FALSE(rules::CheckRound(*variant, made.options, exchanged));
      ASSERT_EQ(TextOf(Product(*variant, made.options, exchanged)), TextOf(result))
          << CaseOf(*variant, made);
    }
  }
}

}  // namespace
}  // namespace mj::scorer
