// A table's journal rows: events ↔ mahjong.record.v1.TableRecord, serialised.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "services/table/app/events.h"

namespace mj::table::store {

// The newest format that this program reads, and the one that it writes.
inline constexpr unsigned kRecordFormat = 1;

struct EncodedEvent {
  std::string kind;     // the name of the record's field: "round_event"
  std::string payload;  // TableRecord; the same event always gives the same bytes
};
[[nodiscard]] EncodedEvent Encode(const LogEntry& entry);

// DATA_LOSS for what is no record, of a newer format, or cannot be an event. Decode(Encode(e)) ==
// e.
[[nodiscard]] absl::StatusOr<LogEntry> Decode(std::int64_t seq, std::string_view payload);

}  // namespace mj::table::store
