#include "services/wallet/rpc/watches.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "services/wallet/rpc/messages.h"

namespace mj::wallet::rpc {
namespace {

constexpr std::size_t kAccountsAsked = 1000;  // with one question
constexpr int kBatch = 64;                    // entries with one stream at once
constexpr std::chrono::seconds kTimeMax{5};
constexpr std::chrono::milliseconds kBehindPause{5};  // for clients to read what was sent

// Whether another moment may bring what this one did not.
bool MayPass(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) || absl::IsAborted(status);
}

}  // namespace

Watches::Watches(Wallet& wallet, const base::Clock& clock, std::chrono::nanoseconds pause)
    : wallet_(wallet), clock_(clock), pause_(pause), thread_({.name = "watches"}) {}

Watches::~Watches() {
  {
    base::MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  thread_.Stop();
}

absl::Status Watches::Open(const CallContext& context, const WatchRequest& request,
                           const Stream& stream) {
  Watch watch{context, request, stream};
  MJ_RETURN_IF_ERROR(Step(watch));
  bool start = false;
  {
    base::MutexLock lock(mutex_);
    if (stopping_) return base::Error(base::Reason::kShuttingDown);
    arriving_.push_back(std::move(watch));
    start = !std::exchange(running_, true);
  }
  if (start && !thread_.TryPost([this] { Run(); })) return base::Error(base::Reason::kShuttingDown);
  return absl::OkStatus();
}

absl::Status Watches::Step(Watch& watch) {
  if (watch.stream.unsent() > 0) return absl::OkStatus();
  watch.context.deadline = clock_.Monotonic() + kTimeMax;
  MJ_ASSIGN_OR_RETURN(const std::vector<ListedEntry> entries,
                      wallet_.EntriesAfter(watch.context, watch.request, kBatch));
  for (const ListedEntry& entry : entries) {
    ::mahjong::wallet::v1::WatchAccountResponse response;
    ToProto(entry, *response.mutable_entry());
    if (!watch.stream.Send(std::move(response))) break;
    watch.request.after_sequence = entry.sequence;
  }
  watch.behind = entries.size() == static_cast<std::size_t>(kBatch);
  return absl::OkStatus();
}

bool Watches::Stopping() {
  base::MutexLock lock(mutex_);
  return stopping_;
}

void Watches::Round(std::list<Watch>& open) {
  std::erase_if(open, [](const Watch& watch) { return watch.stream.ended(); });
  std::set<AccountKey> watched;
  for (const Watch& watch : open) {
    if (watch.stream.unsent() == 0) {
      watched.insert({watch.request.account_id, watch.request.currency});
    }
  }
  std::map<AccountKey, std::int64_t> reached;
  for (auto next = watched.begin(); next != watched.end();) {
    std::vector<AccountKey> some;
    while (next != watched.end() && some.size() < kAccountsAsked) some.push_back(*next++);
    if (Stopping()) return;
    const auto found = wallet_.LastSequences({{}, clock_.Monotonic() + kTimeMax}, some);
    if (!found.ok()) return;  // the database is away: another moment
    reached.insert(found->begin(), found->end());
  }
  for (auto watch = open.begin(); watch != open.end();) {
    if (Stopping()) return;
    const auto at = reached.find({watch->request.account_id, watch->request.currency});
    const bool moved = at != reached.end() && at->second > watch->request.after_sequence;
    if (at != reached.end() && !moved) watch->behind = false;  // it is not asked again
    const absl::Status status = moved ? Step(*watch) : absl::OkStatus();
    if (status.ok() || MayPass(status)) {
      ++watch;
      continue;
    }
    watch->stream.Cut(status);  // no effect on one that has ended
    watch = open.erase(watch);
  }
}

void Watches::Run() {
  std::list<Watch> open;
  while (true) {
    const bool behind =
        std::any_of(open.begin(), open.end(), [](const Watch& watch) { return watch.behind; });
    {
      base::MutexLock lock(mutex_);
      if (!stopping_ && arriving_.empty()) {
        changed_.WaitFor(
            mutex_, behind ? std::min<std::chrono::nanoseconds>(kBehindPause, pause_) : pause_);
      }
      if (stopping_) return;
      open.splice(open.end(), arriving_);
      if (open.empty()) {
        running_ = false;
        return;
      }
    }
    Round(open);
  }
}

}  // namespace mj::wallet::rpc
