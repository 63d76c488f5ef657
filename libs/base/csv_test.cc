#include "libs/base/csv.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mj::base {
namespace {

TEST(CsvLineTest, QuotesWhatWouldBreakTheLine) {
  EXPECT_EQ(CsvLine(std::vector<std::string>{"a", "", "-5"}), "a,,-5\r\n");
  EXPECT_EQ(CsvLine(std::vector<std::string>{"a,b", "say \"no\"", "two\nlines", "cr\r"}),
            "\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",\"cr\r\"\r\n");
  EXPECT_EQ(CsvLine(std::vector<std::string>{"潮汕"}), "潮汕\r\n");
  EXPECT_EQ(CsvLine(std::vector<std::string>{}), "\r\n");
}

TEST(CsvTextTest, IsNeverAFormula) {
  for (const std::string formula : {"=1+1", "+1", "-1", "@sum(a1)", "\tx", "\rx"}) {
    EXPECT_EQ(CsvText(formula), "'" + formula);
  }
  for (const std::string plain : {"", "a=1", " =1", "'=1"}) EXPECT_EQ(CsvText(plain), plain);
}

}  // namespace
}  // namespace mj::base
