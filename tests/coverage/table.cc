#include "tests/coverage/table.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace mj::coverage {
namespace {

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// The first word, and what follows it.
std::pair<std::string_view, std::string_view> Split(std::string_view text) {
  const std::size_t end = text.find(' ');
  if (end == std::string_view::npos) return {text, {}};
  return {text.substr(0, end), Trim(text.substr(end))};
}

// How Google Test names a row: letters and digits only.
std::string RowName(std::string_view id) {
  std::string name(id);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

std::optional<TestName> ParseTest(std::string_view text) {
  const auto [kind, name] = Split(text);
  if (name.empty() || name.find(' ') != std::string_view::npos) return std::nullopt;
  const std::string shown(text);
  if (kind == "case") return TestName{"cases", "Golden/CaseTest.IsWorthIt/" + RowName(name), shown};
  if (kind == "transcript") {
    return TestName{"rounds", "Golden/RoundTest.IsPlayed/" + RowName(name), shown};
  }
  return TestName{std::string(kind), std::string(name),
                  std::string(kind) + ": " + std::string(name)};
}

// Reads line by line; a mutant is complete with its test.
class Parser {
 public:
  std::variant<Section, TableError> Parse(std::string_view text) {
    while (!text.empty() && !error_) {
      ++line_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      Take(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!error_) EndRule();
    if (!error_ && section_.name.empty()) Fail("a file begins with its section");
    if (error_) return *error_;
    return std::move(section_);
  }

 private:
  void Fail(std::string what) {
    if (!error_) error_ = TableError{line_, std::move(what)};
  }

  void Take(std::string_view line) {
    if (line.starts_with("-") || line.starts_with("+")) return TakeCode(line);
    if (Trim(line).empty() || line.starts_with("#")) return;
    const auto [word, rest] = Split(line);
    if (rest.empty()) return Fail("'" + std::string(word) + "' needs more");
    if (word == "section") {
      section_.name = rest;
    } else if (word == "about") {
      if (!section_.about.empty()) section_.about += ' ';
      section_.about += rest;
    } else if (word == "rule") {
      EndRule();
      Rule& rule = section_.rules.emplace_back();
      rule.id = rest;
      rule.line = line_;
    } else if (section_.rules.empty()) {
      Fail("'" + std::string(word) + "' belongs to a rule");
    } else {
      TakeOfRule(word, rest);
    }
  }

  void TakeOfRule(std::string_view word, std::string_view rest) {
    Rule& rule = section_.rules.back();
    if (word == "says") {
      if (!rule.says.empty()) rule.says += ' ';
      rule.says += rest;
    } else if (word == "source") {
      rule.source = rest;
    } else if (word == "owed") {
      if (rest.find(": ") == std::string_view::npos) return Fail("owed WHERE: WHAT");
      if (rule.owed) return Fail("owed twice");
      rule.owed = std::string(rest);
    } else if (word == "in") {
      if (mutant_) return Fail("the mutant before this one has no test");
      mutant_.emplace();
      mutant_->file = rest;
      mutant_->line = line_;
      has_from_ = has_to_ = false;
    } else if (word == "test") {
      TakeTest(rest);
    } else {
      Fail("what is '" + std::string(word) + "'?");
    }
  }

  void TakeCode(std::string_view line) {
    if (!mutant_) return Fail("code belongs behind `in FILE`");
    if (line.size() > 1 && line[1] != ' ') return Fail("a blank follows - and +");
    const bool from = line[0] == '-';
    if (from && has_to_) return Fail("- comes before +");
    std::string& text = from ? mutant_->from : mutant_->to;
    bool& begun = from ? has_from_ : has_to_;
    if (begun) text += '\n';
    begun = true;
    if (line.size() > 2) text += line.substr(2);
  }

  void TakeTest(std::string_view rest) {
    if (!mutant_) return Fail("a test belongs to a mutant");
    if (mutant_->from.empty() || !has_to_) return Fail("the mutant says no - or no +");
    if (mutant_->from == mutant_->to) return Fail("the mutant changes nothing");
    const std::optional<TestName> test = ParseTest(rest);
    if (!test) return Fail("test ROOM SUITE.NAME, test case ID, or test transcript ID");
    mutant_->test = *test;
    section_.rules.back().mutants.push_back(std::move(*mutant_));
    mutant_.reset();
  }

  void EndRule() {
    if (mutant_) return Fail("the last mutant has no test");
    if (section_.rules.empty()) return;
    const Rule& rule = section_.rules.back();
    if (IdsIn(rule.id) != std::vector{rule.id}) return Fail("'" + rule.id + "' is no id");
    if (rule.says.empty()) return Fail(rule.id + " says nothing");
    if (rule.source.empty()) return Fail(rule.id + " has no source");
    if (rule.mutants.empty() && !rule.owed) return Fail(rule.id + " has no test");
  }

  Section section_;
  std::optional<Mutant> mutant_;
  bool has_from_ = false;
  bool has_to_ = false;
  int line_ = 0;
  std::optional<TableError> error_;
};

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

constexpr std::string_view kBooks[] = {"COM", "PLAY", "CZ", "GD", "SG", "JY"};
// Without rules of their own; a decision of these needs no number.
constexpr std::string_view kBooksOfDecisions[] = {"PLAY", "ROOM", "SET", "ROUND"};

// The length of the id that `text` begins with; 0 when it begins with none.
std::size_t IdSize(std::string_view text) {
  const std::size_t begin = text.starts_with("D-") ? 2 : 0;
  const auto size_in = [&](std::string_view book, bool numbered) -> std::size_t {
    if (!text.substr(begin).starts_with(book)) return 0;
    std::size_t end = begin + book.size();
    if (end < text.size() && text[end] == '-') {
      const std::size_t digits = ++end;
      while (end < text.size() && IsDigit(text[end])) ++end;
      if (end == digits) return 0;
    } else if (numbered) {
      return 0;
    }
    return end == text.size() || !IsWordCharacter(text[end]) ? end : 0;
  };
  for (std::string_view book : kBooks) {
    if (const std::size_t size = size_in(book, true)) return size;
  }
  if (begin == 0) return 0;
  for (std::string_view book : kBooksOfDecisions) {
    if (const std::size_t size = size_in(book, false)) return size;
  }
  return 0;
}

}  // namespace

std::variant<Section, TableError> ParseSection(std::string_view text) {
  return Parser().Parse(text);
}

Mutated Mutate(std::string_view text, const Mutant& mutant) {
  const std::size_t at = text.find(mutant.from);
  if (at == std::string_view::npos) return {{}, "does not hold the mutant's text any more"};
  if (text.find(mutant.from, at + 1) != std::string_view::npos) {
    return {{}, "holds the mutant's text more than once"};
  }
  Mutated mutated{std::string(text), {}};
  mutated.text.replace(at, mutant.from.size(), mutant.to);
  return mutated;
}

std::vector<std::string> IdsIn(std::string_view text) {
  std::vector<std::string> ids;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && (IsWordCharacter(text[at - 1]) || text[at - 1] == '-')) continue;
    const std::size_t size = IdSize(text.substr(at));
    if (size == 0) continue;
    ids.emplace_back(text.substr(at, size));
    at += size - 1;
  }
  return ids;
}

}  // namespace mj::coverage
