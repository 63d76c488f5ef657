#include "services/wallet/rpc/statements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "libs/base/simulated_clock_testing.h"
#include "libs/base/status_testing.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/grpc_status.h"
#include "libs/rpc/service.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/wallet/app/memory_ledger_store_testing.h"
#include "services/wallet/app/statement.h"
#include "services/wallet/rpc/service.h"

namespace mj::wallet::rpc {
namespace {

namespace v1 = ::mahjong::wallet::v1;

using base::FailsWith;
using base::IsOk;
using base::Reason;

class StatementsTest : public ::testing::Test {
 protected:
  StatementsTest() {
    auto started = mj::rpc::StartService(
        "wallet", {},
        [this](mj::rpc::Bindings& bindings) {
          wallet_ = &bindings.Own(std::make_unique<Wallet>(store_, bindings.clock()));
          bindings.AddService<v1::WalletService>(
              std::make_unique<WalletService>(bindings.front(), *wallet_, bindings.clock()));
          return absl::OkStatus();
        },
        {.log_line = [](std::string_view) {}});
    EXPECT_THAT(started, IsOk());
    service_ = *std::move(started);
    stub_ = v1::WalletService::NewStub(mj::rpc::ConnectedChannel({.target = service_->address()}));
    EXPECT_THAT(wallet_->OpenAccount({"test", {}}, {.request_id = "ann", .account_id = "ann"}),
                IsOk());
  }

  void Deposit(int times) {
    for (int i = 0; i < times; ++i) {
      EXPECT_THAT(wallet_->Deposit({"test", {}}, {.request_id = "d" + std::to_string(++deposits_),
                                                  .account_id = "ann",
                                                  .coins = deposits_,
                                                  .reason = "=1,2"}),
                  IsOk());
    }
  }

  // The file so far, and how it ended.
  absl::Status Export(std::string& csv, const std::string& id, std::int64_t after = 0) {
    v1::ExportStatementRequest request;
    request.set_account_id(id);
    request.set_after_sequence(after);
    grpc::ClientContext context;
    const auto reader = stub_->ExportStatement(&context, request);
    v1::ExportStatementResponse response;
    while (reader->Read(&response)) csv += response.csv();
    return mj::rpc::FromGrpc(reader->Finish());
  }

  // As the file has to be.
  std::string Expected(std::int64_t after = 0) {
    std::string csv = after == 0 ? StatementHeader() : "";
    while (true) {
      const auto entries =
          wallet_->EntriesAfter({"test", {}}, {.account_id = "ann", .after_sequence = after}, 1000);
      EXPECT_THAT(entries, IsOk());
      if (!entries.ok() || entries->empty()) return csv;
      for (const ListedEntry& entry : *entries) csv += StatementLine(entry);
      after = entries->back().sequence;
    }
  }

  base::SimulatedClock clock_;
  MemoryLedgerStore store_{clock_, SomeTiers()};
  Wallet* wallet_ = nullptr;
  std::unique_ptr<mj::rpc::RunningService> service_;
  std::unique_ptr<v1::WalletService::Stub> stub_;
  int deposits_ = 0;
};

TEST_F(StatementsTest, AnEmptyAccountIsALineOfHeadings) {
  std::string csv;
  EXPECT_THAT(Export(csv, "ann"), IsOk());
  EXPECT_EQ(csv, StatementHeader());
}

TEST_F(StatementsTest, EveryEntryIsALineOnce) {
  // A part has 500: less, one, one and a bit, and two exactly.
  for (const int more : {3, 497, 201, 299}) {
    Deposit(more);
    std::string csv;
    EXPECT_THAT(Export(csv, "ann"), IsOk());
    EXPECT_EQ(csv, Expected()) << deposits_;
  }
  EXPECT_EQ(deposits_, 1000);
  EXPECT_THAT(Expected(), ::testing::HasSubstr(",\"'=1,2\"\r\n"));
}

TEST_F(StatementsTest, AFileThatBrokeOffIsGoneOnWith) {
  Deposit(10);
  std::string csv;
  EXPECT_THAT(Export(csv, "ann", 7), IsOk());
  EXPECT_EQ(csv, Expected(7));
  csv.clear();
  EXPECT_THAT(Export(csv, "ann", 10), IsOk());
  EXPECT_EQ(csv, "");
}

TEST_F(StatementsTest, AClientThatLeavesLeavesNothingBehind) {
  Deposit(1200);
  for (int i = 0; i < 20; ++i) {
    v1::ExportStatementRequest request;
    request.set_account_id("ann");
    grpc::ClientContext context;
    const auto reader = stub_->ExportStatement(&context, request);
    v1::ExportStatementResponse response;
    EXPECT_TRUE(reader->Read(&response));
    context.TryCancel();
    while (reader->Read(&response)) {
    }
    (void)reader->Finish();
  }
  std::string csv;
  EXPECT_THAT(Export(csv, "ann"), IsOk());
  EXPECT_EQ(csv, Expected());
}

TEST_F(StatementsTest, WhatCannotBeExported) {
  std::string csv;
  EXPECT_THAT(Export(csv, ""), FailsWith(Reason::kFieldRequired, "account_id"));
  EXPECT_THAT(Export(csv, "nobody"), FailsWith(Reason::kAccountNotFound, "account_id"));
  EXPECT_THAT(Export(csv, "issue"), FailsWith(Reason::kNotAPlayerAccount, "account_id"));
  EXPECT_THAT(Export(csv, "ann", 1), FailsWith(Reason::kSequenceAhead, "after_sequence"));
  EXPECT_THAT(Export(csv, "ann", -1), FailsWith(Reason::kSequenceAhead, "after_sequence"));
  EXPECT_EQ(csv, "");
}

}  // namespace
}  // namespace mj::wallet::rpc
