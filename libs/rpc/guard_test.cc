#include "libs/rpc/guard.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "grpc/health/v1/health.grpc.pb.h"
#include "libs/auth/access.h"
#include "libs/base/files.h"
#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/base/strings.h"
#include "libs/issuer/certificates.h"
#include "libs/issuer/signing_key.h"
#include "libs/rpc/client.h"
#include "libs/rpc/puppet_testing.h"
#include "libs/rpc/service.h"
#include "mahjong/matchmaking/v1/matchmaking_service.grpc.pb.h"
#include "mahjong/matchmaking/v1/operator_service.grpc.pb.h"
#include "mahjong/scoring/v1/scoring_service.grpc.pb.h"
#include "mahjong/table/v1/operator_service.grpc.pb.h"
#include "mahjong/wallet/v1/operator_service.grpc.pb.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "tests/support/counts.h"

namespace mj::rpc {
namespace {

using auth::Role;
using base::FailsWith;
using base::IsOk;
using base::Reason;
using std::chrono::hours;
using std::chrono::seconds;

// A server, in TLS or in plaintext on loopback, and all that its callers could show.
class GuardTest : public ::testing::TestWithParam<bool> {
 protected:
  static bool tls() { return GetParam(); }

  void SetUp() override {
    folder_ = base::Cat(::testing::TempDir(), "/guard-", std::to_string(getpid()), "-",
                        std::to_string(++folders_));
    std::filesystem::create_directories(folder_);
    Write("ca.pem", authority_.certificate);
    for (const char* service : {"scoring", "wallet", "table", "matchmaking"}) {
      WriteIdentity(service, authority_, base::Cat(auth::kServiceIds, service), hours(24));
    }
    Write("jwks.json", issuer::JwksOf({key_}));
    config_.log_level = obs::LogLevel::kDebug;
    Security& security = config_.security;
    if (tls()) security.tls = Files("table");
    security.jwks = Path("jwks.json");
    security.reload = seconds(1);
  }

  void TearDown() override {
    service_ = nullptr;
    // Whatever was shown, no line holds it.
    for (const std::string& token : shown_) {
      EXPECT_EQ(Log().find(token.substr(token.rfind('.') + 1)), std::string::npos);
      EXPECT_EQ(Log().find(token.substr(0, token.find('.'))), std::string::npos);
    }
    std::filesystem::remove_all(folder_);
  }

  void Start() {
    auto started = StartService("table", config_,
                                [this](Bindings& bindings) {
                                  table_ = &bindings.AddService<TableService>(
                                      std::make_unique<PuppetTable>(bindings.front()));
                                  table_->front_executor = &bindings.executor();
                                  return absl::OkStatus();
                                },
                                {.log_line = [this](std::string_view line) {
                                  base::MutexLock lock(log_mutex_);
                                  log_.emplace_back(line);
                                }});
    ASSERT_THAT(started, IsOk());
    service_ = *std::move(started);
    channel_ = Channel();
    stub_ = TableService::NewStub(channel_);
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  void Write(const std::string& name, const std::string& text) {
    ASSERT_THAT(base::WriteFileAtomically(Path(name), text), IsOk());
  }
  // Certificate and key in one file, so that both change in one step.
  void WriteIdentity(const std::string& name, const issuer::Identity& authority,
                     const std::string& spiffe_id, std::chrono::seconds life) {
    const auto made = issuer::NewCertificate(
        authority,
        {.name = name, .validity = {now_ - hours(48), now_ + life}, .spiffe_id = spiffe_id});
    ASSERT_THAT(made, IsOk());
    Write(name + ".pem", made->key + made->certificate);
  }
  TlsFiles Files(const std::string& name) const {
    return {Path("ca.pem"), Path(name + ".pem"), Path(name + ".pem")};
  }

  // To the server, showing this service's certificate; none: a caller with a token.
  std::shared_ptr<grpc::Channel> Channel(const std::string& service = "",
                                         const std::string& authority = "ca.pem") {
    ClientIdentity identity;
    if (tls()) {
      if (!service.empty()) identity.tls = Files(service);
      identity.tls.authority = Path(authority);
    }
    return MakeChannel(
        {.target = service_->address(), .own_connection = true, .identity = &identity});
  }

  std::string Token(Role role, const std::string& subject, const std::string& audience = "mahjong",
                    seconds life = hours(1)) {
    shown_.push_back(issuer::SignToken(key_, {.role = std::string(auth::RoleName(role)),
                                              .subject = subject,
                                              .now = now_,
                                              .life = life,
                                              .audience = audience}));
    return shown_.back();
  }
  std::string Ann() { return Token(Role::kPlayer, "ann"); }

  absl::Status GetTable(const std::string& token, const std::string& player = "",
                        TableService::StubInterface* stub = nullptr) {
    tablev1::GetTableRequest request;
    request.set_table_id("t1");
    request.set_player_id(player);
    return Invoke(stub == nullptr ? *stub_ : *stub, &TableService::StubInterface::GetTable, request,
                  {.timeout = kLong, .token = token})
        .status();
  }

  // What comes of a call of any path, with an empty message.
  grpc::Status Call(grpc::GenericStub& stub, const std::string& path, const std::string& token) {
    grpc::ClientContext context;
    Prepare(context, {.timeout = kLong, .token = token});
    grpc::Slice nothing;
    grpc::ByteBuffer request(&nothing, 1);
    grpc::ByteBuffer response;
    grpc::CompletionQueue queue;
    auto call = stub.PrepareUnaryCall(&context, path, request, &queue);
    call->StartCall();
    grpc::Status status;
    call->Finish(&response, &status, nullptr);
    void* tag = nullptr;
    bool ok = false;
    EXPECT_TRUE(queue.Next(&tag, &ok));
    return status;
  }

  std::string Log() {
    base::MutexLock lock(log_mutex_);
    return base::Join(log_, "\n");
  }

  // What the services' certificates are of, and what signs tokens.
  const base::WallTime now_ = base::SystemClock().Now();
  const issuer::Identity authority_ =
      issuer::NewAuthority("test", {now_ - hours(48), now_ + hours(48)});
  const issuer::SigningKey key_ = issuer::NewSigningKey("k1");
  std::vector<std::string> shown_;
  std::string folder_;
  ServerConfig config_;
  PuppetTable* table_ = nullptr;
  base::Mutex log_mutex_;
  std::vector<std::string> log_;
  std::unique_ptr<RunningService> service_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<TableService::Stub> stub_;

 private:
  inline static int folders_ = 0;
};

INSTANTIATE_TEST_SUITE_P(, GuardTest, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "Tls" : "Loopback"; });

// Services whose rpcs say UNIMPLEMENTED, which a refused call never comes to.
TEST_P(GuardTest, EveryRpcByEveryRole) {
  namespace matchmakingv1 = ::mahjong::matchmaking::v1;
  namespace scoringv1 = ::mahjong::scoring::v1;
  namespace walletv1 = ::mahjong::wallet::v1;
  auto started = StartService(
      "all", config_,
      [](Bindings& bindings) {
        bindings.AddService<TableService>(std::make_unique<TableService::CallbackService>());
        bindings.AddService<tablev1::TableOperatorService>(
            std::make_unique<tablev1::TableOperatorService::CallbackService>());
        bindings.AddService<walletv1::WalletOperatorService>(
            std::make_unique<walletv1::WalletOperatorService::CallbackService>());
        bindings.AddService<matchmakingv1::MatchmakingOperatorService>(
            std::make_unique<matchmakingv1::MatchmakingOperatorService::CallbackService>());
        bindings.AddService<scoringv1::ScoringService>(
            std::make_unique<scoringv1::ScoringService::CallbackService>());
        bindings.AddService<walletv1::WalletService>(
            std::make_unique<walletv1::WalletService::CallbackService>());
        bindings.AddService<matchmakingv1::MatchmakingService>(
            std::make_unique<matchmakingv1::MatchmakingService::CallbackService>());
        return absl::OkStatus();
      },
      {.log_line = [](std::string_view) {}});
  ASSERT_THAT(started, IsOk());
  service_ = *std::move(started);
  std::map<Role, std::unique_ptr<grpc::GenericStub>> stubs;
  std::map<Role, std::string> tokens;
  for (const Role role : auth::kRoles) {
    const std::string name(auth::RoleName(role));
    const bool certificate = tls() && auth::IsService(role);
    stubs[role] = std::make_unique<grpc::GenericStub>(
        Channel(certificate ? name.substr(name.find(':') + 1) : ""));
    if (!certificate) tokens[role] = Token(role, "x");
  }
  grpc::GenericStub nobody(Channel());
  int allowed = 0;
  for (const auth::Access& row : auth::AccessTable()) {
    if (!row.path.starts_with("/mahjong.")) continue;
    const std::string path(row.path);
    EXPECT_EQ(Call(nobody, path, "").error_code(), grpc::StatusCode::UNAUTHENTICATED) << path;
    for (const Role role : auth::kRoles) {
      const grpc::Status status = Call(*stubs[role], path, tokens[role]);
      const bool may = row.roles.Has(role);
      allowed += may ? 1 : 0;
      EXPECT_EQ(status.error_code(),
                may ? grpc::StatusCode::UNIMPLEMENTED : grpc::StatusCode::PERMISSION_DENIED)
          << path << " by " << auth::RoleName(role) << ": " << status.error_message();
      if (!may) {
        EXPECT_THAT(FromGrpc(status), FailsWith(Reason::kRoleNotAllowed));
      }
    }
  }
  EXPECT_GT(allowed, 50);
  for (const Role role : auth::kRoles) {
    EXPECT_EQ(
        Call(*stubs[role], "/mahjong.table.v1.TableService/NoSuchRpc", tokens[role]).error_code(),
        grpc::StatusCode::PERMISSION_DENIED);
  }
}

TEST_P(GuardTest, WhoSaysWhoItIsIsServed) {
  Start();
  EXPECT_THAT(GetTable(Ann()), IsOk());
  EXPECT_THAT(GetTable(Ann(), "ann"), IsOk());
  EXPECT_THAT(GetTable(Token(Role::kBackend, "hub"), "ann"), IsOk());
  EXPECT_EQ(table_->works, 3);
  service_->Stop();
  EXPECT_NE(Log().find(R"("caller":"player/ann","key_id":"k1")"), std::string::npos) << Log();
}

TEST_P(GuardTest, ABadTokenIsRefusedBeforeAnythingHappens) {
  Start();
  EXPECT_THAT(GetTable(""), FailsWith(Reason::kUnauthenticatedCaller));
  EXPECT_THAT(GetTable("x"), FailsWith(Reason::kBadToken));
  EXPECT_THAT(GetTable(Token(Role::kPlayer, "ann", "another")), FailsWith(Reason::kBadToken));
  EXPECT_THAT(GetTable(Token(Role::kPlayer, "ann", "mahjong", -hours(1))),
              FailsWith(Reason::kTokenExpired));
  const issuer::SigningKey thief{"k1", issuer::NewSigningKey("k1").secret_pem};
  EXPECT_THAT(GetTable(issuer::SignToken(thief, {.role = "backend", .subject = "x", .now = now_})),
              FailsWith(Reason::kBadToken));
  const std::string good = Ann();
  EXPECT_THAT(GetTable(issuer::SignRaw(key_, R"({"alg":"none","kid":"k1"})", "{}")),
              FailsWith(Reason::kBadToken));
  EXPECT_THAT(GetTable(good.substr(0, good.rfind('.') + 1)), FailsWith(Reason::kBadToken));
  EXPECT_EQ(table_->works, 0);
  EXPECT_NE(service_->metrics().Text().find(
                R"(mahjong_rpc_refused_total{service="table",reason="TOKEN_EXPIRED"} 1)"),
            std::string::npos)
      << service_->metrics().Text();
}

TEST_P(GuardTest, TwoTokensAreNone) {
  Start();
  grpc::ClientContext context;
  Prepare(context, {.timeout = kLong, .token = Ann()});
  context.AddMetadata("authorization", "Bearer x");
  tablev1::GetTableRequest request;
  request.set_table_id("t1");
  tablev1::GetTableResponse response;
  EXPECT_THAT(FromGrpc(stub_->GetTable(&context, request, &response)),
              FailsWith(Reason::kBadToken));
}

TEST_P(GuardTest, APlayerActsForItselfAlone) {
  Start();
  EXPECT_THAT(GetTable(Ann(), "bob"), FailsWith(Reason::kNotYourPlayer, "player_id"));
  tablev1::ActRequest act;
  act.set_table_id("t1");
  for (const char* player : {"bob", "", "Ann"}) {
    act.set_player_id(player);
    EXPECT_THAT(
        Invoke(*stub_, &TableService::StubInterface::Act, act, {.timeout = kLong, .token = Ann()}),
        FailsWith(Reason::kNotYourPlayer, "player_id"));
  }
  act.set_player_id("ann");
  EXPECT_THAT(
      Invoke(*stub_, &TableService::StubInterface::Act, act, {.timeout = kLong, .token = Ann()}),
      IsOk());
  EXPECT_EQ(table_->works, 0);
}

TEST_P(GuardTest, ASeatsStreamIsItsPlayersAlone) {
  Start();
  const auto subscribe = [this](const std::string& token, const std::string& player) {
    grpc::ClientContext context;
    Prepare(context, {.timeout = kLong, .token = token});
    tablev1::SubscribeRequest request;
    request.set_table_id("finish");
    request.set_player_id(player);
    const auto reader = stub_->Subscribe(&context, request);
    int read = 0;
    for (tablev1::SubscribeResponse response; reader->Read(&response);) ++read;
    const absl::Status status = FromGrpc(reader->Finish());
    EXPECT_EQ(read > 0, status.ok());
    return status;
  };
  EXPECT_THAT(subscribe(Ann(), "ann"), IsOk());
  EXPECT_THAT(subscribe(Ann(), "bob"), FailsWith(Reason::kNotYourPlayer, "player_id"));
  EXPECT_THAT(subscribe(Token(Role::kBackend, "hub"), "ann"), FailsWith(Reason::kRoleNotAllowed));
  EXPECT_THAT(subscribe(Token(Role::kOperator, "eve"), "ann"), FailsWith(Reason::kRoleNotAllowed));
  EXPECT_THAT(subscribe(Token(Role::kObserver, "ann"), "ann"), FailsWith(Reason::kRoleNotAllowed));
  EXPECT_THAT(subscribe("", "ann"), FailsWith(Reason::kUnauthenticatedCaller));
}

TEST_P(GuardTest, HealthIsForEverybody) {
  config_.security.health_listen = "127.0.0.1:0";
  Start();
  namespace health = ::grpc::health::v1;
  const auto check = [](const std::shared_ptr<grpc::Channel>& channel, const std::string& token) {
    return Invoke(*health::Health::NewStub(channel), &health::Health::StubInterface::Check,
                  health::HealthCheckRequest(), {.timeout = kLong, .token = token})
        .status();
  };
  EXPECT_THAT(check(channel_, ""), IsOk());
  EXPECT_THAT(check(channel_, "x"), IsOk());
  // The probes' port knows nothing else.
  const auto plain =
      grpc::CreateChannel(service_->health_address(), grpc::InsecureChannelCredentials());
  EXPECT_THAT(check(plain, ""), IsOk());
  EXPECT_EQ(GetTable(Ann(), "", TableService::NewStub(plain).get()).code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_EQ(table_->works, 0);
}

TEST_P(GuardTest, AWriteHasADeadline) {
  Start();
  tablev1::ActRequest act;
  act.set_table_id("t1");
  act.set_player_id("ann");
  EXPECT_THAT(Invoke(*stub_, &TableService::StubInterface::Act, act,
                     {.timeout = std::chrono::milliseconds(0), .token = Ann()}),
              FailsWith(Reason::kDeadlineRequired));
}

TEST_P(GuardTest, WhoCallsTooOftenWaits) {
  config_.security.limits.person = {.calls_per_second = 1, .burst = 2, .streams = 1};
  Start();
  const std::string ann = Ann();
  EXPECT_THAT(GetTable(ann), IsOk());
  EXPECT_THAT(GetTable(ann), IsOk());
  const absl::Status refused = GetTable(ann);
  EXPECT_THAT(refused, FailsWith(Reason::kRateLimited));
  EXPECT_GT(base::CarriedBy(refused)->details.retry_after, std::chrono::milliseconds(0));
  EXPECT_EQ(table_->works, 2);
  EXPECT_THAT(GetTable(Token(Role::kPlayer, "bob")), IsOk());
}

TEST_P(GuardTest, SoManyStreamsOfOneCaller) {
  config_.security.limits.person.streams = 3;
  config_.security.limits.person.burst = 10'000;
  Start();
  struct Open {
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReader<tablev1::SubscribeResponse>> reader;
    tablev1::SubscribeResponse response;
  };
  const std::string ann = Ann();
  const auto open = [&](const std::string& token, const std::string& player) {
    auto one = std::make_unique<Open>();
    Prepare(one->context, {.timeout = kLong, .token = token});
    tablev1::SubscribeRequest request;
    request.set_table_id("t1");
    request.set_player_id(player);
    one->reader = stub_->Subscribe(&one->context, request);
    return one;
  };
  std::vector<std::unique_ptr<Open>> held;
  for (int i = 0; i < 3; ++i) {
    held.push_back(open(ann, "ann"));
    ASSERT_TRUE(held.back()->reader->Read(&held.back()->response));
  }
  for (std::int64_t i = 0; i < mj::testing::Count(10'000); ++i) {
    const auto one = open(ann, "ann");
    ASSERT_FALSE(one->reader->Read(&one->response));
    ASSERT_THAT(FromGrpc(one->reader->Finish()), FailsWith(Reason::kTooManyStreams));
  }
  const auto bob = open(Token(Role::kPlayer, "bob"), "bob");
  EXPECT_TRUE(bob->reader->Read(&bob->response));
  held.front()->context.TryCancel();
  EXPECT_FALSE(held.front()->reader->Finish().ok());
  // The server hears of it a moment later.
  while (true) {
    const auto again = open(ann, "ann");
    if (again->reader->Read(&again->response)) break;
    ASSERT_THAT(FromGrpc(again->reader->Finish()), FailsWith(Reason::kTooManyStreams));
  }
}

TEST_P(GuardTest, AMessageOfFiveMegabytesIsRefused) {
  Start();
  const absl::Status refused = GetTable(Ann(), "", nullptr);
  EXPECT_THAT(refused, IsOk());
  tablev1::GetTableRequest request;
  request.set_table_id("t1");
  request.set_join_token(std::string(5'000'000, 'x'));
  EXPECT_EQ(Invoke(*stub_, &TableService::StubInterface::GetTable, request,
                   {.timeout = kLong, .token = Ann()})
                .status()
                .code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(table_->works, 1);
  EXPECT_THAT(GetTable(Ann()), IsOk());
}

TEST_P(GuardTest, ANewSigningKeyCountsWithoutARestart) {
  config_.security.limits.person.calls_per_second = 0;  // this test asks as often as it can
  Start();
  const issuer::SigningKey next = issuer::NewSigningKey("k2");
  const std::string by_next =
      issuer::SignToken(next, {.role = "player", .subject = "ann", .now = now_});
  EXPECT_THAT(GetTable(by_next), FailsWith(Reason::kBadToken));
  Write("jwks.json", issuer::JwksOf({key_, next}));
  while (!GetTable(by_next).ok()) {
  }
  EXPECT_THAT(GetTable(Ann()), IsOk());
  // One that is no JWKS changes nothing but a number.
  Write("jwks.json", "{");
  while (service_->metrics().Text().find("mahjong_rpc_key_file_failures_total") ==
         std::string::npos) {
  }
  EXPECT_THAT(GetTable(by_next), IsOk());
  Write("jwks.json", issuer::JwksOf({next}));
  const std::string ann = Ann();
  while (GetTable(ann).ok()) {
  }
  EXPECT_THAT(GetTable(ann), FailsWith(Reason::kBadToken));
  EXPECT_THAT(GetTable(by_next), IsOk());
}

TEST_P(GuardTest, WithoutItsKeysItDoesNotStart) {
  config_.security.jwks = Path("none.json");
  EXPECT_FALSE(StartService("table", config_, [](Bindings&) { return absl::OkStatus(); }).ok());
  Write("bad.json", "{}");
  config_.security.jwks = Path("bad.json");
  EXPECT_FALSE(StartService("table", config_, [](Bindings&) { return absl::OkStatus(); }).ok());
  config_.security.jwks = Path("jwks.json");
  if (!tls()) return;
  config_.security.tls.key = Path("none.pem");
  EXPECT_FALSE(StartService("table", config_, [](Bindings&) { return absl::OkStatus(); }).ok());
}

// What only TLS can show.
class TlsTest : public GuardTest {
 protected:
  absl::Status GetTableAs(const std::string& service, const std::string& authority = "ca.pem") {
    return GetTable("", "", TableService::NewStub(Channel(service, authority)).get());
  }
};
INSTANTIATE_TEST_SUITE_P(, TlsTest, ::testing::Values(true), [](const auto&) { return "Tls"; });

TEST_P(TlsTest, ACertificateIsItsServicesAlone) {
  Start();
  EXPECT_THAT(GetTableAs("matchmaking"), IsOk());
  for (const char* other : {"scoring", "wallet", "table"}) {
    EXPECT_THAT(GetTableAs(other), FailsWith(Reason::kRoleNotAllowed)) << other;
  }
  // Of our authority, and nobody's.
  WriteIdentity("host", authority_, "", hours(1));
  EXPECT_THAT(GetTableAs("host"), FailsWith(Reason::kUnauthenticatedCaller));
  WriteIdentity("player", authority_, base::Cat(auth::kServiceIds, "player"), hours(1));
  EXPECT_THAT(GetTableAs("player"), FailsWith(Reason::kUnauthenticatedCaller));
  EXPECT_EQ(table_->works, 1);
}

TEST_P(TlsTest, AServicesTokenIsNoCertificate) {
  Start();
  EXPECT_THAT(GetTable(Token(Role::kMatchmaking, "matchmaking")), FailsWith(Reason::kBadToken));
}

TEST_P(TlsTest, ACertificateThatHasExpiredOrIsOfAnotherAuthorityConnectsNowhere) {
  Start();
  WriteIdentity("expired", authority_, base::Cat(auth::kServiceIds, "matchmaking"), -hours(1));
  EXPECT_EQ(GetTableAs("expired").code(), absl::StatusCode::kUnavailable);
  const issuer::Identity other = issuer::NewAuthority("test", {now_ - hours(1), now_ + hours(1)});
  WriteIdentity("foreign", other, base::Cat(auth::kServiceIds, "matchmaking"), hours(1));
  EXPECT_EQ(GetTableAs("foreign").code(), absl::StatusCode::kUnavailable);
  Write("other.pem", other.certificate);
  EXPECT_EQ(GetTableAs("", "other.pem").code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(table_->works, 0);
}

TEST_P(TlsTest, PlaintextIsNotSpoken) {
  Start();
  const auto plain = grpc::CreateChannel(service_->address(), grpc::InsecureChannelCredentials());
  EXPECT_EQ(GetTable("", "", TableService::NewStub(plain).get()).code(),
            absl::StatusCode::kUnavailable);
}

TEST_P(TlsTest, ANewCertificateIsShownWithoutARestart) {
  Start();
  const std::string ann = Ann();
  grpc::ClientContext context;
  Prepare(context, {.timeout = kLong, .token = ann});
  tablev1::SubscribeRequest request;
  request.set_table_id("t1");
  request.set_player_id("ann");
  const auto reader = stub_->Subscribe(&context, request);
  tablev1::SubscribeResponse response;
  ASSERT_TRUE(reader->Read(&response));

  const issuer::Identity next = issuer::NewAuthority("next", {now_ - hours(48), now_ + hours(48)});
  Write("next.pem", next.certificate);
  WriteIdentity("table", next, base::Cat(auth::kServiceIds, "table"), hours(1));
  while (!GetTable(ann, "", TableService::NewStub(Channel("", "next.pem")).get()).ok()) {
  }
  // Who trusts the former authority alone comes in no more; what is open stays so.
  EXPECT_EQ(GetTable(ann, "", TableService::NewStub(Channel()).get()).code(),
            absl::StatusCode::kUnavailable);
  EXPECT_TRUE(reader->Read(&response));
  EXPECT_THAT(GetTable(ann), IsOk());
  context.TryCancel();
  EXPECT_FALSE(reader->Finish().ok());
}

}  // namespace
}  // namespace mj::rpc
