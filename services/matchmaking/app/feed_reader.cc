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
// follows a position, and says whether the feed was there.
template <typename Item, typename Follow, typename Apply>
absl::Status Turn(std::string position, const Follow& follow, const Apply& apply) {
  absl::Status applied;
  const absl::Status followed = follow(position, [&](const FeedBatch<Item>& batch) {
    const absl::StatusOr<bool> done = apply(position, batch);
    applied = done.status();
    // Another replica has gone on: the next turn begins where that is.
    if (!done.ok() || !*done) return false;
    position = batch.position;
    return true;
  });
  MJ_RETURN_IF_ERROR(applied);
  if (CannotGoOn(followed)) MJ_RETURN_IF_ERROR(apply(position, FeedBatch<Item>()).status());
  return followed;
}

}  // namespace

void FeedReader::FollowRounds() {
  const auto until = clock_.Monotonic() + options_.turn;
  const auto turn = [&]() -> absl::Status {
    MJ_ASSIGN_OR_RETURN(const std::optional<std::string> position,
                        store_.ClaimFeed(Feed::kEndedRounds, holder_, options_.lease));
    if (!position) return absl::OkStatus();
    MJ_RETURN_IF_ERROR(
        store_.ForgetMeetings(options_.meetings_kept, options_.forget_batch).status());
    return Turn<EndedRound>(
        *position,
        [&](const std::string& from, const auto& take) {
          return feeds_.FollowRounds(from, until, take);
        },
        [&](const std::string& from, const FeedBatch<EndedRound>& batch) -> absl::StatusOr<bool> {
          MJ_ASSIGN_OR_RETURN(const bool done, store_.ApplyRounds(from, batch));
          if (done && !batch.items.empty()) monitor_.OnTold("rounds", batch.items.size());
          return done;
        });
  };
  const absl::Status status = turn();
  if (!status.ok()) monitor_.OnFailure("rounds", status);
}

void FeedReader::FollowSeats() {
  const auto until = clock_.Monotonic() + options_.turn;
  const auto turn = [&]() -> absl::Status {
    MJ_ASSIGN_OR_RETURN(const std::optional<std::string> position,
                        store_.ClaimFeed(Feed::kSeatChanges, holder_, options_.lease));
    if (!position) return absl::OkStatus();
    return Turn<SeatChange>(
        *position,
        [&](const std::string& from, const auto& take) {
          return feeds_.FollowSeats(from, until, take);
        },
        [&](const std::string& from, const FeedBatch<SeatChange>& batch) -> absl::StatusOr<bool> {
          MJ_ASSIGN_OR_RETURN(const std::optional<std::size_t> freed,
                              store_.ApplySeats(from, batch));
          if (!freed) return false;
          if (!batch.items.empty()) monitor_.OnTold("seats", batch.items.size());
          if (*freed > 0) monitor_.OnSeatsFreed(*freed);
          return true;
        });
  };
  const absl::Status status = turn();
  if (!status.ok()) monitor_.OnFailure("seats", status);
}

}  // namespace mj::matchmaking
