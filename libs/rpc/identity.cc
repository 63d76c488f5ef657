#include "libs/rpc/identity.h"

#include <grpc/grpc_security_constants.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>

#include <atomic>
#include <utility>

#include "libs/base/check.h"
#include "libs/base/files.h"

namespace mj::rpc {
namespace {

// Channels outlive main's variables.
std::atomic<const ClientIdentity*> own_identity = nullptr;

}  // namespace

void SetClientIdentity(ClientIdentity identity) {
  const ClientIdentity* none = nullptr;
  MJ_CHECK(own_identity.compare_exchange_strong(none, new ClientIdentity(std::move(identity))),
           "a process has one identity");
}

const ClientIdentity* OwnIdentity() { return own_identity.load(std::memory_order_acquire); }

std::shared_ptr<grpc::ChannelCredentials> CredentialsOf(const ClientIdentity* identity) {
  if (identity == nullptr) return grpc::InsecureChannelCredentials();
  const TlsFiles& tls = identity->tls;
  if (tls.authority.empty()) {
    return identity->token ? grpc::experimental::LocalCredentials(LOCAL_TCP)
                           : grpc::InsecureChannelCredentials();
  }
  grpc::experimental::TlsChannelCredentialsOptions options;
  options.set_certificate_provider(
      std::make_shared<grpc::experimental::FileWatcherCertificateProvider>(
          tls.key, tls.certificate, tls.authority,
          static_cast<unsigned>(identity->reload.count())));
  options.watch_root_certs();
  if (!tls.certificate.empty()) options.watch_identity_key_cert_pairs();
  return grpc::experimental::TlsCredentials(options);
}

std::string TokenFile::Token() {
  base::MutexLock lock(mutex_);
  const base::MonotonicTime now = clock_.Monotonic();
  if (read_ && now - read_at_ < reload_) return token_;
  read_ = true;
  read_at_ = now;
  if (const auto text = base::ReadFile(path_); text.ok()) {
    token_ = text->substr(0, text->find_last_not_of(" \r\n") + 1);
  }
  return token_;
}

}  // namespace mj::rpc
