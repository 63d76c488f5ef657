#include "libs/statement/statement.h"

#include <vector>

#include "libs/base/csv.h"

namespace mj::statement {

std::string Header() {
  return base::CsvLine(std::vector<std::string>{"sequence", "written_at", "journal_id", "event",
                                                "coins", "balance_after", "round_id", "table_id",
                                                "reason"});
}

std::string ToCsv(const Line& line) {
  return base::CsvLine(std::vector<std::string>{
      std::to_string(line.sequence), base::FormatUtc(line.written_at),
      std::to_string(line.journal_no), line.event, std::to_string(line.coins),
      line.balance_after ? std::to_string(*line.balance_after) : "", base::CsvText(line.round_id),
      base::CsvText(line.table_id), base::CsvText(line.reason)});
}

}  // namespace mj::statement
