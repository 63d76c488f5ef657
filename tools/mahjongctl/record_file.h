// A round's record as a file (*.mjr).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "libs/record/round_record.h"

namespace mj::mahjongctl {

struct RecordFile {
  std::size_t bytes = 0;
  // What it says, also where its digest is not that of the rest; nothing where it cannot be read.
  std::optional<record::RoundRecord> record;
  std::string misfit;  // why it is no record, or not the one that was written; empty: it is

  [[nodiscard]] bool good() const { return record && misfit.empty(); }
};

[[nodiscard]] RecordFile OpenRecord(std::string_view bytes);

// Text from a record for a terminal: whatever is no UTF-8, and control characters, as "?".
[[nodiscard]] std::string Printable(std::string_view text);

// "09:01:22.120", UTC.
[[nodiscard]] std::string ClockText(record::Time time);
// "2026-11-30 09:01:22.120", UTC.
[[nodiscard]] std::string DateText(record::Time time);

}  // namespace mj::mahjongctl
