#include "services/wallet/store/facts.h"

#include <gtest/gtest.h>

namespace mj::wallet::store {
namespace {

TEST(FactsTest, ComeBackAsTheyWentIn) {
  for (const Facts& facts : {Facts{}, Facts{{"a", "1"}}, Facts{{"a", ""}, {"b", "x y"}}}) {
    std::string lines;
    for (const std::string& part : FactsColumn(facts)) {
      lines += (lines.empty() ? "" : "\n") + part;
    }
    EXPECT_EQ(FactsFrom(lines), facts);
  }
}

TEST(FactsTest, WhatIsNoPairIsLeftOut) {
  EXPECT_EQ(FactsFrom("a\n1\nb"), (Facts{{"a", "1"}}));
  EXPECT_EQ(FactsFrom(""), Facts{});
}

}  // namespace
}  // namespace mj::wallet::store
