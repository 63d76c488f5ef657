#include "libs/base/fields.h"

#include <string>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::base {
namespace {

absl::Status Absent(std::string_view field) {
  return Error(Reason::kFieldRequired, Cat(field, ": absent"), {.field = std::string(field)});
}

}  // namespace

absl::Status CheckId(std::string_view field, std::string_view id) {
  return id.empty() ? Absent(field) : CheckIdIfAny(field, id);
}

absl::Status CheckIdIfAny(std::string_view field, std::string_view id) {
  if (id.empty() || IsId(id)) return absl::OkStatus();
  return Error(Reason::kBadId, Cat(field, ": want 1 to 64 of [A-Za-z0-9_-]"),
               {.field = std::string(field)});
}

absl::Status CheckText(std::string_view field, std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max && IsUtf8(text) && text.find('\0') == std::string_view::npos) {
    return absl::OkStatus();
  }
  return Error(Reason::kBadText,
               Cat(field, ": want at most ", std::to_string(bytes_max), " bytes of UTF-8"),
               {.field = std::string(field)});
}

absl::Status CheckSomeText(std::string_view field, std::string_view text, std::size_t bytes_max) {
  return text.empty() ? Absent(field) : CheckText(field, text, bytes_max);
}

}  // namespace mj::base
