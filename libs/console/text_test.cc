#include "libs/console/text.h"

#include <gtest/gtest.h>

namespace mj::console {
namespace {

using Lines = std::vector<std::string>;

TEST(WidthTest, CountsAChineseCharacterTwice) {
  EXPECT_EQ(WidthOf(""), 0);
  EXPECT_EQ(WidthOf("123m"), 4);
  EXPECT_EQ(WidthOf("一二三万 东"), 11);
  EXPECT_EQ(WidthOf("×2，清一色"), 10);  // × is narrow, the comma is wide
  EXPECT_EQ(WidthOf("e\xCC\x81"), 1);    // a combining accent
}

TEST(WidthTest, CountsAByteThatIsNoTextOnce) {
  EXPECT_EQ(WidthOf("\xFF"), 1);
  EXPECT_EQ(WidthOf("\xE4\xB8"), 2);  // cut in the middle
}

TEST(PadTest, LinesUp) {
  EXPECT_EQ(PadRight("东", 4) + "|", "东  |");
  EXPECT_EQ(PadLeft("-1,200", 8), "  -1,200");
  EXPECT_EQ(PadRight("too long", 3), "too long");
}

TEST(ClipTest, NeverCutsACharacterOrTakesHalfOfAWideOne) {
  EXPECT_EQ(Clip("abc", 2), "ab");
  EXPECT_EQ(Clip("一二三", 5), "一二");
  EXPECT_EQ(Clip("一二三", 6), "一二三");
  EXPECT_EQ(Clip("一", 1), "");
  EXPECT_EQ(Clip("", 4), "");
  EXPECT_EQ(Clip("ab", 0), "");
}

TEST(WrapTest, BreaksAtBlanks) {
  EXPECT_EQ(Wrap("one two three", 7, 2), (Lines{"one two", "  three"}));
  EXPECT_EQ(Wrap("one two ", 20, 0), (Lines{"one two"}));
  EXPECT_EQ(Wrap("", 20, 0), (Lines{""}));
}

TEST(WrapTest, BreaksBetweenChineseCharactersButNotWithinOne) {
  EXPECT_EQ(Wrap("一二三四五", 5, 0), (Lines{"一二", "三四", "五"}));
}

TEST(WrapTest, BreaksAWordThatIsTooLong) {
  EXPECT_EQ(Wrap("abcdefgh", 3, 0), (Lines{"abc", "def", "gh"}));
}

TEST(NumbersTest, AreGrouped) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(-123456), "-123,456");
  EXPECT_EQ(Grouped(INT64_MIN), "-9,223,372,036,854,775,808");
  EXPECT_EQ(Signed(1200), "+1,200");
  EXPECT_EQ(Signed(0), "0");
  EXPECT_EQ(Signed(-5), "-5");
}

}  // namespace
}  // namespace mj::console
