#include "libs/audit/signing.h"

#include <gtest/gtest.h>

#include "libs/audit/digest.h"

namespace mj::audit {
namespace {

struct Vector {
  const char* seed;
  const char* key;
  const char* message;
  const char* signature;
};

// RFC 8032, 7.1: tests 1 to 3.
constexpr Vector kVectors[] = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b"
     "4"
     "6bd25bf5f0595bbe24655141438e7a100b"},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11"
     "d"
     "8c387b2eaeb4302aeeb00d291612bb0c00"},
    {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc"
     "6"
     "594a7c15e9716ed28dc027beceea1ec40a"},
};

TEST(SigningTest, SignsAsRfc8032) {
  for (const Vector& vector : kVectors) {
    const auto key = SigningKey::FromSeed(*BytesFromHex(vector.seed));
    ASSERT_TRUE(key.has_value());
    EXPECT_EQ(ToHex(key->Public()), vector.key);
    const std::string message = *BytesFromHex(vector.message);
    const Signature signature = key->Sign(message);
    EXPECT_EQ(BytesToHex({reinterpret_cast<const char*>(signature.data()), signature.size()}),
              vector.signature);
    EXPECT_TRUE(Verify(key->Public(), message, signature));
    EXPECT_FALSE(Verify(key->Public(), message + "x", signature));
  }
}

TEST(SigningTest, KeysAreTextAndBack) {
  const auto key = SigningKey::FromSeed(std::string(32, 's'));
  const auto read = SigningKey::FromText("\n " + key->ToText() + " ");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->Public(), key->Public());
  EXPECT_EQ(PublicKeyFromText(ToText(key->Public())), key->Public());
  // The secret is not taken for the public key, nor the other way round.
  EXPECT_FALSE(PublicKeyFromText(key->ToText()).has_value());
  EXPECT_FALSE(SigningKey::FromText(ToText(key->Public())).has_value());
  for (const char* const none : {"", " ", "mahjong-ledger-key-1", "mahjong-ledger-key-1 00"}) {
    EXPECT_FALSE(SigningKey::FromText(none).has_value()) << none;
  }
  EXPECT_FALSE(SigningKey::FromSeed("short").has_value());
}

}  // namespace
}  // namespace mj::audit
