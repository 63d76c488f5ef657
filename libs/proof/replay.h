// The play of a record as the rules make it of the players' answers.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "libs/record/round_record.h"
#include "libs/round/decide.h"
#include "libs/round/setup.h"
#include "libs/round/state.h"
#include "libs/rules/variant.h"

namespace mj::proof {

// What does not fit, and where.
struct Misfit {
  std::string where;
  std::string text;
};

// The game by the rules called `rulebook_version`, a former one too; nullptr when this program does
// not have it.
[[nodiscard]] const rules::Variant* FindRules(std::string_view variant,
                                              std::string_view rulebook_version);

// What the round was played by. Nothing where its options or deal cannot be, and for one that was
// void before its deal was drawn. REQUIRES: FindRules(record's) is `game`.
[[nodiscard]] std::optional<round::Setup> SetupOf(const rules::Variant& game,
                                                  const record::RoundRecord& record);

struct Played {
  std::size_t events = 0;   // of the record that fit, from the first on
  std::size_t answers = 0;  // of players and of the system among them
  std::optional<Misfit> misfit;
  round::State state;  // after those events
};

// Called after each event that fits, with its index in the record: `state` stands behind it.
using SeeEvent = std::function<void(std::size_t index, const round::State& state)>;

// Takes the answers, leaves and pauses that the record tells as commands, has round::Decide say what
// comes of them, and holds every recorded event to that. What is not the engine's (auto-play, who
// leaves, hands that are shown) has to fit the play too. Stops at the first that does not. Any
// record may be given: only events that the rules gave are applied.
[[nodiscard]] Played ReplayPlay(const round::Setup& setup, const record::RoundRecord& record,
                                const SeeEvent& see = {});

}  // namespace mj::proof
