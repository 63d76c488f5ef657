// What makes a request the same request, for every rpc that writes: the key, the version and the hash
// of its fields, as they stand in ledgers.
//
// These are for ever. A program whose hashes differ refuses the retries of requests that an older one
// has seen. A request that gains a field gains a version beside its line here; no line is edited.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "libs/audit/digest.h"
#include "libs/base/simulated_clock_testing.h"
#include "services/wallet/app/memory_ledger_store_testing.h"
#include "services/wallet/app/settle_testing.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {
namespace {

// Notes every key that a write goes by.
class NotingStore final : public MemoryLedgerStore {
 public:
  using MemoryLedgerStore::MemoryLedgerStore;

  absl::StatusOr<OpenOutcome> OpenAccount(const RequestKey& key, const AccountKey& account,
                                          base::MonotonicTime deadline) override {
    last = key;
    return MemoryLedgerStore::OpenAccount(key, account, deadline);
  }
  absl::StatusOr<TierOutcome> PutTier(const RequestKey& key, const TierPeriod& period,
                                      base::MonotonicTime deadline) override {
    last = key;
    return MemoryLedgerStore::PutTier(key, period, deadline);
  }
  absl::StatusOr<PostOutcome> Post(const Posting& posting, base::MonotonicTime deadline) override {
    last = posting.key;
    return MemoryLedgerStore::Post(posting, deadline);
  }
  absl::StatusOr<ChangeOutcome> Change(const ChangeRequest& request,
                                       base::MonotonicTime deadline) override {
    last = request.key;
    return MemoryLedgerStore::Change(request, deadline);
  }

  RequestKey last;
};

class ContentGoldenTest : public ::testing::Test {
 protected:
  static CallContext Context() { return {"backend", {}}; }

  static base::WallTime At(std::int64_t seconds) {
    return base::WallTime(std::chrono::seconds(seconds));
  }

  template <typename Answer>
  void Expect(const absl::StatusOr<Answer>& answer, const std::string& key, int version,
              const std::string& hash) {
    EXPECT_TRUE(answer.ok()) << answer.status();
    EXPECT_EQ(store_.last.text, key);
    EXPECT_EQ(store_.last.content_version, version);
    EXPECT_EQ(audit::ToHex(audit::Sha256(store_.last.content)), hash) << key;
  }

  base::SimulatedClock clock_;
  NotingStore store_{clock_, SomeTiers()};
  Wallet wallet_{store_, clock_, SomeRuleIds()};
};

TEST_F(ContentGoldenTest, EveryRequestIsKnownAgain) {
  const auto practice = Currency::kPractice;
  Expect(wallet_.OpenAccount(Context(), {.request_id = "q", .account_id = "ann"}),
         "OpenAccount/backend/q", 1,
         "909e6189a1c205fcfa9a7f58974aed8e06645c38b68a0dbed1e0b6070c6dccc7");
  Expect(wallet_.OpenAccount(Context(),
                             {.request_id = "q2", .account_id = "ann", .currency = practice}),
         "OpenAccount/backend/q2", 1,
         "7decf7badaa9dcaadeb01e586a8794925410709ef2e12a74b108b3db8e3c3658");
  Expect(wallet_.Deposit(Context(), {.request_id = "q",
                                     .account_id = "ann",
                                     .coins = 5000,
                                     .reason = "bought",
                                     .flow = Flow::kPurchase,
                                     .provider = "shop",
                                     .external_reference = "n-1"}),
         "Deposit/backend/q", 1,
         "eee1efebc8fcf8db33ae70f22232e3e8e0401723be0424b6acc28974cdd9321c");
  Expect(wallet_.Deposit(Context(), {.request_id = "q3",
                                     .account_id = "ann",
                                     .currency = practice,
                                     .coins = 9,
                                     .reason = "潮州"}),
         "Deposit/backend/q3", 1,
         "8a138d04afcbedd87f3e75f19941406c982b97b899e03d68a5acd737f89d7e36");
  Expect(wallet_.Withdraw(Context(), {.request_id = "q",
                                      .account_id = "ann",
                                      .coins = 7,
                                      .reason = "paid out",
                                      .flow = Flow::kPayout,
                                      .provider = "bank",
                                      .external_reference = "n-2"}),
         "Withdraw/backend/q", 1,
         "424f32a6e8402cf42f0216aa992aedf58ca71ef8f6fe0184d0d465a6ed61eca2");
  Expect(wallet_.Adjust(Context(), {.request_id = "q",
                                    .account_id = "ann",
                                    .coins = -3,
                                    .reason = "a mistake",
                                    .requested_by = "kim",
                                    .approved_by = "lee"}),
         "Adjust/backend/q", 1, "b39ae131cad0e71b24f973ebcecbdb2b4f9c9ab02cca4a4a33a6c91ed10df272");
  Expect(wallet_.Reverse(Context(), {.request_id = "q",
                                     .journal_id = "3",
                                     .reason = "twice",
                                     .requested_by = "kim",
                                     .approved_by = "lee",
                                     .cover_from_house = true}),
         "Reverse/backend/q", 1,
         "29efbfae12cb3c15126af6aedde671ebf182cd4a12ce51ad2e766a28365f76ed");
  const AccountControlRequest control{
      .request_id = "q", .account_id = "ann", .reason = "why", .requested_by = "kim"};
  Expect(wallet_.Freeze(Context(), control), "Freeze/backend/q", 1,
         "43441d37c9338e69465af523ec35924437436b5f3fe8b92343121d714b138662");
  Expect(wallet_.Unfreeze(Context(), control), "Unfreeze/backend/q", 1,
         "24e63b3e007c9bfcf2913c06df97b2f28ae8acefd2e29329146389b4a308c61e");
  ASSERT_TRUE(wallet_.OpenAccount(Context(), {.request_id = "gone", .account_id = "gone"}).ok());
  Expect(wallet_.CloseAccount(
             Context(),
             {.request_id = "q", .account_id = "gone", .reason = "why", .requested_by = "kim"}),
         "CloseAccount/backend/q", 1,
         "39837377b7802af68bbc0a8e48d211983b7f1cc9defd6609036e20612153fa4f");
  Expect(wallet_.PutStakeTier(Context(), {.request_id = "q",
                                          .tier_id = "chaozhou-7",
                                          .variant = "chaozhou",
                                          .base = 7,
                                          .minimum_balance = 112,
                                          .rake_per_player = 1,
                                          .escape_penalty = 448,
                                          .escape_compensation = 400,
                                          .valid_from = At(4'102'444'800),  // 2100-01-01
                                          .valid_until = At(4'133'980'800),
                                          .requested_by = "kim"}),
         "PutStakeTier/backend/q", 1,
         "1c5e9e65b5179eb26bc4e682490349ee5d32ae1a3b3b79a91979371a33e466e9");

  for (const char* const id : {"a", "b", "c", "d"}) {
    ASSERT_TRUE(wallet_.OpenAccount(Context(), {.request_id = id, .account_id = id}).ok());
    ASSERT_TRUE(
        wallet_.Deposit(Context(), {.request_id = id, .account_id = id, .coins = 9000}).ok());
  }
  const auto begin = [this](const std::string& round, bool check) {
    for (const char* const id : {"a", "b", "c", "d"}) {
      const auto seat = wallet_.Reserve(Context(), {.request_id = round + id,
                                                    .player_id = id,
                                                    .table_id = "table-1",
                                                    .variant = "chaozhou",
                                                    .base = 10});
      if (check && id[0] == 'a')
        Expect(seat, "Reserve/backend/" + round + "a", 1,
               "e94b059cd1c9e650d43cce20b471dd176490cef52210a25c20b5c8a85d0c9072");
    }
    const auto begun = wallet_.BeginRound(Context(), {.round_id = round,
                                                      .table_id = "table-1",
                                                      .variant = "chaozhou",
                                                      .rulebook_version = "v1",
                                                      .base = 10,
                                                      .tier_id = "",
                                                      .player_ids = {"a", "b", "c", "d"}});
    if (check)
      Expect(begun, "begin/" + round, 1,
             "a8cc301ae7df8319b665fe9634f921c8d6c2be5f410f93314a08935b20751008");
  };
  begin("round-1", true);
  Expect(SettleAndWait(wallet_, Context(),
                       {.round_id = "round-1",
                        .table_id = "table-1",
                        .variant = "chaozhou",
                        .rulebook_version = "v1",
                        .base = 10,
                        .player_ids = {"a", "b", "c", "d"},
                        .transfers = {{2, 0, 20, "CZ-40"}, {1, 0, 20, "CZ-40"}}}),
         "round/round-1", 1, "5fa1dd378b35be697163bc206cfce7f5b07f85448aaecf63cf233cd5447bd968");
  begin("round-2", false);
  Expect(
      wallet_.ApplyPenalty(Context(), {.round_id = "round-2", .escaper_seat = 1, .reason = "left"}),
      "round/round-2", 1, "afa93cbf735a110a4b4e8cc65335b5796d82655940dc9ddb2d86bcce4d3c8490");
  begin("round-3", false);
  Expect(wallet_.VoidRound(Context(),
                           {.round_id = "round-3", .reason = "broken", .requested_by = "kim"}),
         "round/round-3", 1, "78dc180674b79548ebcde2b44760157e75de6b299955a9e20ad9aaf845402c8f");
  Expect(wallet_.Release(Context(), {.request_id = "q", .player_id = "a", .table_id = "table-1"}),
         "Release/backend/q", 1,
         "d82f79155ca22d26d06806dd8bb4641e35456fca4de0399d52cb514f6aa435ef");
}

}  // namespace
}  // namespace mj::wallet
