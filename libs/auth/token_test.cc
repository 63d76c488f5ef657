#include "libs/auth/token.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "libs/auth/base64url.h"
#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/base/strings.h"
#include "libs/issuer/signing_key.h"

namespace mj::auth {
namespace {

using base::Reason;
using std::chrono::seconds;

constexpr std::string_view kHeader = R"({"alg":"ES256","typ":"JWT","kid":"k1"})";
constexpr base::WallTime kNow{std::chrono::sys_days(std::chrono::year(2026) / 11 / 30)};

std::string Seconds(base::WallTime time) {
  return std::to_string(std::chrono::floor<seconds>(time.time_since_epoch()).count());
}

class TokenTest : public ::testing::Test {
 protected:
  static const issuer::SigningKey& Key() {
    static const issuer::SigningKey key = issuer::NewSigningKey("k1");
    return key;
  }
  static const issuer::SigningKey& OtherKey() {
    static const issuer::SigningKey key = issuer::NewSigningKey("k2");
    return key;
  }
  static const KeySet& Keys() {
    static const KeySet keys = *ParseJwks(issuer::JwksOf({Key()}));
    return keys;
  }

  static std::string Good(base::WallTime now = kNow) {
    return issuer::SignToken(Key(), {.role = "player", .subject = "ann", .now = now});
  }
  // The claims of a good token, with one replaced, or left out where `value` is empty.
  static std::string With(std::string_view claim, std::string_view value) {
    std::string claims;
    const auto add = [&](std::string_view name, const std::string& text) {
      const std::string_view use = name == claim ? value : std::string_view(text);
      if (use.empty()) return;
      claims += base::Cat(claims.empty() ? "{" : ",", "\"", name, "\":", use);
    };
    add("iss", R"("mahjong")");
    add("aud", R"("mahjong")");
    add("sub", R"("ann")");
    add("role", R"("player")");
    add("exp", Seconds(kNow + seconds(60)));
    add("nbf", Seconds(kNow));
    return issuer::SignRaw(Key(), kHeader, claims + "}");
  }

  static void Refused(const std::string& token, std::string_view why,
                      Reason reason = Reason::kBadToken) {
    const auto checked = CheckToken(token, Keys(), TokenRules{}, kNow);
    ASSERT_FALSE(checked.ok()) << why;
    EXPECT_TRUE(base::HasReason(checked.status(), reason)) << checked.status();
    EXPECT_NE(base::ToStd(checked.status().message()).find(why), std::string::npos)
        << checked.status() << ", want " << why;
  }
};

TEST_F(TokenTest, AGoodTokenIsItsSubjects) {
  const auto checked = CheckToken(Good(), Keys(), TokenRules{}, kNow);
  ASSERT_THAT(checked, base::IsOk());
  EXPECT_EQ(checked->caller, (Caller{Role::kPlayer, "ann", "k1"}));
  EXPECT_EQ(checked->expires, kNow + seconds(3'600) + TokenRules{}.leeway);
  EXPECT_THAT(CheckToken(With("", ""), Keys(), TokenRules{}, kNow), base::IsOk());
}

TEST_F(TokenTest, EveryRoleOfAPersonOrABackendCanHaveOne) {
  for (const Role role : kRoles) {
    const std::string token = issuer::SignToken(
        Key(), {.role = std::string(RoleName(role)), .subject = "x", .now = kNow});
    EXPECT_EQ(CheckToken(token, Keys(), TokenRules{}, kNow).ok(), !IsService(role));
    TokenRules plaintext;
    plaintext.services = true;
    EXPECT_TRUE(CheckToken(token, Keys(), plaintext, kNow).ok());
  }
}

TEST_F(TokenTest, WhatIsNoTokenIsRefused) {
  for (const char* text : {"", "x", "a.b", "a.b.c.d", "..", "a..b", "....", "\xff.\xff.\xff"}) {
    EXPECT_FALSE(CheckToken(text, Keys(), TokenRules{}, kNow).ok()) << text;
  }
  Refused("a.b", "three parts");
  Refused("a.b.c", "header");
  Refused(std::string(kTokenBytesMax + 1, 'x'), "too long");
}

TEST_F(TokenTest, EveryCharacterCounts) {
  const std::string good = Good();
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = bad[at] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(CheckToken(bad, Keys(), TokenRules{}, kNow).ok()) << at;
  }
}

TEST_F(TokenTest, NoPartOfATokenIsGood) {
  const std::string good = Good();
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(CheckToken(good.substr(0, size), Keys(), TokenRules{}, kNow).ok()) << size;
  }
}

TEST_F(TokenTest, OnlyEs256Counts) {
  const std::string claims = R"({"iss":"mahjong","aud":"mahjong","sub":"ann","role":"player"})";
  for (const char* algorithm :
       {"none", "None", "NONE", "HS256", "RS256", "ES384", "es256", "ES256 ", "", "EdDSA"}) {
    const std::string header = base::Cat(R"({"alg":")", algorithm, R"(","kid":"k1"})");
    Refused(issuer::SignRaw(Key(), header, claims), "alg");
    // And without a signature, as "none" has it.
    Refused(base::Cat(EncodeBase64Url(header), ".", EncodeBase64Url(claims), "."), "alg");
  }
  for (const char* header : {R"({"kid":"k1"})", R"({"alg":7,"kid":"k1"})",
                             R"({"alg":null,"kid":"k1"})", R"({"alg":["ES256"],"kid":"k1"})"}) {
    Refused(issuer::SignRaw(Key(), header, claims), "alg");
  }
}

// A public key is no secret: whoever signs with it as if it were one has no token.
TEST_F(TokenTest, ThePublicKeyIsNoSecret) {
  const std::string header = R"({"alg":"HS256","kid":"k1"})";
  Refused(issuer::SignRaw(Key(), header, "{}"), "alg");
}

TEST_F(TokenTest, TheHeaderNamesAKeyThatIsKnown) {
  Refused(issuer::SignRaw(Key(), R"({"alg":"ES256"})", "{}"), "kid");
  Refused(issuer::SignRaw(Key(), R"({"alg":"ES256","kid":7})", "{}"), "kid");
  Refused(issuer::SignRaw(Key(), R"({"alg":"ES256","kid":"k1\n"})", "{}"), "kid: want the id");
  Refused(issuer::SignToken(OtherKey(), {.role = "player", .subject = "ann", .now = kNow}),
          "kid: there is no key k2");
  Refused(issuer::SignRaw(Key(), R"({"alg":"ES256","kid":"k1","crit":["exp"]})", "{}"), "crit");
}

TEST_F(TokenTest, TheSignatureIsOfTheKeyThatIsNamed) {
  const issuer::SigningKey thief{"k1", OtherKey().secret_pem};
  Refused(issuer::SignToken(thief, {.role = "player", .subject = "ann", .now = kNow}),
          "signature is not of key k1");
  const std::string good = Good();
  const std::string zero(86, 'A');
  Refused(good.substr(0, good.rfind('.') + 1) + zero, "signature");
  Refused(good.substr(0, good.rfind('.') + 1), "signature");
  Refused(good + "A", "signature");
}

TEST_F(TokenTest, ItIsOfOurIssuerAndForUs) {
  for (const char* claim : {"iss", "aud"}) {
    for (const char* value : {"", R"("another")", R"("")", "7", "null", R"(["another"])", "[]"}) {
      Refused(With(claim, value), claim);
    }
  }
  EXPECT_THAT(CheckToken(With("aud", R"(["x","mahjong"])"), Keys(), TokenRules{}, kNow),
              base::IsOk());
  TokenRules other;
  other.audience = "another";
  EXPECT_FALSE(CheckToken(Good(), Keys(), other, kNow).ok());
}

TEST_F(TokenTest, ItExpires) {
  const seconds leeway = TokenRules{}.leeway;
  const std::string token = With("", "");
  const base::WallTime end = kNow + seconds(60) + leeway;
  EXPECT_THAT(CheckToken(token, Keys(), TokenRules{}, end - seconds(1)), base::IsOk());
  const auto late = CheckToken(token, Keys(), TokenRules{}, end);
  EXPECT_TRUE(base::HasReason(late.status(), Reason::kTokenExpired));
  Refused(With("exp", Seconds(kNow - seconds(3'600))), "", Reason::kTokenExpired);
  for (const char* value : {"", "null", R"("1796000000")", "-1", "1e300", "1.5", "253402300800",
                            "18446744073709551615"}) {
    Refused(With("exp", value), "exp");
  }
}

TEST_F(TokenTest, ItBegins) {
  const seconds leeway = TokenRules{}.leeway;
  const std::string token = With("nbf", Seconds(kNow));
  EXPECT_THAT(CheckToken(token, Keys(), TokenRules{}, kNow - leeway), base::IsOk());
  EXPECT_FALSE(CheckToken(token, Keys(), TokenRules{}, kNow - leeway - seconds(1)).ok());
  Refused(With("nbf", Seconds(kNow + seconds(3'600))), "nbf: not yet");
  Refused(With("nbf", R"("soon")"), "nbf");
  EXPECT_THAT(CheckToken(With("nbf", ""), Keys(), TokenRules{}, kNow), base::IsOk());
}

TEST_F(TokenTest, ItNamesSomebodyWithARole) {
  for (const char* value : {"", R"("")", "7", R"("a b")", R"("a/b")", R"("ann\n")"}) {
    Refused(With("sub", value), "sub");
  }
  Refused(With("sub", base::Cat("\"", std::string(65, 'a'), "\"")), "sub");
  for (const char* value : {"", R"("king")", "7", R"("Player")", R"(["player"])"}) {
    Refused(With("role", value), "role");
  }
}

TEST_F(TokenTest, ClaimsAreAnObject) {
  for (const char* claims : {"", "7", "[]", "null", "{", R"({"iss":"mahjong")"}) {
    Refused(issuer::SignRaw(Key(), kHeader, claims), "claims");
  }
}

TEST_F(TokenTest, NoFailureHoldsAnyOfIt) {
  const std::string token = With("aud", R"("secret-audience")");
  const auto refused = CheckToken(token, Keys(), TokenRules{}, kNow);
  const std::string message(base::ToStd(refused.status().message()));
  EXPECT_EQ(message.find("secret"), std::string::npos);
  EXPECT_EQ(message.find(token.substr(token.size() - 20)), std::string::npos);
}

TEST(TokenOfTest, TakesTheBearersSchemeAlone) {
  EXPECT_EQ(TokenOf("Bearer a.b.c"), "a.b.c");
  EXPECT_EQ(TokenOf("bearer a.b.c"), "a.b.c");
  EXPECT_EQ(TokenOf("BEARER x"), "x");
  for (const char* other : {"", "Bearer", "Basic abc", "a.b.c", "Bearer", "Bear er x"}) {
    EXPECT_EQ(TokenOf(other), "") << other;
  }
}

TEST(Base64UrlTest, IsOneWayToWriteBytes) {
  for (const std::string& bytes : {std::string(), std::string("\0", 1), std::string("ab"),
                                   std::string("abc"), std::string("\xff\xfe\xfd\xfc")}) {
    EXPECT_EQ(DecodeBase64Url(EncodeBase64Url(bytes)), bytes);
  }
  EXPECT_EQ(EncodeBase64Url("\xff\xff\xfe"), "___-");
  for (const char* bad : {"=", "AA==", "A", "AB", "AAB", "a b", "a+b/", "AAAAA"}) {
    EXPECT_EQ(DecodeBase64Url(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace mj::auth
