#include "libs/rpc/guard.h"

#include <grpc/grpc_security_constants.h>
#include <grpcpp/security/auth_context.h>
#include <grpcpp/security/auth_metadata_processor.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>

#include <utility>
#include <vector>

#include "libs/auth/token.h"
#include "libs/base/files.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::rpc {
namespace {

using base::Error;
using base::Reason;

constexpr char kAuthorizationKey[] = "authorization";
constexpr char kPathKey[] = ":path";

std::string_view View(grpc::string_ref text) { return {text.data(), text.size()}; }

auth::TokenRules RulesOf(const Security& security) {
  return {.issuer = security.issuer,
          .audience = security.audience,
          .services = security.tls.certificate.empty()};
}

// The service whose certificate the peer has shown; gRPC has checked that it is of our authority.
std::optional<auth::Caller> ServiceBehind(const grpc::AuthContext& peer) {
  if (!peer.IsPeerAuthenticated()) return std::nullopt;
  const std::vector<grpc::string_ref> ids =
      peer.FindPropertyValues(GRPC_PEER_SPIFFE_ID_PROPERTY_NAME);
  if (ids.size() != 1) return std::nullopt;
  const std::optional<auth::Role> service = auth::ServiceOf(View(ids.front()));
  if (!service) return std::nullopt;
  return auth::Caller{
      *service, std::string(View(ids.front()).substr(auth::kServiceIds.size())), {}};
}

}  // namespace

// Refuses before the handler runs, which an interceptor of gRPC 1.51 cannot.
class Guard::Processor final : public grpc::AuthMetadataProcessor {
 public:
  explicit Processor(Guard& guard) : guard_(guard) {}

  // A signature that is new is checked in a fraction of a millisecond.
  bool IsBlocking() const override { return false; }

  grpc::Status Process(const InputMetadata& metadata, grpc::AuthContext* peer,
                       OutputMetadata* /*consumed*/, OutputMetadata* /*response*/) override {
    const absl::Status status = guard_.MayCall(metadata, peer);
    if (status.ok()) return grpc::Status::OK;
    // Details do not come through from here; FromGrpc reads the reason from the message.
    const base::ReasonInfo& info = base::InfoOf(base::ReasonToTell(status));
    return {static_cast<grpc::StatusCode>(info.code),
            base::Cat(info.name, ": ", base::ToStd(status.message()))};
  }

 private:
  Guard& guard_;
};

Guard::Guard(Security security, const base::Clock& clock, const obs::Logger& log,
             obs::Metrics& metrics)
    : security_(std::move(security)),
      clock_(clock),
      log_(log),
      metrics_(metrics),
      keys_(security_.jwks),
      verifier_(keys_, RulesOf(security_)),
      limits_(security_.limits),
      reload_("keys", [this] { LoadKeys(); }) {}

Guard::~Guard() { reload_.Stop(); }

absl::Status Guard::Start() {
  for (const std::string* file :
       {&security_.tls.authority, &security_.tls.certificate, &security_.tls.key}) {
    if (!file->empty()) MJ_RETURN_IF_ERROR(base::ReadFile(*file).status());
  }
  if (security_.jwks.empty()) return absl::OkStatus();
  MJ_RETURN_IF_ERROR(keys_.Load().status());
  reload_.Start(security_.reload);
  return absl::OkStatus();
}

void Guard::LoadKeys() {
  const absl::StatusOr<bool> loaded = keys_.Load();
  if (!loaded.ok()) {
    metrics_
        .Counter("mahjong_rpc_key_file_failures_total",
                 "Times the file of the keys that sign tokens could not be used.")
        .Increment();
    log_.Error("key file refused", {{"error", base::ToStd(loaded.status().message())}});
    return;
  }
  if (!*loaded) return;
  std::vector<std::string> ids;
  for (const auto& [id, pem] : *keys_.keys()) ids.push_back(id);
  log_.Info("keys read", {{"key_ids", base::Join(ids, " ")}});
}

std::shared_ptr<grpc::ServerCredentials> Guard::Credentials() {
  std::shared_ptr<grpc::ServerCredentials> credentials;
  if (security_.tls.certificate.empty()) {
    // Plaintext that only this machine's own addresses are served with.
    credentials = grpc::experimental::LocalServerCredentials(LOCAL_TCP);
  } else {
    grpc::experimental::TlsServerCredentialsOptions options(
        std::make_shared<grpc::experimental::FileWatcherCertificateProvider>(
            security_.tls.key, security_.tls.certificate, security_.tls.authority,
            static_cast<unsigned>(security_.reload.count())));
    options.watch_root_certs();
    options.watch_identity_key_cert_pairs();
    // Backends and players have tokens instead; a certificate that is shown has to be good.
    options.set_cert_request_type(GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY);
    options.set_check_call_host(false);
    credentials = grpc::experimental::TlsServerCredentials(options);
  }
  credentials->SetAuthMetadataProcessor(std::make_shared<Processor>(*this));
  return credentials;
}

absl::StatusOr<std::optional<auth::Caller>> Guard::WhoCalls(const Metadata& metadata,
                                                            const grpc::AuthContext* peer) {
  const auto [first, last] = metadata.equal_range(kAuthorizationKey);
  if (first == last) {
    return peer == nullptr ? std::nullopt : ServiceBehind(*peer);
  }
  if (std::next(first) != last) return Error(Reason::kBadToken, "want one token");
  const std::string_view token = auth::TokenOf(View(first->second));
  if (token.empty()) return Error(Reason::kBadToken, "authorization: want Bearer and a token");
  MJ_ASSIGN_OR_RETURN(auth::Caller caller, verifier_.Whose(token, clock_.Now()));
  return std::optional<auth::Caller>(std::move(caller));
}

absl::Status Guard::MayCall(const Metadata& metadata, const grpc::AuthContext* peer) {
  const auto found = metadata.find(kPathKey);
  const std::string_view path = found == metadata.end() ? std::string_view() : View(found->second);
  const auth::Access* access = auth::FindAccess(path);
  if (access != nullptr && access->open) return absl::OkStatus();
  const absl::StatusOr<std::optional<auth::Caller>> caller = WhoCalls(metadata, peer);
  absl::Status status = caller.status();
  if (status.ok()) status = auth::MayCall(path, *caller ? &**caller : nullptr);
  // What is not ours is not repeated into the log.
  if (!status.ok()) Refused(access == nullptr ? "unknown" : path, status);
  return status;
}

void Guard::Refused(std::string_view path, const absl::Status& status) {
  const std::string reason(base::InfoOf(base::ReasonToTell(status)).name);
  metrics_
      .Counter("mahjong_rpc_refused_total", "Calls refused for who called, or for how often.",
               {{"reason", reason}})
      .Increment();
  log_.Info("refused",
            {{"path", path}, {"reason", reason}, {"detail", base::ToStd(status.message())}});
}

absl::Status Guard::Admit(Call& call, const grpc::CallbackServerContext& context,
                          const Asked& asked) {
  absl::Status status = Check(call, context, asked);
  if (!status.ok()) Refused(call.method(), status);
  return status;
}

absl::Status Guard::Check(Call& call, const grpc::CallbackServerContext& context,
                          const Asked& asked) {
  const std::shared_ptr<const grpc::AuthContext> peer = context.auth_context();
  MJ_ASSIGN_OR_RETURN(std::optional<auth::Caller> caller,
                      WhoCalls(context.client_metadata(), peer.get()));
  if (!caller) return Error(Reason::kUnauthenticatedCaller);
  call.SetCaller(*caller);
  const auth::Access* access = asked.request.empty() ? nullptr : auth::FindAccessOf(asked.request);
  if (access == nullptr) {
    // The path was looked at before; of what it is about nothing is known, so nobody speaks of itself.
    if (auth::IsPerson(caller->role)) return Error(Reason::kRoleNotAllowed);
  } else {
    MJ_RETURN_IF_ERROR(auth::MayCall(access->path, &*caller));
    MJ_RETURN_IF_ERROR(auth::MaySpeakOf(*access, *caller, asked.named));
    if (access->effect == auth::Effect::kWrites && !call.Remaining()) {
      return Error(Reason::kDeadlineRequired);
    }
  }
  return limits_.Call(*caller, clock_.Monotonic());
}

absl::Status Guard::Enter(const Call& call) {
  absl::Status status = limits_.Open(*call.caller());
  if (!status.ok()) Refused(call.method(), status);
  return status;
}

void Guard::Leave(const Call& call) { limits_.Close(*call.caller()); }

}  // namespace mj::rpc
