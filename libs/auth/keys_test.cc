#include "libs/auth/keys.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "libs/auth/key_file.h"
#include "libs/auth/verifier.h"
#include "libs/base/files.h"
#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/base/strings.h"
#include "libs/issuer/signing_key.h"

namespace mj::auth {
namespace {

using base::FailsWith;
using base::IsOk;
using base::IsOkAndHolds;
using base::Reason;

constexpr base::WallTime kNow{std::chrono::sys_days(std::chrono::year(2026) / 11 / 30)};
// The example of RFC 7515, A.3.
constexpr std::string_view kPoint =
    R"("x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")";

std::string OneKey(std::string_view members) { return base::Cat(R"({"keys":[{)", members, "}]}"); }

TEST(KeysTest, ReadsAKeyForEs256) {
  const auto keys = ParseJwks(OneKey(base::Cat(R"("kty":"EC","crv":"P-256","kid":"a",)", kPoint)));
  ASSERT_THAT(keys, IsOk());
  ASSERT_EQ(keys->size(), 1U);
  EXPECT_TRUE(keys->at("a").starts_with("-----BEGIN PUBLIC KEY-----"));
}

TEST(KeysTest, PassesOverKeysOfOtherKinds) {
  const std::string other = R"({"kty":"RSA","kid":"r","n":"AQ","e":"AQAB"},)"
                            R"({"kty":"EC","crv":"P-384","kid":"p","x":"AQ","y":"AQ"},)"
                            R"({"kty":"EC","crv":"P-256","use":"enc","kid":"e","x":"AQ","y":"AQ"})";
  EXPECT_FALSE(ParseJwks(base::Cat(R"({"keys":[)", other, "]}")).ok());
  const auto keys = ParseJwks(
      base::Cat(R"({"keys":[)", other, R"(,{"kty":"EC","crv":"P-256","kid":"a",)", kPoint, "}]}"));
  ASSERT_THAT(keys, IsOk());
  EXPECT_EQ(keys->size(), 1U);
}

TEST(KeysTest, SaysWhatIsWrong) {
  const auto wrong = [](std::string_view jwks, std::string_view why) {
    const auto keys = ParseJwks(jwks);
    ASSERT_FALSE(keys.ok()) << jwks;
    EXPECT_NE(base::ToStd(keys.status().message()).find(why), std::string::npos) << keys.status();
  };
  for (const char* none : {"", "x", "[]", "{}", R"({"keys":7})", R"({"keys":[7]})"}) {
    wrong(none, "no JWKS");
  }
  wrong(R"({"keys":[]})", "no key");
  const std::string key = base::Cat(R"("kty":"EC","crv":"P-256",)", kPoint);
  wrong(OneKey(key), "kid");
  wrong(OneKey(base::Cat(key, R"(,"kid":"a b")")), "kid");
  wrong(OneKey(base::Cat(key, R"(,"kid":"a","d":"AQ")")), "secret");
  wrong(OneKey(R"("kty":"oct","kid":"a","k":"AQ")"), "secret");
  wrong(OneKey(R"("kty":"EC","crv":"P-256","kid":"a","x":"AQ","y":"AQ")"), "32 bytes");
  const std::string zeros(43, 'A');
  wrong(OneKey(base::Cat(R"("kty":"EC","crv":"P-256","kid":"a","x":")", zeros, R"(","y":")", zeros,
                         "\"")),
        "curve");
  const std::string one = base::Cat("{", key, R"(,"kid":"a"})");
  wrong(base::Cat(R"({"keys":[)", one, ",", one, "]}"), "twice");
}

class KeyFileTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void Write(const std::string& text) {
    ASSERT_THAT(base::WriteFileAtomically(path_, text), IsOk());
  }

  const std::string path_ = ::testing::TempDir() + "/" +
                            ::testing::UnitTest::GetInstance()->current_test_info()->name() +
                            ".jwks";
  const issuer::SigningKey old_ = issuer::NewSigningKey("old");
  const issuer::SigningKey new_ = issuer::NewSigningKey("new");
  KeyFile file_{path_};
};

TEST_F(KeyFileTest, KeysChangeWithTheFile) {
  EXPECT_FALSE(file_.Load().ok());
  EXPECT_TRUE(file_.keys()->empty());
  Write(issuer::JwksOf({old_}));
  EXPECT_THAT(file_.Load(), IsOkAndHolds(true));
  EXPECT_THAT(file_.Load(), IsOkAndHolds(false));
  Write(issuer::JwksOf({old_, new_}));
  EXPECT_THAT(file_.Load(), IsOkAndHolds(true));
  EXPECT_EQ(file_.keys()->size(), 2U);
  Write(issuer::JwksOf({new_}));
  EXPECT_THAT(file_.Load(), IsOkAndHolds(true));
  EXPECT_EQ(file_.keys()->count("old"), 0U);
}

TEST_F(KeyFileTest, AFileThatIsWrongChangesNothing) {
  Write(issuer::JwksOf({old_}));
  ASSERT_THAT(file_.Load(), IsOk());
  for (const char* text : {"", "{", R"({"keys":[]})"}) {
    Write(text);
    EXPECT_FALSE(file_.Load().ok());
    EXPECT_EQ(file_.keys()->count("old"), 1U);
  }
  std::filesystem::remove(path_);
  EXPECT_FALSE(file_.Load().ok());
  EXPECT_EQ(file_.keys()->count("old"), 1U);
}

TEST_F(KeyFileTest, ATokenIsGoodAsLongAsItsKeyIsThereAndItHasNotExpired) {
  Write(issuer::JwksOf({old_}));
  ASSERT_THAT(file_.Load(), IsOk());
  Verifier verifier(file_, TokenRules{});
  const std::string by_old =
      issuer::SignToken(old_, {.role = "player", .subject = "ann", .now = kNow});
  const std::string by_new =
      issuer::SignToken(new_, {.role = "player", .subject = "bob", .now = kNow});
  for (int again = 0; again < 2; ++again) {
    EXPECT_THAT(verifier.Whose(by_old, kNow), IsOkAndHolds(Caller{Role::kPlayer, "ann", "old"}));
    EXPECT_THAT(verifier.Whose(by_new, kNow), FailsWith(Reason::kBadToken));
  }
  Write(issuer::JwksOf({old_, new_}));
  ASSERT_THAT(file_.Load(), IsOk());
  EXPECT_THAT(verifier.Whose(by_old, kNow), IsOk());
  EXPECT_THAT(verifier.Whose(by_new, kNow), IsOk());
  EXPECT_THAT(verifier.Whose(by_new, kNow + std::chrono::hours(2)),
              FailsWith(Reason::kTokenExpired));
  Write(issuer::JwksOf({new_}));
  ASSERT_THAT(file_.Load(), IsOk());
  EXPECT_THAT(verifier.Whose(by_old, kNow), FailsWith(Reason::kBadToken));
  EXPECT_THAT(verifier.Whose(by_new, kNow), IsOk());
}

}  // namespace
}  // namespace mj::auth
