#include "services/matchmaking/app/assigner.h"

#include <cstddef>
#include <set>
#include <utility>

namespace mj::matchmaking {
namespace {

constexpr std::size_t kBatch = 100;

}  // namespace

std::vector<Assigner::Call> Assigner::Begin() {
  base::MutexLock lock(mutex_);
  std::vector<Call> batch;
  if (writing_ || waiting_.empty()) return batch;
  writing_ = true;
  std::vector<Call> rest;
  std::set<MatchId> matches;
  for (Call& call : waiting_) {
    // A match that is there twice goes into two writes.
    const bool goes = batch.size() < kBatch && matches.insert(call.standing.match).second;
    (goes ? batch : rest).push_back(std::move(call));
  }
  waiting_ = std::move(rest);
  return batch;
}

void Assigner::Write(const std::vector<Call>& batch) {
  std::vector<Standing> standings;
  for (const Call& call : batch) standings.push_back(call.standing);
  const auto answers = store_.AssignMatches(standings, check_seats_after_);
  {
    // Before anybody is told: what is done then may take long, and the next one to come writes meanwhile.
    base::MutexLock lock(mutex_);
    writing_ = false;
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batch[i].done(answers.ok() ? absl::StatusOr<Assigned>((*answers)[i]) : answers.status());
  }
}

void Assigner::Assign(const MatchId& match, const TablePlace& place, Done done) {
  {
    base::MutexLock lock(mutex_);
    waiting_.push_back({{match, place}, std::move(done)});
  }
  for (auto batch = Begin(); !batch.empty(); batch = Begin()) Write(batch);
}

}  // namespace mj::matchmaking
