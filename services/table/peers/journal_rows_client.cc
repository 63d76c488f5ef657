#include "services/table/peers/journal_rows_client.h"

#include <algorithm>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/rpc/client.h"

namespace mj::table::peers {

namespace wallet = ::mahjong::wallet::v1;

absl::StatusOr<record::JournalRow> JournalRowsClient::ReadRow(const RoundId& round) {
  wallet::GetJournalRowRequest request;
  request.set_round_id(round.value());
  MJ_ASSIGN_OR_RETURN(const wallet::GetJournalRowResponse response,
                      mj::rpc::Invoke(*stub_, &wallet::WalletService::StubInterface::GetJournalRow,
                                      request, {.timeout = timeout_, .request_id = round.value()}));
  record::JournalRow row{response.journal_id(), response.canonical(), {}};
  if (response.journal_id().empty() || response.hash().size() != row.hash.size()) {
    return base::Error(base::Reason::kInternal, "the wallet's row: no id, or no hash");
  }
  std::copy(response.hash().begin(), response.hash().end(), row.hash.begin());
  return row;
}

}  // namespace mj::table::peers
