// What the wallet hashes of a request that closes a round: its fields in a fixed order, each behind
// its length, under a version. The wallet compares it to tell a retry from another request; here it
// ties a journal row to every word of what was asked for, players and currency included.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libs/audit/digest.h"
#include "libs/record/round_record.h"

namespace mj::proof {

// The version of all of them.
inline constexpr std::int64_t kContentVersion = 1;

[[nodiscard]] audit::Digest SettlementContent(const record::RoundRecord& record,
                                              const std::vector<record::SeatTransfer>& transfers);
[[nodiscard]] audit::Digest PenaltyContent(rules::Seat escaper, std::string_view reason);
[[nodiscard]] audit::Digest VoidContent(std::string_view reason, std::string_view requested_by);

}  // namespace mj::proof
