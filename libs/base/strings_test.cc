#include "libs/base/strings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "libs/base/strong_id.h"

namespace mj::base {
namespace {

using ::testing::ElementsAre;

TEST(StringsTest, Cat) {
  EXPECT_EQ(Cat("seat: got ", std::string("7"), ", want 0 to 3"), "seat: got 7, want 0 to 3");
  EXPECT_EQ(Cat(), "");
}

TEST(StringsTest, JoinAndSplit) {
  const std::array<std::string, 3> parts{"a", "", "b"};
  EXPECT_EQ(Join(parts, ", "), "a, , b");
  EXPECT_THAT(Split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(Split("", ','), ElementsAre(""));
  EXPECT_THAT(Split(",", ','), ElementsAre("", ""));
}

TEST(StringsTest, Trim) {
  EXPECT_EQ(Trim("  a b\t\n"), "a b");
  EXPECT_EQ(Trim(" \t"), "");
}

TEST(StringsTest, ParseInt64TakesAllOfTheText) {
  EXPECT_EQ(ParseInt64("0"), 0);
  EXPECT_EQ(ParseInt64("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(ParseInt64("9223372036854775807"), INT64_MAX);
  for (const auto* bad : {"", "-", "+1", " 1", "1 ", "1x", "0x1", "9223372036854775808", "1.0"}) {
    EXPECT_EQ(ParseInt64(bad), std::nullopt) << bad;
  }
}

TEST(StringsTest, ToHex) {
  const std::array bytes{std::byte{0x00}, std::byte{0x7f}, std::byte{0xa5}};
  EXPECT_EQ(ToHex(bytes), "007fa5");
}

TEST(StringsTest, Ids) {
  for (const auto* good : {"a", "Alice_9-x", "01941f29-7c00-7000-8000-0123456789ab"}) {
    EXPECT_TRUE(IsId(good)) << good;
  }
  EXPECT_TRUE(IsId(std::string(64, 'x')));
  EXPECT_FALSE(IsId(std::string(65, 'x')));
  for (const auto* bad : {"", "a b", "a/b", "玩家", "a.b", "a\n"}) {
    EXPECT_FALSE(IsId(bad)) << bad;
  }
  EXPECT_FALSE(IsId(std::string_view("a\0b", 3)));
}

TEST(StringsTest, Utf8) {
  for (const auto* good : {"", "abc", "您的积分不足", "\xF0\x9F\x80\x84", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(IsUtf8(good)) << good;
  }
  for (const auto* bad : {"\x80", "\xC0\x80", "\xC3", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF",
                          "\xE4\xBD", "\xE0\x80\x80"}) {
    EXPECT_FALSE(IsUtf8(bad));
  }
}

TEST(StrongIdTest, ComparesByValueAndIsEmptyByDefault) {
  using TableId = StrongId<struct TableIdTag>;
  using PlayerId = StrongId<struct PlayerIdTag>;
  static_assert(!std::is_convertible_v<TableId, PlayerId>);
  static_assert(!std::is_convertible_v<std::string, PlayerId>);
  EXPECT_TRUE(TableId().empty());
  EXPECT_EQ(TableId("a"), TableId("a"));
  EXPECT_LT(TableId("a"), TableId("b"));
  EXPECT_EQ(std::hash<TableId>{}(TableId("a")), std::hash<std::string>{}("a"));
}

TEST(StringsTest, QuotesTextFromOutside) {
  EXPECT_EQ(Quoted(""), "\"\"");
  EXPECT_EQ(Quoted("5m"), "\"5m\"");
  EXPECT_EQ(Quoted(std::string(41, 'x')), "text of 41 bytes");
  EXPECT_EQ(Quoted("\xff"), "text that is no UTF-8");
}

}  // namespace
}  // namespace mj::base
