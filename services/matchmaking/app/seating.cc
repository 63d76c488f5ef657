#include "services/matchmaking/app/seating.h"

#include <algorithm>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"

namespace mj::matchmaking {
namespace {

// The reason as it is carried, else the status code's name.
std::string ReasonName(const absl::Status& status) {
  if (const auto carried = base::CarriedBy(status)) return carried->reason;
  return std::string(base::InfoOf(base::ReasonToTell(status)).name);
}

// The member whom a refusal names, when it is about one player.
const Member* Named(const Match& match, const absl::Status& refusal) {
  const auto carried = base::CarriedBy(refusal);
  if (!carried) return nullptr;
  const auto player = carried->details.metadata.find("player_id");
  if (player == carried->details.metadata.end()) return nullptr;
  const auto member =
      std::find_if(match.members.begin(), match.members.end(),
                   [&](const Member& m) { return m.player.value() == player->second; });
  return member == match.members.end() ? nullptr : &*member;
}

// Whether it is the table that does not take anybody, and no fault of who came.
bool SeatIsGone(const absl::Status& refusal) {
  for (const base::Reason reason : {base::Reason::kSeatTaken, base::Reason::kTableFull,
                                    base::Reason::kTableClosed, base::Reason::kTableNotFound}) {
    if (base::HasReason(refusal, reason)) return true;
  }
  return false;
}

}  // namespace

bool ArgumentIsRefused(const absl::Status& status) {
  // Without a reason it may be anything: a proxy's answer, a program that was never asked.
  if (!base::CarriedBy(status)) return false;
  // On its way from one process to another.
  if (base::HasReason(status, base::Reason::kTableMoved)) return false;
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kNotFound:
      return true;
    default:
      return false;
  }
}

void Seating::Drive(const Match& match, base::MonotonicTime until, Done done) {
  const absl::StatusOr<TablePlace> place =
      match.refill ? tables_.JoinTable(match, until) : tables_.CreateTable(match, until);
  if (place.ok()) {
    return assigner_.Assign(match.id, *place,
                            [this, match, place = *place,
                             done = std::move(done)](const absl::StatusOr<Assigned>& assigned) {
                              if (!assigned.ok()) return done(assigned.status());
                              done(OnAssigned(match, place, *assigned));
                            });
  }
  if (ArgumentIsRefused(place.status())) return done(Refused(match, place.status()));
  done(Abandon(match, place.status()));
}

absl::StatusOr<Seated> Seating::Drive(const Match& match, base::MonotonicTime until) {
  // Shared: it is still being told when this returns.
  const auto told = std::make_shared<std::promise<absl::StatusOr<Seated>>>();
  std::future<absl::StatusOr<Seated>> seated = told->get_future();
  Drive(match, until, [told](const absl::StatusOr<Seated>& how) { told->set_value(how); });
  return seated.get();
}

absl::StatusOr<Seated> Seating::OnAssigned(const Match& match, const TablePlace& place,
                                           Assigned how) {
  switch (how) {
    case Assigned::kDone:
      return Seated::kAssigned;
    case Assigned::kMemberGone:
      return Undo(match, place);
    case Assigned::kReleased:
      break;  // another replica was faster, and has taken all four off this table
  }
  return Seated::kReleased;
}

absl::StatusOr<Seated> Seating::Undo(const Match& match, const TablePlace& place) {
  for (const Member& member : match.members) {
    const absl::Status left = tables_.LeaveTable(place, member.player);
    if (!left.ok()) return Abandon(match, left);
  }
  MJ_RETURN_IF_ERROR(store_.ReleaseMatch(match, "TICKET_CLOSED", {}));
  return Seated::kReleased;
}

absl::StatusOr<Seated> Seating::Refused(const Match& match, const absl::Status& refusal) {
  const std::string reason = ReasonName(refusal);
  std::vector<Failure> failures;
  if (match.refill && SeatIsGone(refusal)) {
    MJ_RETURN_IF_ERROR(store_.ReleaseMatch(match, reason, failures));
    return Seated::kReleased;
  }
  if (const Member* member = Named(match, refusal)) {
    failures.push_back({member->player, reason});
  } else {
    for (const Member& each : match.members) failures.push_back({each.player, reason});
  }
  MJ_RETURN_IF_ERROR(store_.ReleaseMatch(match, reason, failures));
  return Seated::kReleased;
}

absl::StatusOr<Seated> Seating::Abandon(const Match& match, const absl::Status& failure) {
  const Millis delay = std::min(options_.retry_after * match.attempts, options_.retry_max);
  MJ_RETURN_IF_ERROR(store_.AbandonMatch(match, ReasonName(failure), delay));
  return Seated::kAbandoned;
}

}  // namespace mj::matchmaking
