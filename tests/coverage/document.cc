#include "tests/coverage/document.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mj::coverage {
namespace {

std::string TestsOf(const Rule& rule) {
  std::vector<std::string> shown;
  for (const Mutant& mutant : rule.mutants) {
    if (std::find(shown.begin(), shown.end(), mutant.test.shown) == shown.end()) {
      shown.push_back(mutant.test.shown);
    }
  }
  std::string text;
  for (const std::string& test : shown) text += (text.empty() ? "`" : "<br>`") + test + "`";
  return text;
}

std::string StateOf(const Rule& rule) {
  std::string text;
  if (!rule.mutants.empty()) text = rule.owed ? "covered in part; " : "covered";
  if (rule.owed) text += "owed to " + *rule.owed;
  return text;
}

struct Sum {
  std::size_t rules = 0, covered = 0, partly = 0, owed = 0, mutants = 0;
};

Sum SumOf(std::span<const Section> sections) {
  Sum sum;
  for (const Section& section : sections) {
    for (const Rule& rule : section.rules) {
      ++sum.rules;
      sum.mutants += rule.mutants.size();
      ++(!rule.owed ? sum.covered : rule.mutants.empty() ? sum.owed : sum.partly);
    }
  }
  return sum;
}

}  // namespace

std::string CoverageDocument(std::span<const Section> sections) {
  const Sum sum = SumOf(sections);
  std::string text =
      "# Rules and their tests\n\n"
      "Generated from `tests/coverage/rules/`; a test fails when it is stale.\n\n"
      "Every rule names tests that fail when the rule is switched off. That is tried, not "
      "promised: the table holds\n"
      "for each rule one or more changes of the code that break it (" +
      std::to_string(sum.mutants) +
      " in all), and `./dev test --long` builds the\n"
      "program with each of them in turn and sees the named test fail; `./dev test` tries a few. A "
      "`case` is a row of\n"
      "`tests/cases/cases.json`, a `transcript` one of `tests/cases/rounds.jsonl`; anything else "
      "is `room: Suite.Test`.\n\n"
      "| rules | covered | covered in part | owed |\n| --- | --- | --- | --- |\n| " +
      std::to_string(sum.rules) + " | " + std::to_string(sum.covered) + " | " +
      std::to_string(sum.partly) + " | " + std::to_string(sum.owed) + " |\n";
  for (const Section& section : sections) {
    text += "\n## " + section.name + "\n\n";
    if (!section.about.empty()) text += section.about + "\n\n";
    text +=
        "| rule | what it says | source | fails without it | state |\n| --- | --- | --- | --- | "
        "--- |\n";
    for (const Rule& rule : section.rules) {
      text += "| " + rule.id + " | " + rule.says + " | " + rule.source + " | " + TestsOf(rule) +
              " | " + StateOf(rule) + " |\n";
    }
  }
  return text;
}

}  // namespace mj::coverage
