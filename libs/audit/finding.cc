#include "libs/audit/finding.h"

namespace mj::audit {

const char* NameOf(Fault fault) {
  switch (fault) {
    case Fault::kRowMissing:
      return "ROW_MISSING";
    case Fault::kRowChanged:
      return "ROW_CHANGED";
    case Fault::kRowOutOfPlace:
      return "ROW_OUT_OF_PLACE";
    case Fault::kRowUnsound:
      return "ROW_UNSOUND";
    case Fault::kHeadWrong:
      return "HEAD_WRONG";
    case Fault::kEntryOrphaned:
      return "ENTRY_ORPHANED";
    case Fault::kSequenceBroken:
      return "SEQUENCE_BROKEN";
    case Fault::kBalanceBroken:
      return "BALANCE_BROKEN";
    case Fault::kBalanceWrong:
      return "BALANCE_WRONG";
    case Fault::kDayWrong:
      return "DAY_WRONG";
    case Fault::kRootWrong:
      return "ROOT_WRONG";
  }
  return "";
}

std::string Describe(const Finding& finding) {
  std::string place;
  const auto add = [&place](const std::string& part) {
    if (!place.empty()) place.append(", ");
    place.append(part);
  };
  if (finding.journal_no != 0) add("journal row " + std::to_string(finding.journal_no));
  if (finding.chain_no >= 0) add("chain " + std::to_string(finding.chain_no));
  if (finding.chain_sequence != 0) add("sequence " + std::to_string(finding.chain_sequence));
  if (finding.account_no != 0) add("account " + std::to_string(finding.account_no));
  if (finding.account_sequence != 0) add("entry " + std::to_string(finding.account_sequence));
  if (!finding.day.empty()) add("day " + finding.day);
  return place + ": " + NameOf(finding.fault) + ": " + finding.why;
}

}  // namespace mj::audit
