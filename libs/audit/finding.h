// What is wrong with a ledger, and where.
#pragma once

#include <cstdint>
#include <string>

namespace mj::audit {

enum class Fault : std::uint8_t {
  kRowMissing,      // a chain has a gap, or ends before its head
  kRowChanged,      // a row's hash is not that of its content
  kRowOutOfPlace,   // a row does not follow the one before it
  kRowUnsound,      // its content cannot be: entries that do not sum to zero, a part that lacks
  kHeadWrong,       // a chain's head is not its last row
  kEntryOrphaned,   // an entry belongs to no row of the journal
  kSequenceBroken,  // an account's entries do not count 1, 2, 3 …
  kBalanceBroken,   // an entry's balance is not the one before plus its coins
  kBalanceWrong,    // a balance row does not fit the account's entries
  kDayWrong,        // a sealed day is not what its rows make
  kRootWrong,       // a day is not what was signed
};

// One thing that is wrong. Numbers that mean nothing for it are 0 (chain_no: -1).
struct Finding {
  Fault fault = Fault::kRowChanged;
  std::int64_t chain_no = -1;
  std::int64_t chain_sequence = 0;
  std::int64_t journal_no = 0;
  std::int64_t account_no = 0;
  std::int64_t account_sequence = 0;
  std::string day;  // YYYY-MM-DD
  std::string why;  // one sentence for people
};

// ROW_CHANGED and so on.
[[nodiscard]] const char* NameOf(Fault fault);

// "journal row 12 (chain 3, sequence 7): ROW_CHANGED: …", with what is known of the place.
[[nodiscard]] std::string Describe(const Finding& finding);

}  // namespace mj::audit
