#include "services/matchmaking/app/feed_reader.h"

#include <optional>

#include "libs/base/reasons.h"
#include "libs/base/status.h"

namespace mj::matchmaking {
namespace {

bool CannotGoOn(const absl::Status& status) {
  return base::HasReason(status, base::Reason::kBadPageToken) ||
         base::HasReason(status, base::Reason::kSequenceAhead) ||
         base::HasReason(status, base::Reason::kRecordExpired);
}

// A turn of one feed. `follow` reads it from a position until a time; `apply` writes a batch that
// follows a position, and says whether the feed was there. How far behind the last batch was; nothing
// without one.
template <typename Item, typename Follow, typename Apply>
absl::StatusOr<std::optional<Millis>> Turn(std::string position, const Follow& follow,
                                           const Apply& apply) {
  std::optional<Millis> behind;
  absl::Status applied;
  const absl::Status followed = follow(position, [&](const FeedBatch<Item>& batch) {
    const absl::StatusOr<bool> done = apply(position, batch);
    applied = done.status();
    // Another replica has gone on: the next turn begins where that is.
    if (!done.ok() || !*done) return false;
    position = batch.position;
    behind = batch.lag;
    return true;
  });
  MJ_RETURN_IF_ERROR(applied);
  if (CannotGoOn(followed)) MJ_RETURN_IF_ERROR(apply(position, FeedBatch<Item>()).status());
  MJ_RETURN_IF_ERROR(followed);
  return behind;
}

}  // namespace

void FeedReader::Follow(std::string_view feed, base::MonotonicTime& followed,
                        const std::function<absl::StatusOr<Behind>()>& turn) {
  const absl::StatusOr<Behind> behind = turn();
  if (behind.ok()) {
    followed = clock_.Monotonic();
    monitor_.OnLag(feed, behind->value_or(Millis(0)));
  } else {
    monitor_.OnFailure(feed, behind.status());
    monitor_.OnLag(feed, std::chrono::floor<Millis>(clock_.Monotonic() - followed));
  }
}

void FeedReader::FollowRounds() {
  const auto until = clock_.Monotonic() + options_.turn;
  Follow("rounds", rounds_followed_, [&]() -> absl::StatusOr<Behind> {
    MJ_ASSIGN_OR_RETURN(const std::optional<std::string> position,
                        store_.ClaimFeed(Feed::kEndedRounds, holder_, options_.lease));
    if (!position) return Behind();
    MJ_RETURN_IF_ERROR(
        store_.ForgetMeetings(options_.meetings_kept, options_.forget_batch).status());
    return Turn<EndedRound>(
        *position,
        [&](const std::string& from, const auto& take) {
          return feeds_.FollowRounds(from, until, take);
        },
        [&](const std::string& from, const FeedBatch<EndedRound>& batch) -> absl::StatusOr<bool> {
          MJ_ASSIGN_OR_RETURN(const bool done, store_.ApplyRounds(from, batch));
          if (!done || batch.items.empty()) return done;
          monitor_.OnTold("rounds", batch.items.size());
          monitor_.OnLag("rounds", batch.lag);
          return true;
        });
  });
}

void FeedReader::FollowSeats() {
  const auto until = clock_.Monotonic() + options_.turn;
  Follow("seats", seats_followed_, [&]() -> absl::StatusOr<Behind> {
    MJ_ASSIGN_OR_RETURN(const std::optional<std::string> position,
                        store_.ClaimFeed(Feed::kSeatChanges, holder_, options_.lease));
    if (!position) return Behind();
    return Turn<SeatChange>(
        *position,
        [&](const std::string& from, const auto& take) {
          return feeds_.FollowSeats(from, until, take);
        },
        [&](const std::string& from, const FeedBatch<SeatChange>& batch) -> absl::StatusOr<bool> {
          MJ_ASSIGN_OR_RETURN(const std::optional<std::size_t> freed,
                              store_.ApplySeats(from, batch));
          if (!freed) return false;
          if (*freed > 0) monitor_.OnSeatsFreed(*freed);
          if (batch.items.empty()) return true;
          monitor_.OnTold("seats", batch.items.size());
          monitor_.OnLag("seats", batch.lag);
          return true;
        });
  });
}

}  // namespace mj::matchmaking
