// The game that a question is about.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "libs/rules/variant.h"

namespace mj::scoring {

// A base stake is never more (D-SET-3).
inline constexpr std::int64_t kMaxBase = 10'000;

struct Game {
  const rules::Variant* variant = nullptr;  // never null; lives for ever
  rules::Options options;
  std::string rulebook_version;
};

// Every game, ordered by id.
std::span<const rules::Variant* const> AllGames();

// The game with this id. UNKNOWN_VARIANT (field "variant").
absl::StatusOr<const rules::Variant*> FindVariant(std::string_view id);

// The game with these options, by this version of its rules; an empty version is the present one,
// which is the only one served.
//
// UNKNOWN_VARIANT; UNKNOWN_OPTION, OPTION_OUT_OF_RANGE (field "options.NAME");
// RULEBOOK_VERSION_UNKNOWN (metadata: served). The first that applies, in this order.
absl::StatusOr<Game> FindGame(std::string_view id,
                              const std::map<std::string, std::string>& options,
                              std::string_view rulebook_version);

// BAD_BASE (field "base"): not within 1 to kMaxBase, or no whole coins for the game's units.
absl::Status CheckBase(const Game& game, std::int64_t base);

}  // namespace mj::scoring
