#include "tools/demo/pages.h"

#include <gtest/gtest.h>

#include <sstream>

namespace mj::demo {
namespace {

TEST(PagesTest, OnePageAfterTheOther) {
  std::ostringstream out;
  Pages pages(3, out);
  pages.Write(1, "b1 ");
  pages.Write(0, "a1 ");
  EXPECT_EQ(out.str(), "a1 ");  // the first page is written as it comes
  pages.Write(2, "c1 ");
  pages.Close(2);
  EXPECT_EQ(out.str(), "a1 ");
  pages.Close(0);
  EXPECT_EQ(out.str(), "a1 b1 ");  // the second page's turn
  pages.Write(1, "b2 ");
  EXPECT_EQ(out.str(), "a1 b1 b2 ");
  pages.Close(1);
  EXPECT_EQ(out.str(), "a1 b1 b2 c1 ");
}

TEST(PagesTest, APageMayStayEmpty) {
  std::ostringstream out;
  Pages pages(2, out);
  pages.Close(0);
  pages.Write(1, "b");
  pages.Close(1);
  EXPECT_EQ(out.str(), "b");
}

}  // namespace
}  // namespace mj::demo
