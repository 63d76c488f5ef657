#include "services/wallet/app/statement.h"

#include <optional>

#include "libs/statement/statement.h"
#include "services/wallet/app/closing.h"

namespace mj::wallet {

std::string StatementHeader() { return statement::Header(); }

std::string StatementLine(const ListedEntry& entry) {
  return statement::ToCsv({.sequence = entry.sequence,
                           .written_at = entry.written_at,
                           .journal_no = entry.journal_no,
                           .event = std::string(NameOf(entry.kind)),
                           .coins = entry.coins.value(),
                           .balance_after = entry.balance_after ? std::optional<std::int64_t>(
                                                                      entry.balance_after->value())
                                                                : std::nullopt,
                           .round_id = entry.round_id,
                           .table_id = entry.table_id,
                           .reason = entry.reason});
}

}  // namespace mj::wallet
