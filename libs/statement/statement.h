// A player's statement as lines of CSV, for spreadsheets and archives: the one layout, whoever reads
// the entries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libs/base/clock.h"

namespace mj::statement {

// One entry of a player.
struct Line {
  std::int64_t sequence = 0;
  base::WallTime written_at;
  std::int64_t journal_no = 0;
  std::string event;  // the journal row's kind: "deposit", "settlement" …
  std::int64_t coins = 0;
  std::optional<std::int64_t> balance_after;
  std::string round_id;
  std::string table_id;
  std::string reason;
};

// "sequence,written_at,journal_id,event,coins,balance_after,round_id,table_id,reason", with its line
// end.
[[nodiscard]] std::string Header();

// Times in UTC, coins signed, texts never a formula. With its line end.
[[nodiscard]] std::string ToCsv(const Line& line);

}  // namespace mj::statement
