#include "services/table/app/outbox.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "libs/base/page_token.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/variants/registry.h"
#include "services/table/app/lobby.h"

namespace mj::table {
namespace {

using base::Cat;
using base::Error;
using base::Reason;

constexpr std::string_view kRounds = "rounds";
constexpr std::string_view kSeatsFeed = "seats";

template <typename Item>
constexpr std::string_view FeedOf() {
  return std::is_same_v<Item, EndedRound> ? kRounds : kSeatsFeed;
}

template <typename Item>
absl::StatusOr<OutboxPage<Item>> Read(Outbox& outbox, std::int64_t after) {
  if constexpr (std::is_same_v<Item, EndedRound>) {
    return outbox.ReadRounds(after, kOutboxBatch);
  } else {
    return outbox.ReadSeats(after, kOutboxBatch);
  }
}

void LeaveOutDefaults(std::vector<EndedRound>&) {}
void LeaveOutDefaults(std::vector<SeatChange>& changes) {
  for (SeatChange& change : changes) {
    const rules::Variant* const game = variants::Find(change.variant);
    if (game != nullptr) change.options = DifferingOptions(*game, change.options);
  }
}

}  // namespace

bool SeatChange::open() const {
  return stage == TableStage::kWaiting &&
         std::any_of(players.begin(), players.end(),
                     [](const PlayerId& player) { return player.empty(); });
}

std::string MakePosition(std::string_view feed, std::int64_t number) {
  return base::MakePageToken("f1", {feed}, std::to_string(number));
}

absl::StatusOr<std::optional<std::int64_t>> ReadPosition(std::string_view feed,
                                                         std::string_view position) {
  if (position.empty()) return std::optional<std::int64_t>();
  const auto text = base::ReadPageToken("f1", {feed}, position);
  const auto number = text ? base::ParseInt64(*text) : std::nullopt;
  // Numbers have one spelling.
  if (!number || *number < 0 || std::to_string(*number) != *text) {
    return Error(Reason::kBadPageToken, Cat("position: is none of the feed of ", feed),
                 {.field = "position"});
  }
  return number;
}

absl::Status OutboxTail::FollowRounds(std::string_view position,
                                      std::shared_ptr<Follower<EndedRound>> follower) {
  MJ_ASSIGN_OR_RETURN(const auto after, ReadPosition(kRounds, position));
  base::MutexLock lock(mutex_);
  new_rounds_.push_back({std::move(follower), after});
  return absl::OkStatus();
}

absl::Status OutboxTail::FollowSeats(std::string_view position,
                                     std::shared_ptr<Follower<SeatChange>> follower) {
  MJ_ASSIGN_OR_RETURN(const auto after, ReadPosition(kSeatsFeed, position));
  base::MutexLock lock(mutex_);
  new_seats_.push_back({std::move(follower), after});
  return absl::OkStatus();
}

template <typename Item>
bool OutboxTail::Admit(Entries<Item>& came, Entries<Item>& entries) {
  entries.splice(entries.end(), came);
  entries.remove_if([](const Entry<Item>& entry) { return entry.follower->Gone(); });
  return !entries.empty();
}

void OutboxTail::Turn() {
  base::MutexLock turn(turn_);
  {
    base::MutexLock lock(mutex_);
    const bool rounds = Admit(new_rounds_, rounds_);
    const bool seats = Admit(new_seats_, seats_);
    if (!rounds && !seats) return;
  }
  // What has its number already can be read, whatever comes of this.
  (void)outbox_.Number();
  Serve(rounds_);
  Serve(seats_);
}

template <typename Item>
void OutboxTail::Serve(Entries<Item>& entries) {
  for (auto entry = entries.begin(); entry != entries.end();) {
    entry = Serve(*entry) ? std::next(entry) : entries.erase(entry);
  }
}

template <typename Item>
bool OutboxTail::Serve(Entry<Item>& entry) {
  while (!entry.follower->Gone() && entry.follower->Wants()) {
    // Who begins at the oldest learns by the first page where that is.
    auto page = Read<Item>(outbox_, entry.after.value_or(0));
    if (!page.ok()) {
      entry.follower->End(page.status());
      return false;
    }
    if (!entry.after && page->dropped > 0) {
      entry.after = page->dropped;
      continue;
    }
    const std::int64_t after = entry.after.value_or(0);
    if (after > page->last) {
      entry.follower->End(
          Error(Reason::kSequenceAhead, "position: not reached yet", {.field = "position"}));
      return false;
    }
    if (after < page->dropped) {
      entry.follower->End(Error(Reason::kRecordExpired,
                                "position: what follows it is not kept any more",
                                {.field = "position"}));
      return false;
    }
    if (page->items.empty()) return true;
    entry.after = after + static_cast<std::int64_t>(page->items.size());
    LeaveOutDefaults(page->items);
    entry.follower->Take(
        {std::move(page->items), MakePosition(FeedOf<Item>(), *entry.after), page->lag});
  }
  return !entry.follower->Gone();
}

}  // namespace mj::table
