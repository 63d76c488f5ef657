#include "libs/auth/access.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "libs/base/files.h"
#include "libs/base/strings.h"
#include "mahjong/matchmaking/v1/matchmaking_service.pb.h"
#include "mahjong/matchmaking/v1/operator_service.pb.h"
#include "mahjong/scoring/v1/scoring_service.pb.h"
#include "mahjong/table/v1/operator_service.pb.h"
#include "mahjong/table/v1/table_service.pb.h"
#include "mahjong/wallet/v1/operator_service.pb.h"
#include "mahjong/wallet/v1/wallet_service.pb.h"

namespace mj::auth {
namespace {

using google::protobuf::FileDescriptor;
using google::protobuf::MethodDescriptor;

// A file of each package that has services; a new one is added here.
std::vector<const FileDescriptor*> Files() {
  return {::mahjong::scoring::v1::ScoreRoundRequest::descriptor()->file(),
          ::mahjong::wallet::v1::DepositRequest::descriptor()->file(),
          ::mahjong::table::v1::SubscribeRequest::descriptor()->file(),
          ::mahjong::table::v1::VoidRoundRequest::descriptor()->file(),
          ::mahjong::wallet::v1::ListOperationsRequest::descriptor()->file(),
          ::mahjong::matchmaking::v1::ErasePlayerRequest::descriptor()->file(),
          ::mahjong::matchmaking::v1::CreateTicketRequest::descriptor()->file()};
}

// Every rpc of the suite, by path.
std::map<std::string, const MethodDescriptor*> Methods() {
  std::map<std::string, const MethodDescriptor*> methods;
  for (const FileDescriptor* file : Files()) {
    for (int s = 0; s < file->service_count(); ++s) {
      for (int m = 0; m < file->service(s)->method_count(); ++m) {
        const MethodDescriptor* method = file->service(s)->method(m);
        methods.emplace(base::Cat("/", method->service()->full_name(), "/", method->name()),
                        method);
      }
    }
  }
  return methods;
}

// The files of protos/ that define a service.
std::set<std::string> FilesWithServices() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("protos/mahjong")) {
    if (entry.path().extension() != ".proto") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("service ")) {
        names.insert(std::filesystem::relative(entry.path(), "protos").string());
      }
    }
  }
  return names;
}

TEST(AccessTest, EveryServiceIsLookedAt) {
  std::set<std::string> looked_at;
  for (const FileDescriptor* file : Files()) looked_at.insert(file->name());
  EXPECT_EQ(looked_at, FilesWithServices()) << "add the file to Files() above";
}

TEST(AccessTest, EveryRpcHasARowAndEveryRowAnRpc) {
  const auto methods = Methods();
  for (const auto& [path, method] : methods) {
    EXPECT_NE(FindAccess(path), nullptr)
        << path << ": say in libs/auth/access.cc who may call it; until then nobody may";
  }
  for (const Access& row : AccessTable()) {
    if (row.path.starts_with("/mahjong.")) {
      EXPECT_EQ(methods.count(std::string(row.path)), 1U) << row.path << ": there is no such rpc";
    }
  }
}

TEST(AccessTest, EveryRowKnowsItsRequest) {
  for (const auto& [path, method] : Methods()) {
    if (FindAccess(path) == nullptr) continue;
    EXPECT_EQ(RequestOf(path), method->input_type()->full_name()) << path;
  }
}

TEST(AccessTest, EveryRowNamesTheFieldThatTheRequestHas) {
  for (const auto& [path, method] : Methods()) {
    const Access* row = FindAccess(path);
    if (row == nullptr) continue;
    const bool player = method->input_type()->FindFieldByName("player_id") != nullptr;
    const bool account = method->input_type()->FindFieldByName("account_id") != nullptr;
    EXPECT_FALSE(player && account) << path << ": about whom is it?";
    const bool asker = method->input_type()->FindFieldByName("requested_by") != nullptr ||
                       method->input_type()->FindFieldByName("operator") != nullptr;
    if (row->effect == Effect::kWrites && row->roles.Has(Role::kOperator)) {
      EXPECT_TRUE(asker) << path << ": the trail wants to know who asked for it";
    }
    EXPECT_EQ(row->about == About::kPlayerId || row->about == About::kPlayerIdOrNone, player)
        << path;
    EXPECT_EQ(row->about == About::kAccountId, account) << path;
  }
}

TEST(AccessTest, NoStreamWrites) {
  for (const auto& [path, method] : Methods()) {
    const Access* row = FindAccess(path);
    if (row != nullptr && method->server_streaming()) {
      EXPECT_EQ(row->effect, Effect::kReads) << path << ": a stream has no deadline";
    }
  }
}

constexpr std::string_view kBegin = "<!-- access table: written by MJ_UPDATE_GOLDEN=1 -->\n";
constexpr std::string_view kEnd = "<!-- end of the access table -->\n";
constexpr const char* kPage = "docs/security.md";

TEST(AccessTest, ThePageSaysWhatTheTableSays) {
  const auto page = base::ReadFile(kPage);
  ASSERT_TRUE(page.ok()) << page.status();
  const std::size_t begin = page->find(kBegin);
  const std::size_t end = page->find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::size_t table = begin + kBegin.size();
  const std::string want = base::Cat("\n", AccessAsMarkdown(), "\n");
  if (std::getenv("MJ_UPDATE_GOLDEN") != nullptr) {
    const std::string updated = base::Cat(page->substr(0, table), want, page->substr(end));
    ASSERT_TRUE(base::WriteFileAtomically(kPage, updated).ok());
    return;
  }
  EXPECT_EQ(page->substr(table, end - table), want)
      << "MJ_UPDATE_GOLDEN=1 mj_access_test writes it";
}

}  // namespace
}  // namespace mj::auth
