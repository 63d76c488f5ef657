// The check that anyone can make after a round: is this deal the one that was promised?
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "libs/fairness/deal.h"

namespace mj::fairness {

// What a table shows before the deal and publishes after the round, a void one too.
struct PublishedDeal {
  Digest commitment{};  // as shown before the deal
  Seed seed{};          // as published afterwards
  std::array<NonceRecord, kSeats> nonces;
  // What the table recorded of them at the time.
  std::array<NonceOutcome, kSeats> nonce_outcomes{};
  std::string round_id;
  std::string variant;
  std::map<std::string, std::string> options;
  Wall wall;
  // Absent where the round drew none (a dealer who stays is not drawn anew).
  std::optional<Dice> dice;
  std::optional<int> dealer;
  std::optional<SeatWinds> winds;
};

// What does not fit. The first that applies, in this order; kFits only when nothing is wrong.
enum class Misfit : std::uint8_t {
  kFits,
  kSeed,          // does not hash to the commitment that was shown
  kNonceOutcome,  // a nonce was counted, or not counted, against the rule; `at` is the seat
  kWallSize,      // another number of tiles than the game has; `at` is the published number
  kWallTiles,     // not the game's tiles; `at` is the first index in the wall that is one too many
  kWallOrder,     // not the order that the seed gives; `at` is the first index that differs
  kDice,
  kDealer,
  kWinds,  // `at` is the first seat with another wind
};

// A stable lower-case word for each ("fits", "seed", "nonce_outcome", …), for reports and logs.
[[nodiscard]] std::string_view MisfitText(Misfit misfit);

struct Verdict {
  Misfit misfit = Misfit::kFits;
  std::size_t at = 0;  // where; 0 when the misfit has no place
  [[nodiscard]] bool fits() const { return misfit == Misfit::kFits; }
  bool operator==(const Verdict&) const = default;
};

// Recomputes the whole deal. `tiles` is the tile set that the variant with these options plays
// with; it comes from the rules, not from the record. Pure and thread-safe; no input makes it fail.
[[nodiscard]] Verdict VerifyDeal(const PublishedDeal& deal, const tiles::TileCounts& tiles);

}  // namespace mj::fairness
