#include "libs/collusion/of_record.h"

#include <cstddef>
#include <variant>

#include "libs/round/event.h"
#include "libs/rules/seat.h"

namespace mj::collusion {
namespace {

std::size_t At(rules::Seat seat) { return static_cast<std::size_t>(rules::IndexOf(seat)); }

// Follows who threw the tile that others are asked about.
class Reader {
 public:
  explicit Reader(Round& round) : round_(round) {}

  void Take(const round::Event& event) {
    std::visit([this](const auto& one) { On(one); }, event);
  }

 private:
  template <typename Other>
  void On(const Other&) {}

  void On(const round::Drew&) { thrower_.reset(); }
  void On(const round::Called&) { thrower_.reset(); }
  void On(const round::Discarded& event) { thrower_ = event.seat; }
  // A kong that can be robbed is won from whoever adds to its pung.
  void On(const round::KongDeclared& event) { thrower_ = event.seat; }
  void On(const round::Asked& event) {
    for (const rules::Seat seat : rules::kSeats) {
      const auto& ask = event.asks[seat];
      offered_[seat] = ask && ask->offer.win && thrower_ && *thrower_ != seat;
    }
  }
  void On(const round::Answered& event) {
    if (!offered_[event.seat] || !thrower_) return;
    offered_[event.seat] = false;
    const bool taken = event.choice.kind == round::ChoiceKind::kWin;
    if (!taken && event.by != round::AnswerBy::kPlayer) return;
    round_.chances.push_back({At(*thrower_), At(event.seat), taken});
  }
  void On(const round::Won& event) {
    for (const rules::Win& win : event.wins) {
      if (win.from && *win.from != win.seat) {
        round_.deal_ins.push_back({At(*win.from), At(win.seat)});
      }
    }
  }

  Round& round_;
  std::optional<rules::Seat> thrower_;
  rules::PerSeat<bool> offered_;
};

}  // namespace

std::optional<Round> OfRecord(const record::RoundRecord& record) {
  const auto* settled = std::get_if<record::Settled>(&record.end);
  if (settled == nullptr || record.currency != record::Currency::kCoin) return std::nullopt;
  Round round{.id = record.round_id};
  for (const rules::Seat seat : rules::kSeats) round.players[At(seat)] = record.players[seat];
  for (const record::SeatTransfer& transfer : settled->scored.transfers) {
    round.payments.push_back({At(transfer.from), At(transfer.to), transfer.coins});
  }
  Reader reader(round);
  for (const record::RecordedEvent& event : record.events) {
    if (const auto* played = std::get_if<round::Event>(&event.what)) reader.Take(*played);
  }
  return round;
}

}  // namespace mj::collusion
