// A round's record (libs/record) and what it shares with a table's journal, as they are stored.
//
// As in round_record.h, what cannot be read is DATA_LOSS, with the field's path in the message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "libs/record/events.h"
#include "libs/record/round_record.h"
#include "mahjong/record/v1/record.pb.h"
#include "mahjong/record/v1/round_record.pb.h"

namespace mj::wire {

// The newest format of a round's record that this program reads, and the one that it writes.
inline constexpr unsigned kRoundRecordFormat = 1;

// Refuses, besides what cannot be a record, one that ToRecord would have written differently: each
// record has one form, so nothing in it can be changed without a change of what it says. One whose
// digest is not DigestOf it is refused first; give it that one to read it nevertheless.
absl::StatusOr<record::RoundRecord> FromRecord(const ::mahjong::record::v1::RoundRecord& record);
void ToRecord(const record::RoundRecord& round, ::mahjong::record::v1::RoundRecord& record);

// SHA-256 of the record as it is serialised without its digest.
[[nodiscard]] std::string DigestOf(const ::mahjong::record::v1::RoundRecord& record);

// The same as bytes: what a file holds. The same record always gives the same bytes.
absl::StatusOr<record::RoundRecord> ParseRoundRecord(std::string_view bytes);
[[nodiscard]] std::string Serialized(const ::mahjong::record::v1::RoundRecord& record);

// Parts, there and back.
absl::StatusOr<record::AutoPlaySet> FromRecord(const ::mahjong::record::v1::AutoPlaySet& record);
absl::StatusOr<record::Leaving> FromRecord(const ::mahjong::record::v1::SeatLeaving& record);
absl::StatusOr<record::Left> FromRecord(const ::mahjong::record::v1::SeatLeft& record);
absl::StatusOr<record::HandShown> FromRecord(const ::mahjong::record::v1::HandShown& record);
absl::StatusOr<record::RoundScored> FromRecord(const ::mahjong::record::v1::RoundScored& record);
absl::StatusOr<record::RoundPosted> FromRecord(const ::mahjong::record::v1::RoundPosted& record);
absl::StatusOr<record::RoundVoided> FromRecord(const ::mahjong::record::v1::RoundVoided& record);
void ToRecord(const record::AutoPlaySet& event, ::mahjong::record::v1::AutoPlaySet& record);
void ToRecord(const record::Leaving& event, ::mahjong::record::v1::SeatLeaving& record);
void ToRecord(const record::Left& event, ::mahjong::record::v1::SeatLeft& record);
void ToRecord(const record::HandShown& event, ::mahjong::record::v1::HandShown& record);
void ToRecord(const record::RoundScored& event, ::mahjong::record::v1::RoundScored& record);
void ToRecord(const record::RoundPosted& event, ::mahjong::record::v1::RoundPosted& record);
void ToRecord(const record::RoundVoided& event, ::mahjong::record::v1::RoundVoided& record);

// The word of a nonce's outcome, and back.
[[nodiscard]] std::string_view WordOf(fairness::NonceOutcome outcome);
[[nodiscard]] std::optional<fairness::NonceOutcome> OutcomeOf(std::string_view word);

}  // namespace mj::wire
