// A file of JSON documents, one by one: a list, or one document a line.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <variant>
#include <vector>

#include "libs/casefile/fields.h"

namespace mj::casefile {

// A document without two fields of one name in one object, or why the text is none.
using Document = std::variant<nlohmann::json, FormatError>;

// One document and nothing else. Never throws.
Document ParseDocument(std::string_view text);

// Text that begins with `[` is one list, its entries the documents. Other text is one document a
// line, blank lines left out, or a single document over several lines. What does not parse is an
// error in its place, and the rest goes on; what is left of a list that never ends is the last
// error. Empty text: no documents. Never throws.
std::vector<Document> SplitDocuments(std::string_view text);

}  // namespace mj::casefile
