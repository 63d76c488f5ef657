// A player's statement as CSV, read from the database: as the wallet's ExportStatement sends it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "libs/base/clock.h"
#include "libs/pg/pool.h"

namespace mj::books {

// Tells `sink` line after line (each with its line end), headings first, oldest entry first. Reads in
// pages; what is posted meanwhile may be in it.
//   currency   "COIN" or "PRACTICE"
// NOT_FOUND  there is no such player.
[[nodiscard]] absl::Status WriteStatement(pg::Pool& pool, const std::string& account_id,
                                          const std::string& currency, base::MonotonicTime deadline,
                                          const std::function<void(std::string_view)>& sink);

}  // namespace mj::books
