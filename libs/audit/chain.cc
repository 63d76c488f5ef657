#include "libs/audit/chain.h"

#include <utility>

#include "libs/audit/canonical.h"

namespace mj::audit {
namespace {

Finding Of(const JournalRow& row, Fault fault, std::string why) {
  Finding finding;
  finding.fault = fault;
  finding.chain_no = row.chain_no;
  finding.chain_sequence = row.chain_sequence;
  finding.journal_no = row.journal_no;
  finding.why = std::move(why);
  return finding;
}

}  // namespace

std::optional<Finding> CheckSound(const JournalRow& row) {
  const auto unsound = [&](std::string why) { return Of(row, Fault::kRowUnsound, std::move(why)); };
  CurrencyTotals totals;
  for (const EntryRow& entry : row.entries) {
    totals.Add(entry.currency, entry.coins);
    if (entry.coins == 0) return unsound("an entry of no coins");
    if (entry.balance_after.has_value() != entry.sequence.has_value()) {
      return unsound("an entry with a balance and no number, or the other way round");
    }
  }
  for (const auto& [currency, total] : totals.totals()) {
    if (total != 0) return unsound("its entries do not sum to zero in " + currency);
  }
  if ((row.kind == "settlement") != row.settlement.has_value()) {
    return unsound("a settlement without its seats, or seats without a settlement");
  }
  if ((row.kind == "penalty") != row.penalty.has_value()) {
    return unsound("a penalty without its seats, or seats without a penalty");
  }
  if ((row.kind == "void") && !row.entries.empty()) return unsound("a void round that moves coins");
  return std::nullopt;
}

Finding ChainVerifier::At(const JournalRow& row, Fault fault, std::string why) const {
  Finding finding = Of(row, fault, std::move(why));
  finding.chain_no = chain_no_;
  return finding;
}

std::optional<Finding> ChainVerifier::Next(const JournalRow& row, const Digest& stored) {
  const std::int64_t want = at_.sequence + 1;
  if (row.chain_no != chain_no_ || row.chain_sequence < want) {
    return At(row, Fault::kRowOutOfPlace, "sequence " + std::to_string(want) + " was to come");
  }
  if (row.chain_sequence > want) {
    Finding missing;
    missing.fault = Fault::kRowMissing;
    missing.chain_no = chain_no_;
    missing.chain_sequence = want;
    missing.why = "the next row that is there is journal row " + std::to_string(row.journal_no) +
                  ", sequence " + std::to_string(row.chain_sequence);
    return missing;
  }
  if (RowHash(row) != stored) {
    return At(row, Fault::kRowChanged, "its content, or what hangs on it, does not have its hash");
  }
  if (row.previous_hash != at_.hash) {
    return At(row, Fault::kRowOutOfPlace,
              "it was written after another row than the one before it");
  }
  if (row.journal_no <= last_journal_no_ || row.written_at < last_written_at_) {
    return At(row, Fault::kRowOutOfPlace, "its number or time is not after the row before it");
  }
  if (auto unsound = CheckSound(row)) return unsound;
  at_ = {row.chain_sequence, stored};
  last_journal_no_ = row.journal_no;
  last_written_at_ = row.written_at;
  return std::nullopt;
}

std::optional<Finding> ChainVerifier::Finish(const ChainPlace& head) const {
  Finding finding;
  finding.chain_no = chain_no_;
  if (head.sequence > at_.sequence) {
    finding.fault = Fault::kRowMissing;
    finding.chain_sequence = at_.sequence + 1;
    finding.why =
        "the chain's head says that it goes on to sequence " + std::to_string(head.sequence);
    return finding;
  }
  if (head.sequence < at_.sequence || head.hash != at_.hash) {
    finding.fault = Fault::kHeadWrong;
    finding.chain_sequence = at_.sequence;
    finding.why =
        "the chain's head, sequence " + std::to_string(head.sequence) + ", is not its last row";
    return finding;
  }
  return std::nullopt;
}

}  // namespace mj::audit
