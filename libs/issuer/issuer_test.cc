#include <gtest/gtest.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <chrono>
#include <string>

#include "libs/base/status_testing.h"
#include "libs/issuer/certificates.h"
#include "libs/issuer/openssl.h"
#include "libs/issuer/signing_key.h"

namespace mj::issuer {
namespace {

using base::IsOk;

constexpr base::WallTime kNow{std::chrono::sys_days(std::chrono::year(2026) / 11 / 30)};
constexpr Validity kDay{kNow, kNow + std::chrono::hours(24)};

Certificate Parse(const std::string& pem) {
  const Bio in(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return Certificate(PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr));
}

// X509_V_OK, or what is wrong with the certificate at `when`.
int Verify(const std::string& certificate, const std::string& authority, base::WallTime when) {
  const Owned<X509_STORE, X509_STORE_free> store(X509_STORE_new());
  const Certificate trusted = Parse(authority);
  X509_STORE_add_cert(store.get(), trusted.get());
  const Certificate checked = Parse(certificate);
  const Owned<X509_STORE_CTX, X509_STORE_CTX_free> context(X509_STORE_CTX_new());
  X509_STORE_CTX_init(context.get(), store.get(), checked.get(), nullptr);
  X509_STORE_CTX_set_time(
      context.get(), 0, std::chrono::floor<std::chrono::seconds>(when.time_since_epoch()).count());
  X509_verify_cert(context.get());
  return X509_STORE_CTX_get_error(context.get());
}

TEST(CertificatesTest, AreOfTheirAuthorityForTheirTime) {
  const Identity authority = NewAuthority("one", kDay);
  const Identity other = NewAuthority("one", kDay);
  const auto made = NewCertificate(
      authority,
      {.name = "table", .validity = kDay, .spiffe_id = "spiffe://mahjong/service/table"});
  ASSERT_THAT(made, IsOk());
  const base::WallTime noon = kNow + std::chrono::hours(12);
  EXPECT_EQ(Verify(made->certificate, authority.certificate, noon), X509_V_OK);
  EXPECT_NE(Verify(made->certificate, other.certificate, noon), X509_V_OK);
  EXPECT_EQ(Verify(made->certificate, authority.certificate, kNow - std::chrono::hours(1)),
            X509_V_ERR_CERT_NOT_YET_VALID);
  EXPECT_EQ(Verify(made->certificate, authority.certificate, kNow + std::chrono::hours(25)),
            X509_V_ERR_CERT_HAS_EXPIRED);
}

TEST(CertificatesTest, NameHostsAndTheService) {
  const auto made =
      NewCertificate(NewAuthority("one", kDay), {.name = "table",
                                                 .validity = kDay,
                                                 .spiffe_id = "spiffe://mahjong/service/table",
                                                 .hosts = {"table.example", "127.0.0.1"}});
  ASSERT_THAT(made, IsOk());
  const Certificate certificate = Parse(made->certificate);
  EXPECT_EQ(X509_check_host(certificate.get(), "table.example", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_host(certificate.get(), "wallet.example", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_check_ip_asc(certificate.get(), "127.0.0.1", 0), 1);
  EXPECT_EQ(X509_check_ip_asc(certificate.get(), "127.0.0.2", 0), 0);
  EXPECT_EQ(X509_check_ca(certificate.get()), 0);
}

TEST(CertificatesTest, WhatIsNoHostOrNoAuthorityIsRefused) {
  const Identity authority = NewAuthority("one", kDay);
  for (const char* host : {"", "a,URI:spiffe://mahjong/service/wallet", "a b", "a\nb"}) {
    EXPECT_FALSE(NewCertificate(authority, {.name = "x", .validity = kDay, .hosts = {host}}).ok());
  }
  EXPECT_FALSE(NewCertificate({"", ""}, {.name = "x", .validity = kDay}).ok());
}

TEST(SigningKeyTest, IsReadAsItWasWritten) {
  const SigningKey key = NewSigningKey("k1");
  const auto read = SigningKeyFromText(ToText(key));
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->id, key.id);
  EXPECT_EQ(read->secret_pem, key.secret_pem);
  for (const char* text : {"", "{}", R"({"kid":"a","pem":"x"})", R"({"kid":7,"pem":7})"}) {
    EXPECT_FALSE(SigningKeyFromText(text).ok()) << text;
  }
}

TEST(SigningKeyTest, ARotationAddsAKeyAndTakesOneOut) {
  const SigningKey first = NewSigningKey("a");
  const SigningKey second = NewSigningKey("b");
  const std::string jwks = JwksOf({first});
  EXPECT_EQ(jwks.find("\"d\""), std::string::npos);
  EXPECT_FALSE(AddToJwks(jwks, first).ok());
  EXPECT_FALSE(AddToJwks("{}", second).ok());
  const auto both = AddToJwks(jwks, second);
  ASSERT_THAT(both, IsOk());
  EXPECT_EQ(*both, JwksOf({first, second}));
  EXPECT_EQ(*DropFromJwks(*both, "a"), JwksOf({second}));
  EXPECT_FALSE(DropFromJwks(*both, "c").ok());
  EXPECT_FALSE(DropFromJwks(jwks, "a").ok());
}

}  // namespace
}  // namespace mj::issuer
