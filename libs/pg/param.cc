#include "libs/pg/param.h"

#include "libs/base/strings.h"

namespace mj::pg {
namespace {

std::string Hex(const Bytes& bytes) {
  return "\\x" + base::ToHex(std::as_bytes(std::span(bytes.data)));
}

// An element of an array in quotes: commas, braces, NULL and spaces mean nothing inside them.
void AppendQuoted(std::string& out, std::string_view element) {
  out.push_back('"');
  for (const char c : element) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  out.push_back('"');
}

template <typename T, typename Append>
std::string Array(const std::vector<T>& values, Append append) {
  std::string out = "{";
  for (const T& value : values) {
    if (out.size() > 1) out.push_back(',');
    append(out, value);
  }
  out.push_back('}');
  return out;
}

}  // namespace

Param::Param(const Bytes& bytes) : text_(Hex(bytes)) {}

Param::Param(const std::vector<std::int64_t>& values)
    : text_(Array(values, [](std::string& out, std::int64_t value) {
        out.append(std::to_string(value));
      })) {}

Param::Param(const std::vector<std::string>& values) : text_(Array(values, AppendQuoted)) {}

Param::Param(const std::vector<Bytes>& values)
    : text_(Array(values,
                  [](std::string& out, const Bytes& value) { AppendQuoted(out, Hex(value)); })) {}

}  // namespace mj::pg
