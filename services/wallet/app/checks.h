// The form of what comes in, field by field. Each failure names its field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/wallet/app/types.h"

namespace mj::wallet {

// An id of the suite. FIELD_REQUIRED if empty, BAD_ID.
[[nodiscard]] absl::Status CheckId(std::string_view field, std::string_view id);

// Free text, at most `bytes_max` bytes of UTF-8 without a zero byte; may be empty. BAD_TEXT.
[[nodiscard]] absl::Status CheckText(std::string_view field, std::string_view text,
                                     std::size_t bytes_max);

// An amount from 1 to 2^53. BAD_AMOUNT.
[[nodiscard]] absl::StatusOr<Coins> CheckAmount(std::string_view field, std::int64_t coins);

}  // namespace mj::wallet
