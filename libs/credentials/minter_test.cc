#include "libs/credentials/minter.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "libs/auth/keys.h"
#include "libs/auth/token.h"
#include "libs/base/files.h"
#include "libs/base/simulated_clock_testing.h"
#include "libs/base/status_testing.h"
#include "libs/credentials/client_flags.h"

namespace mj::credentials {
namespace {

using auth::Role;
using base::IsOk;

TEST(MinterTest, SignsForItselfAndForItsPlayers) {
  base::SimulatedClock clock;
  const issuer::SigningKey key = issuer::NewSigningKey("k1");
  const auth::KeySet keys = *auth::ParseJwks(issuer::JwksOf({key}));
  Minter minter(key, {.name = "hub"}, clock);
  const auto whose = [&](const std::string& token) {
    const auto checked = auth::CheckToken(token, keys, {}, clock.Now());
    EXPECT_THAT(checked, IsOk());
    return checked.ok() ? checked->caller : auth::Caller{};
  };
  EXPECT_EQ(whose(minter.TokenFor("")), (auth::Caller{Role::kBackend, "hub", "k1"}));
  EXPECT_EQ(whose(minter.TokenFor("ann")), (auth::Caller{Role::kPlayer, "ann", "k1"}));
  EXPECT_EQ(whose(minter.TokenFor("hub")), (auth::Caller{Role::kPlayer, "hub", "k1"}));
}

TEST(MinterTest, ATokenIsNewBeforeItExpires) {
  base::SimulatedClock clock;
  Minter minter(issuer::NewSigningKey("k1"), {.name = "hub", .life = std::chrono::seconds(600)},
                clock);
  const std::string first = minter.TokenFor("ann");
  clock.Advance(std::chrono::seconds(299));
  EXPECT_EQ(minter.TokenFor("ann"), first);
  EXPECT_NE(minter.TokenFor("bob"), first);
  clock.Advance(std::chrono::seconds(1));
  EXPECT_NE(minter.TokenFor("ann"), first);
}

TEST(ClientFlagsTest, WhatContradictsItselfIsRefused) {
  base::SimulatedClock clock;
  const auto refused = [&](const ClientFlags& flags) {
    return std::string(BecomeClient(flags, "test", clock).message());
  };
  ClientFlags flags;
  flags.tls = {"", "cert", "key"};
  EXPECT_NE(refused(flags).find("--ca"), std::string::npos);
  flags.tls = {"ca", "cert", ""};
  EXPECT_NE(refused(flags).find("--key"), std::string::npos);
  flags = {};
  flags.token_file = "a";
  flags.signing_key = "b";
  EXPECT_NE(refused(flags).find("one of them"), std::string::npos);
  flags = {};
  flags.token_file = "/no/such/file";
  EXPECT_NE(refused(flags).find("/no/such/file"), std::string::npos);
  flags = {};
  flags.signing_key = ::testing::TempDir() + "/no-key.json";
  ASSERT_THAT(base::WriteFileAtomically(flags.signing_key, "{}"), IsOk());
  EXPECT_NE(refused(flags).find("no signing key"), std::string::npos);
  EXPECT_THAT(BecomeClient({}, "test", clock), IsOk());
  EXPECT_EQ(rpc::OwnIdentity(), nullptr);
}

TEST(TokenFileTest, IsReadAgain) {
  base::SimulatedClock clock;
  const std::string path = ::testing::TempDir() + "/token-file";
  ASSERT_THAT(base::WriteFileAtomically(path, "one\n"), IsOk());
  rpc::TokenFile file(path, std::chrono::seconds(10), clock);
  EXPECT_EQ(file.Token(), "one");
  ASSERT_THAT(base::WriteFileAtomically(path, "two"), IsOk());
  EXPECT_EQ(file.Token(), "one");
  clock.Advance(std::chrono::seconds(10));
  EXPECT_EQ(file.Token(), "two");
}

}  // namespace
}  // namespace mj::credentials
