#include "tools/mahjongctl/make_keys.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <ostream>
#include <string_view>
#include <system_error>

#include "libs/base/files.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/issuer/certificates.h"
#include "libs/issuer/signing_key.h"
#include "tools/mahjongctl/exit_code.h"

namespace mj::mahjongctl {
namespace {

using base::Cat;
using base::ToAbsl;

constexpr std::array<std::string_view, 4> kServices = {"scoring", "wallet", "table", "matchmaking"};
constexpr std::array<std::string_view, 5> kRoles = {"backend", "player", "observer", "operator",
                                                    "finance"};
constexpr std::string_view kServiceIds = "spiffe://mahjong/service/";
constexpr std::chrono::minutes kClocksDiffer{5};

absl::Status Missing(std::string_view flag) {
  return absl::InvalidArgumentError(ToAbsl(Cat(flag, " is missing")));
}

// "20261130T120000Z".
std::string KeyIdAt(base::WallTime now) {
  std::string id = base::FormatUtc(now).substr(0, 19) + "Z";
  std::erase_if(id, [](char c) { return c == '-' || c == ':'; });
  return id;
}

absl::Status MakeDev(const KeysArguments& arguments, base::WallTime now, std::ostream& error) {
  if (arguments.folder.empty()) return Missing("--out");
  std::error_code failed;
  std::filesystem::create_directories(arguments.folder, failed);
  const std::string in = arguments.folder + "/";
  if (std::filesystem::exists(in + "ca.key")) {
    return absl::InvalidArgumentError(ToAbsl(Cat(arguments.folder, ": there are keys already")));
  }
  const issuer::Validity validity{now - kClocksDiffer, now + std::chrono::days(arguments.days)};
  const issuer::Identity authority = issuer::NewAuthority("mahjong development", validity);
  for (const std::string_view service : kServices) {
    issuer::CertificateOptions options{
        .name = std::string(service), .validity = validity, .spiffe_id = Cat(kServiceIds, service)};
    options.hosts.push_back(std::string(service));
    options.hosts.insert(options.hosts.end(), arguments.hosts.begin(), arguments.hosts.end());
    MJ_ASSIGN_OR_RETURN(const issuer::Identity made, issuer::NewCertificate(authority, options));
    MJ_RETURN_IF_ERROR(base::WriteSecretAtomically(Cat(in, service, ".key"), made.key));
    MJ_RETURN_IF_ERROR(base::WriteFileAtomically(Cat(in, service, ".pem"), made.certificate));
  }
  const issuer::SigningKey key = issuer::NewSigningKey(KeyIdAt(now));
  MJ_RETURN_IF_ERROR(base::WriteSecretAtomically(in + "signing.json", issuer::ToText(key)));
  MJ_RETURN_IF_ERROR(base::WriteFileAtomically(in + "jwks.json", issuer::JwksOf({key})));
  MJ_RETURN_IF_ERROR(base::WriteFileAtomically(in + "ca.pem", authority.certificate));
  MJ_RETURN_IF_ERROR(base::WriteSecretAtomically(in + "ca.key", authority.key));
  error << arguments.folder << ": an authority, four services, signing key " << key.id << '\n';
  return absl::OkStatus();
}

absl::StatusOr<issuer::SigningKey> ReadSigningKey(const std::string& path) {
  MJ_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(path));
  return issuer::SigningKeyFromText(text);
}

absl::Status PrintToken(const KeysArguments& arguments, base::WallTime now, std::ostream& out) {
  if (arguments.signing_key.empty()) return Missing("--signing-key");
  if (std::find(kRoles.begin(), kRoles.end(), arguments.role) == kRoles.end()) {
    return absl::InvalidArgumentError(
        "--role: want backend, player, observer, operator or finance");
  }
  if (!base::IsId(arguments.subject)) {
    return absl::InvalidArgumentError("--player, --name: want 1 to 64 of [A-Za-z0-9_-]");
  }
  MJ_ASSIGN_OR_RETURN(const issuer::SigningKey key, ReadSigningKey(arguments.signing_key));
  out << issuer::SignToken(key, {.role = arguments.role,
                                 .subject = arguments.subject,
                                 .now = now,
                                 .life = std::chrono::minutes(arguments.minutes),
                                 .issuer = arguments.issuer,
                                 .audience = arguments.audience})
      << '\n';
  return absl::OkStatus();
}

// The services learn of the new key before anything is signed with it: the JWKS comes first.
absl::Status Rotate(const KeysArguments& arguments, base::WallTime now, std::ostream& error) {
  if (arguments.folder.empty()) return Missing("--out");
  const std::string in = arguments.folder + "/";
  MJ_ASSIGN_OR_RETURN(const std::string jwks, base::ReadFile(in + "jwks.json"));
  const issuer::SigningKey key = issuer::NewSigningKey(KeyIdAt(now));
  MJ_ASSIGN_OR_RETURN(const std::string both, issuer::AddToJwks(jwks, key));
  MJ_RETURN_IF_ERROR(base::WriteFileAtomically(in + "jwks.json", both));
  MJ_RETURN_IF_ERROR(base::WriteSecretAtomically(in + "signing.json", issuer::ToText(key)));
  error << arguments.folder << ": signing key " << key.id << '\n';
  return absl::OkStatus();
}

absl::Status Drop(const KeysArguments& arguments) {
  if (arguments.folder.empty()) return Missing("--out");
  if (arguments.key_id.empty()) return Missing("--kid");
  const std::string in = arguments.folder + "/";
  MJ_ASSIGN_OR_RETURN(const issuer::SigningKey key, ReadSigningKey(in + "signing.json"));
  if (key.id == arguments.key_id) {
    return absl::InvalidArgumentError("--kid: this key signs; rotate first");
  }
  MJ_ASSIGN_OR_RETURN(const std::string jwks, base::ReadFile(in + "jwks.json"));
  MJ_ASSIGN_OR_RETURN(const std::string left, issuer::DropFromJwks(jwks, arguments.key_id));
  return base::WriteFileAtomically(in + "jwks.json", left);
}

}  // namespace

int MakeKeys(const KeysArguments& arguments, const base::Clock& clock, std::ostream& out,
             std::ostream& error) {
  const base::WallTime now = clock.Now();
  absl::Status made;
  if (arguments.what == "dev") made = MakeDev(arguments, now, error);
  if (arguments.what == "token") made = PrintToken(arguments, now, out);
  if (arguments.what == "rotate") made = Rotate(arguments, now, error);
  if (arguments.what == "drop") made = Drop(arguments);
  if (made.ok()) return kDone;
  error << "mahjongctl: keys " << arguments.what << ": " << made.message() << '\n';
  return absl::IsInvalidArgument(made) ? kUsage : kNoInput;
}

}  // namespace mj::mahjongctl
