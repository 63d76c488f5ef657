// Ownership of libcrypto's objects, and PEM.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <string>
#include <string_view>

#include "libs/base/check.h"
#include "libs/base/owned.h"

namespace mj::issuer {

using base::Owned;

using Key = Owned<EVP_PKEY, EVP_PKEY_free>;
using Certificate = Owned<X509, X509_free>;
using Bio = Owned<BIO, BIO_free_all>;

// What `write` puts into a BIO.
template <typename Write>
std::string Written(Write write) {
  const Bio out(BIO_new(BIO_s_mem()));
  MJ_CHECK(write(out.get()) == 1, "libcrypto cannot write");
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(out.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

inline std::string SecretPem(EVP_PKEY* key) {
  return Written([key](BIO* out) {
    return PEM_write_bio_PKCS8PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr);
  });
}

// Null when it is none.
inline Key ReadSecret(std::string_view pem) {
  const Bio in(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return Key(PEM_read_bio_PrivateKey(in.get(), nullptr, nullptr, nullptr));
}

inline Key NewP256() {
  Key key(EVP_EC_gen("P-256"));
  MJ_CHECK(key != nullptr, "libcrypto makes no key");
  return key;
}

}  // namespace mj::issuer
