// The four games of the slow scorer, each in its own file.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "tests/scorer/readings_testing.h"
#include "tests/scorer/slow_scorer_testing.h"

namespace mj::scorer {

// What there is to judge.
struct Question {
  const OptionTexts& options;
  const rules::FinishedRound& round;
  const rules::Win& win;
  int winners = 1;  // legal ones
};

// What one reading is worth.
struct Value {
  std::string reason;  // empty: it may win
  std::set<std::string> patterns;
  std::int64_t fan = 0;
  std::int64_t multiplier = 1;
  std::int64_t horses_hit = 0;
  std::int64_t share = 0;
  std::int64_t before_limit = 0;
};

struct Game {
  std::string_view name;
  int units_per_base = 1;
  bool (*seven_pairs)(const OptionTexts&) = nullptr;
  bool (*thirteen_orphans)(const OptionTexts&) = nullptr;
  Value (*appraise)(const Question&, const Reading&) = nullptr;
  void (*pay_win)(const Question&, std::int64_t share, Result&) = nullptr;
  void (*pay_kongs)(const rules::FinishedRound&, Result&) = nullptr;
};

Game Chaozhou();
Game Guangdong();
Game Shaoguan();
Game Jieyang();

std::string OptionOr(const OptionTexts& options, const std::string& name, const char* fallback);
std::int64_t NumberOr(const OptionTexts& options, const std::string& name, const char* fallback);

// `from` owes `to` so many units more.
void Pay(Result& result, rules::Seat from, rules::Seat to, std::int64_t units,
         const std::string& rule);
// Each of the three others does.
void PayByThree(Result& result, rules::Seat to, std::int64_t units, const std::string& rule);

}  // namespace mj::scorer
