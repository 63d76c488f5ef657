// A journal row with all that hangs on it, as it is hashed and checked.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libs/audit/digest.h"

namespace mj::audit {

// Words (kinds, purposes, currencies, flows) are those of the schema. Coins are signed whole coins,
// times microseconds since 1970 UTC, seats 0 to 3.

inline constexpr std::size_t kSeats = 4;

struct EntryRow {
  std::int64_t account_no = 0;
  std::string account_id;
  std::string currency;
  std::string purpose;
  std::int64_t coins = 0;
  std::optional<std::int64_t> balance_after;  // players only
  std::optional<std::int64_t> sequence;       // players only
};

struct MovementRow {
  std::string flow;
  std::optional<std::string> provider;            // both or neither
  std::optional<std::string> external_reference;  //
};

struct TransferRow {
  std::int64_t from_seat = 0;
  std::int64_t to_seat = 0;
  std::string rule_id;
  std::int64_t coins = 0;
};

struct SetOffRow {
  std::int64_t from_seat = 0;
  std::int64_t to_seat = 0;
  std::int64_t coins = 0;
};

struct SettlementRow {
  std::string variant;
  std::int64_t base = 0;
  std::string currency;
  std::int64_t rake = 0;
  // By seat.
  std::array<std::int64_t, kSeats> account_nos{};
  std::array<std::int64_t, kSeats> net{};
  std::array<std::int64_t, kSeats> rake_paid{};
  std::array<std::int64_t, kSeats> balance_after{};
  std::vector<TransferRow> transfers;  // by line
  std::vector<SetOffRow> set_offs;     // by from_seat, to_seat
};

struct PenaltyRow {
  std::string currency;
  std::int64_t escaper = 0;
  std::int64_t penalty = 0;
  std::int64_t taken = 0;
  std::int64_t share = 0;
  std::int64_t house = 0;
  std::int64_t shortfall = 0;
  // By seat.
  std::array<std::int64_t, kSeats> account_nos{};
  std::array<std::int64_t, kSeats> balance_after{};
};

struct ShortfallRow {
  std::int64_t payer_no = 0;
  std::int64_t payee_no = 0;
  std::int64_t owed = 0;
  std::int64_t coins = 0;
};

struct JournalRow {
  std::int64_t chain_no = 0;
  std::int64_t chain_sequence = 0;
  Digest previous_hash{};
  std::int64_t journal_no = 0;
  std::string kind;
  std::string request_key;
  std::int64_t content_version = 0;
  Digest content_hash{};
  std::string actor;
  std::optional<std::string> approver;
  std::string reason;
  std::optional<std::string> table_id;
  std::optional<std::string> round_id;
  std::optional<std::string> rulebook_version;
  std::optional<std::int64_t> reverses_journal_no;
  std::int64_t happened_at = 0;
  std::int64_t written_at = 0;
  std::vector<EntryRow> entries;  // by line, which counts from 1
  std::optional<MovementRow> movement;
  std::optional<SettlementRow> settlement;
  std::optional<PenaltyRow> penalty;
  std::vector<ShortfallRow> shortfalls;  // by payer_no, payee_no
};

}  // namespace mj::audit
