// `mahjongctl verify` and `mahjongctl replay`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "libs/console/text.h"
#include "libs/variants/registry.h"
#include "libs/wire/kept_round.h"
#include "tests/cli/program_testing.h"
#include "tests/proof/made_testing.h"
#include "tests/support/counts.h"
#include "tools/mahjongctl/replay_round.h"

namespace mj::cli {
namespace {

using mahjongctl::ReplayArguments;
using mahjongctl::ReplayRound;
using proof::Ending;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Random;
using ::testing::StartsWith;

std::string BytesOf(const record::RoundRecord& record) {
  ::mahjong::record::v1::RoundRecord message;
  wire::ToRecord(record, message);
  return wire::Serialized(message);
}

// Made anew by MJ_UPDATE_GOLDEN=1.
void ExpectGolden(const std::string& text, const std::string& name) {
  const std::string path = "tests/cli/testdata/" + name;
  if (std::getenv("MJ_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  EXPECT_EQ(text, Text(path)) << path
                              << " is stale: run MJ_UPDATE_GOLDEN=1 ./dev test -R RecordsTest";
}

class RecordsTest : public ProgramTest {
 protected:
  static record::RoundRecord Record(Ending ending = Ending::kPlayed) {
    Random random(7);
    return proof::MakeRecord(*variants::All().front(), random, {.ending = ending});
  }
  std::string Write(const record::RoundRecord& record,
                    const std::string& name = "round.mjr") const {
    return ProgramTest::Write(name, BytesOf(record));
  }
};

TEST_F(RecordsTest, SaysWhatIsProvedAndWhatIsNot) {
  const Outcome done = Run("verify - < " + Write(Record()));
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_THAT(done.err, IsEmpty());
  ExpectGolden(done.out, "record.verify.golden");
}

TEST_F(RecordsTest, SaysOfAVoidRoundWhatCanBeSaid) {
  const Outcome done = Run("verify - < " + Write(Record(Ending::kEscape)));
  EXPECT_EQ(done.exit_code, 0);
  ExpectGolden(done.out, "void_record.verify.golden");
}

TEST_F(RecordsTest, ManyFilesAreVerifiedAtOnce) {
  record::RoundRecord wrong = Record();
  ++wrong.seed[0];
  const std::string files = Write(Record(), "a.mjr") + " " + Write(wrong, "b.mjr");
  const Outcome done = Run("verify --brief " + files);
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.out, HasSubstr("a.mjr: fits\n"));
  EXPECT_THAT(done.out, HasSubstr("b.mjr: DOES NOT FIT; commitment: seed: does not hash"));
  EXPECT_THAT(done.out, HasSubstr("1 of 2 records fit\n"));
  EXPECT_EQ(Run("verify --brief " + Path("a.mjr") + " " + Path("a.mjr")).exit_code, 0);
}

TEST_F(RecordsTest, AnswersAsJson) {
  record::RoundRecord wrong = Record();
  ++wrong.base;
  const Outcome done =
      Run("verify --json " + Write(Record(), "a.mjr") + " " + Write(wrong, "b.mjr"));
  EXPECT_EQ(done.exit_code, 1);
  std::istringstream lines(done.out);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const nlohmann::json fits = nlohmann::json::parse(line);
  EXPECT_TRUE(fits["fits"]);
  EXPECT_EQ(fits["round_id"], Record().round_id);
  EXPECT_EQ(fits["claims"].size(), 11u);
  EXPECT_FALSE(fits["not_proved"].empty());
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_FALSE(nlohmann::json::parse(line)["fits"]);
  EXPECT_THAT(line, HasSubstr(R"("verdict":"refuted")"));
}

TEST_F(RecordsTest, AnyByteOfAValueChangedIsRefused) {
  const std::string bytes = BytesOf(Record());
  Random random(1);
  for (std::int64_t i = 0; i < testing::Count(2'000); ++i) {
    std::string changed = bytes;
    char& byte = changed[static_cast<std::size_t>(random.Below(static_cast<int>(bytes.size())))];
    byte = static_cast<char>(byte ^ (1 << random.Below(8)));
    const Outcome done = Run("verify " + ProgramTest::Write("changed.mjr", changed));
    ASSERT_EQ(done.exit_code, 1) << done.out;
    ASSERT_THAT(done.out, HasSubstr("DOES NOT FIT"));
    ASSERT_THAT(done.out, HasSubstr("REFUTED"));
    ASSERT_THAT(done.err, IsEmpty());
  }
}

// What is wrong besides the digest is said too.
TEST_F(RecordsTest, ATamperedValueIsFoundBehindTheDigest) {
  ::mahjong::record::v1::RoundRecord message;
  wire::ToRecord(Record(), message);
  message.mutable_settled()->mutable_scored()->mutable_transfers(0)->set_coins(1);
  const Outcome done =
      Run("verify " + ProgramTest::Write("changed.mjr", wire::Serialized(message)));
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.out, ContainsRegex("record +REFUTED: .*digest"));
  EXPECT_THAT(done.out, ContainsRegex("score +REFUTED: settled.scored.transfers\\[0\\]"));
}

TEST_F(RecordsTest, WhatCannotBeReadIsNoVerdict) {
  EXPECT_EQ(Run("verify").exit_code, 2);
  EXPECT_EQ(Run("verify --brief --json x").exit_code, 2);
  const Outcome missing = Run("verify --brief " + Path("nothing.mjr") + " " + Write(Record()));
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.err, HasSubstr("nothing.mjr: No such file"));
  EXPECT_THAT(missing.out, HasSubstr("round.mjr: fits")) << "the others are verified";
  const Outcome text = Run("verify " + ProgramTest::Write("text.mjr", "a text\n"));
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.out, HasSubstr("not a message of this kind"));
  EXPECT_EQ(Run("verify " + ProgramTest::Write("empty.mjr", "")).exit_code, 1);
}

TEST_F(RecordsTest, NothingInARecordReachesTheTerminalAsIs) {
  record::RoundRecord record = Record(Ending::kOperator);
  record.table_id = "t\033[2J\302\233";
  for (record::RecordedEvent& event : record.events) {
    if (auto* shown = std::get_if<record::HandShown>(&event.what)) shown->player = "x";
  }
  record.players[rules::Seat::k1] = "\033]0;title\007";
  for (const char* command : {"verify ", "replay ", "verify --json ", "replay --json "}) {
    const Outcome done = Run(command + Write(record));
    EXPECT_THAT(done.out + done.err, Not(HasSubstr("\033"))) << command;
    EXPECT_THAT(done.out + done.err, Not(HasSubstr("\302\233"))) << command;
  }
}

TEST_F(RecordsTest, ReplaysEverythingWhereThereIsNoTerminal) {
  const Outcome done = Run("replay --all " + Write(Record()));
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, IsEmpty());
  ExpectGolden(done.out, "record.replay.golden");
  EXPECT_EQ(Run("replay - < " + Path("round.mjr")).out, done.out);
  std::istringstream lines(done.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(console::WidthOf(line), 100) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

TEST_F(RecordsTest, GivesARecordAsJson) {
  const record::RoundRecord record = Record();
  const Outcome done = Run("replay --json " + Write(record));
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const auto json = nlohmann::json::parse(done.out);
  EXPECT_EQ(json["round_id"], record.round_id);
  EXPECT_EQ(json["events"].size(), record.events.size());
}

TEST_F(RecordsTest, ReplaysAsFarAsTheRulesGo) {
  record::RoundRecord record = Record();
  record.events.erase(record.events.begin() + 20);
  const Outcome done = Run("replay " + Write(record));
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.out, HasSubstr(" #19 "));
  EXPECT_THAT(done.out, Not(HasSubstr(" #20 ")));
  EXPECT_THAT(done.out, Not(HasSubstr("paid")));
  EXPECT_THAT(done.err, HasSubstr("events[20]: "));
}

TEST_F(RecordsTest, ReplaysARoundThatNeverBegan) {
  const Outcome done = Run("replay " + Write(Record(Ending::kRefused)));
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("void 作废: it could not begin"));
}

TEST_F(RecordsTest, WhatCannotBeReplayedIsSaid) {
  record::RoundRecord record = Record();
  record.rulebook_version = "chaozhou-0";
  EXPECT_THAT(Run("replay " + Write(record)).err, HasSubstr("does not have the rules chaozhou-0"));
  EXPECT_EQ(Run("replay " + Write(record)).exit_code, 1);
  EXPECT_EQ(Run("replay " + ProgramTest::Write("text.mjr", "a text\n")).exit_code, 1);
  EXPECT_EQ(Run("replay " + Path("nothing.mjr")).exit_code, 3);
  EXPECT_EQ(Run("replay").exit_code, 2);
  EXPECT_EQ(Run("replay --all --html x " + Write(record)).exit_code, 2);
  const Outcome unwritten =
      Run("replay --html " + Path("no/such/folder.html") + " " + Write(Record()));
  EXPECT_EQ(unwritten.exit_code, 5);
  EXPECT_THAT(unwritten.err, HasSubstr("cannot be written"));
}

TEST_F(RecordsTest, WritesAPage) {
  const std::string page = Path("round.html");
  const Outcome done = Run("replay --html " + page + " " + Write(Record()));
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, IsEmpty());
  const std::string html = Text(page);
  EXPECT_THAT(html, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(html, Not(HasSubstr("{{")));
  EXPECT_THAT(html, HasSubstr(Record().round_id));
  EXPECT_EQ(Run("replay --html - " + Path("round.mjr")).out, html);
}

// Keys as somebody would press them; the screens that they lead to.
TEST_F(RecordsTest, StepsByKeys) {
  const std::string file = Write(Record());
  std::string keys = "nnb G g\rq";
  std::size_t pressed = 0;
  std::ostringstream out;
  std::ostringstream err;
  const int code = ReplayRound(
      {.file = file, .all = false, .html = {}},
      [&] { return pressed < keys.size() ? keys[pressed++] : '\0'; }, out, err);
  EXPECT_EQ(code, 0) << err.str();
  EXPECT_EQ(pressed, keys.size()) << "q ends it";
  // The number below each screen.
  std::string numbers;
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) {
    if (line.find("[q] quit") != std::string::npos) numbers += line.substr(0, line.find('/')) + " ";
  }
  const std::string last = std::to_string(Record().events.size());
  EXPECT_EQ(numbers, "1 2 3 2 3 " + last + " " + last + " 1 2 ");
  EXPECT_THAT(out.str(), HasSubstr("paid 结算"));
  EXPECT_THAT(out.str(), HasSubstr("\033[H\033[2J"));
}

TEST_F(RecordsTest, TheEndOfInputEndsIt) {
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(ReplayRound(
                {.file = Write(Record()), .all = false, .html = {}}, [] { return '\0'; }, out, err),
            0);
}

}  // namespace
}  // namespace mj::cli
