#include "libs/proof/report.h"

#include <algorithm>

namespace mj::proof {

std::string_view NameOf(Claim claim) {
  switch (claim) {
    case Claim::kRound:
      return "round";
    case Claim::kRulebook:
      return "rulebook";
    case Claim::kCommitment:
      return "commitment";
    case Claim::kNonces:
      return "nonces";
    case Claim::kDeal:
      return "deal";
    case Claim::kPlay:
      return "play";
    case Claim::kOutcome:
      return "outcome";
    case Claim::kScore:
      return "score";
    case Claim::kSettlement:
      return "settlement";
    case Claim::kJournalRow:
      return "journal row";
  }
  return "";
}

std::string_view NameOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kProved:
      return "proved";
    case Verdict::kRefuted:
      return "REFUTED";
    case Verdict::kNotReached:
      return "not reached";
    case Verdict::kNothing:
      return "none";
  }
  return "";
}

const Statement* Report::misfit() const {
  const auto refuted = [](const Statement& each) { return each.verdict == Verdict::kRefuted; };
  const auto found = std::find_if(statements.begin(), statements.end(), refuted);
  return found == statements.end() ? nullptr : &*found;
}

bool Report::fits() const { return !statements.empty() && misfit() == nullptr; }

}  // namespace mj::proof
