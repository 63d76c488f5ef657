// The services as clients in other languages meet them: Node over @grpc/grpc-js, and buf curl over
// reflection. Both come from the repository's node_modules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "libs/pg/cluster_testing.h"
#include "libs/rpc/service.h"
#include "services/scoring/wiring.h"
#include "services/wallet/wiring.h"

namespace mj {
namespace {

using ::testing::HasSubstr;

struct Outcome {
  int exit_code = -1;
  std::string out;  // both outputs
};

Outcome RunCommand(const std::string& command) {
  Outcome outcome;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    outcome.out += static_cast<char>(c);
  }
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

class NodeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    rpc::ServerConfig server;
    server.reflection = true;
    scoring_ = Start("scoring", server, [server](rpc::Bindings& bindings) {
      return scoring::Bind({.server = server}, bindings);
    });
    wallet_ = Start("wallet", server, [this, server](rpc::Bindings& bindings) {
      wallet::Config config;
      config.server = server;
      config.database = database_.url();
      return wallet::Bind(config, bindings);
    });
  }

  static std::unique_ptr<rpc::RunningService> Start(std::string_view name,
                                                    const rpc::ServerConfig& server,
                                                    const rpc::BindFunction& bind) {
    auto started = rpc::StartService(name, server, bind, {.log_line = [](std::string_view) {}});
    EXPECT_TRUE(started.ok()) << started.status();
    return started.ok() ? *std::move(started) : nullptr;
  }

  // `buf curl` on the scoring service, which tells its own schema.
  Outcome Curl(const std::string& method, const std::string& body) const {
    return RunCommand(
        "node_modules/.bin/buf curl --http2-prior-knowledge --protocol grpc --data '" + body +
        "' http://" + scoring_->address() + "/mahjong.scoring.v1.ScoringService/" + method);
  }

  pg::testing::Database database_{
      {"0001_wallet.sql", "0004_wallet_rounds.sql", "0005_wallet_audit.sql"}};
  std::unique_ptr<rpc::RunningService> scoring_;
  std::unique_ptr<rpc::RunningService> wallet_;
};

TEST_F(NodeTest, AClientInNodeOpensDepositsScoresAndReadsFailures) {
  ASSERT_TRUE(scoring_ && wallet_);
  const Outcome done =
      RunCommand("node tests/node/client.mjs " + wallet_->address() + " " + scoring_->address());
  EXPECT_EQ(done.exit_code, 0) << done.out;
  EXPECT_THAT(done.out, HasSubstr("ok"));
}

TEST_F(NodeTest, BufCurlFindsTheSchemaByReflection) {
  ASSERT_TRUE(scoring_);
  const Outcome done = Curl("ListVariants", R"({"variant": "chaozhou"})");
  ASSERT_EQ(done.exit_code, 0) << done.out;
  const auto answer = nlohmann::json::parse(done.out, nullptr, false);
  ASSERT_TRUE(answer.is_object()) << done.out;
  EXPECT_EQ(answer["variants"][0]["id"], "chaozhou");
  EXPECT_EQ(answer["variants"][0]["name"]["zhHans"], "潮州麻将");
}

TEST_F(NodeTest, BufCurlShowsARefusal) {
  ASSERT_TRUE(scoring_);
  const Outcome done = Curl("ListVariants", R"({"variant": "bridge"})");
  EXPECT_NE(done.exit_code, 0);
  EXPECT_THAT(done.out, HasSubstr("invalid_argument"));
  EXPECT_THAT(done.out, HasSubstr("bridge"));
}

}  // namespace
}  // namespace mj
