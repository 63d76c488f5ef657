// The audit of the wallet in steps of bounded work, for whoever cannot wait for all of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "libs/audit/digest.h"
#include "libs/audit/finding.h"
#include "libs/base/clock.h"
#include "libs/pg/pool.h"

namespace mj::books {

// How far an audit has come. What was before it is right.
struct AuditPlace {
  enum class Part : std::uint8_t {
    kChains,   // number: the chain; sequence, hash: its last row that was checked (0: none)
    kDays,     // day: the last sealed day that was checked ("": none)
    kPlayers,  // number: the last account that was checked (0: none)
    kHouse,    // number, sequence: account and journal row of the last entry checked (0: none)
    kOver,
  };
  Part part = Part::kChains;
  std::int64_t number = 0;
  std::int64_t sequence = 0;
  audit::Digest hash = audit::kNothingBefore;
  std::string day = {};

  friend bool operator==(const AuditPlace&, const AuditPlace&) = default;
};

// A place as text without white space, and back; nothing for text that is no place.
[[nodiscard]] std::string ToText(const AuditPlace& place);
[[nodiscard]] std::optional<AuditPlace> PlaceFromText(std::string_view text);

// What one step has checked, up to the finding if there is one.
struct AuditStep {
  std::optional<audit::Finding> finding;         // the first thing that is wrong
  std::int64_t rows = 0;                         // journal rows, each with all that hangs on it
  std::int64_t entries = 0;                      // against their accounts
  std::int64_t accounts = 0;                     // players'
  std::int64_t days = 0;                         // sealed days
  AuditPlace next;                               // where the next step begins
  std::map<std::int64_t, std::int64_t> reached;  // chain_sequence up to which chains were checked
};

// One step from `from` on. Parts come in their order: all chains row by row up to their heads, every
// sealed day against the hashes of its rows, every player's entries against each other and the
// balance, and whether the house's entries have their rows. Each step sees one snapshot; what is
// posted between two of them is checked if it comes after `from`, or by the next audit.
//
//   rows_max  journal rows (with all on them), then accounts' entries, at least 1. A sealed day (its hashes: a
//             sixteenth of their number) and a player's account are read whole, so it may be more.
//
// The rows that were checked by an earlier step are trusted, but for the last of its chain: whoever
// changes one behind an audit's back is found by the next audit, or by its sealed day.
[[nodiscard]] absl::StatusOr<AuditStep> AuditFrom(pg::Pool& pool, const AuditPlace& from,
                                                  std::int64_t rows_max,
                                                  base::MonotonicTime deadline);

}  // namespace mj::books
