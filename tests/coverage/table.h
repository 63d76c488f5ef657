#pragma once

// The rules of the four games as a table: what each says, and what shows that the code keeps to it.
//
// A file of rules/ is one section:
//
//   section Chaozhou
//   about   What the reader should know before the table.
//
//   rule CZ-10
//   says   A win on a discard counts 3 fan and is paid by the discarder alone.
//   source 000 2.5
//   in libs/variants/chaozhou/tables.h
//   - kFanOnDiscard = 3;
//   + kFanOnDiscard = 2;
//   test case cz-001
//   owed services/table: the client's part of it
//
// `-` and `+` are the mutant: the text of the file that keeps to the rule, and what stands there
// when the rule is switched off or turned into the reading that was decided against. Several lines
// of either are one text. A lone `+` takes the text away. `test` names what has to fail then:
//
//   test ROOM SUITE.NAME   a unit test of mj_<room>_test
//   test case ID           a row of tests/cases/cases.json
//   test transcript ID     a row of tests/cases/rounds.jsonl
//
// A rule has any number of mutants, and may be owed, or part of it: `owed WHERE: WHAT`.

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mj::coverage {

struct TestName {
  std::string room;    // "round": the program mj_round_test
  std::string filter;  // "DecideTest.TurnsGoCounterClockwise"
  std::string shown;   // for people: "case cz-001", "round: DecideTest.TurnsGoCounterClockwise"

  bool operator==(const TestName&) const = default;
};

struct Mutant {
  std::string file;  // from the root
  std::string from;  // stands in the file exactly once
  std::string to;
  TestName test;
  int line = 0;  // of the table, for messages

  bool operator==(const Mutant&) const = default;
};

struct Rule {
  std::string id;
  std::string says;
  std::string source;
  std::vector<Mutant> mutants;
  std::optional<std::string> owed;
  int line = 0;

  bool operator==(const Rule&) const = default;
};

struct Section {
  std::string name;
  std::string about;
  std::vector<Rule> rules;
};

struct TableError {
  int line = 0;
  std::string what;
};

// Reads one section. The first line that is wrong is the error.
std::variant<Section, TableError> ParseSection(std::string_view text);

struct Mutated {
  std::string text;
  std::string fault;  // empty: `text` is the mutant
};
// `text` with the mutant in it. A fault when the mutant's text is not there, or not only once.
Mutated Mutate(std::string_view text, const Mutant& mutant);

// Every id of a rule in `text`: "CZ-10", "D-COM-2", "D-ROOM". In order, with repetitions.
std::vector<std::string> IdsIn(std::string_view text);

}  // namespace mj::coverage
