// What the wallet needs of its ledger: a port. The real one is PostgreSQL (services/wallet/store),
// the other lives in memory for tests; ledger_store_contract.h holds both to what is said here.
//
// There are two kinds of writes. `Post` writes a journal row: coins move, or a round is closed.
// `Change` writes none: a seat is reserved, a round begins, an account is frozen. Both decide on
// players' balances that are locked until the write is over, in one order for everybody.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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
struct KeyTaken {
  std::optional<RoundClose> closed = {};  // if it is a round's: how that was closed
};

// What else an answer says, remembered with it. Names are lower_snake.
using Facts = std::map<std::string, std::string>;

// What is known of an account that a write names, locked until the write is over.
struct Found {
  enum class What : std::uint8_t {
    kPlayer,         // the rest is meaningful
    kHouse,          // an account of the house
    kOtherCurrency,  // there is such an account, in the other currency only
    kNothing,
  };
  What what = What::kNothing;
  ledger::PlayerBalance balance;  // held: of the live hold, else 0
  Standing standing;
};

// What a decision is taken on.
struct Ground {
  base::WallTime now{};         // the store's clock, by which holds live and tiers are valid
  std::vector<Found> accounts;  // in the order in which they were named
  // Change only.
  bool variant_known = false;  // the game has a tier in this currency at this moment
  std::optional<Tier> tier;    // the tier asked for, as it stands at this moment
  // Post only.
  std::shared_ptr<const BegunRound> round;  // the round asked for; null: it was never begun
  bool reference_used = false;              // the movement is booked already
  JournalNo reversed_by = 0;                // of the row to be reversed; 0: not yet
};

// A "no" that hangs on the state of accounts: remembered under the request's key, so that a retry
// gets it again whatever has changed meanwhile. `facts` hold the failure's metadata and, under
// kFieldFact, its field.
struct Refusal {
  base::Reason reason = base::Reason::kInsufficientFunds;
  Facts facts = {};

  friend bool operator==(const Refusal&, const Refusal&) = default;
};
inline constexpr const char* kFieldFact = "field";

// ---------------------------------------------------------------------------------------- Post

// A decision to write a journal row.
struct Event {
  JournalKind kind = JournalKind::kDeposit;
  std::string actor;
  std::string approver;  // reversals and adjustments only
  std::string reason;
  std::string table_id;          // kinds that close a round
  std::string round_id;          // kinds that close a round
  std::string rulebook_version;  // kinds that close a round
  base::WallTime happened_at;
  // They sum to zero, players' among the accounts named, in the order of their numbers. None for a
  // void round.
  std::vector<Line> lines;
  std::optional<Movement> movement;      // deposits and withdrawals only
  std::optional<Settlement> settlement;  // settlements only
  std::optional<PenaltyTaken> penalty;   // penalties only
  JournalNo reverses = 0;                // reversals only
  Facts facts;                           // remembered with it; sticky writes only
};

using Verdict = std::variant<Event, Refusal>;

// A write to be decided on locked accounts.
struct Posting {
  RequestKey key;
  // Whether the verdict is kept under the key. If so at least one account is named, and the answer
  // tells the balance of the first. If not (what closes a round), a Refusal may not be returned, and
  // the journal row itself is the memory.
  bool sticky = false;
  // Decide and answer, but write nothing, the key included.
  bool validate_only = false;
  Currency currency = Currency::kCoin;
  std::vector<std::string> account_ids;  // players, all different
  std::string round_id;                  // to be closed, and looked up: Ground::round
  std::optional<Movement> movement;      // with a provider; to be looked up: Ground::reference_used
  JournalNo reverses = 0;                // to be looked up: Ground::reversed_by
  // Decides. Pure but for the clock, and may be called several times: each call sees the ground anew. A failed status
  // writes nothing and is what Post returns.
  std::function<absl::StatusOr<Verdict>(const Ground&)> decide;
};

// The first answer to a write.
struct Posted {
  JournalNo journal_no = 0;                // 0: validate_only
  Coins balance{};                         // of the first account, right after; sticky writes only
  std::optional<Settlement> settlement{};  // settlements only
  std::optional<PenaltyTaken> penalty{};   // penalties only
  Facts facts{};                           // sticky writes only
  bool again = false;                      // it had been given before
};

struct Refused {
  Refusal refusal;
  Coins balance;  // of the first account, when it was refused
  bool again = false;
};

using PostOutcome = std::variant<Posted, Refused, KeyTaken>;

// Gets the outcome of a posting, once.
using PostDone = std::function<void(absl::StatusOr<PostOutcome>)>;

// -------------------------------------------------------------------------------------- Change

// A decision to change what stands about accounts. No coins move.
struct Alteration {
  std::vector<Standing> after;  // of each account named, as it shall stand
  // A seat is reserved for the first account, in the room of this id.
  std::optional<std::string> reserved_tier_id;
  std::optional<BegunRound> round;                // begins; the key is its memory
  std::optional<AccountEventKind> account_event;  // of the first account
  std::string actor;                              // of the account event
  std::string reason;                             // of the account event
  Facts facts;                                    // remembered with it; sticky writes only
};

// A write to be decided on locked accounts.
using ChangeVerdict = std::variant<Alteration, Refusal>;

struct ChangeRequest {
  RequestKey key;
  // Whether the verdict is kept under the key, as in Posting. If not (the beginning of a round), a
  // Refusal may not be returned, and the round itself is the memory.
  bool sticky = false;
  bool validate_only = false;  // as in Posting
  Currency currency = Currency::kCoin;
  std::vector<std::string> account_ids;  // players, all different
  std::string round_id;                  // to begin; writes that are not sticky only
  // The tier to look up, if any.
  std::string tier_variant;
  std::int64_t tier_base = 0;
  // As in Posting.
  std::function<absl::StatusOr<ChangeVerdict>(const Ground&)> decide;
};

struct Changed {
  Coins balance;                    // of the first account; sticky writes only
  std::optional<BegunRound> round;  // begun; writes that are not sticky only
  Facts facts;                      // sticky writes only
  bool again = false;
};

using ChangeOutcome = std::variant<Changed, Refused, KeyTaken>;

// -------------------------------------------------------------------------------------- others

struct AccountExists {};
using OpenOutcome = std::variant<Account, AccountExists, KeyTaken>;

// A further validity period of a room, or a new room.
struct TierPeriod {
  Tier tier;  // valid_from counts if `from_now` is false
  bool from_now = false;
  std::string actor;
};
enum class TierRefused : std::uint8_t {
  kInThePast,   // it would begin before this moment
  kNotTheLast,  // the room has a period that begins then or later
  kOtherRoom,   // the id is another room's, or this room has another id
};
using TierOutcome = std::variant<Tier, TierRefused, KeyTaken>;

// Which settlements to list: those of one account, or of one table.
struct SettlementFilter {
  std::optional<AccountKey> account;
  std::string table_id;
};

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

  // The tiers of a game in a currency as they stand now (the store's clock); none for a game it has
  // never heard of. An empty `variant`: of all games. In no order.
  [[nodiscard]] virtual absl::StatusOr<std::vector<Tier>> TiersOf(const std::string& variant,
                                                                  Currency currency,
                                                                  base::MonotonicTime deadline) = 0;

  // Adds a validity period, which ends the room's present one when it begins. The same request again
  // gets the first answer; refusals are not remembered. REQUIRES checked values.
  [[nodiscard]] virtual absl::StatusOr<TierOutcome> PutTier(const RequestKey& key,
                                                            const TierPeriod& period,
                                                            base::MonotonicTime deadline) = 0;

  // Posts once, all or nothing:
  //   1. a key that was used before gets its first answer, or KeyTaken, and `decide` is not called;
  //   2. locks the accounts, in one order for everybody, so that no two writes wait for each other;
  //   3. calls `decide`, and writes what it returns: journal row, entries, balances, settlement,
  //      penalty, movement. A kind that closes a round takes it from all accounts named.
  // Of two calls at the same time with one key, one is decided and both get its answer.
  // INTERNAL if the event does not fit the ledger (entries that do not sum to zero): a bug.
  [[nodiscard]] virtual absl::StatusOr<PostOutcome> Post(const Posting& posting,
                                                         base::MonotonicTime deadline) = 0;

  // Post without a thread that waits for it. `done` is called on whatever thread wrote, or on this one;
  // it must not block. `decide` may be called after the deadline, so the posting has to own whatever
  // that looks at. OVERLOADED if too many wait.
  virtual void PostAsync(std::shared_ptr<const Posting> posting, base::MonotonicTime deadline,
                         PostDone done) = 0;

  // Changes once, all or nothing, as Post does. Never moves coins.
  [[nodiscard]] virtual absl::StatusOr<ChangeOutcome> Change(const ChangeRequest& request,
                                                             base::MonotonicTime deadline) = 0;

  // A round that was begun, and how it was closed; nothing for one that was not.
  struct RoundLookup {
    std::optional<BegunRound> begun;
    std::optional<RoundClose> closed;
  };
  [[nodiscard]] virtual absl::StatusOr<RoundLookup> FindRound(const std::string& round_id,
                                                              base::MonotonicTime deadline) = 0;

  // A journal row; nothing if there is none of that number.
  [[nodiscard]] virtual absl::StatusOr<std::optional<JournalRecord>> FindJournal(
      JournalNo journal_no, base::MonotonicTime deadline) = 0;

  // At most `count_max` entries of an account before `before` (nullopt: the newest), newest first.
  // Empty for an account that does not exist.
  [[nodiscard]] virtual absl::StatusOr<std::vector<ListedEntry>> ListEntries(
      const AccountKey& account, std::optional<EntryPosition> before, int count_max,
      base::MonotonicTime deadline) = 0;

  // At most `count_max` entries of a player after the one numbered `after`, oldest first.
  [[nodiscard]] virtual absl::StatusOr<std::vector<ListedEntry>> ListEntriesAfter(
      const AccountKey& account, std::int64_t after, int count_max,
      base::MonotonicTime deadline) = 0;

  // The numbers of the latest entries of players, 0 for one without any. What is no player's is left
  // out. One question for all of them.
  [[nodiscard]] virtual absl::StatusOr<std::map<AccountKey, std::int64_t>> LastSequences(
      const std::vector<AccountKey>& accounts, base::MonotonicTime deadline) = 0;

  // At most `count_max` settled rounds before `before` (nullopt: the newest), newest first.
  [[nodiscard]] virtual absl::StatusOr<std::vector<SettledRound>> ListSettlements(
      const SettlementFilter& filter, std::optional<std::int64_t> before, int count_max,
      base::MonotonicTime deadline) = 0;

  // The settlement of a round, or the one of a journal row if `round_id` is empty.
  [[nodiscard]] virtual absl::StatusOr<std::optional<SettledRound>> FindSettlement(
      const std::string& round_id, JournalNo journal_no, base::MonotonicTime deadline) = 0;

  // The journal row that closed a round, or the one of a number if `round_id` is empty.
  [[nodiscard]] virtual absl::StatusOr<std::optional<HashedRow>> FindHashedRow(
      const std::string& round_id, JournalNo journal_no, base::MonotonicTime deadline) = 0;

  // One step of an audit of everything that is stored. `place`: where the step before ended; empty:
  // the beginning. Reads about `rows_max` rows and entries, at least 1.
  struct Verified {
    LedgerCheck checked;
    std::string
        place;  // where the next step begins; empty: there is no more, or something is wrong
  };
  // INVALID_ARGUMENT for a text that is no place.
  [[nodiscard]] virtual absl::StatusOr<Verified> Verify(const std::string& place,
                                                        std::int64_t rows_max,
                                                        base::MonotonicTime deadline) = 0;
};

}  // namespace mj::wallet
