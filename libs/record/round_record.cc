#include "libs/record/round_record.h"

namespace mj::record {

fairness::PublishedDeal PublishedDealOf(const RoundRecord& record) {
  fairness::PublishedDeal deal;
  deal.commitment = record.seed_hash;
  deal.seed = record.seed;
  deal.round_id = record.round_id;
  deal.variant = record.variant;
  deal.options = record.options;
  deal.wall = record.wall;
  deal.dice = record.dice;
  for (const Seat seat : rules::kSeats) {
    const auto i = static_cast<std::size_t>(rules::IndexOf(seat));
    deal.nonces[i] = record.nonces[seat].record;
    deal.nonce_outcomes[i] = record.nonces[seat].outcome;
  }
  if (!record.drawn) return deal;
  if (!record.seat_winds) {
    deal.dealer = rules::IndexOf(record.dealer);
    return deal;
  }
  // Who draws East deals: there is no draw of its own for it.
  deal.winds.emplace();
  for (const Seat seat : rules::kSeats) {
    (*deal.winds)[static_cast<std::size_t>(rules::IndexOf(seat))] = (*record.seat_winds)[seat];
  }
  return deal;
}

}  // namespace mj::record
