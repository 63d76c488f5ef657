// The four that settle with each other, by index: the wallet knows the order, not what a seat is.
#pragma once

#include <array>
#include <cstddef>

#include "libs/ledger/coins.h"

namespace mj::ledger {

inline constexpr std::size_t kParties = 4;

using Party = std::size_t;  // 0–3, in seat order

template <class T>
using PerParty = std::array<T, kParties>;

// Coins of each ordered pair: table[payer][payee], ≥ 0, the diagonal empty.
using PairTable = PerParty<PerParty<Coins>>;

// One line of a settlement: `from` owes `to` so many coins, > 0.
struct Debt {
  Party from = 0;
  Party to = 0;
  Coins coins;

  friend bool operator==(const Debt&, const Debt&) = default;
};

}  // namespace mj::ledger
