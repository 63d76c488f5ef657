// One line of a CSV file (RFC 4180).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mj::base {

// The fields between commas, with CR LF at the end. A field with a comma, a quotation mark or a line
// end in it is quoted.
[[nodiscard]] std::string CsvLine(std::span<const std::string> fields);

// A text of a user's, as a field: one that a spreadsheet would take for a formula (it begins with
// = + - @, a tab or a carriage return) gets an apostrophe in front. Not for numbers.
[[nodiscard]] std::string CsvText(std::string_view text);

}  // namespace mj::base
