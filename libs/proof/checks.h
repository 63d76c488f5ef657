// One function for each claim. Inside of this room.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libs/audit/row.h"
#include "libs/proof/replay.h"
#include "libs/proof/verify.h"
#include "libs/receipt/price.h"
#include "libs/record/round_record.h"
#include "libs/round/setup.h"

namespace mj::proof {

struct Proved {
  std::string text;
};
// This round has nothing of the kind; why.
struct Nothing {
  std::string text;
};
using Checked = std::variant<Proved, Nothing, Misfit>;

// A record, and what those that were checked before have found out.
struct Case {
  explicit Case(const record::RoundRecord& of) : record(of) {}

  const record::RoundRecord& record;
  std::vector<std::string> not_provable;
  const rules::Variant* game = nullptr;        // kRulebook
  std::optional<rules::Options> options;       // kRulebook
  std::optional<round::Setup> setup;           // kDeal, where there was one
  std::optional<Played> played;                // kPlay, where anything was played
  std::optional<receipt::PricedRound> priced;  // kScore, where it is scored
  std::optional<audit::JournalRow> row;        // kJournalRow, where there is one

  [[nodiscard]] const record::Settled* settled() const {
    return std::get_if<record::Settled>(&record.end);
  }
  [[nodiscard]] const record::Voided* voided() const {
    return std::get_if<record::Voided>(&record.end);
  }
  // The wallet did not let it begin: nothing was played.
  [[nodiscard]] bool refused() const {
    return voided() != nullptr && voided()->voided.reason == record::VoidReason::kRefused;
  }
  // As recorded; nullptr where there is none.
  [[nodiscard]] const record::JournalRow* recorded_row() const;
  // "settled.row" or "voided.row".
  [[nodiscard]] std::string_view row_place() const;
};

// Each may count on everything before it to be proved.
Checked CheckRoundItself(Case& the);
Checked CheckCommitment(Case& the);
Checked CheckNonces(Case& the);
Checked CheckRulebook(Case& the);
Checked CheckDeal(Case& the);
Checked CheckPlay(Case& the);
Checked CheckOutcome(Case& the);
Checked CheckScore(Case& the, const ScoreMisfit& score_misfit);
Checked CheckJournalRow(Case& the);
Checked CheckSettlement(Case& the);

// Pieces of a text; numbers through Count.
template <typename... Pieces>
[[nodiscard]] std::string Said(const Pieces&... pieces) {
  std::string text;
  (text.append(pieces), ...);
  return text;
}
// "1 event", "12 events".
[[nodiscard]] std::string Count(std::size_t n, std::string_view what);
[[nodiscard]] std::string SeatText(rules::Seat seat);
[[nodiscard]] std::string_view TextOf(record::Currency currency);

}  // namespace mj::proof
