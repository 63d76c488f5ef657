#include "services/wallet/app/content.h"

#include <gtest/gtest.h>

namespace mj::wallet {
namespace {

std::string Hex(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out.push_back("0123456789abcdef"[byte / 16]);
    out.push_back("0123456789abcdef"[byte % 16]);
  }
  return out;
}

// These bytes are for ever: a newer program has to know an older one's requests again.
TEST(ContentTest, BytesAreFixed) {
  EXPECT_EQ(Hex(Content("Deposit", 1).Text("ann").Number(-2).bytes()),
            "0000000000000007"
            "4465706f736974"
            "0000000000000008"
            "0000000000000001"
            "0000000000000003"
            "616e6e"
            "0000000000000008"
            "fffffffffffffffe");
}

TEST(ContentTest, NoTwoListsOfFieldsAreTheSameBytes) {
  EXPECT_NE(Content("r", 1).Text("ab").Text("c").bytes(),
            Content("r", 1).Text("a").Text("bc").bytes());
  EXPECT_NE(Content("r", 1).Text("").bytes(), Content("r", 1).bytes());
  EXPECT_NE(Content("r", 1).bytes(), Content("r", 2).bytes());
  EXPECT_NE(Content("r", 1).bytes(), Content("s", 1).bytes());
}

}  // namespace
}  // namespace mj::wallet
