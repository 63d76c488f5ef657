#include "tests/scorer/slow_scorer_testing.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tests/scorer/games_testing.h"

namespace mj::scorer {
namespace {

Game Find(std::string_view name) {
  for (const Game& game : {Chaozhou(), Guangdong(), Shaoguan()}) {
    if (game.name == name) return game;
  }
  return Jieyang();
}

std::vector<std::string> Sorted(const Value& value) {
  return {value.patterns.begin(), value.patterns.end()};
}

std::size_t PatternsInATie(const Value& value) {
  std::size_t count = value.patterns.size();
  for (const char* chicken : {"GD-10", "SG-11"}) count -= value.patterns.count(chicken);
  return count;
}

// D-COM-2.
bool Better(const Value& a, const Value& b) {
  if (a.share != b.share) return a.share > b.share;
  if (PatternsInATie(a) != PatternsInATie(b)) return PatternsInATie(a) > PatternsInATie(b);
  if (a.before_limit != b.before_limit) return a.before_limit > b.before_limit;
  return Sorted(a) < Sorted(b);
}

Value Judge(const Game& game, const Question& question) {
  std::optional<Value> best;
  std::string reason = "not_a_winning_shape";
  std::optional<int> wild;
  if (question.round.deal.wild) wild = question.round.deal.wild->index();
  ForEachReading(question.win, wild, game.seven_pairs(question.options),
                 game.thirteen_orphans(question.options), [&](const Reading& reading) {
                   Value value = game.appraise(question, reading);
                   if (!value.reason.empty()) {
                     if (value.reason != "not_a_winning_shape") reason = value.reason;
                   } else if (!best || Better(value, *best)) {
                     best = std::move(value);
                   }
                 });
  if (best) return *best;
  Value none;
  none.reason = reason;
  return none;
}

}  // namespace

std::string OptionOr(const OptionTexts& options, const std::string& name, const char* fallback) {
  const auto found = options.find(name);
  return found == options.end() ? fallback : found->second;
}

std::int64_t NumberOr(const OptionTexts& options, const std::string& name, const char* fallback) {
  return std::stoll(OptionOr(options, name, fallback));
}

void Pay(Result& result, rules::Seat from, rules::Seat to, std::int64_t units,
         const std::string& rule) {
  result.lines[{rules::IndexOf(from), rules::IndexOf(to), rule}] += units;
  result.net[static_cast<std::size_t>(from)] -= units;
  result.net[static_cast<std::size_t>(to)] += units;
}

void PayByThree(Result& result, rules::Seat to, std::int64_t units, const std::string& rule) {
  for (rules::Seat seat : rules::kSeats) {
    if (seat != to) Pay(result, seat, to, units, rule);
  }
}

int UnitsPerBase(std::string_view game) { return Find(game).units_per_base; }

Result Score(std::string_view name, const OptionTexts& options, const rules::FinishedRound& round) {
  const Game game = Find(name);
  Result result;
  std::vector<bool> legal;
  for (const rules::Win& win : round.wins) {
    legal.push_back(Judge(game, {options, round, win}).reason.empty());
  }
  const int winners = static_cast<int>(std::count(legal.begin(), legal.end(), true));
  for (const rules::Win& win : round.wins) {
    const Question question{options, round, win, winners};
    const Value value = Judge(game, question);
    result.wins.push_back({.reason = value.reason,
                           .patterns = Sorted(value),
                           .fan = value.fan,
                           .multiplier = value.multiplier,
                           .horses_hit = value.horses_hit,
                           .share = value.share});
    if (value.reason.empty()) game.pay_win(question, value.share, result);
  }
  const bool exhausted = round.end == rules::RoundEnd::kExhausted;
  if (exhausted || winners > 0) game.pay_kongs(round, result);
  return result;
}

}  // namespace mj::scorer
