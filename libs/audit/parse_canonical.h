// A journal row back from its canonical text: for whoever holds the text alone, as a round's record
// does.
#pragma once

#include <optional>
#include <string_view>

#include "libs/audit/row.h"

namespace mj::audit {

// The row whose CanonicalText is exactly `text`; nothing for any other text. Pure; no input makes it
// fail.
[[nodiscard]] std::optional<JournalRow> ParseCanonical(std::string_view text);

}  // namespace mj::audit
