// Text that lines up in a terminal, where a Chinese character is two columns wide.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mj::console {

// Columns that UTF-8 text takes: wide East Asian characters two, combining marks none, all others
// one. A byte that is no UTF-8 counts as one.
int WidthOf(std::string_view text);

// `text` with blanks behind or before it until it is `width` columns wide; as it is when it is as
// wide already.
std::string PadRight(std::string_view text, int width);
std::string PadLeft(std::string_view text, int width);

// As much of the beginning of `text` as takes at most `width` columns.
std::string Clip(std::string_view text, int width);

// `text` in lines of at most `width` columns, broken at blanks, between two wide characters, or
// where there is no other way between any two; lines after the first begin with `indent` blanks.
// No trailing blanks. REQUIRES: width > indent + 1.
std::vector<std::string> Wrap(std::string_view text, int width, int indent);

// "1,234,567", "-1,200".
std::string Grouped(std::int64_t number);
// The same with a sign even if it is positive: "+1,200"; "0".
std::string Signed(std::int64_t number);

}  // namespace mj::console
