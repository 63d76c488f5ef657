#include "services/table/app/feed.h"

#include <algorithm>
#include <utility>

#include "libs/base/reasons.h"

namespace mj::table {

template <typename Event>
std::size_t BasicFeed<Event>::Add(const Event& event) {
  last_ = event.sequence;
  kept_.push_back(event);
  if (kept_.size() > kept_max_) kept_.pop_front();
  std::size_t cut = 0;
  for (Place& place : places_) {
    if (!place.live || place.next != event.sequence) continue;
    if (place.reader->Put(event)) {
      ++place.next;
    } else if (!place.reader->ended()) {
      place.reader->End(base::Error(base::Reason::kStreamTooSlow));
      ++cut;
    }
  }
  ForgetEnded();
  return cut;
}

template <typename Event>
void BasicFeed<Event>::Tell() {
  for (const Place& place : places_) place.reader->Tell();
}

template <typename Event>
void BasicFeed<Event>::Notify(const Notice& notice) {
  for (const Place& place : places_) place.reader->Notify(notice);
}

template <typename Event>
void BasicFeed<Event>::Attach(std::shared_ptr<Reader> reader, StreamSeq after,
                              std::vector<Event> older, std::function<void()> refill) {
  places_.push_back({std::move(reader), after + 1, std::move(older), std::move(refill), false});
  Fill(places_.back());
  ForgetEnded();
}

template <typename Event>
std::size_t BasicFeed<Event>::Refill(const Reader* reader) {
  std::size_t cut = 0;
  for (Place& place : places_) {
    if (place.reader.get() == reader && !place.live) cut += Fill(place);
  }
  ForgetEnded();
  return cut;
}

template <typename Event>
void BasicFeed<Event>::End(const absl::Status& status) {
  over_ = status.ok();
  for (Place& place : places_) {
    if (place.live || !status.ok()) place.reader->End(status);
  }
  ForgetEnded();
}

template <typename Event>
const Event* BasicFeed<Event>::Find(const Place& place) const {
  if (!place.older.empty()) {
    const StreamSeq first = place.older.front().sequence;
    if (place.next >= first && place.next - first < place.older.size()) {
      return &place.older[place.next - first];
    }
  }
  if (kept_.empty() || place.next < kept_.front().sequence) return nullptr;
  const StreamSeq index = place.next - kept_.front().sequence;
  return index < kept_.size() ? &kept_[index] : nullptr;
}

template <typename Event>
std::size_t BasicFeed<Event>::Fill(Place& place) {
  while (const Event* event = Find(place)) {
    if (!place.reader->PutPast(*event)) {
      // Full, or ended. The call may come at once, so this place is not touched any more.
      place.reader->OnRoom(place.refill);
      return 0;
    }
    ++place.next;
  }
  if (place.next <= last_) {
    place.reader->End(base::Error(base::Reason::kStreamTooSlow, "what comes next is old"));
    return 1;
  }
  place.live = true;
  place.older = {};
  if (over_) place.reader->End(absl::OkStatus());
  return 0;
}

template <typename Event>
void BasicFeed<Event>::ForgetEnded() {
  std::erase_if(places_, [](const Place& place) { return place.reader->ended(); });
}

template class BasicFeed<Shown>;
template class BasicFeed<Watched>;

Feeds::Feeds(std::size_t kept_max) : kept_max_(kept_max) {
  for (auto& feed : feeds_) feed = std::make_shared<Feed>(kept_max_);
}

std::size_t Feeds::Show(const Showing& showing) {
  if (showing.shown.sequence == 1) feeds_[showing.seat] = std::make_shared<Feed>(kept_max_);
  return feeds_[showing.seat]->Add(showing.shown);
}

void Feeds::TellAll() {
  for (const auto& feed : feeds_) feed->Tell();
}

void Feeds::EndAll(const absl::Status& status) {
  for (const auto& feed : feeds_) feed->End(status);
}

void Feeds::NotifyAll(const Notice& notice) {
  for (const auto& feed : feeds_) feed->Notify(notice);
}

}  // namespace mj::table
