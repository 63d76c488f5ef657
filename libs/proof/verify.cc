#include "libs/proof/verify.h"

#include <array>
#include <utility>
#include <variant>

#include "libs/proof/checks.h"

namespace mj::proof {

std::string Count(std::size_t n, std::string_view what) {
  return Said(std::to_string(n), " ", what, n == 1 ? "" : "s");
}

std::string SeatText(rules::Seat seat) {
  return Said("seat ", std::to_string(rules::IndexOf(seat)));
}

std::string_view TextOf(record::Currency currency) {
  return currency == record::Currency::kCoin ? "COIN" : "PRACTICE";
}

const record::JournalRow* Case::recorded_row() const {
  if (settled() != nullptr) return &settled()->row;
  return voided()->row ? &*voided()->row : nullptr;
}

std::string_view Case::row_place() const {
  return settled() != nullptr ? "settled.row" : "voided.row";
}

namespace {

Statement StatementOf(Claim claim, Checked checked) {
  if (auto* proved = std::get_if<Proved>(&checked)) {
    return {claim, Verdict::kProved, std::move(proved->text), {}};
  }
  if (auto* nothing = std::get_if<Nothing>(&checked)) {
    return {claim, Verdict::kNothing, std::move(nothing->text), {}};
  }
  auto& misfit = std::get<Misfit>(checked);
  return {claim, Verdict::kRefuted, std::move(misfit.text), std::move(misfit.where)};
}

}  // namespace

Report Verify(const record::RoundRecord& record, const ScoreMisfit& score_misfit) {
  using Check = std::function<Checked(Case&)>;
  const std::array<std::pair<Claim, Check>, kClaims> checks = {{
      {Claim::kRound, CheckRoundItself},
      {Claim::kCommitment, CheckCommitment},
      {Claim::kNonces, CheckNonces},
      {Claim::kRulebook, CheckRulebook},
      {Claim::kDeal, CheckDeal},
      {Claim::kPlay, CheckPlay},
      {Claim::kOutcome, CheckOutcome},
      {Claim::kScore, [&](Case& the) { return CheckScore(the, score_misfit); }},
      {Claim::kJournalRow, CheckJournalRow},
      {Claim::kSettlement, CheckSettlement},
  }};
  Report report;
  Case the(record);
  bool reached = true;
  for (const auto& [claim, check] : checks) {
    if (!reached) {
      report.statements.push_back({claim, Verdict::kNotReached, {}, {}});
      continue;
    }
    report.statements.push_back(StatementOf(claim, check(the)));
    reached = report.statements.back().verdict != Verdict::kRefuted;
  }
  report.not_provable = std::move(the.not_provable);
  return report;
}

}  // namespace mj::proof
