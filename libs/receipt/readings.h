// Every way to read a hand, and why the others did not count.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libs/ledger/coins.h"
#include "libs/ledger/rejection.h"
#include "libs/rules/score.h"

namespace mj::receipt {

// Why a reading counted or did not (D-COM-2, in this order).
enum class Verdict : std::uint8_t {
  kCounted,
  kNotAllowed,       // the rules do not allow a win with it
  kPaysLess,         // another pays the winner more
  kFewerPatterns,    // another pays the same with more patterns
  kLessBeforeLimit,  // another pays the same and is worth more before limits
  kLaterInOrder,     // equal in all of these; the other comes first
};

struct ReadHand {
  rules::Reading reading;
  rules::Worth worth;
  ledger::Coins coins;  // that the winner would receive from everybody; none when not allowed
  Verdict verdict = Verdict::kCounted;
};

// Every distinct reading of the claim `round.wins[index]`: the one that counted first, then those
// that are allowed by worth, then the others. Empty when it has no winning shape. With no reading
// that is allowed, none counted.
//
// REQUIRES: rules::CheckRound found no fault. Failures as PriceRound's.
[[nodiscard]] ledger::Outcome<std::vector<ReadHand>> ReadingsOf(const rules::Variant& variant,
                                                                const rules::Options& options,
                                                                std::int64_t base,
                                                                const rules::FinishedRound& round,
                                                                std::size_t index);

// A verdict as a sentence in both languages: what the reading that counted has before this one.
struct Explanation {
  std::string zh;
  std::string en;
};
// REQUIRES: `counted` is the one of the same claim that counted; for kNotAllowed alone it may be any.
[[nodiscard]] Explanation Explain(const ReadHand& hand, const ReadHand& counted);

}  // namespace mj::receipt
