// The form of what comes in, field by field. Each failure names its field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/base/fields.h"
#include "services/wallet/app/types.h"

namespace mj::wallet {

using base::CheckId;
using base::CheckSomeText;
using base::CheckText;
using base::kReasonBytesMax;

// Who asks for something and who approves of it: two ids, and not the same. FIELD_REQUIRED, BAD_ID,
// SAME_APPROVER.
[[nodiscard]] absl::Status CheckTwoPeople(std::string_view requested_by,
                                          std::string_view approved_by);

// A base of D-SET-3, 1 to 10,000. BAD_BASE.
[[nodiscard]] absl::StatusOr<Coins> CheckBase(std::string_view field, std::int64_t coins);

// Four different players, by seat. BAD_SEAT, FIELD_REQUIRED, BAD_ID, DUPLICATE_PLAYER.
[[nodiscard]] absl::Status CheckPlayers(const std::vector<std::string>& player_ids);

// A version of a rulebook. FIELD_REQUIRED, BAD_TEXT.
[[nodiscard]] absl::Status CheckRulebookVersion(std::string_view version);

// How many to list: 1 to 1,000, 0 read as 100. BAD_PAGE_SIZE.
[[nodiscard]] absl::StatusOr<int> CheckPageSize(std::int64_t page_size);

// "list[3].field".
[[nodiscard]] std::string At(std::string_view list, std::size_t index, std::string_view field = {});

// An amount from 1 to 2^53. BAD_AMOUNT.
[[nodiscard]] absl::StatusOr<Coins> CheckAmount(std::string_view field, std::int64_t coins);
// An amount from 0 to 2^53. BAD_AMOUNT.
[[nodiscard]] absl::StatusOr<Coins> CheckAmountOrNone(std::string_view field, std::int64_t coins);

}  // namespace mj::wallet
