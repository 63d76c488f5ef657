#include "libs/rules/payments.h"

namespace mj::rules {

void Owe(Transfers& transfers, Seat from, Seat to, Units units, RuleId rule) {
  if (units == 0) return;
  for (Transfer& line : transfers) {
    if (line.from == from && line.to == to && line.rule == rule) {
      line.units += units;
      return;
    }
  }
  transfers.push_back({.from = from, .to = to, .units = units, .rule = rule});
}

void OweByAll(Transfers& transfers, Seat to, Units share, RuleId rule) {
  for (Seat seat : kSeats) {
    if (seat != to) Owe(transfers, seat, to, share, rule);
  }
}

void OweKongs(const FinishedRound& round, const KongPrices& prices, RuleId rule,
              Transfers& transfers) {
  for (const Kong& kong : round.kongs) {
    if (kong.kind == MeldKind::kDiscardKong) {
      if (kong.from) Owe(transfers, *kong.from, kong.seat, prices.discard, rule);
      continue;
    }
    const Units share = kong.kind == MeldKind::kAddedKong ? prices.added : prices.concealed;
    if (kong.paid_by) {
      Owe(transfers, *kong.paid_by, kong.seat, (kSeatCount - 1) * share, rule);
    } else {
      OweByAll(transfers, kong.seat, share, rule);
    }
  }
}

NextDeal StayOrPass(const FinishedRound& round) {
  const Seat dealer = round.deal.dealer;
  NextDeal next{.dealer = dealer, .round_wind = round.deal.round_wind};
  if (round.end == RoundEnd::kExhausted || round.wins.empty()) return next;
  for (const Win& win : round.wins) {
    if (win.seat == dealer) return next;
  }
  next.dealer = After(dealer);
  return next;
}

}  // namespace mj::rules
