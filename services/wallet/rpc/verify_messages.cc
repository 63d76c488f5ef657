// The audit's messages, and rows as they are hashed.

#include <string>

#include "libs/audit/digest.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/rpc/messages.h"

namespace mj::wallet::rpc {

absl::StatusOr<VerifyLedgerRequest> FromProto(const proto::VerifyLedgerRequest& in) {
  return VerifyLedgerRequest{.rows_max = in.rows_max(), .page_token = in.page_token()};
}

absl::StatusOr<GetJournalRowRequest> FromProto(const proto::GetJournalRowRequest& in) {
  return GetJournalRowRequest{in.round_id(), in.journal_id()};
}

void ToProto(const HashedRow& row, proto::GetJournalRowResponse& out) {
  out.set_journal_id(JournalId(row.journal_no));
  out.set_canonical(row.canonical);
  out.set_hash(std::string(audit::AsBytes(row.hash)));
}

void ToProto(const VerifyLedgerAnswer& answer, proto::VerifyLedgerResponse& out) {
  const LedgerCheck& checked = answer.checked;
  if (checked.finding) {
    const audit::Finding& found = *checked.finding;
    proto::LedgerFinding& finding = *out.mutable_finding();
    finding.set_fault(audit::NameOf(found.fault));
    finding.set_chain_no(static_cast<std::int32_t>(found.chain_no));
    finding.set_chain_sequence(found.chain_sequence);
    finding.set_journal_id(JournalId(found.journal_no));
    finding.set_account_no(found.account_no);
    finding.set_account_sequence(found.account_sequence);
    finding.set_day(found.day);
    finding.set_description(audit::Describe(found));
  }
  out.set_journal_rows(checked.rows);
  out.set_entries(checked.entries);
  out.set_accounts(checked.accounts);
  out.set_days(checked.days);
  out.set_next_page_token(answer.next_page_token);
}

}  // namespace mj::wallet::rpc
