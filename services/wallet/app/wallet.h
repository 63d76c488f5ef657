// The wallet's use cases.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "services/wallet/app/ledger_store.h"
#include "services/wallet/app/requests.h"
#include "services/wallet/app/types.h"

namespace mj::wallet {

// The rules that a settlement by a rulebook may name, sorted; nothing for a version of a game that
// this program does not have. Pure; any thread.
using RuleIdsOf = std::function<std::optional<std::vector<std::string>>(
    std::string_view variant, std::string_view rulebook_version)>;

// Those of the games that this program is built with, their former versions too.
[[nodiscard]] RuleIdsOf BuiltInRuleIds();

struct WalletOptions {
  // How long a seat is held from when it was reserved, or from when its latest round began.
  std::chrono::minutes reservation_time{60};
  // How long a begun round may stay open before it is an alarm.
  std::chrono::minutes round_time{120};
};

// Thread-safe. Every call blocks on the store. Every write may be asked again with its id and gets
// its first answer. Failures carry a reason (libs/base/reasons.inc), in the order in which they are
// listed at each; besides these UNAVAILABLE, DEADLINE_EXCEEDED, CONFLICT.
//
// Reasons marked * are verdicts on the state of accounts: they are remembered, and stay the answer
// to their request id whatever becomes of the account. Nothing is remembered of other failures.
class Wallet {
 public:
  // Keeps references to both. `clock` tells when something happened; balances, tiers, holds and the
  // time of writing go by the store's own.
  Wallet(LedgerStore& store, const base::Clock& clock, RuleIdsOf rule_ids = BuiltInRuleIds(),
         const WalletOptions& options = {})
      : store_(store), clock_(clock), rule_ids_(std::move(rule_ids)), options_(options) {}

  // ----------------------------------------------------------------------- accounts and money

  // FIELD_REQUIRED, BAD_ID, UNKNOWN_ENUM_VALUE (only players' accounts are opened),
  // REQUEST_ID_REUSED, ACCOUNT_EXISTS.
  [[nodiscard]] absl::StatusOr<Account> OpenAccount(const CallContext& context,
                                                    const OpenAccountRequest& request);

  // FIELD_REQUIRED, BAD_ID, ACCOUNT_NOT_FOUND, CURRENCY_MIXED.
  [[nodiscard]] absl::StatusOr<Account> GetAccount(const CallContext& context,
                                                   const AccountKey& account);

  // Issues coins to a player: bought or given. Taken from a frozen player and during a round too.
  // FIELD_REQUIRED, BAD_ID, BAD_AMOUNT, BAD_TEXT, UNKNOWN_ENUM_VALUE (a flow that goes out),
  // REQUEST_ID_REUSED, ACCOUNT_NOT_FOUND, CURRENCY_MIXED, NOT_A_PLAYER_ACCOUNT, ACCOUNT_CLOSED*,
  // EXTERNAL_REFERENCE_USED*, BALANCE_OVERFLOW.
  [[nodiscard]] absl::StatusOr<MoneyAnswer> Deposit(const CallContext& context,
                                                    const MoneyRequest& request);

  // Takes coins that are not held from a player.
  // As Deposit, with ACCOUNT_FROZEN*, ROUND_IN_PROGRESS and INSUFFICIENT_FUNDS* in place of
  // BALANCE_OVERFLOW.
  [[nodiscard]] absl::StatusOr<MoneyAnswer> Withdraw(const CallContext& context,
                                                     const MoneyRequest& request);

  // Puts a balance right by hand: coins from the house's loss, or (below 0) back to it. Two people.
  // FIELD_REQUIRED, BAD_ID, BAD_AMOUNT, BAD_TEXT, SAME_APPROVER, REQUEST_ID_REUSED,
  // ACCOUNT_NOT_FOUND, CURRENCY_MIXED, NOT_A_PLAYER_ACCOUNT, ACCOUNT_CLOSED*, ROUND_IN_PROGRESS
  // (coins are taken), INSUFFICIENT_FUNDS*, BALANCE_OVERFLOW.
  [[nodiscard]] absl::StatusOr<MoneyAnswer> Adjust(const CallContext& context,
                                                   const AdjustRequest& request);

  // Undoes a journal row by another one, once for ever. Two people. What a player is to give back
  // and no longer has is the house's loss, if it may be; coins held for a seat are taken too.
  // FIELD_REQUIRED, BAD_ID, BAD_TEXT, SAME_APPROVER, REQUEST_ID_REUSED, JOURNAL_NOT_FOUND,
  // NOT_REVERSIBLE (a reversal, or what moved no coins), ALREADY_REVERSED*, ROUND_IN_PROGRESS,
  // ACCOUNT_CLOSED*, INSUFFICIENT_FUNDS*, BALANCE_OVERFLOW.
  [[nodiscard]] absl::StatusOr<ReverseAnswer> Reverse(const CallContext& context,
                                                      const ReverseRequest& request);

  // Freezes a player: no withdrawal, seat or round. A begun round is played and closed as ever.
  // FIELD_REQUIRED, BAD_ID, BAD_TEXT, REQUEST_ID_REUSED, ACCOUNT_NOT_FOUND, CURRENCY_MIXED,
  // NOT_A_PLAYER_ACCOUNT, ACCOUNT_CLOSED*. OK if it is frozen already.
  [[nodiscard]] absl::StatusOr<Account> Freeze(const CallContext& context,
                                               const AccountControlRequest& request);
  // As Freeze.
  [[nodiscard]] absl::StatusOr<Account> Unfreeze(const CallContext& context,
                                                 const AccountControlRequest& request);

  // Closes a player's account for ever. As Freeze, then ROUND_IN_PROGRESS, PLAYER_BUSY* (a seat is
  // reserved), ACCOUNT_NOT_EMPTY*.
  [[nodiscard]] absl::StatusOr<Account> CloseAccount(const CallContext& context,
                                                     const AccountControlRequest& request);

  // ------------------------------------------------------------------------------------ tiers

  // FIELD_REQUIRED, BAD_ID, UNKNOWN_VARIANT, TIER_NOT_FOUND, ACCOUNT_NOT_FOUND, CURRENCY_MIXED,
  // NOT_A_PLAYER_ACCOUNT, BELOW_MINIMUM.
  [[nodiscard]] absl::StatusOr<StakeTierAnswer> GetStakeTier(const CallContext& context,
                                                             const StakeTierRequest& request);

  // The rooms of a game, or of all, by game and base. BAD_ID, UNKNOWN_VARIANT.
  [[nodiscard]] absl::StatusOr<std::vector<Tier>> ListStakeTiers(
      const CallContext& context, const ListStakeTiersRequest& request);

  // Gives a room another validity period, or opens a room. What was valid before stays written down
  // as it was, and rounds begun under it close by it.
  // FIELD_REQUIRED, BAD_ID, BAD_BASE, BAD_AMOUNT, BAD_PERIOD, REQUEST_ID_REUSED, TIER_CONFLICT.
  [[nodiscard]] absl::StatusOr<Tier> PutStakeTier(const CallContext& context,
                                                  const PutStakeTierRequest& request);

  // ------------------------------------------------------------------------- seats and rounds

  // Holds the room's minimum for a seat at a table, until the reservation time is over. At the table
  // where the player sits already it is held anew.
  // FIELD_REQUIRED, BAD_ID, BAD_BASE, REQUEST_ID_REUSED, UNKNOWN_VARIANT, TIER_NOT_FOUND,
  // ACCOUNT_NOT_FOUND, CURRENCY_MIXED, NOT_A_PLAYER_ACCOUNT, ACCOUNT_CLOSED*, ACCOUNT_FROZEN*,
  // ROUND_IN_PROGRESS, PLAYER_BUSY* (a seat at another table), BELOW_MINIMUM*.
  [[nodiscard]] absl::StatusOr<ReserveAnswer> Reserve(const CallContext& context,
                                                      const ReserveRequest& request);

  // Holds nothing any more for the seat at this table. True if something was held.
  // FIELD_REQUIRED, BAD_ID, REQUEST_ID_REUSED, ACCOUNT_NOT_FOUND, CURRENCY_MIXED,
  // NOT_A_PLAYER_ACCOUNT, ROUND_IN_PROGRESS (until that round is closed).
  [[nodiscard]] absl::StatusOr<bool> Release(const CallContext& context,
                                             const ReleaseRequest& request);

  // Begins a round before its deal: all four have their seat and enough coins, their reservations
  // are held anew, and until the round is closed nobody takes a coin out.
  // FIELD_REQUIRED, BAD_ID, BAD_TEXT, BAD_BASE, BAD_SEAT (four players), DUPLICATE_PLAYER,
  // RULEBOOK_VERSION_UNKNOWN, REQUEST_ID_REUSED, UNKNOWN_VARIANT, TIER_NOT_FOUND, then by seat
  // ACCOUNT_NOT_FOUND, CURRENCY_MIXED, NOT_A_PLAYER_ACCOUNT, ACCOUNT_FROZEN, ROUND_IN_PROGRESS,
  // RESERVATION_NOT_FOUND, BELOW_MINIMUM (metadata: player_id and what the reason has elsewhere).
  [[nodiscard]] absl::StatusOr<BegunRound> BeginRound(const CallContext& context,
                                                      const BeginRoundRequest& request);

  // The three that close a begun round, which happens exactly once: a second close of the same kind
  // and content gets the first answer. Nothing about the players refuses it: not an expired
  // reservation, a freeze, an ended tier, an empty balance. Holds shrink to what is left.

  // Posts a finished round (D-SET-1) with the rake of the tier that it was begun with.
  // FIELD_REQUIRED, BAD_ID, BAD_TEXT, BAD_BASE, BAD_SEAT (four players), DUPLICATE_PLAYER,
  // BAD_TRANSFER (too many, or two of one payer, payee and rule), BAD_SEAT, SELF_TRANSFER,
  // BAD_AMOUNT, ROUND_NOT_FOUND, ROUND_MISMATCH (another table, game, rulebook, base, currency or
  // player than it was begun with, or a rule that its rulebook does not have), ROUND_FINISHED
  // (closed otherwise), REQUEST_ID_REUSED, BALANCE_OVERFLOW.
  // No thread waits for it: `done` is called once, here or on the store's thread, and must not block.
  // OVERLOADED if too many wait.
  void SettleRound(const CallContext& context, SettleRoundRequest request,
                   std::function<void(absl::StatusOr<SettleRoundAnswer>)> done);

  // Closes a round from which a seat escaped (COM-10).
  // FIELD_REQUIRED, BAD_ID, BAD_SEAT, BAD_TEXT, ROUND_NOT_FOUND, ROUND_FINISHED, REQUEST_ID_REUSED,
  // BALANCE_OVERFLOW.
  [[nodiscard]] absl::StatusOr<ApplyPenaltyAnswer> ApplyPenalty(const CallContext& context,
                                                                const ApplyPenaltyRequest& request);

  // Closes a round for which nobody pays.
  // FIELD_REQUIRED, BAD_ID, BAD_TEXT, ROUND_NOT_FOUND, ROUND_FINISHED, REQUEST_ID_REUSED.
  [[nodiscard]] absl::StatusOr<VoidRoundAnswer> VoidRound(const CallContext& context,
                                                          const VoidRoundRequest& request);

  // ------------------------------------------------------------------------------------ lists

  // FIELD_REQUIRED, BAD_ID, BAD_PAGE_SIZE, BAD_PAGE_TOKEN, ACCOUNT_NOT_FOUND, CURRENCY_MIXED.
  [[nodiscard]] absl::StatusOr<ListEntriesAnswer> ListEntries(const CallContext& context,
                                                              const ListEntriesRequest& request);

  // Of an account, or of a table. FIELD_REQUIRED (exactly one of them), BAD_ID, BAD_PAGE_SIZE,
  // BAD_PAGE_TOKEN, ACCOUNT_NOT_FOUND, CURRENCY_MIXED.
  [[nodiscard]] absl::StatusOr<ListSettlementsAnswer> ListSettlements(
      const CallContext& context, const ListSettlementsRequest& request);

  // With its receipt. FIELD_REQUIRED (exactly one of both), BAD_ID, JOURNAL_NOT_FOUND.
  [[nodiscard]] absl::StatusOr<SettledRound> GetSettlement(const CallContext& context,
                                                           const GetSettlementRequest& request);

  // As it is hashed. FIELD_REQUIRED (exactly one of both), BAD_ID, JOURNAL_NOT_FOUND.
  [[nodiscard]] absl::StatusOr<HashedRow> GetJournalRow(const CallContext& context,
                                                        const GetJournalRowRequest& request);

  // What a watcher of a player has not seen yet: at most `count_max` entries, oldest first.
  // FIELD_REQUIRED, BAD_ID, SEQUENCE_AHEAD, ACCOUNT_NOT_FOUND, CURRENCY_MIXED,
  // NOT_A_PLAYER_ACCOUNT.
  [[nodiscard]] absl::StatusOr<std::vector<ListedEntry>> EntriesAfter(const CallContext& context,
                                                                      const WatchRequest& request,
                                                                      int count_max);

  // The numbers of players' latest entries, to know of many watchers who has something to be told.
  [[nodiscard]] absl::StatusOr<std::map<AccountKey, std::int64_t>> LastSequences(
      const CallContext& context, const std::vector<AccountKey>& accounts);

  // The next step of an audit of the whole ledger, from the first row or where the last step ended.
  // BAD_PAGE_SIZE, BAD_PAGE_TOKEN.
  [[nodiscard]] absl::StatusOr<VerifyLedgerAnswer> VerifyLedger(const CallContext& context,
                                                                const VerifyLedgerRequest& request);

 private:
  enum class Direction : std::uint8_t { kIn, kOut };
  [[nodiscard]] absl::StatusOr<MoneyAnswer> MoveMoney(const CallContext& context,
                                                      const MoneyRequest& request,
                                                      Direction direction);
  [[nodiscard]] absl::StatusOr<Account> Control(const CallContext& context,
                                                const AccountControlRequest& request,
                                                AccountEventKind kind);
  [[nodiscard]] absl::StatusOr<LedgerStore::RoundLookup> RequireRound(const CallContext& context,
                                                                      const std::string& round_id);

  LedgerStore& store_;
  const base::Clock& clock_;
  const RuleIdsOf rule_ids_;
  const WalletOptions options_;
};

}  // namespace mj::wallet
