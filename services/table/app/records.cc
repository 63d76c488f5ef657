#include "services/table/app/records.h"

#include <charconv>
#include <utility>

#include "libs/base/page_token.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/table/app/compaction.h"
#include "services/table/app/peers.h"

namespace mj::table {
namespace {

using base::Cat;
using base::Error;
using base::Reason;

// "microseconds/round"
std::string TextOf(const RoundListing& round) {
  return Cat(std::to_string(round.ended_at.time_since_epoch().count()), "/", round.round.value());
}

std::optional<RoundPosition> PositionOf(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  std::int64_t micros = 0;
  const char* const end = text.data() + slash;
  const auto read = std::from_chars(text.data(), end, micros);
  const std::string_view round = text.substr(slash + 1);
  if (read.ec != std::errc() || read.ptr != end || micros < 0 || !base::IsId(round)) {
    return std::nullopt;
  }
  return RoundPosition{WallTime(std::chrono::microseconds(micros)), RoundId(std::string(round))};
}

// What a caller is told: a record that cannot be made is nothing that the caller did.
absl::Status ToTell(const RoundId& round, const absl::Status& status) {
  if (status.code() != absl::StatusCode::kDataLoss &&
      !base::HasReason(status, Reason::kJournalNotFound)) {
    return status;
  }
  return Error(Reason::kInternal, Cat("the record of ", round.value(), " cannot be made"));
}

}  // namespace

absl::StatusOr<bool> Records::Make(const RoundId& round) {
  MJ_ASSIGN_OR_RETURN(const std::vector<LogEntry> entries, store_.ReadRound(round));
  MJ_ASSIGN_OR_RETURN(const bool closed, ClosedByWallet(entries, round));
  std::optional<record::JournalRow> row;
  if (closed) {
    MJ_ASSIGN_OR_RETURN(row, rows_.ReadRow(round));
  }
  MJ_ASSIGN_OR_RETURN(const record::RoundRecord record, Compact(entries, round, std::move(row)));
  return store_.Keep(record);
}

absl::StatusOr<std::string> Records::Get(const RoundId& round) {
  MJ_ASSIGN_OR_RETURN(const RoundStore::Standing standing, store_.Find(round));
  switch (standing) {
    case RoundStore::Standing::kUnknown:
      return Error(Reason::kRoundNotFound, Cat("round_id: ", round.value()), {.field = "round_id"});
    case RoundStore::Standing::kLive:
      return Error(Reason::kRoundInProgress, Cat("round_id: ", round.value()),
                   {.field = "round_id"});
    case RoundStore::Standing::kOver: {
      const absl::Status made = Make(round).status();
      if (!made.ok()) return ToTell(round, made);
      break;
    }
    case RoundStore::Standing::kRecorded:
      break;
  }
  MJ_ASSIGN_OR_RETURN(std::optional<std::string> record, store_.ReadRecord(round));
  if (record) return *std::move(record);
  return Error(Reason::kRecordExpired, Cat("round_id: ", round.value()), {.field = "round_id"});
}

absl::StatusOr<RoundPage> Records::List(const RoundFilter& filter, std::int64_t page_size,
                                        std::string_view token) {
  if (filter.player.empty() == filter.table.empty()) {
    return Error(Reason::kFieldRequired, "player_id: want it or table_id, and not both",
                 {.field = "player_id"});
  }
  if (page_size < 0 || page_size > kRoundPageMax) {
    return Error(Reason::kBadPageSize, Cat("page_size: got ", std::to_string(page_size)),
                 {.field = "page_size"});
  }
  const auto mark = {std::string_view(filter.player.value()),
                     std::string_view(filter.table.value())};
  std::optional<RoundPosition> after;
  if (!token.empty()) {
    const auto text = base::ReadPageToken("r1", mark, token);
    if (text) after = PositionOf(*text);
    if (!after) return Error(Reason::kBadPageToken, {}, {.field = "page_token"});
  }
  const std::int64_t size = page_size == 0 ? kRoundPageDefault : page_size;
  RoundPage page;
  MJ_ASSIGN_OR_RETURN(page.rounds, store_.List(filter, after, size + 1));
  if (static_cast<std::int64_t>(page.rounds.size()) > size) {
    page.rounds.resize(static_cast<std::size_t>(size));
    page.next = base::MakePageToken("r1", mark, TextOf(page.rounds.back()));
  }
  return page;
}

absl::StatusOr<Records::Run> Records::MakeDue(std::int64_t limit, const Failed& failed) {
  MJ_ASSIGN_OR_RETURN(const std::vector<RoundId> due, store_.Claim(limit, kRetry));
  Run run{.claimed = static_cast<std::int64_t>(due.size())};
  for (const RoundId& round : due) {
    const absl::StatusOr<bool> made = Make(round);
    if (!made.ok()) {
      failed(round, made.status());
    } else if (*made) {
      ++run.made;
    }
  }
  return run;
}

}  // namespace mj::table
