// What the wallet needs of its ledger: a port. The real one is PostgreSQL (services/wallet/store),
// the other lives in memory for tests; ledger_store_contract.h holds both to what is said here.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "libs/base/reasons.h"
#include "services/wallet/app/types.h"

namespace mj::wallet {

// What makes a write happen once.
struct RequestKey {
  // Names the write among all writes: rpc, caller and request id, or the round.
  std::string text;
  // Tells a retry from another request under the same key: equal versions and bytes, the same
  // request. See content.h.
  int content_version = 1;
  std::string content;
};

// The key is in use, for other content.
struct KeyTaken {};

// What is known of an account that a write names, locked until the write is over.
struct Found {
  enum class What : std::uint8_t {
    kPlayer,         // `balance` is its balance
    kHouse,          // an account of the house
    kOtherCurrency,  // there is such an account, in the other currency only
    kNothing,
  };
  What what = What::kNothing;
  ledger::PlayerBalance balance;
};

// What a decision is taken on.
struct Ground {
  std::vector<Found> accounts;  // in the order in which they were named
  bool variant_known = false;   // the game has a tier at this moment
  std::optional<Tier> tier;     // the tier asked for, as it stands at this moment
};

// A decision to write a journal row.
struct Event {
  JournalKind kind = JournalKind::kDeposit;
  std::string actor;
  std::string reason;
  std::string table_id;          // settlements only
  std::string round_id;          // settlements only
  std::string rulebook_version;  // settlements only
  base::WallTime happened_at;
  // They sum to zero, players' among the accounts named, in the order of their numbers.
  std::vector<Line> lines;
  std::optional<Settlement> settlement;
};

// A "no" that hangs on balances: remembered under the request's key, so that a retry gets it again
// whatever has changed meanwhile.
struct Refusal {
  base::Reason reason = base::Reason::kInsufficientFunds;

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

using Verdict = std::variant<Event, Refusal>;

// A write to be decided on locked accounts.
struct Posting {
  RequestKey key;
  // Whether the verdict is kept under the key. If so there is exactly one account. If not (what
  // closes a round), a Refusal may not be returned, and the journal row itself is the memory.
  bool sticky = false;
  Currency currency = Currency::kCoin;
  std::vector<std::string> account_ids;  // all different
  // The tier to look up, if any.
  std::string tier_variant;
  std::int64_t tier_base = 0;
  // Decides. Pure, and may be called several times: each call sees the ground anew. A failed status
  // writes nothing and is what Post returns.
  std::function<absl::StatusOr<Verdict>(const Ground&)> decide;
};

// The first answer to a write.
struct Posted {
  JournalNo journal_no = 0;
  Coins balance;                         // of the one account, right after; sticky writes only
  std::optional<Settlement> settlement;  // settlements only
  bool again = false;                    // it had been given before
};

struct Refused {
  Refusal refusal;
  Coins balance;  // of the one account, when it was refused
  bool again = false;
};

using PostOutcome = std::variant<Posted, Refused, KeyTaken>;

struct AccountExists {};
using OpenOutcome = std::variant<Account, AccountExists, KeyTaken>;

// Thread-safe. Every call may block, and ends at `deadline`. Each may answer UNAVAILABLE,
// DEADLINE_EXCEEDED, CONFLICT; after these nobody knows whether a write took place, and the same
// call tells.
class LedgerStore {
 public:
  virtual ~LedgerStore() = default;

  // Opens a player's account with balance 0. The same request again gets the same account, as it
  // stood when it was opened. AccountExists if another request opened it, or the house has that id.
  [[nodiscard]] virtual absl::StatusOr<OpenOutcome> OpenAccount(const RequestKey& key,
                                                                const AccountKey& account,
                                                                base::MonotonicTime deadline) = 0;

  struct Lookup {
    std::optional<Account> account;
    bool in_other_currency = false;  // meaningful if there is no account
  };
  [[nodiscard]] virtual absl::StatusOr<Lookup> FindAccount(const AccountKey& account,
                                                           base::MonotonicTime deadline) = 0;

  // The tiers of a game as they stand now (the store's clock); none for a game it has never heard
  // of. In no order.
  [[nodiscard]] virtual absl::StatusOr<std::vector<Tier>> TiersOf(const std::string& variant,
                                                                  base::MonotonicTime deadline) = 0;

  // Posts once, all or nothing:
  //   1. a key that was used before gets its first answer, or KeyTaken, and `decide` is not called;
  //   2. locks the accounts, in one order for everybody, so that no two writes wait for each other;
  //   3. calls `decide`, and writes what it returns: journal row, entries, balances, settlement.
  // Of two calls at the same time with one key, one is decided and both get its answer.
  // INTERNAL if the event does not fit the ledger (entries that do not sum to zero): a bug.
  [[nodiscard]] virtual absl::StatusOr<PostOutcome> Post(const Posting& posting,
                                                         base::MonotonicTime deadline) = 0;

  // At most `count_max` entries of an account before `before` (nullopt: the newest), newest first.
  // Empty for an account that does not exist.
  [[nodiscard]] virtual absl::StatusOr<std::vector<ListedEntry>> ListEntries(
      const AccountKey& account, std::optional<EntryPosition> before, int count_max,
      base::MonotonicTime deadline) = 0;
};

}  // namespace mj::wallet
