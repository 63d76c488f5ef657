// The lines that answer documents.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "libs/casefile/case.h"
#include "libs/casefile/documents.h"

namespace mj::mahjongctl {

// {"id": …, "error": "…"}; the id is null when the document has none.
inline void WriteError(const nlohmann::json& id, const casefile::FormatError& error,
                       std::ostream& out) {
  const casefile::OrderedJson line = {{"id", id}, {"error", error.ToText()}};
  // A message may quote half of a character: it is shown as U+FFFD.
  out << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

}  // namespace mj::mahjongctl
