#include "tools/mahjongctl/tournament.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "libs/base/check.h"
#include "libs/base/strings.h"
#include "libs/bots/bot.h"
#include "libs/bots/mix.h"
#include "libs/console/text.h"
#include "libs/fairness/deal.h"
#include "libs/round/decide.h"
#include "libs/round/result.h"
#include "libs/rules/score.h"
#include "libs/variants/registry.h"
#include "tools/mahjongctl/exit_code.h"

namespace mj::mahjongctl {
namespace {

using base::Cat;
using bots::Strength;
using rules::Seat;

constexpr std::size_t kCount = bots::kStrengths.size();
constexpr double kNormal95 = 1.96;

std::size_t At(Strength strength) { return static_cast<std::size_t>(strength); }

// The mean of independent figures.
class Sample {
 public:
  void Add(double figure) {
    ++count_;
    const double before = figure - mean_;
    mean_ += before / count_;
    squares_ += before * (figure - mean_);
  }
  [[nodiscard]] Estimate Get() const {
    if (count_ < 2) return {mean_, 0};
    return {mean_, kNormal95 * std::sqrt(squares_ / (count_ - 1) / count_)};
  }

 private:
  double count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // of the distances from the mean
};

// What a strength made of one deal, over all its seats.
struct Tally {
  std::int64_t seats = 0;
  std::int64_t units = 0;
  std::int64_t won = 0;
  std::int64_t fed = 0;
};
using Tallies = std::array<Tally, kCount>;

fairness::Seed SeedOf(std::uint64_t seed, std::int64_t deal) {
  fairness::Seed bytes{};
  std::uint64_t state = bots::Mix(seed ^ bots::Mix(static_cast<std::uint64_t>(deal)));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % 8 == 0) state = bots::Mix(state + i);
    bytes[i] = static_cast<std::uint8_t>(state >> (8 * (i % 8)));
  }
  return bytes;
}

// Wall, dealer, dice and winds as a table would draw them from that seed.
round::Setup SetupOf(const rules::Variant& game, const rules::Options& options, std::uint64_t seed,
                     std::int64_t deal) {
  const rules::PlayRules play = game.play(options);
  const fairness::Seed bytes = SeedOf(seed, deal);
  const fairness::Digest context{};
  round::SetupInput input;
  input.variant = &game;
  input.options = options;
  input.dealer = static_cast<Seat>(fairness::DrawDealer(context, bytes));
  const fairness::Dice dice = fairness::RollDice(context, bytes);
  input.dice = {static_cast<std::uint8_t>(dice.first), static_cast<std::uint8_t>(dice.second)};
  if (play.winds) {
    input.round_wind = tiles::kEast;
    input.seat_winds.emplace(fairness::DrawWinds(context, bytes));
  }
  input.wall = fairness::ShuffleWall(play.wall, context, bytes);
  auto setup = round::MakeSetup(std::move(input));
  MJ_CHECK(std::holds_alternative<round::Setup>(setup), "a deal that is none");
  return std::get<round::Setup>(std::move(setup));
}

// One of each strength, and a second one of each in turn; in the other order every other time.
std::array<Strength, rules::kSeatCount> LineUp(std::int64_t deal) {
  std::array<Strength, rules::kSeatCount> line = {
      Strength::kWeak, Strength::kMedium, Strength::kStrong,
      bots::kStrengths[static_cast<std::size_t>(deal) % kCount]};
  if (deal / static_cast<std::int64_t>(kCount) % 2 != 0) std::reverse(line.begin(), line.end());
  return line;
}

class Table {
 public:
  Table(const rules::Variant& game, const rules::Options& options, bots::Distances& distances,
        std::uint64_t seed)
      : game_(game) {
    for (const Strength strength : bots::kStrengths) {
      players_.emplace_back(game, options, seed, distances, strength);
    }
  }

  // False: the wall ran out.
  bool Play(const round::Setup& setup, const rules::PerSeat<Strength>& sit, Tallies& tallies) {
    round::State state;
    Send(setup, state, round::Begin{});
    while (!state.over()) {
      for (const Seat seat : rules::kSeats) {
        const round::SeatState& asked = state.seats[seat];
        if (!asked.open || asked.answer) continue;
        const round::Choice choice =
            players_[At(sit[seat])].Choose(round::Project(setup, state, seat));
        Send(setup, state, round::Act{seat, asked.decisions, choice});
      }
    }
    const auto finished = round::Finished(state);
    MJ_CHECK(finished.has_value());
    const rules::RoundScore score = rules::ScoreRound(game_, setup.options(), *finished);
    for (const Seat seat : rules::kSeats) {
      Tally& tally = tallies[At(sit[seat])];
      ++tally.seats;
      tally.units += score.net[seat];
    }
    for (const rules::Win& win : finished->wins) {
      ++tallies[At(sit[win.seat])].won;
    }
    // Who gives three a win on one tile has fed once.
    if (!finished->wins.empty() && finished->wins[0].from) {
      ++tallies[At(sit[*finished->wins[0].from])].fed;
    }
    return !finished->wins.empty();
  }

 private:
  void Send(const round::Setup& setup, round::State& state, const round::Command& command) {
    events_.clear();
    MJ_CHECK(!round::Play(setup, state, command, events_), "a choice that was offered is refused");
  }

  const rules::Variant& game_;
  std::vector<bots::Bot> players_;  // by strength; each plays wherever it sits
  std::vector<round::Event> events_;
};

std::string Fixed(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

std::string SignedFixed(double value, int digits) {
  return Cat(value > 0 ? "+" : "", Fixed(value, digits));
}

std::string CoinsText(const Estimate& coins) {
  return Cat(console::PadLeft(SignedFixed(coins.mean, 1), 8), " ± ",
             console::PadLeft(Fixed(coins.within, 1), 5));
}

std::string PercentText(const Estimate& share) {
  return Cat(console::PadLeft(Fixed(100 * share.mean, 1), 6), " % ± ",
             console::PadLeft(Fixed(100 * share.within, 1), 4));
}

void Print(const Tournament& tournament, std::ostream& out) {
  const rules::VariantInfo& info = tournament.game->info();
  out << info.name_zh << ' ' << info.name_en << "  " << console::Grouped(tournament.rounds)
      << " rounds: " << console::Grouped(tournament.deals) << " deals, each from every seat; "
      << console::Grouped(tournament.exhausted) << " exhausted; base " << kTournamentBase << '\n'
      << console::PadRight("", 10) << console::PadRight("  coins a round", 19)
      << console::PadRight("  won", 18) << "  fed another\n";
  for (const Standing& standing : tournament.standings) {
    out << console::PadRight(bots::NameOf(standing.strength), 10) << CoinsText(standing.coins)
        << "  " << PercentText(standing.won) << "  " << PercentText(standing.fed) << '\n';
  }
  for (const Lead& lead : tournament.leads) {
    out << console::PadRight(Cat(bots::NameOf(lead.better), " over ", bots::NameOf(lead.worse)), 20)
        << CoinsText(lead.coins) << " coins a round\n";
  }
}

using Json = nlohmann::ordered_json;

Json ToJson(const Estimate& estimate) {
  return {{"mean", estimate.mean}, {"within", estimate.within}};
}

Json ToJson(const Tournament& tournament, std::uint64_t seed) {
  Json json;
  json["variant"] = std::string(tournament.game->info().id);
  json["rulebook_version"] = rules::RulebookVersion(*tournament.game);
  json["seed"] = seed;
  json["rounds"] = tournament.rounds;
  json["deals"] = tournament.deals;
  json["exhausted"] = tournament.exhausted;
  json["base"] = kTournamentBase;
  json["confidence"] = 0.95;
  for (const Standing& standing : tournament.standings) {
    json["standings"].push_back({{"strength", std::string(bots::NameOf(standing.strength))},
                                 {"seats", standing.seats},
                                 {"coins", ToJson(standing.coins)},
                                 {"won", ToJson(standing.won)},
                                 {"fed", ToJson(standing.fed)}});
  }
  for (const Lead& lead : tournament.leads) {
    json["leads"].push_back({{"better", std::string(bots::NameOf(lead.better))},
                             {"worse", std::string(bots::NameOf(lead.worse))},
                             {"coins", ToJson(lead.coins)}});
  }
  return json;
}

}  // namespace

Tournament PlayTournament(const rules::Variant& game, std::int64_t rounds, std::uint64_t seed) {
  const rules::Options options = rules::DefaultOptions(game.options());
  bots::Distances distances;
  Table table(game, options, distances, seed);
  Tournament tournament;
  tournament.game = &game;
  tournament.deals = (rounds + kRotations - 1) / kRotations;
  tournament.rounds = tournament.deals * kRotations;

  constexpr std::array kPairs = {std::pair(Strength::kStrong, Strength::kMedium),
                                 std::pair(Strength::kMedium, Strength::kWeak),
                                 std::pair(Strength::kStrong, Strength::kWeak)};
  struct Samples {
    Sample coins, won, fed;
  };
  std::array<Samples, kCount> samples;
  std::array<Sample, kPairs.size()> leads;
  std::array<std::int64_t, kCount> seats{};
  const double coins_per_unit = static_cast<double>(kTournamentBase) / game.info().units_per_base;
  for (std::int64_t deal = 0; deal < tournament.deals; ++deal) {
    const round::Setup setup = SetupOf(game, options, seed, deal);
    const auto line = LineUp(deal);
    Tallies tallies;
    for (int turned = 0; turned < kRotations; ++turned) {
      rules::PerSeat<Strength> sit;
      for (const Seat seat : rules::kSeats) {
        sit[rules::After(seat, turned)] = line[static_cast<std::size_t>(seat)];
      }
      tournament.exhausted += table.Play(setup, sit, tallies) ? 0 : 1;
    }
    std::array<double, kCount> coins{};
    for (std::size_t i = 0; i < kCount; ++i) {
      const Tally& tally = tallies[i];
      const auto each = [&](std::int64_t sum) {
        return static_cast<double>(sum) / static_cast<double>(tally.seats);
      };
      seats[i] += tally.seats;
      coins[i] = each(tally.units) * coins_per_unit;
      samples[i].coins.Add(coins[i]);
      samples[i].won.Add(each(tally.won));
      samples[i].fed.Add(each(tally.fed));
    }
    for (std::size_t i = 0; i < kPairs.size(); ++i) {
      leads[i].Add(coins[At(kPairs[i].first)] - coins[At(kPairs[i].second)]);
    }
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::size_t at = kCount - 1 - i;
    tournament.standings[i] = {.strength = bots::kStrengths[at],
                               .seats = seats[at],
                               .coins = samples[at].coins.Get(),
                               .won = samples[at].won.Get(),
                               .fed = samples[at].fed.Get()};
  }
  for (std::size_t i = 0; i < kPairs.size(); ++i) {
    tournament.leads[i] = {kPairs[i].first, kPairs[i].second, leads[i].Get()};
  }
  return tournament;
}

int HoldTournament(const TournamentArguments& arguments, std::ostream& out, std::ostream& err) {
  std::vector<const rules::Variant*> games(variants::All().begin(), variants::All().end());
  if (!arguments.variant.empty()) {
    const rules::Variant* const game = variants::Find(arguments.variant);
    if (game == nullptr) {
      err << "mahjongctl: no game is called " << arguments.variant
          << "; `mahjongctl variants` lists them\n";
      return kFailed;
    }
    games = {game};
  }
  bool first = true;
  for (const rules::Variant* const game : games) {
    const Tournament tournament = PlayTournament(*game, arguments.rounds, arguments.seed);
    if (arguments.json) {
      out << ToJson(tournament, arguments.seed).dump() << '\n';
    } else {
      if (!std::exchange(first, false)) out << '\n';
      Print(tournament, out);
    }
    if (!out.flush().good()) break;  // nobody reads any more: Run says so
  }
  return kDone;
}

}  // namespace mj::mahjongctl
