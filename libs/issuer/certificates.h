// An authority for development and tests, and the certificates that it gives.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/clock.h"

namespace mj::issuer {

// A certificate and its key, each as PEM.
struct Identity {
  std::string certificate;
  std::string key;
};

struct Validity {
  base::WallTime from;
  base::WallTime until;
};

// A new authority.
[[nodiscard]] Identity NewAuthority(const std::string& name, const Validity& validity);

struct CertificateOptions {
  std::string name;  // the subject's common name
  Validity validity;
  // "spiffe://mahjong/service/table"; empty: it makes nobody of anybody.
  std::string spiffe_id = {};
  // Hosts whose server it may be: "table", "127.0.0.1".
  std::vector<std::string> hosts = {"localhost", "127.0.0.1", "::1"};
};

// A certificate for servers and clients. INVALID_ARGUMENT when `authority` is none, or a
// host cannot be one.
[[nodiscard]] absl::StatusOr<Identity> NewCertificate(const Identity& authority,
                                                      const CertificateOptions& options);

}  // namespace mj::issuer
