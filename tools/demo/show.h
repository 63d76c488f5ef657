// One table's evening: four guests are seated, their rounds played, checked and told.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "mahjong/scoring/v1/scoring_service.grpc.pb.h"
#include "tools/demo/evening.h"
#include "tools/demo/print.h"

namespace mj::demo {

struct ShowOptions {
  std::string prefix;  // of the players' ids; no two shows on one stack share it
  std::string variant;
  std::uint32_t rounds = 1;
  std::uint64_t seed = 1;  // of the bots
};

// Where a show tells what happens; called on the thread that shows.
struct Telling {
  std::function<void(std::string_view)> page;      // the rounds, as a person reads them
  std::function<void(std::string_view)> progress;  // a line without its end, now and then
};

struct Shown {
  absl::Status status;                    // the first failure: seating, rulebook, play
  std::optional<Sitting> sitting;         // none: nobody was seated
  rules::PerSeat<std::int64_t> balances;  // after the last round
  std::uint32_t settled = 0;
  int problems = 0;  // in what the players were told; each stands on the page
};

Shown ShowTable(const Stubs& stubs, ::mahjong::scoring::v1::ScoringService::StubInterface& scoring,
                const ShowOptions& options, const Telling& telling);

}  // namespace mj::demo
