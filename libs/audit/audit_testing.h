// Rows for tests of whoever checks rows.
#pragma once

#include <string>

#include "libs/audit/canonical.h"
#include "libs/audit/row.h"

namespace mj::audit {

// A deposit of `coins` to player 9 ("ann"), sequence `sequence` of chain 3, after `previous`.
inline JournalRow SomeDeposit(std::int64_t sequence, const Digest& previous,
                              std::int64_t coins = 5) {
  JournalRow row;
  row.chain_no = 3;
  row.chain_sequence = sequence;
  row.previous_hash = previous;
  row.journal_no = 100 + sequence;
  row.kind = "deposit";
  row.request_key = "Deposit/me/" + std::to_string(sequence);
  row.content_version = 1;
  row.content_hash = Sha256("content");
  row.actor = "me";
  row.happened_at = 1'000'000 * sequence;
  row.written_at = 1'000'000 * sequence + 5;
  row.entries = {{9, "ann", "COIN", "money_in", coins, coins * sequence, sequence},
                 {1, "issue", "COIN", "money_in", -coins, std::nullopt, std::nullopt}};
  return row;
}

}  // namespace mj::audit
