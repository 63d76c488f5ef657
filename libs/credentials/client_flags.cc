#include "libs/credentials/client_flags.h"

#include <chrono>
#include <memory>
#include <utility>

#include "libs/base/files.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/credentials/minter.h"
#include "libs/issuer/signing_key.h"

namespace mj::credentials {
namespace {

constexpr std::chrono::seconds kReload{10};

}  // namespace

absl::Status BecomeClient(const ClientFlags& flags, const std::string& name,
                          const base::Clock& clock, const std::string& role) {
  const rpc::TlsFiles& tls = flags.tls;
  if (tls.certificate.empty() != tls.key.empty()) {
    return absl::InvalidArgumentError("--cert and --key: want both, or neither");
  }
  if (!tls.certificate.empty() && tls.authority.empty()) {
    return absl::InvalidArgumentError("--cert: want --ca, too");
  }
  if (!flags.token_file.empty() && !flags.signing_key.empty()) {
    return absl::InvalidArgumentError("--token-file and --signing-key: want one of them");
  }
  for (const std::string* file : {&tls.authority, &tls.certificate, &tls.key, &flags.token_file}) {
    if (!file->empty()) MJ_RETURN_IF_ERROR(base::ReadFile(*file).status());
  }
  rpc::ClientIdentity identity{.tls = tls, .token = {}, .reload = kReload};
  if (!flags.token_file.empty()) {
    const auto file = std::make_shared<rpc::TokenFile>(flags.token_file, kReload, clock);
    identity.token = [file](std::string_view) { return file->Token(); };
  }
  if (!flags.signing_key.empty()) {
    MJ_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(flags.signing_key));
    absl::StatusOr<issuer::SigningKey> key = issuer::SigningKeyFromText(text);
    if (!key.ok()) {
      return absl::InvalidArgumentError(
          base::ToAbsl(base::Cat(flags.signing_key, ": ", base::ToStd(key.status().message()))));
    }
    const auto minter = std::make_shared<Minter>(
        *std::move(key),
        MinterOptions{
            .name = name, .role = role, .issuer = flags.issuer, .audience = flags.audience},
        clock);
    identity.token = [minter](std::string_view player) { return minter->TokenFor(player); };
  }
  if (tls.authority.empty() && !identity.token) return absl::OkStatus();
  rpc::SetClientIdentity(std::move(identity));
  return absl::OkStatus();
}

}  // namespace mj::credentials
