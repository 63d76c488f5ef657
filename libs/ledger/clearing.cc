#include "libs/ledger/clearing.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace mj::ledger {
namespace {

constexpr PerParty<Party> kAll = {0, 1, 2, 3};

// `amount` more in `sum`; false when that passes the limit.
bool Increase(Coins& sum, Coins amount) {
  const auto more = Add(sum, amount);
  if (more) sum = *more;
  return more.has_value();
}

// `amount` less in `sum`. REQUIRES 0 ≤ amount ≤ sum.
void Decrease(Coins& sum, Coins amount) { sum = Subtract(sum, amount).value(); }

std::optional<Rejection> Malformed(std::span<const Debt> debts) {
  for (const Debt& debt : debts) {
    if (debt.from >= kParties || debt.to >= kParties) return Rejection::kUnknownParty;
  }
  for (const Debt& debt : debts) {
    if (debt.from == debt.to) return Rejection::kSameAccount;
  }
  for (const Debt& debt : debts) {
    if (!debt.coins.IsPositive()) return Rejection::kNotPositive;
  }
  return std::nullopt;
}

// Takes the circle's smallest debt from each of its debts; a path that is no circle is left alone.
void SetOff(std::initializer_list<Party> circle, PairTable& open, PairTable& set_off) {
  const auto for_each_debt = [&circle](auto&& action) {
    const Party* from = circle.end() - 1;
    for (const Party* to = circle.begin(); to != circle.end(); from = to, ++to) action(*from, *to);
  };
  Coins smallest = Coins::From(kCoinsMax).value();
  for_each_debt([&](Party from, Party to) { smallest = std::min(smallest, open[from][to]); });
  if (smallest.IsZero()) return;
  for_each_debt([&](Party from, Party to) {
    Decrease(open[from][to], smallest);
    Increase(set_off[from][to], smallest);
  });
}

// Taking debts away makes no new circle, so one pass in order leaves none.
void SetOffAllCircles(PairTable& open, PairTable& set_off) {
  for (const Party a : kAll) {
    for (Party b = a + 1; b < kParties; ++b) SetOff({a, b}, open, set_off);
  }
  for (const Party a : kAll) {
    for (Party b = a + 1; b < kParties; ++b) {
      for (Party c = a + 1; c < kParties; ++c) {
        if (b != c) SetOff({a, b, c}, open, set_off);
      }
    }
  }
  for (const Party b : {1U, 2U, 3U}) {
    for (const Party c : {1U, 2U, 3U}) {
      if (b != c) SetOff({0, b, c, 6 - b - c}, open, set_off);
    }
  }
}

// One party pays what it owes, or shares out what it has. What is not paid stays in `open`.
// False when a payee's balance passes the limit.
bool Pay(Party payer, PerParty<Coins>& hand, PairTable& open, PairTable& paid) {
  Coins total;
  for (const Coins coins : open[payer]) {
    if (!Increase(total, coins)) return false;
  }
  const Coins available = hand[payer];
  const bool covered = total <= available;
  for (const Party payee : kAll) {
    const Coins debt = open[payer][payee];
    if (debt.IsZero()) continue;
    const Coins coins = covered ? debt : Proportion(available, debt, total);
    if (!Increase(hand[payee], coins)) return false;
    Decrease(hand[payer], coins);
    Decrease(open[payer][payee], coins);
    Increase(paid[payer][payee], coins);
  }
  return true;
}

// Lets everyone pay, each after all who owe it. REQUIRES no circle in `open`.
bool PayInOrder(PerParty<Coins>& hand, PairTable& open, PairTable& paid) {
  const PairTable owed = open;
  PerParty<bool> done{};
  const auto may_pay = [&](Party party) {
    return !done[party] && std::none_of(kAll.begin(), kAll.end(), [&](Party other) {
      return !done[other] && !owed[other][party].IsZero();
    });
  };
  for (std::size_t turn = 0; turn < kParties; ++turn) {
    const Party payer = *std::find_if(kAll.begin(), kAll.end(), may_pay);
    if (!Pay(payer, hand, open, paid)) return false;
    done[payer] = true;
  }
  return true;
}

}  // namespace

Outcome<PairTable> AddUp(std::span<const Debt> debts) {
  if (const auto why = Malformed(debts)) return *why;
  PairTable owed{};
  PerParty<Coins> owed_by{};
  for (const Debt& debt : debts) {
    if (!Increase(owed[debt.from][debt.to], debt.coins)) return Rejection::kTooLarge;
    if (!Increase(owed_by[debt.from], debt.coins)) return Rejection::kTooLarge;
  }
  return owed;
}

Outcome<Clearing> Clear(const PerParty<Coins>& balances, std::span<const Debt> debts, Coins rake) {
  if (const auto why = Malformed(debts)) return *why;
  const bool negative = std::any_of(balances.begin(), balances.end(),
                                    [](Coins balance) { return balance.IsNegative(); });
  if (negative || rake.IsNegative()) return Rejection::kNotPositive;
  const auto owed = AddUp(debts);
  if (!owed.ok()) return owed.rejection();

  Clearing clearing{};
  clearing.owed = owed.value();
  PairTable open = owed.value();
  PerParty<Coins> hand = balances;
  SetOffAllCircles(open, clearing.set_off);
  if (!PayInOrder(hand, open, clearing.paid)) return Rejection::kTooLarge;
  clearing.shortfall = open;
  for (const Party party : kAll) {
    const Coins covered = std::min(rake, hand[party]);
    Decrease(hand[party], covered);
    clearing.rake_paid[party] = covered;
    clearing.rake_shortfall[party] = Subtract(rake, covered).value();
  }
  clearing.balance_after = hand;
  return clearing;
}

}  // namespace mj::ledger
