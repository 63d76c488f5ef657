// How often watchers ask the wallet.

#include "services/wallet/rpc/watches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/service.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/wallet/app/memory_ledger_store_testing.h"
#include "services/wallet/rpc/service.h"

namespace mj::wallet::rpc {
namespace {

namespace v1 = ::mahjong::wallet::v1;
using base::IsOk;

class CountingStore final : public MemoryLedgerStore {
 public:
  using MemoryLedgerStore::MemoryLedgerStore;

  absl::StatusOr<std::vector<ListedEntry>> ListEntriesAfter(const AccountKey& account,
                                                            std::int64_t after, int count_max,
                                                            base::MonotonicTime end) override {
    ++lists;
    return MemoryLedgerStore::ListEntriesAfter(account, after, count_max, end);
  }
  absl::StatusOr<std::map<AccountKey, std::int64_t>> LastSequences(
      const std::vector<AccountKey>& accounts, base::MonotonicTime end) override {
    ++polls;
    return MemoryLedgerStore::LastSequences(accounts, end);
  }

  std::atomic<int> lists = 0;
  std::atomic<int> polls = 0;
};

TEST(WatchesTest, ManyWhoHaveNothingToBeToldAreOneQuestion) {
  constexpr int kWatchers = 30;
  base::SystemClock clock;
  CountingStore store(clock, SomeTiers());
  Wallet wallet(store, clock, SomeRuleIds());
  auto started =
      mj::rpc::StartService("wallet", {},
                            [&](mj::rpc::Bindings& bindings) {
                              bindings.AddService<v1::WalletService>(
                                  std::make_unique<WalletService>(bindings.front(), wallet, clock));
                              return absl::OkStatus();
                            },
                            {.log_line = [](std::string_view) {}});
  ASSERT_THAT(started, IsOk());
  const auto stub =
      v1::WalletService::NewStub(mj::rpc::ConnectedChannel({.target = (*started)->address()}));

  struct Watcher {
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReader<v1::WatchAccountResponse>> reader;
  };
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < kWatchers; ++i) {
    const std::string id = "p" + std::to_string(i);
    ASSERT_THAT(wallet.OpenAccount({"test", {}}, {.request_id = id, .account_id = id}), IsOk());
    v1::WatchAccountRequest request;
    request.set_account_id(id);
    auto& watcher = *watchers.emplace_back(std::make_unique<Watcher>());
    watcher.reader = stub->WatchAccount(&watcher.context, request);
    // The stream is there once it has told of something.
    ASSERT_THAT(wallet.Deposit({"test", {}}, {.request_id = id, .account_id = id, .coins = 5}),
                IsOk());
    v1::WatchAccountResponse response;
    ASSERT_TRUE(watcher.reader->Read(&response));
    EXPECT_EQ(response.entry().sequence(), 1);
  }
  const int lists = store.lists;
  const int polls = store.polls;
  while (store.polls < polls + 4) {
  }
  EXPECT_EQ(store.lists, lists);  // nobody's entries were asked for

  // One moves: its entry comes, and only its list is read.
  ASSERT_THAT(wallet.Deposit({"test", {}}, {.request_id = "more", .account_id = "p7", .coins = 6}),
              IsOk());
  v1::WatchAccountResponse response;
  ASSERT_TRUE(watchers[7]->reader->Read(&response));
  EXPECT_EQ(response.entry().sequence(), 2);
  EXPECT_EQ(store.lists, lists + 1);
  for (const auto& watcher : watchers) watcher->context.TryCancel();
}

}  // namespace
}  // namespace mj::wallet::rpc
