#include "tests/coverage/table.h"

#include <gtest/gtest.h>

#include "tests/coverage/document.h"

namespace mj::coverage {
namespace {

constexpr const char* kGood = R"(section Chaozhou
about  Two
about  lines.

# a remark
rule CZ-10
says   A discard
says   pays 3.
source 000 2.5
in libs/a.h
- kFan = 3;
-
-   two lines
+
test case cz-001
in libs/b.cc
- x
+ y
+ z
test round DecideTest.Turns
owed services/table: the rest

rule D-COM-9
says   Later.
source decision
owed somewhere: all of it
)";

Section Good() {
  auto section = ParseSection(kGood);
  EXPECT_TRUE(std::holds_alternative<Section>(section));
  return std::get<Section>(section);
}

TEST(TableTest, EveryWordIsRead) {
  const Section section = Good();
  EXPECT_EQ(section.name, "Chaozhou");
  EXPECT_EQ(section.about, "Two lines.");
  ASSERT_EQ(section.rules.size(), 2u);
  const Rule& rule = section.rules[0];
  EXPECT_EQ(rule.id, "CZ-10");
  EXPECT_EQ(rule.says, "A discard pays 3.");
  EXPECT_EQ(rule.source, "000 2.5");
  EXPECT_EQ(rule.owed, "services/table: the rest");
  ASSERT_EQ(rule.mutants.size(), 2u);
  EXPECT_EQ(rule.mutants[0].file, "libs/a.h");
  EXPECT_EQ(rule.mutants[0].from, "kFan = 3;\n\n  two lines");
  EXPECT_EQ(rule.mutants[0].to, "");
  EXPECT_EQ(rule.mutants[0].test,
            (TestName{"cases", "Golden/CaseTest.IsWorthIt/cz_001", "case cz-001"}));
  EXPECT_EQ(rule.mutants[1].to, "y\nz");
  EXPECT_EQ(rule.mutants[1].test,
            (TestName{"round", "DecideTest.Turns", "round: DecideTest.Turns"}));
  EXPECT_TRUE(section.rules[1].mutants.empty());
}

TEST(TableTest, AWholeRoundIsATranscript) {
  const auto section = ParseSection(
      "section s\nrule COM-01\nsays a\nsource b\nin f\n- x\n+ y\ntest transcript "
      "chaozhou-1-00026\n");
  EXPECT_EQ(std::get<Section>(section).rules[0].mutants[0].test,
            (TestName{"rounds", "Golden/RoundTest.IsPlayed/chaozhou_1_00026",
                      "transcript chaozhou-1-00026"}));
}

struct BadRow {
  const char* name;
  const char* text;
  int line;
  const char* what;
};
class BadTableTest : public ::testing::TestWithParam<BadRow> {};

TEST_P(BadTableTest, IsRefusedWithItsLine) {
  const BadRow& row = GetParam();
  const auto section = ParseSection(row.text);
  ASSERT_TRUE(std::holds_alternative<TableError>(section));
  EXPECT_EQ(std::get<TableError>(section).line, row.line);
  EXPECT_EQ(std::get<TableError>(section).what, row.what);
}

#define MJ_RULE "section s\nrule CZ-10\nsays a\nsource b\n"
INSTANTIATE_TEST_SUITE_P(
    Texts, BadTableTest,
    ::testing::Values(
        BadRow{"NoSection", "rule CZ-10\nsays a\nsource b\nowed w: x\n", 4,
               "a file begins with its section"},
        BadRow{"NoRule", "section s\nsays a\n", 2, "'says' belongs to a rule"},
        BadRow{"NothingBehind", "section\n", 1, "'section' needs more"},
        BadRow{"Unknown", MJ_RULE "stays a\n", 5, "what is 'stays'?"},
        BadRow{"NoId", "section s\nrule CZ10\nsays a\nsource b\nowed w: x\n", 5, "'CZ10' is no id"},
        BadRow{"SaysNothing", "section s\nrule CZ-10\nsource b\nowed w: x\n", 4,
               "CZ-10 says nothing"},
        BadRow{"NoSource", "section s\nrule CZ-10\nsays a\nowed w: x\n", 4, "CZ-10 has no source"},
        BadRow{"NoTest", MJ_RULE, 4, "CZ-10 has no test"},
        BadRow{"NoTestOfTheLast", MJ_RULE "in f\n- x\n+ y\n", 7, "the last mutant has no test"},
        BadRow{"NoTestBetween", MJ_RULE "in f\n- x\n+ y\nin g\n", 8,
               "the mutant before this one has no test"},
        BadRow{"NoMutant", MJ_RULE "test case cz-001\n", 5, "a test belongs to a mutant"},
        BadRow{"NoFile", MJ_RULE "- x\n", 5, "code belongs behind `in FILE`"},
        BadRow{"NoFrom", MJ_RULE "in f\n+ y\ntest case a\n", 7, "the mutant says no - or no +"},
        BadRow{"NoTo", MJ_RULE "in f\n- x\ntest case a\n", 7, "the mutant says no - or no +"},
        BadRow{"NoChange", MJ_RULE "in f\n- x\n+ x\ntest case a\n", 8,
               "the mutant changes nothing"},
        BadRow{"Order", MJ_RULE "in f\n- x\n+ y\n- z\n", 8, "- comes before +"},
        BadRow{"NoBlank", MJ_RULE "in f\n-x\n", 6, "a blank follows - and +"},
        BadRow{"TestOfNothing", MJ_RULE "in f\n- x\n+ y\ntest case\n", 8,
               "test ROOM SUITE.NAME, test case ID, or test transcript ID"},
        BadRow{"OwedNowhere", MJ_RULE "owed later\n", 5, "owed WHERE: WHAT"},
        BadRow{"OwedTwice", MJ_RULE "owed a: b\nowed a: b\n", 6, "owed twice"}),
    [](const auto& row) { return std::string(row.param.name); });
#undef MJ_RULE

TEST(MutateTest, TheTextStandsThereOnce) {
  Mutant mutant;
  mutant.from = "b";
  mutant.to = "xyz";
  EXPECT_EQ(Mutate("abc", mutant).text, "axyzc");
  EXPECT_EQ(Mutate("abc", mutant).fault, "");
  EXPECT_EQ(Mutate("ac", mutant).fault, "does not hold the mutant's text any more");
  EXPECT_EQ(Mutate("abcb", mutant).fault, "holds the mutant's text more than once");
  mutant.from = "aa";
  EXPECT_EQ(Mutate("aaa", mutant).fault, "holds the mutant's text more than once");
}

TEST(IdsTest, AreFoundInText) {
  using Ids = std::vector<std::string>;
  EXPECT_EQ(IdsIn("CZ-10, D-COM-2; (GD-51)\nD-ROOM D-SET-1 D-PLAY."),
            (Ids{"CZ-10", "D-COM-2", "GD-51", "D-ROOM", "D-SET-1", "D-PLAY"}));
  EXPECT_EQ(IdsIn("COM-16"), Ids{"COM-16"});
  EXPECT_EQ(IdsIn("XCZ-10 CZ-10x CZ-1a ACZ-1 CZ- CZ D-CZ D-CZ- SET-1 ROOM-2 D-X-1 A-COM-1"), Ids{});
  EXPECT_EQ(IdsIn(""), Ids{});
}

TEST(DocumentTest, EachRuleIsARowWithItsTestsOnce) {
  Section section = Good();
  section.rules[0].mutants.push_back(section.rules[0].mutants[0]);
  const std::string text = CoverageDocument(std::vector{section});
  EXPECT_NE(text.find("## Chaozhou\n\nTwo lines.\n"), std::string::npos) << text;
  EXPECT_NE(text.find("| CZ-10 | A discard pays 3. | 000 2.5 | `case cz-001`<br>`round: "
                      "DecideTest.Turns` | covered in part; owed to services/table: the rest |\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("| D-COM-9 | Later. | decision |  | owed to somewhere: all of it |\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("| 2 | 0 | 1 | 1 |"), std::string::npos) << text;
}

}  // namespace
}  // namespace mj::coverage
