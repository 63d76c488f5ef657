#include "services/table/app/feed.h"

#include <algorithm>
#include <utility>

#include "libs/base/reasons.h"

namespace mj::table {

std::size_t Feed::Add(const Shown& shown) {
  last_ = shown.sequence;
  kept_.push_back(shown);
  if (kept_.size() > kept_max_) kept_.pop_front();
  std::size_t cut = 0;
  for (Reader& reader : readers_) {
    if (!reader.live || reader.next != shown.sequence) continue;
    if (reader.subscription->Put(shown)) {
      ++reader.next;
    } else if (!reader.subscription->ended()) {
      reader.subscription->End(base::Error(base::Reason::kStreamTooSlow));
      ++cut;
    }
  }
  ForgetEnded();
  return cut;
}

void Feed::Attach(std::shared_ptr<Subscription> reader, StreamSeq after, std::vector<Shown> older,
                  std::function<void()> refill) {
  readers_.push_back({std::move(reader), after + 1, std::move(older), std::move(refill), false});
  Fill(readers_.back());
  ForgetEnded();
}

std::size_t Feed::Refill(const Subscription* reader) {
  std::size_t cut = 0;
  for (Reader& each : readers_) {
    if (each.subscription.get() == reader && !each.live) cut += Fill(each);
  }
  ForgetEnded();
  return cut;
}

void Feed::End(const absl::Status& status) {
  over_ = status.ok();
  for (Reader& reader : readers_) {
    if (reader.live || !status.ok()) reader.subscription->End(status);
  }
  ForgetEnded();
}

const Shown* Feed::Find(const Reader& reader) const {
  if (!reader.older.empty()) {
    const StreamSeq first = reader.older.front().sequence;
    if (reader.next >= first && reader.next - first < reader.older.size()) {
      return &reader.older[reader.next - first];
    }
  }
  if (kept_.empty() || reader.next < kept_.front().sequence) return nullptr;
  const StreamSeq index = reader.next - kept_.front().sequence;
  return index < kept_.size() ? &kept_[index] : nullptr;
}

std::size_t Feed::Fill(Reader& reader) {
  while (const Shown* shown = Find(reader)) {
    if (!reader.subscription->PutPast(*shown)) {
      // Full, or ended. The call may come at once, so this reader is not touched any more.
      reader.subscription->OnRoom(reader.refill);
      return 0;
    }
    ++reader.next;
  }
  if (reader.next <= last_) {
    reader.subscription->End(base::Error(base::Reason::kStreamTooSlow, "what comes next is old"));
    return 1;
  }
  reader.live = true;
  reader.older = {};
  if (over_) reader.subscription->End(absl::OkStatus());
  return 0;
}

void Feed::ForgetEnded() {
  std::erase_if(readers_, [](const Reader& r) { return r.subscription->ended(); });
}

Feeds::Feeds(std::size_t kept_max) : kept_max_(kept_max) {
  for (auto& feed : feeds_) feed = std::make_shared<Feed>(kept_max_);
}

std::size_t Feeds::Show(const Showing& showing) {
  if (showing.shown.sequence == 1) feeds_[showing.seat] = std::make_shared<Feed>(kept_max_);
  return feeds_[showing.seat]->Add(showing.shown);
}

void Feeds::EndAll(const absl::Status& status) {
  for (const auto& feed : feeds_) feed->End(status);
}

}  // namespace mj::table
