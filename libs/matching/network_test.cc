#include "libs/matching/network.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::matching {
namespace {

TEST(NetworkTest, AnIpv4AddressCountsWhole) {
  EXPECT_EQ(NetworkOf("203.0.113.7"), "203.0.113.7");
  EXPECT_EQ(NetworkOf("0.0.0.0"), "0.0.0.0");
  EXPECT_EQ(NetworkOf("::ffff:203.0.113.7"), "203.0.113.7");
  EXPECT_EQ(NetworkOf("0:0:0:0:0:FFFF:cb00:7107"), "203.0.113.7");
}

TEST(NetworkTest, OfAnIpv6AddressTheFirst64Bits) {
  EXPECT_EQ(NetworkOf("2001:db8:0:12:a:b:c:d"), "2001:db8:0:12");
  EXPECT_EQ(NetworkOf("2001:0DB8::12:0:0:c:d"), "2001:db8:0:12");
  EXPECT_EQ(NetworkOf("2001:db8:0:12::"), "2001:db8:0:12");
  EXPECT_EQ(NetworkOf("::1"), "0:0:0:0");
  EXPECT_EQ(NetworkOf("::"), "0:0:0:0");
  EXPECT_EQ(NetworkOf("1:2:3:4:5:6:203.0.113.7"), "1:2:3:4");
}

TEST(NetworkTest, WhatIsNoAddressIsRefused) {
  for (const char* text : {"",
                           "x",
                           "1.2.3",
                           "1.2.3.4.5",
                           "1.2.3.256",
                           "1.2.3.04",
                           "1.2.3.-4",
                           "1.2.3.4 ",
                           "1..2.3",
                           "1.2.3.",
                           ".1.2.3",
                           "1.2.3.4:80",
                           "1.2.3.4/24",
                           ":",
                           ":::",
                           "1::2::3",
                           "1:2:3:4:5:6:7",
                           "1:2:3:4:5:6:7:8:9",
                           "1:2:3:4:5:6:7::8",
                           "12345::",
                           "g::",
                           "::1%eth0",
                           "[::1]",
                           "1.2.3.4::",
                           "1:2:3:4:5:6:7:1.2.3.4",
                           "::1.2.3.4:5",
                           "1:2:3:4:5:6:7:",
                           ":1:2:3:4:5:6:7"}) {
    EXPECT_EQ(NetworkOf(text), std::nullopt) << text;
  }
}

TEST(NetworkTest, AnyBytesAreReadOrRefused) {
  constexpr std::string_view kAlphabet = "0123456789abcdefF:.:.x%";
  for (std::int64_t seed = 0; seed < mj::testing::Count(2'000'000); ++seed) {
    mj::testing::Random random(static_cast<std::uint64_t>(seed));
    std::string text;
    for (int length = random.Below(24); length > 0; --length) {
      text += kAlphabet[static_cast<std::size_t>(random.Below(static_cast<int>(kAlphabet.size())))];
    }
    const auto network = NetworkOf(text);
    if (!network || network->find('.') != std::string::npos) continue;
    ASSERT_EQ(NetworkOf(*network + "::"), network) << text;
  }
}

}  // namespace
}  // namespace mj::matching
