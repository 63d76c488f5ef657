#include "libs/issuer/certificates.h"

#include <arpa/inet.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>
#include <chrono>
#include <ctime>
#include <utility>

#include "libs/base/check.h"
#include "libs/base/strings.h"
#include "libs/issuer/openssl.h"

namespace mj::issuer {
namespace {

using std::chrono::seconds;

constexpr long kVersion3 = 2;

std::time_t TimeOf(base::WallTime time) {
  return std::chrono::floor<seconds>(time.time_since_epoch()).count();
}

std::string CertificatePem(X509* certificate) {
  return Written([certificate](BIO* out) { return PEM_write_bio_X509(out, certificate); });
}

Certificate ReadCertificate(std::string_view pem) {
  const Bio in(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return Certificate(PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr));
}

void Extend(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Owned<X509_EXTENSION, X509_EXTENSION_free> extension(
      X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  MJ_CHECK(extension != nullptr, value);
  MJ_CHECK(X509_add_ext(certificate, extension.get(), -1) == 1);
}

// Everything but extensions and signature.
Certificate Begin(const std::string& name, const Validity& validity, EVP_PKEY* key) {
  Certificate made(X509_new());
  X509_set_version(made.get(), kVersion3);
  std::array<unsigned char, 16> serial{};
  MJ_CHECK(RAND_bytes(serial.data(), static_cast<int>(serial.size())) == 1);
  serial[0] &= 0x7f;  // serial numbers are positive
  const Owned<BIGNUM, BN_free> number(
      BN_bin2bn(serial.data(), static_cast<int>(serial.size()), nullptr));
  BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(made.get()));
  ASN1_TIME_set(X509_getm_notBefore(made.get()), TimeOf(validity.from));
  ASN1_TIME_set(X509_getm_notAfter(made.get()), TimeOf(validity.until));
  X509_set_pubkey(made.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.data()),
                             static_cast<int>(name.size()), -1, 0);
  return made;
}

bool IsAddress(const std::string& host) {
  std::array<unsigned char, 16> address{};
  return inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

// Extensions are written as text, in which other characters mean something.
bool IsHost(const std::string& host) {
  return !host.empty() && host.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "0123456789.:-*_") == std::string::npos;
}

}  // namespace

Identity NewAuthority(const std::string& name, const Validity& validity) {
  const Key key = NewP256();
  const Certificate made = Begin(name, validity, key.get());
  X509_set_issuer_name(made.get(), X509_get_subject_name(made.get()));
  Extend(made.get(), made.get(), NID_basic_constraints, "critical,CA:TRUE");
  Extend(made.get(), made.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
  Extend(made.get(), made.get(), NID_subject_key_identifier, "hash");
  MJ_CHECK(X509_sign(made.get(), key.get(), EVP_sha256()) > 0);
  return {CertificatePem(made.get()), SecretPem(key.get())};
}

absl::StatusOr<Identity> NewCertificate(const Identity& authority,
                                        const CertificateOptions& options) {
  const Certificate issuer = ReadCertificate(authority.certificate);
  const Key issuer_key = ReadSecret(authority.key);
  if (issuer == nullptr || issuer_key == nullptr) {
    return absl::InvalidArgumentError("no authority: want a certificate and its key");
  }
  for (const std::string& host : options.hosts) {
    if (!IsHost(host)) {
      return absl::InvalidArgumentError(base::ToAbsl(base::Cat("no host: ", host)));
    }
  }
  const Key key = NewP256();
  const Certificate made = Begin(options.name, options.validity, key.get());
  X509_set_issuer_name(made.get(), X509_get_subject_name(issuer.get()));
  Extend(made.get(), issuer.get(), NID_basic_constraints, "critical,CA:FALSE");
  Extend(made.get(), issuer.get(), NID_key_usage, "critical,digitalSignature");
  Extend(made.get(), issuer.get(), NID_ext_key_usage, "serverAuth,clientAuth");
  std::vector<std::string> names;
  if (!options.spiffe_id.empty()) names.push_back("URI:" + options.spiffe_id);
  for (const std::string& host : options.hosts) {
    names.push_back((IsAddress(host) ? "IP:" : "DNS:") + host);
  }
  if (!names.empty()) {
    Extend(made.get(), issuer.get(), NID_subject_alt_name, base::Join(names, ","));
  }
  MJ_CHECK(X509_sign(made.get(), issuer_key.get(), EVP_sha256()) > 0);
  return Identity{CertificatePem(made.get()), SecretPem(key.get())};
}

}  // namespace mj::issuer
