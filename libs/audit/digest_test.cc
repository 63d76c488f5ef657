#include "libs/audit/digest.h"

#include <gtest/gtest.h>

#include <string>

namespace mj::audit {
namespace {

TEST(DigestTest, IsSha256) {  // FIPS 180-4's examples
  EXPECT_EQ(ToHex(Sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(ToHex(Sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(DigestTest, ReadsHexOnly) {
  EXPECT_EQ(BytesFromHex("00fFaB"), std::string("\0\xff\xab", 3));
  EXPECT_FALSE(BytesFromHex("0").has_value());
  EXPECT_FALSE(BytesFromHex("0g").has_value());
  EXPECT_FALSE(DigestFromHex("00").has_value());
  EXPECT_FALSE(DigestFromBytes("short").has_value());
}

}  // namespace
}  // namespace mj::audit
