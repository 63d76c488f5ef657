#include "libs/base/fields.h"

#include <gtest/gtest.h>

#include <string>

#include "libs/base/status_testing.h"

namespace mj::base {
namespace {

TEST(FieldsTest, Ids) {
  EXPECT_THAT(CheckId("player_id", "ann_1-X"), IsOk());
  EXPECT_THAT(CheckId("player_id", std::string(64, 'a')), IsOk());
  EXPECT_THAT(CheckId("player_id", ""), FailsWith(Reason::kFieldRequired));
  for (const std::string& bad : {std::string(65, 'a'), std::string("a b"), std::string("a\0", 2),
                                 std::string("\xe5\xbc\xa0"), std::string("a/b")}) {
    EXPECT_THAT(CheckId("player_id", bad), FailsWith(Reason::kBadId)) << bad;
    EXPECT_THAT(CheckIdIfAny("player_id", bad), FailsWith(Reason::kBadId)) << bad;
  }
  EXPECT_THAT(CheckIdIfAny("player_id", ""), IsOk());
}

TEST(FieldsTest, Texts) {
  EXPECT_THAT(CheckText("reason", "", 3), IsOk());
  EXPECT_THAT(CheckText("reason", "\xe5\xbc\xa0", 3), IsOk());
  EXPECT_THAT(CheckSomeText("reason", "abc", 3), IsOk());
  EXPECT_THAT(CheckSomeText("reason", "", 3), FailsWith(Reason::kFieldRequired));
  for (const std::string& bad :
       {std::string("abcd"), std::string("\xe5\xbc"), std::string("a\0b", 3)}) {
    EXPECT_THAT(CheckText("reason", bad, 3), FailsWith(Reason::kBadText)) << bad;
    EXPECT_THAT(CheckSomeText("reason", bad, 3), FailsWith(Reason::kBadText)) << bad;
  }
}

}  // namespace
}  // namespace mj::base
