// The wallet's use cases.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "services/wallet/app/ledger_store.h"
#include "services/wallet/app/types.h"

namespace mj::wallet {

// Who calls, and until when an answer is of use.
struct CallContext {
  std::string caller;
  base::MonotonicTime deadline;
};

// Requests carry what came in, unchecked. Their fields are named as those of the rpc, so that a
// failure's field is the client's.

struct OpenAccountRequest {
  std::string request_id;
  std::string account_id;
  AccountKind kind = AccountKind::kPlayer;
  Currency currency = Currency::kCoin;
};

struct MoneyRequest {
  std::string request_id;
  std::string account_id;
  Currency currency = Currency::kCoin;
  std::int64_t coins = 0;
  std::string reason = {};
};

struct MoneyAnswer {
  std::string journal_id;
  Coins balance;  // right after
};

struct StakeTierRequest {
  std::string player_id;
  std::string variant;
  Currency currency = Currency::kCoin;
  std::int64_t base = 0;  // 0: the highest that is open to the player
};

struct StakeTierAnswer {
  Tier tier;
  std::int64_t balance = 0;
};

struct TransferRequest {
  std::uint32_t from_seat = 0;
  std::uint32_t to_seat = 0;
  std::int64_t coins = 0;
  std::string rule_id;
};

struct SettleRoundRequest {
  std::string round_id;
  std::string table_id;
  std::string variant;
  std::string rulebook_version;
  std::int64_t base = 0;
  Currency currency = Currency::kCoin;
  std::vector<std::string> player_ids;     // by seat
  std::vector<TransferRequest> transfers;  // in no order
};

struct SettleRoundAnswer {
  std::string journal_id;
  Settlement settlement;
};

struct ListEntriesRequest {
  std::string account_id;
  Currency currency = Currency::kCoin;
  std::int64_t page_size = 0;  // 0: 100
  std::string page_token = {};
};

struct ListEntriesAnswer {
  std::vector<ListedEntry> entries;  // newest first
  std::string next_page_token;       // empty: no more
};

// Thread-safe. Every call blocks on the store. Every write may be asked again with its id and gets
// its first answer. Failures carry a reason (libs/base/reasons.inc), in the order in which they are
// listed at each; besides these UNAVAILABLE, DEADLINE_EXCEEDED, CONFLICT.
class Wallet {
 public:
  // Keeps references to both. `clock` tells when something happened; balances, tiers and the time
  // of writing go by the store's own.
  Wallet(LedgerStore& store, const base::Clock& clock) : store_(store), clock_(clock) {}

  // FIELD_REQUIRED, BAD_ID, UNKNOWN_ENUM_VALUE (only players' accounts are opened),
  // REQUEST_ID_REUSED, ACCOUNT_EXISTS.
  [[nodiscard]] absl::StatusOr<Account> OpenAccount(const CallContext& context,
                                                    const OpenAccountRequest& request);

  // FIELD_REQUIRED, BAD_ID, ACCOUNT_NOT_FOUND, CURRENCY_MIXED.
  [[nodiscard]] absl::StatusOr<Account> GetAccount(const CallContext& context,
                                                   const AccountKey& account);

  // Issues coins to a player.
  // FIELD_REQUIRED, BAD_ID, BAD_AMOUNT, BAD_TEXT, REQUEST_ID_REUSED, ACCOUNT_NOT_FOUND,
  // CURRENCY_MIXED, NOT_A_PLAYER_ACCOUNT, BALANCE_OVERFLOW.
  [[nodiscard]] absl::StatusOr<MoneyAnswer> Deposit(const CallContext& context,
                                                    const MoneyRequest& request);

  // Takes coins from a player.
  // As Deposit, with INSUFFICIENT_FUNDS in place of BALANCE_OVERFLOW: that one is remembered, and
  // stays the answer to this request id when the player has coins again.
  [[nodiscard]] absl::StatusOr<MoneyAnswer> Withdraw(const CallContext& context,
                                                     const MoneyRequest& request);

  // FIELD_REQUIRED, BAD_ID, UNKNOWN_VARIANT, TIER_NOT_FOUND, ACCOUNT_NOT_FOUND, CURRENCY_MIXED,
  // NOT_A_PLAYER_ACCOUNT, BELOW_MINIMUM.
  [[nodiscard]] absl::StatusOr<StakeTierAnswer> GetStakeTier(const CallContext& context,
                                                             const StakeTierRequest& request);

  // Posts a finished round (D-SET-1) with the tier's rake, once for each round (D-SET-2).
  // FIELD_REQUIRED, BAD_ID, BAD_TEXT, BAD_BASE, BAD_SEAT (four players), DUPLICATE_PLAYER,
  // BAD_TRANSFER (too many, or two of one payer, payee and rule), BAD_SEAT, SELF_TRANSFER,
  // BAD_AMOUNT, REQUEST_ID_REUSED, UNKNOWN_VARIANT, TIER_NOT_FOUND, ACCOUNT_NOT_FOUND,
  // CURRENCY_MIXED, NOT_A_PLAYER_ACCOUNT, BALANCE_OVERFLOW.
  [[nodiscard]] absl::StatusOr<SettleRoundAnswer> SettleRound(const CallContext& context,
                                                              const SettleRoundRequest& request);

  // FIELD_REQUIRED, BAD_ID, BAD_PAGE_SIZE, BAD_PAGE_TOKEN, ACCOUNT_NOT_FOUND, CURRENCY_MIXED.
  [[nodiscard]] absl::StatusOr<ListEntriesAnswer> ListEntries(const CallContext& context,
                                                              const ListEntriesRequest& request);

 private:
  enum class Direction : std::uint8_t { kIn, kOut };
  [[nodiscard]] absl::StatusOr<MoneyAnswer> MoveMoney(const CallContext& context,
                                                      const MoneyRequest& request,
                                                      Direction direction);

  LedgerStore& store_;
  const base::Clock& clock_;
};

}  // namespace mj::wallet
