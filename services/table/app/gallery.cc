#include "services/table/app/gallery.h"

#include <algorithm>
#include <utility>

#include "libs/base/check.h"

namespace mj::table {

void Gallery::Open(StreamSeq last, const Lent& lent) {
  if (open_) return;
  open_ = true;
  opened_after_ = last;
  Lend(lent);
}

void Gallery::Settle(const std::vector<Scene>& past) {
  if (settled_) return;
  MJ_CHECK(open_ && !past.empty());
  settled_ = true;
  // It may begin after what has been collected does; what lies before is told then.
  told_ = std::min(past.front().sequence - 1, opened_after_);
  std::deque<Scene> all;
  // What the journal had already and has been added since is the same.
  for (const Scene& scene : past) {
    if (scene.sequence <= opened_after_) all.push_back(scene);
  }
  all.insert(all.end(), std::make_move_iterator(scenes_.begin()),
             std::make_move_iterator(scenes_.end()));
  scenes_ = std::move(all);
  for (auto& feed : feeds_) feed = std::make_shared<WatchFeed>(kept_max_, told_);
}

void Gallery::Shut() {
  MJ_CHECK(readers_.empty());
  Lend({});
  open_ = false;
  settled_ = false;
  scenes_.clear();
  feeds_ = {};
}

void Gallery::Add(Scene scene) {
  MJ_CHECK(open_);
  scenes_.push_back(std::move(scene));
}

void Gallery::Lend(const Lent& lent) {
  for (Seat seat : rules::kSeats) {
    std::optional<Loan>& loan = loans_[seat];
    if (loan && loan->lent_by == lent[seat]) continue;
    if (loan) loan->lending->TakeBack();
    loan.reset();
    if (lent[seat]) loan = Loan{*lent[seat], std::make_shared<Lending>()};
  }
}

Watched Gallery::Cut(const Scene& scene, Seat seat) const {
  Watched watched{scene.sequence, scene.time, scene.event, {}};
  const std::optional<Scene::Hand>& hand = scene.hands[seat];
  const std::optional<Loan>& loan = loans_[seat];
  if (hand && loan && hand->lent_by == loan->lent_by) {
    watched.hand = LentHand(loan->lending, hand->tiles);
  }
  return watched;
}

std::size_t Gallery::Tell(WallTime now) {
  std::size_t cut = 0;
  while (true) {
    const std::optional<WallTime> due = next();
    if (!due || *due > now) break;
    const std::size_t index = told_ + 1 - first();
    const Scene& scene = scenes_[index];
    for (Seat seat : rules::kSeats) cut += feeds_[seat]->Add(Cut(scene, seat));
    ++told_;
    if (std::holds_alternative<RoundStarted>(*scene.event)) {
      scenes_.erase(scenes_.begin(), scenes_.begin() + static_cast<std::ptrdiff_t>(index));
    }
  }
  for (const auto& feed : feeds_) {
    if (feed != nullptr) feed->Tell();
  }
  return cut;
}

std::optional<WallTime> Gallery::next() const {
  if (!settled_ || scenes_.empty() || scenes_.back().sequence == told_) return std::nullopt;
  return scenes_[told_ + 1 - first()].time + delay_;
}

StreamSeq Gallery::first() const { return scenes_.empty() ? told_ + 1 : scenes_.front().sequence; }

void Gallery::End(const absl::Status& status) {
  if (!settled_) return;
  for (const auto& feed : feeds_) feed->End(status);
}

bool Gallery::Keeps(StreamSeq after) const {
  return settled_ && (after == 0 || after + 1 >= first());
}

void Gallery::Enter(const PlayerId& player, Seat seat, std::shared_ptr<Reader> reader,
                    StreamSeq after, const std::vector<Scene>& older,
                    std::function<void()> refill) {
  MJ_CHECK(settled_);
  if (after == 0) after = first() - 1;
  std::vector<Watched> past;
  StreamSeq next = after + 1;
  const auto take = [&](const Scene& scene) {
    if (scene.sequence != next || next > told_) return;
    past.push_back(Cut(scene, seat));
    ++next;
  };
  for (const Scene& scene : older) take(scene);
  for (const Scene& scene : scenes_) take(scene);
  readers_[player].push_back(reader);
  feeds_[seat]->Attach(std::move(reader), after, std::move(past), std::move(refill));
}

void Gallery::Leave(const PlayerId& player, const Reader* reader) {
  const auto it = readers_.find(player);
  if (it == readers_.end()) return;
  std::erase_if(it->second, [reader](const auto& each) { return each.get() == reader; });
  if (it->second.empty()) readers_.erase(it);
}

void Gallery::Evict(const PlayerId& player, const absl::Status& status) {
  const auto it = readers_.find(player);
  if (it == readers_.end()) return;
  // Whoever is told of an end may call Leave.
  const std::vector<std::shared_ptr<Reader>> readers = it->second;
  for (const auto& reader : readers) reader->End(status);
}

std::size_t Gallery::streams() const {
  std::size_t streams = 0;
  for (const auto& [player, readers] : readers_) streams += readers.size();
  return streams;
}

}  // namespace mj::table
