// Whoever may not move money has moved none: the ledger is the same, byte for byte, on real PostgreSQL.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "libs/auth/role.h"
#include "libs/base/clock.h"
#include "libs/base/files.h"
#include "libs/base/status_testing.h"
#include "libs/issuer/signing_key.h"
#include "libs/pg/cluster_testing.h"
#include "libs/rpc/client.h"
#include "libs/rpc/identity.h"
#include "libs/rpc/service.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/wallet/running_testing.h"
#include "services/wallet/wiring.h"

namespace mj::wallet {
namespace {

using auth::Role;
using base::FailsWith;
using base::IsOk;
using base::Reason;
using std::chrono::seconds;

class RefusedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    jwks_ = ::testing::TempDir() + "/refused-jwks.json";
    ASSERT_THAT(base::WriteFileAtomically(jwks_, issuer::JwksOf({key_})), IsOk());
    Config config;
    config.database = database_.url();
    config.server.security.jwks = jwks_;
    auto started = mj::rpc::StartService(
        "wallet", config.server,
        [config](mj::rpc::Bindings& bindings) { return Bind(config, bindings); },
        {.log_line = [](std::string_view) {}});
    ASSERT_THAT(started, IsOk());
    service_ = *std::move(started);
    // Its tokens are the calls' own.
    const mj::rpc::ClientIdentity identity{.token = [](std::string_view) { return std::string(); }};
    stub_ = v1::WalletService::NewStub(
        mj::rpc::MakeChannel({.target = service_->address(), .identity = &identity}));
  }

  std::string Token(Role role, const std::string& subject, seconds life = seconds(600)) const {
    return issuer::SignToken(key_, {.role = std::string(auth::RoleName(role)),
                                    .subject = subject,
                                    .now = base::SystemClock().Now(),
                                    .life = life});
  }
  static mj::rpc::CallOptions With(const std::string& token) {
    return {.timeout = seconds(20), .token = token};
  }
  absl::Status Deposit(const std::string& request, const mj::rpc::CallOptions& options) {
    v1::DepositRequest deposit;
    deposit.set_request_id(request);
    deposit.set_account_id("ann");
    deposit.set_currency(::mahjong::common::v1::CURRENCY_COIN);
    deposit.set_coins(100);
    deposit.set_reason("opening balance");
    return mj::rpc::Invoke(*stub_, &Stub::Deposit, deposit, options).status();
  }
  // Every row of the books, as text.
  std::string Ledger() const {
    std::string rows;
    for (const char* table : {"accounts", "balances", "journal", "entries"}) {
      rows += database_.Execute(
          std::string("SELECT string_agg(t::text, E'\\n' ORDER BY t::text) FROM wallet.") + table +
          " t");
      rows += '\n';
    }
    return rows;
  }

  const issuer::SigningKey key_ = issuer::NewSigningKey("k1");
  std::string jwks_;
  const pg::testing::Database database_{Migrations()};
  std::unique_ptr<mj::rpc::RunningService> service_;
  std::unique_ptr<Stub> stub_;
};

TEST_F(RefusedTest, ARefusedDepositLeavesTheLedgerAsItWas) {
  const std::string backend = Token(Role::kBackend, "hub");
  v1::OpenAccountRequest open;
  open.set_request_id("open");
  open.set_account_id("ann");
  open.set_kind(v1::ACCOUNT_KIND_PLAYER);
  open.set_currency(::mahjong::common::v1::CURRENCY_COIN);
  ASSERT_THAT(mj::rpc::Invoke(*stub_, &Stub::OpenAccount, open, With(backend)), IsOk());
  ASSERT_THAT(Deposit("first", With(backend)), IsOk());
  const std::string before = Ledger();
  ASSERT_NE(before.find("first"), std::string::npos);

  int number = 0;
  const auto refused = [&](const mj::rpc::CallOptions& options, Reason reason) {
    EXPECT_THAT(Deposit("refused-" + std::to_string(++number), options), FailsWith(reason));
  };
  for (const Role role : auth::kRoles) {
    if (role == Role::kBackend || role == Role::kTable) continue;
    refused(With(Token(role, "ann")), Reason::kRoleNotAllowed);
  }
  refused(With(""), Reason::kUnauthenticatedCaller);
  refused(With(Token(Role::kBackend, "hub", -seconds(600))), Reason::kTokenExpired);
  refused(With(backend + "A"), Reason::kBadToken);
  refused({.timeout = seconds(0), .token = backend}, Reason::kDeadlineRequired);
  EXPECT_EQ(Ledger(), before);

  ASSERT_THAT(Deposit("second", With(backend)), IsOk());
  EXPECT_NE(Ledger(), before);
}

}  // namespace
}  // namespace mj::wallet
