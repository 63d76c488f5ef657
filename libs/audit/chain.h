// The check of one chain of journal rows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "libs/audit/digest.h"
#include "libs/audit/finding.h"
#include "libs/audit/row.h"

namespace mj::audit {

// A place in a chain: its row of that sequence, or the beginning.
struct ChainPlace {
  std::int64_t sequence = 0;
  Digest hash = kNothingBefore;
};

// Sums of coins by currency. They cannot overflow: 128 bits.
class CurrencyTotals {
 public:
  __extension__ using Wide = __int128;
  void Add(const std::string& currency, std::int64_t coins) { totals_[currency] += coins; }
  [[nodiscard]] const std::map<std::string, Wide>& totals() const { return totals_; }

 private:
  std::map<std::string, Wide> totals_;
};

// Whether a row can be by itself, whatever stands around it: its entries sum to zero in each
// currency, a player's have balance and number both, and it has the parts that its kind has.
[[nodiscard]] std::optional<Finding> CheckSound(const JournalRow& row);

// Rows of one chain go in by rising chain_sequence; the first that is wrong is named. After a
// finding the verifier is of no more use.
class ChainVerifier {
 public:
  // `before`: where the first row continues; the beginning, or a place that is taken on trust.
  ChainVerifier(std::int64_t chain_no, ChainPlace before) : chain_no_(chain_no), at_(before) {}

  // `stored` is the hash that is stored with the row. Checks, in this order: its place (no gap, none
  // twice), its content against its hash, that it continues the row before it, that number and time
  // rise, and CheckSound.
  [[nodiscard]] std::optional<Finding> Next(const JournalRow& row, const Digest& stored);

  // After the last row: whether the chain ends where its head says.
  [[nodiscard]] std::optional<Finding> Finish(const ChainPlace& head) const;

  [[nodiscard]] const ChainPlace& at() const { return at_; }

 private:
  [[nodiscard]] Finding At(const JournalRow& row, Fault fault, std::string why) const;

  std::int64_t chain_no_;
  ChainPlace at_;
  std::int64_t last_journal_no_ = 0;
  std::int64_t last_written_at_ = INT64_MIN;
};

}  // namespace mj::audit
