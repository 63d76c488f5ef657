#include "libs/base/page_token.h"

#include <gtest/gtest.h>

#include <string>

namespace mj::base {
namespace {

TEST(PageTokenTest, GoesThereAndBack) {
  const std::string token = MakePageToken("t1", {"a", "b"}, "0193-7");
  EXPECT_EQ(ReadPageToken("t1", {"a", "b"}, token), "0193-7");
}

TEST(PageTokenTest, IsOfItsListAlone) {
  const std::string token = MakePageToken("t1", {"a", "b"}, "7");
  EXPECT_EQ(ReadPageToken("t2", {"a", "b"}, token), std::nullopt);
  EXPECT_EQ(ReadPageToken("t1", {"a", "c"}, token), std::nullopt);
  EXPECT_EQ(ReadPageToken("t1", {"ab", ""}, token), std::nullopt);
  EXPECT_EQ(ReadPageToken("t1", {"ab"}, token), std::nullopt);
  EXPECT_EQ(ReadPageToken("t1", {"a", "b", ""}, token), std::nullopt);
}

TEST(PageTokenTest, AnythingElseIsNone) {
  const std::string token = MakePageToken("t1", {"a"}, "7");
  for (std::size_t size = 0; size < token.size(); ++size) {
    EXPECT_EQ(ReadPageToken("t1", {"a"}, token.substr(0, size)), std::nullopt) << size;
  }
  EXPECT_EQ(ReadPageToken("t1", {"a"}, "x" + token), std::nullopt);
}

}  // namespace
}  // namespace mj::base
