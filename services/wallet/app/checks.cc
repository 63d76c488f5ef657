#include "services/wallet/app/checks.h"

#include "libs/base/reasons.h"
#include "libs/base/strings.h"

namespace mj::wallet {

using base::Cat;
using base::Reason;

absl::Status CheckId(std::string_view field, std::string_view id) {
  if (id.empty()) {
    return base::Error(Reason::kFieldRequired, Cat(field, ": got nothing, want an id"),
                       {.field = std::string(field)});
  }
  if (!base::IsId(id)) {
    return base::Error(Reason::kBadId, Cat(field, ": want 1 to 64 characters of [A-Za-z0-9_-]"),
                       {.field = std::string(field)});
  }
  return absl::OkStatus();
}

absl::Status CheckText(std::string_view field, std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max && base::IsUtf8(text) && text.find('\0') == std::string_view::npos) {
    return absl::OkStatus();
  }
  return base::Error(Reason::kBadText,
                     Cat(field, ": want at most ", std::to_string(bytes_max), " bytes of UTF-8"),
                     {.field = std::string(field)});
}

absl::StatusOr<Coins> CheckAmount(std::string_view field, std::int64_t coins) {
  const auto amount = Coins::From(coins);
  if (amount && amount->IsPositive()) return *amount;
  return base::Error(Reason::kBadAmount,
                     Cat(field, ": got ", std::to_string(coins), ", want 1 to 2^53"),
                     {.field = std::string(field)});
}

}  // namespace mj::wallet
