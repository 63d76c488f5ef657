#include "libs/pg/result.h"

#include "libs/base/strings.h"

namespace mj::pg::internal {
namespace {

int Nibble(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

}  // namespace

bool Decode(const std::string& text, std::int64_t& out) {
  const std::optional<std::int64_t> value = base::ParseInt64(text);
  if (value) out = *value;
  return value.has_value();
}

bool Decode(const std::string& text, bool& out) {
  out = text == "t";
  return out || text == "f";
}

bool Decode(const std::string& text, std::string& out) {
  out = text;
  return true;
}

bool Decode(const std::string& text, Bytes& out) {
  if (text.size() % 2 != 0 || text.compare(0, 2, "\\x") != 0) return false;
  out.data.clear();
  out.data.reserve(text.size() / 2 - 1);
  for (std::size_t at = 2; at < text.size(); at += 2) {
    const int high = Nibble(text[at]);
    const int low = Nibble(text[at + 1]);
    if (high < 0 || low < 0) return false;
    out.data.push_back(static_cast<char>(high * 16 + low));
  }
  return true;
}

bool Decode(const std::string& text, std::vector<std::int64_t>& out) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return false;
  out.clear();
  if (text.size() == 2) return true;
  for (const std::string_view part :
       base::Split(std::string_view(text).substr(1, text.size() - 2), ',')) {
    const std::optional<std::int64_t> value = base::ParseInt64(part);
    if (!value) return false;
    out.push_back(*value);
  }
  return true;
}

bool Decode(const std::string& text, base::WallTime& out) {
  std::int64_t microseconds = 0;
  if (!Decode(text, microseconds)) return false;
  out = base::WallTime(std::chrono::microseconds(microseconds));
  return true;
}

absl::Status WrongCell(std::size_t column, const Cell& cell) {
  return absl::InternalError(base::Cat("column ", std::to_string(column), ": got ",
                                       cell ? std::string_view(*cell) : "NULL",
                                       ", want another type"));
}

absl::Status WrongShape(std::string_view what, std::size_t got, std::size_t want) {
  return absl::InternalError(
      base::Cat(what, ": got ", std::to_string(got), ", want ", std::to_string(want)));
}

}  // namespace mj::pg::internal
