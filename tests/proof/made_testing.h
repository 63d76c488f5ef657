// Records of rounds for tests, made without any service.
#pragma once

#include <cstdint>

#include "libs/proof/verify.h"
#include "libs/record/round_record.h"
#include "libs/rules/variant.h"
#include "tests/support/random.h"

namespace mj::proof {

// How the round shall come to its end; by chance it may come to another one.
enum class Ending : std::uint8_t { kPlayed, kEscape, kOperator, kRefused };

struct Making {
  Ending ending = Ending::kPlayed;
  bool bots = true;    // whoever plays plays to win; else any choice
  bool nonces = true;  // some, with every outcome
  bool winds = true;   // by chance drawn or from a round before
  bool incidents =
      true;  // late answers, auto-play, restarted clocks, shown hands, leaves after the end
};

// A round of `game` as a table would record it. The same seed of `random` makes the same record.
[[nodiscard]] record::RoundRecord MakeRecord(const rules::Variant& game, testing::Random& random,
                                             const Making& making = {});

// proof::Verify as mahjongctl calls it.
[[nodiscard]] Report VerifyRecord(const record::RoundRecord& record);

}  // namespace mj::proof
