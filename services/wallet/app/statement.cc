#include "services/wallet/app/statement.h"

#include <vector>

#include "libs/base/clock.h"
#include "libs/base/csv.h"
#include "services/wallet/app/closing.h"
#include "services/wallet/app/composing.h"

namespace mj::wallet {

std::string StatementHeader() {
  return base::CsvLine(std::vector<std::string>{"sequence", "written_at", "journal_id", "event",
                                                "coins", "balance_after", "round_id", "table_id",
                                                "reason"});
}

std::string StatementLine(const ListedEntry& entry) {
  return base::CsvLine(std::vector<std::string>{
      std::to_string(entry.sequence), base::FormatUtc(entry.written_at),
      JournalId(entry.journal_no), std::string(NameOf(entry.kind)),
      std::to_string(entry.coins.value()),
      entry.balance_after ? std::to_string(entry.balance_after->value()) : "",
      base::CsvText(entry.round_id), base::CsvText(entry.table_id), base::CsvText(entry.reason)});
}

}  // namespace mj::wallet
