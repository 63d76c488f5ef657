// What the wallet is asked, unchecked as it came in, and what it answers. Fields are named as those
// of the rpc, so that a failure's field is the client's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/clock.h"
#include "services/wallet/app/types.h"

namespace mj::wallet {

// Who calls, and until when an answer is of use.
struct CallContext {
  std::string caller;
  base::MonotonicTime deadline;
};

// ------------------------------------------------------------------------- accounts and money

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
  std::optional<Flow> flow = {};  // none: a grant, or a payout
  std::string provider = {};
  std::string external_reference = {};
};

struct MoneyAnswer {
  std::string journal_id;
  Coins balance;  // right after
};

// What operators do to an account.
struct AccountControlRequest {
  std::string request_id;
  std::string account_id;
  Currency currency = Currency::kCoin;
  std::string reason;
  std::string requested_by;
  bool validate_only = false;
};

struct AdjustRequest {
  std::string request_id;
  std::string account_id;
  Currency currency = Currency::kCoin;
  std::int64_t coins = 0;  // signed
  std::string reason;
  std::string requested_by;
  std::string approved_by;
  bool validate_only = false;
};

struct ReverseRequest {
  std::string request_id;
  std::string journal_id;
  std::string reason;
  std::string requested_by;
  std::string approved_by;
  bool cover_from_house = false;
  bool validate_only = false;
};

struct ReverseAnswer {
  std::string journal_id;    // of the compensating row; empty if it was only validated
  std::int64_t covered = 0;  // coins that the house paid
};

// -------------------------------------------------------------------------------------- tiers

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

struct ListStakeTiersRequest {
  std::string variant;  // empty: every game's
  Currency currency = Currency::kCoin;
};

struct PutStakeTierRequest {
  std::string request_id;
  std::string tier_id;
  std::string variant;
  Currency currency = Currency::kCoin;
  std::int64_t base = 0;
  std::int64_t minimum_balance = 0;   // one of these two, the other 0
  std::int64_t minimum_multiple = 0;  // of the base
  std::int64_t rake_per_player = 0;
  std::int64_t escape_penalty = 0;
  std::int64_t escape_compensation = 0;
  std::optional<base::WallTime> valid_from;  // none: at once
  std::optional<base::WallTime> valid_until;
  std::string requested_by;
};

// ---------------------------------------------------------------------------- seats and rounds

struct ReserveRequest {
  std::string request_id;
  std::string player_id;
  Currency currency = Currency::kCoin;
  std::string table_id;
  std::string variant;
  std::int64_t base = 0;
};

struct ReserveAnswer {
  Hold hold;
  Coins balance;
};

struct ReleaseRequest {
  std::string request_id;
  std::string player_id;
  Currency currency = Currency::kCoin;
  std::string table_id;
};

struct BeginRoundRequest {
  std::string round_id{};
  std::string table_id{};
  std::string variant{};
  std::string rulebook_version{};
  Currency currency = Currency::kCoin;
  std::int64_t base = 0;
  std::string tier_id{};                  // empty: whichever room has that base
  std::vector<std::string> player_ids{};  // by seat
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

struct ApplyPenaltyRequest {
  std::string round_id;
  std::uint32_t escaper_seat = 0;
  std::string reason;
};

struct ApplyPenaltyAnswer {
  std::string journal_id;
  PenaltyTaken penalty;
};

struct VoidRoundRequest {
  std::string round_id;
  std::string reason;
  std::string requested_by;
  bool validate_only = false;
};

struct VoidRoundAnswer {
  std::string journal_id;  // empty if it was only validated
};

// -------------------------------------------------------------------------------------- lists

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

struct ListSettlementsRequest {
  std::string account_id;  // one of these two
  Currency currency = Currency::kCoin;
  std::string table_id = {};
  std::int64_t page_size = 0;  // 0: 100
  std::string page_token = {};
};

struct ListSettlementsAnswer {
  std::vector<SettledRound> settlements;  // newest first
  std::string next_page_token;            // empty: no more
};

struct GetSettlementRequest {
  std::string round_id;  // one of these two
  std::string journal_id;
};

struct GetJournalRowRequest {
  std::string round_id;  // one of these two
  std::string journal_id;
};

struct VerifyLedgerRequest {
  std::int64_t rows_max = 0;  // 0: 10,000
  std::string page_token = {};
};

struct VerifyLedgerAnswer {
  LedgerCheck checked;
  std::string next_page_token;  // empty: no more, or something is wrong
};

struct WatchRequest {
  std::string account_id;
  Currency currency = Currency::kCoin;
  std::int64_t after_sequence = 0;
};

}  // namespace mj::wallet
