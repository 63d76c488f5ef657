#include "libs/collusion/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <tuple>

#include "libs/collusion/tails.h"

namespace mj::collusion {
namespace {

// Squares of coins do not fit into 64 bits.
__extension__ using Wide = __int128;

// As a power of ten, rounded down; what is too small for a double is as small as one can be.
int PowerOf(double probability) {
  constexpr double kLeast = std::numeric_limits<double>::min();
  return static_cast<int>(-std::log10(std::max(probability, kLeast)));
}

std::int64_t Milli(double number) { return std::llround(number * 1'000); }

// Whether |sum| >= bound * sqrt(squares), in integers.
bool LiesOutside(Wide sum, Wide squares, std::int64_t bound_squared) {
  return squares > 0 && sum * sum >= squares * bound_squared;
}

}  // namespace

std::string_view NameOf(Kind kind) {
  switch (kind) {
    case Kind::kMeetings:
      return "meetings";
    case Kind::kFlow:
      return "flow";
    case Kind::kFeeding:
      return "feeding";
    case Kind::kPassing:
      return "passing";
    case Kind::kDevice:
      return "device";
    case Kind::kNetwork:
      return "network";
  }
  return "";
}

Examiner::Player Examiner::NumberOf(const std::string& player) {
  const auto [found, fresh] = numbers_.emplace(player, static_cast<Player>(names_.size()));
  if (fresh) names_.push_back(player);
  return found->second;
}

void Examiner::Add(const Sitting& sitting) {
  ++sittings_;
  std::array<Player, kSeats> players{};
  Draw& draw = draws_[sitting.draw];
  ++draw.sittings;
  for (std::size_t i = 0; i < kSeats; ++i) {
    const Sitting::Place& place = sitting.places[i];
    players[i] = NumberOf(place.player);
    ++draw.of[players[i]];
    if (!place.device.empty()) devices_[place.device].insert(players[i]);
    if (!place.network.empty()) networks_[place.network].insert(players[i]);
  }
  for (std::size_t i = 0; i < kSeats; ++i) {
    for (std::size_t j = i + 1; j < kSeats; ++j) {
      Together& pair = together_[std::minmax(players[i], players[j])];
      ++pair.sittings;
      pair.apart += sitting.places[i].request != sitting.places[j].request ? 1 : 0;
    }
  }
}

void Examiner::AddFlow(const Round& round, const std::array<Player, kSeats>& players) {
  std::array<std::array<Coins, kSeats>, kSeats> net{};  // from, to
  for (const Round::Payment& payment : round.payments) {
    net[payment.from][payment.to] += payment.coins;
    net[payment.to][payment.from] -= payment.coins;
  }
  for (std::size_t i = 0; i < kSeats; ++i) {
    for (std::size_t j = i + 1; j < kSeats; ++j) {
      Coins beyond = 2 * net[i][j];
      for (std::size_t third = 0; third < kSeats; ++third) {
        if (third != i && third != j) beyond -= net[i][third] + net[third][j];
      }
      const int sign = players[i] < players[j] ? 1 : -1;
      Flow& flow = flows_[std::minmax(players[i], players[j])];
      flow.coins += sign * net[i][j];
      flow.beyond.push_back(sign * beyond);
    }
  }
}

void Examiner::Add(const Round& round) {
  const std::size_t index = round_ids_.size();
  round_ids_.push_back(round.id);
  std::array<Player, kSeats> players{};
  for (std::size_t i = 0; i < kSeats; ++i) players[i] = NumberOf(round.players[i]);
  for (std::size_t i = 0; i < kSeats; ++i) {
    for (std::size_t j = i + 1; j < kSeats; ++j) {
      together_[std::minmax(players[i], players[j])].rounds.push_back(index);
    }
  }
  AddFlow(round, players);
  for (const Round::DealIn& deal_in : round.deal_ins) {
    for (std::size_t i = 0; i < kSeats; ++i) {
      if (i == deal_in.winner) continue;
      Counts& pair = counts_[{players[i], players[deal_in.winner]}];
      Habits& habits = habits_[players[i]];
      ++pair.wins_seen;
      ++habits.wins_seen;
      if (i != deal_in.thrower) continue;
      ++pair.deal_ins;
      ++habits.deal_ins;
      pair.fed.push_back(index);
    }
  }
  for (const Round::Chance& chance : round.chances) {
    Counts& pair = counts_[{players[chance.chooser], players[chance.thrower]}];
    Habits& habits = habits_[players[chance.chooser]];
    ++pair.chances;
    ++habits.chances;
    if (chance.taken) continue;
    ++pair.passes;
    ++habits.passes;
    pair.passed.push_back(index);
  }
}

double Examiner::LevelOf(std::size_t tests) const {
  return options_.level / static_cast<double>(std::max<std::size_t>(tests, 1));
}

std::vector<std::string> Examiner::Evidence(const std::vector<std::size_t>& rounds) const {
  std::vector<std::string> ids;
  for (auto at = rounds.rbegin(); at != rounds.rend() && ids.size() < options_.evidence_max; ++at) {
    if (ids.empty() || ids.back() != round_ids_[*at]) ids.push_back(round_ids_[*at]);
  }
  return ids;
}

void Examiner::FindMeetings(Report& report) const {
  // What each draw would make of everybody who was in it: of the places that a player's tables leave to others, the
  // other holds its share.
  std::map<Pair, double> expected;
  for (const auto& [key, draw] : draws_) {
    for (auto a = draw.of.begin(); a != draw.of.end(); ++a) {
      const auto places = static_cast<double>(4 * draw.sittings - a->second);
      for (auto b = std::next(a); b != draw.of.end(); ++b) {
        const auto pair = together_.find({a->first, b->first});
        if (pair == together_.end() || pair->second.apart < options_.meetings_min) continue;
        expected[{a->first, b->first}] +=
            static_cast<double>(3 * a->second) * static_cast<double>(b->second) / places;
      }
    }
  }
  const double level = LevelOf(report.pairs);
  for (const auto& [pair, mean] : expected) {
    const Together& together = together_.at(pair);
    const double tail = PoissonTail(together.apart, mean);
    // The draw prefers those who play alike; twice its share is no preference.
    if (tail > level || static_cast<double>(together.apart) < 2 * mean) continue;
    report.findings.push_back({.kind = Kind::kMeetings,
                               .one = names_[pair.first],
                               .other = names_[pair.second],
                               .seen = together.apart,
                               .of = together.sittings,
                               .expected_milli = Milli(mean),
                               .power = PowerOf(tail),
                               .rounds = Evidence(together.rounds)});
  }
}

void Examiner::FindFlows(Report& report) const {
  // Both tails of exp(-t²/2).
  const auto bound = static_cast<std::int64_t>(std::ceil(-2 * std::log(LevelOf(report.pairs) / 2)));
  for (const auto& [pair, flow] : flows_) {
    if (static_cast<std::int64_t>(flow.beyond.size()) < options_.rounds_min) continue;
    Wide sum = 0;
    Wide squares = 0;
    for (const Coins beyond : flow.beyond) {
      sum += beyond;
      squares += static_cast<Wide>(beyond) * beyond;
    }
    if (!LiesOutside(sum, squares, bound)) continue;
    // The largest bound that it still lies outside of says how far.
    std::int64_t reached = bound;
    while (LiesOutside(sum, squares, reached + 1)) ++reached;
    const bool forward = sum > 0;
    report.findings.push_back(
        {.kind = Kind::kFlow,
         .one = names_[forward ? pair.first : pair.second],
         .other = names_[forward ? pair.second : pair.first],
         .seen = forward ? flow.coins : -flow.coins,
         .of = static_cast<std::int64_t>(flow.beyond.size()),
         .power =
             static_cast<int>(static_cast<double>(reached) / 2 / std::log(10.0) - std::log10(2.0)),
         .rounds = Evidence(together_.at(std::minmax(pair.first, pair.second)).rounds)});
  }
}

void Examiner::FindFeeding(Report& report) const {
  const double level = LevelOf(counts_.size());
  for (const auto& [pair, counts] : counts_) {
    if (counts.deal_ins < options_.feeds_min) continue;
    // Its share of what others win: a careless player throws to everybody.
    const Habits& habits = habits_.at(pair.first);
    const auto wins = static_cast<double>(habits.wins_seen - counts.wins_seen);
    const auto thrown = static_cast<double>(habits.deal_ins - counts.deal_ins);
    const double share = std::max(1.0 / 3, (thrown + 1) / (wins + 3));
    const double tail = BinomialTail(counts.deal_ins, counts.wins_seen, share);
    if (tail > level) continue;
    report.findings.push_back(
        {.kind = Kind::kFeeding,
         .one = names_[pair.first],
         .other = names_[pair.second],
         .seen = counts.deal_ins,
         .of = counts.wins_seen,
         .expected_milli = Milli(share * static_cast<double>(counts.wins_seen)),
         .power = PowerOf(tail),
         .rounds = Evidence(counts.fed)});
  }
}

void Examiner::FindPassing(Report& report) const {
  const double level = LevelOf(counts_.size());
  for (const auto& [pair, counts] : counts_) {
    if (counts.passes < options_.passes_min) continue;
    const Habits& habits = habits_.at(pair.first);
    const auto chances = static_cast<double>(habits.chances - counts.chances);
    const auto passes = static_cast<double>(habits.passes - counts.passes);
    const double share = (passes + 1) / (chances + 4);
    const double tail = BinomialTail(counts.passes, counts.chances, share);
    if (tail > level) continue;
    report.findings.push_back({.kind = Kind::kPassing,
                               .one = names_[pair.first],
                               .other = names_[pair.second],
                               .seen = counts.passes,
                               .of = counts.chances,
                               .expected_milli = Milli(share * static_cast<double>(counts.chances)),
                               .power = PowerOf(tail),
                               .rounds = Evidence(counts.passed)});
  }
}

void Examiner::FindShared(Kind kind, const std::map<std::string, std::set<Player>>& shared,
                          std::size_t players_max, Report& report) const {
  std::set<Pair> found;
  for (const auto& [key, players] : shared) {
    if (players.size() > players_max) continue;
    for (auto a = players.begin(); a != players.end(); ++a) {
      for (auto b = std::next(a); b != players.end(); ++b) {
        const auto together = together_.find({*a, *b});
        if (together == together_.end() || !found.insert({*a, *b}).second) continue;
        report.findings.push_back({.kind = kind,
                                   .one = names_[*a],
                                   .other = names_[*b],
                                   .seen = together->second.sittings,
                                   .of = together->second.sittings,
                                   .rounds = Evidence(together->second.rounds)});
      }
    }
  }
}

Report Examiner::Examine() const {
  Report report{.sittings = sittings_,
                .rounds = round_ids_.size(),
                .players = names_.size(),
                .pairs = together_.size(),
                .findings = {}};
  FindMeetings(report);
  FindFlows(report);
  FindFeeding(report);
  FindPassing(report);
  FindShared(Kind::kDevice, devices_, options_.household_max, report);
  FindShared(Kind::kNetwork, networks_, options_.household_max, report);
  for (Finding& finding : report.findings) {
    const bool directed = finding.kind == Kind::kFlow || finding.kind == Kind::kFeeding ||
                          finding.kind == Kind::kPassing;
    if (!directed && finding.other < finding.one) std::swap(finding.one, finding.other);
  }
  std::sort(report.findings.begin(), report.findings.end(), [](const Finding& a, const Finding& b) {
    const auto key = [](const Finding& f) {
      return std::tuple(std::min(f.one, f.other), std::max(f.one, f.other), f.kind, f.one);
    };
    return key(a) < key(b);
  });
  return report;
}

}  // namespace mj::collusion
