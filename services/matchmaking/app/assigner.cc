#include "services/matchmaking/app/assigner.h"

#include <cstddef>
#include <set>

namespace mj::matchmaking {
namespace {

constexpr std::size_t kBatch = 100;

}  // namespace

std::vector<Assigner::Call*> Assigner::TakeBatch() {
  std::vector<Call*> batch;
  std::vector<Call*> rest;
  std::set<MatchId> matches;
  for (Call* call : waiting_) {
    // A match that is there twice goes into two writes.
    const bool goes = batch.size() < kBatch && matches.insert(call->standing.match).second;
    (goes ? batch : rest).push_back(call);
  }
  waiting_ = rest;
  return batch;
}

void Assigner::Write(const std::vector<Call*>& batch) {
  std::vector<Standing> standings;
  for (const Call* call : batch) standings.push_back(call->standing);
  const auto answers = store_.AssignMatches(standings, check_seats_after_);
  base::MutexLock lock(mutex_);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batch[i]->answer = answers.ok() ? absl::StatusOr<Assigned>((*answers)[i]) : answers.status();
    batch[i]->done = true;
  }
  writing_ = false;
  changed_.NotifyAll();
}

absl::StatusOr<Assigned> Assigner::Assign(const MatchId& match, const TablePlace& place) {
  Call call{{match, place}};
  {
    base::MutexLock lock(mutex_);
    waiting_.push_back(&call);
  }
  while (true) {
    std::vector<Call*> batch;
    {
      base::MutexLock lock(mutex_);
      while (writing_ && !call.done) changed_.Wait(mutex_);
      if (call.done) return call.answer;
      writing_ = true;
      batch = TakeBatch();
    }
    Write(batch);
  }
}

}  // namespace mj::matchmaking
