#include "tests/tidy/checks.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/tidy/table.h"

namespace mj::tidy {
namespace {

struct IncludeCase {
  std::string_view path;
  std::string_view include;  // with its quotes or brackets
  bool allowed;
};

constexpr IncludeCase kIncludeCases[] = {
    // The pure floor.
    {"libs/tiles/a.h", "<vector>", true},
    {"libs/tiles/a.h", "\"libs/tiles/b.h\"", true},
    {"libs/tiles/a.h", "\"libs/rules/b.h\"", false},
    {"libs/tiles/a.h", "<unistd.h>", false},
    {"libs/rules/a.h", "\"libs/tiles/b.h\"", true},
    {"libs/rules/a.h", "\"absl/status/status.h\"", false},
    {"libs/rules/a.h", "\"libs/base/strings.h\"", false},
    {"libs/variants/chaozhou/a.cc", "\"libs/rules/b.h\"", true},
    {"libs/variants/chaozhou/a.cc", "\"libs/variants/chaozhou/b.h\"", true},
    {"libs/variants/chaozhou/a.cc", "\"libs/variants/jieyang/b.h\"", false},
    {"libs/variants/chaozhou/a.cc", "\"libs/variants/registry.h\"", false},
    {"libs/variants/registry.cc", "\"libs/variants/registry.h\"", true},
    {"libs/variants/registry.cc", "\"libs/variants/chaozhou/a.h\"", false},
    {"libs/round/a.cc", "\"libs/rules/b.h\"", true},
    {"libs/round/a.cc", "\"libs/variants/registry.h\"", false},
    {"libs/round/a.cc", "\"libs/ledger/b.h\"", false},
    {"libs/round/a.cc", "\"mahjong/table/v1/table.pb.h\"", false},
    {"libs/ledger/a.cc", "\"libs/tiles/b.h\"", false},
    {"libs/bots/a.cc", "\"libs/round/b.h\"", true},
    {"libs/fairness/a.cc", "<sodium.h>", true},
    {"libs/round/a.cc", "<sodium.h>", false},
    // Kits.
    {"libs/base/a.cc", "\"absl/status/status.h\"", true},
    {"libs/base/a.cc", "<grpcpp/grpcpp.h>", false},
    {"libs/base/a.cc", "\"libs/round/b.h\"", false},
    {"libs/obs/a.cc", "<spdlog/spdlog.h>", true},
    {"libs/obs/a.cc", "<pqxx/pqxx>", false},
    {"libs/pg/a.cc", "<pqxx/pqxx>", true},
    {"libs/pg/a.cc", "<libpq-fe.h>", true},
    {"libs/pg/a.cc", "\"libs/wire/b.h\"", false},
    {"libs/rpc/a.cc", "<grpcpp/grpcpp.h>", true},
    {"libs/rpc/a.cc", "\"libs/round/b.h\"", false},
    {"libs/wire/a.cc", "\"libs/round/b.h\"", true},
    {"libs/wire/a.cc", "<grpcpp/grpcpp.h>", false},
    {"libs/casefile/a.cc", "<nlohmann/json.hpp>", true},
    {"libs/wire/a.cc", "<nlohmann/json.hpp>", false},
    // Services.
    {"services/wallet/app/a.cc", "\"libs/ledger/b.h\"", true},
    {"services/table/app/a.cc", "\"libs/variants/registry.h\"", true},
    {"services/table/app/a.cc", "\"libs/variants/chaozhou/a.h\"", false},
    {"services/wallet/app/a.cc", "<grpcpp/grpcpp.h>", false},
    {"services/wallet/app/a.cc", "\"libs/pg/b.h\"", false},
    {"services/wallet/app/a.cc", "\"mahjong/wallet/v1/wallet.pb.h\"", false},
    {"services/wallet/app/a.cc", "\"services/wallet/store/b.h\"", false},
    {"services/wallet/rpc/a.cc", "\"services/wallet/app/b.h\"", true},
    {"services/wallet/rpc/a.cc", "\"services/table/app/b.h\"", false},
    {"services/wallet/rpc/a.cc", "\"services/wallet/store/b.h\"", false},
    {"services/wallet/rpc/a.cc", "<pqxx/pqxx>", false},
    {"services/wallet/store/a.cc", "\"libs/pg/b.h\"", true},
    {"services/wallet/store/a.cc", "<pqxx/pqxx>", false},
    {"services/wallet/store/a.cc", "<grpcpp/grpcpp.h>", false},
    {"services/table/peers/a.cc", "\"libs/rpc/b.h\"", true},
    {"services/table/peers/a.cc", "\"libs/pg/b.h\"", false},
    {"services/table/wiring.cc", "\"services/table/store/b.h\"", true},
    {"services/table/wiring.cc", "\"services/wallet/app/b.h\"", false},
    {"services/table/wiring.cc", "<CLI/CLI.hpp>", false},
    {"services/table/config.cc", "<CLI/CLI.hpp>", true},
    // Tools and tests.
    {"tools/demo/a.cc", "<grpcpp/grpcpp.h>", true},
    {"tools/demo/a.cc", "\"services/wallet/app/b.h\"", false},
    {"tools/demo/a.cc", "<pqxx/pqxx>", false},
    {"tools/demo/a.cc", "\"tools/health/b.h\"", false},
    {"tests/e2e/a_test.cc", "\"services/wallet/wiring.h\"", true},
    {"libs/round/a_test.cc", "<gtest/gtest.h>", true},
    {"libs/round/a_test.cc", "\"tests/support/counts.h\"", true},
    {"libs/round/a_test.cc", "\"libs/variants/registry.h\"", true},
    {"libs/round/a_test.cc", "<grpcpp/grpcpp.h>", false},
    {"libs/round/a_test.cc", "\"services/table/app/b.h\"", false},
    {"libs/round/a.cc", "<gtest/gtest.h>", false},
    {"services/wallet/store/a_pg_test.cc", "\"libs/pg/cluster_testing.h\"", true},
    {"services/wallet/store/a.cc", "\"libs/pg/cluster_testing.h\"", false},
    {"services/wallet/app/a.cc", "\"services/wallet/app/store_contract.h\"", false},
    {"services/wallet/app/a.cc", "\"tests/support/counts.h\"", false},
    // Nobody's.
    {"libs/base/a.cc", "<boost/any.hpp>", false},
    {"libs/base/a.cc", "\"clock.h\"", false},
};

TEST(CheckIncludesTest, HoldsTheFloorPlan) {
  for (const auto& [path, include, allowed] : kIncludeCases) {
    SCOPED_TRACE(std::string(path) + " includes " + std::string(include));
    const Findings findings =
        CheckIncludes(Parse(std::string(path), "#pragma once\n#include " + std::string(include)));
    EXPECT_EQ(findings.empty(), allowed);
    for (const Finding& finding : findings) EXPECT_EQ(finding.line, 2) << finding.ToString();
  }
}

TEST(CheckIncludesTest, AFolderWithoutARowIsAFinding) {
  const Findings findings = CheckIncludes(Parse("libs/new_room/a.cc", ""));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].ToString().substr(0, 19), "libs/new_room/a.cc:");
  EXPECT_FALSE(CheckIncludes(Parse("services/main.cc", "")).empty());
}

TEST(CheckIncludesTest, ProtosAndShellAreNoConcern) {
  EXPECT_TRUE(CheckIncludes(Parse("protos/a.proto", "#include <x>")).empty());
}

TEST(TableTest, EveryRowIsFoundByItsOwnFolder) {
  for (const Row& row : Table()) {
    std::string star;
    EXPECT_EQ(FindRow(Fill(row.folder, "x") + "/a.cc", &star), &row) << row.folder;
    EXPECT_EQ(star, row.folder.find('*') == std::string_view::npos ? "" : "x") << row.folder;
  }
}

TEST(TableTest, ArrowsPointDownOnly) {
  // No row may include a room whose row may include it: the plan has no cycle of two.
  for (const Row& row : Table()) {
    for (std::string_view room : row.rooms) {
      std::string star;
      const Row* below = FindRow(Fill(room, "x") + "/a.cc", &star);
      if (below == nullptr) continue;  // a whole top folder
      EXPECT_NE(below, &row) << row.folder;
      for (std::string_view back : below->rooms) {
        EXPECT_NE(Fill(back, "x"), Fill(row.folder, "x")) << row.folder << " and " << room;
      }
    }
  }
}

TEST(CheckVariantIdsTest, KnownToItsFolderAlone) {
  const std::vector<std::string> ids = {"chaozhou", "jieyang"};
  const std::string_view line = "if (id == \"chaozhou\") {}";
  EXPECT_EQ(CheckVariantIds(ids, Parse("libs/round/a.cc", line)).size(), 1u);
  EXPECT_EQ(CheckVariantIds(ids, Parse("services/table/rpc/a.cc", line)).size(), 1u);
  EXPECT_EQ(CheckVariantIds(ids, Parse("libs/variants/jieyang/a.cc", line)).size(), 1u);
  EXPECT_TRUE(CheckVariantIds(ids, Parse("libs/variants/chaozhou/a.cc", line)).empty());
  EXPECT_TRUE(CheckVariantIds(ids, Parse("libs/round/a_test.cc", line)).empty());
  EXPECT_TRUE(CheckVariantIds(ids, Parse("tools/demo/a.cc", line)).empty());
  EXPECT_TRUE(CheckVariantIds(ids, Parse("libs/round/a.cc", "// \"chaozhou\"")).empty());
  EXPECT_TRUE(CheckVariantIds(ids, Parse("libs/round/a.cc", "f(\"chaozhou_x\");")).empty());
}

std::string Lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "int x;\n";
  return text;
}

TEST(CheckShapeTest, Length) {
  EXPECT_TRUE(CheckShape(Parse("libs/x/a.cc", Lines(kLinesMax))).empty());
  const Findings findings = CheckShape(Parse("libs/x/a.cc", Lines(kLinesMax + 1)));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, 601);
}

TEST(CheckShapeTest, MainReadsAsASentence) {
  EXPECT_TRUE(CheckShape(Parse("services/wallet/main.cc", Lines(kMainLinesMax))).empty());
  EXPECT_EQ(CheckShape(Parse("services/wallet/main.cc", Lines(kMainLinesMax + 1))).size(), 1u);
  EXPECT_TRUE(CheckShape(Parse("tools/demo/main.cc", Lines(kMainLinesMax + 1))).empty());
}

TEST(CheckShapeTest, PragmaOnce) {
  EXPECT_TRUE(CheckShape(Parse("libs/x/a.h", "#pragma once\n")).empty());
  EXPECT_EQ(CheckShape(Parse("libs/x/a.h", "// #pragma once\n")).size(), 1u);
  EXPECT_TRUE(CheckShape(Parse("libs/x/a.cc", "int x;\n")).empty());
}

TEST(FindingTest, ToString) {
  EXPECT_EQ((Finding{"a/b.cc", 7, "no"}).ToString(), "a/b.cc:7: no");
  EXPECT_EQ((Finding{"a", 0, "no"}).ToString(), "a: no");
}

}  // namespace
}  // namespace mj::tidy
