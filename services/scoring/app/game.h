// The game that a question is about.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/rules/variant.h"

namespace mj::scoring {

// A base stake is never more (D-SET-3).
inline constexpr std::int64_t kMaxBase = 10'000;

struct Game {
  const rules::Variant* variant = nullptr;  // never null; lives for ever
  rules::Options options;
  std::string_view rulebook_version;  // lives for ever
};

// One version of a game's rules.
struct ServedVersion {
  const rules::Variant* variant = nullptr;
  std::string version;
};

// Every version of a game that it still has, the present one first.
std::vector<ServedVersion> VersionsOf(const rules::Variant& present);

// The same for a game of AllGames(), without computing anything; lives for ever.
std::span<const ServedVersion> Served(const rules::Variant& present);

// Every game, ordered by id.
std::span<const rules::Variant* const> AllGames();

// The game with this id. UNKNOWN_VARIANT (field "variant").
absl::StatusOr<const rules::Variant*> FindVariant(std::string_view id);

// The served version called `version`; the first one for an empty text. RULEBOOK_VERSION_UNKNOWN
// (field "rulebook_version"; message and metadata `served` name those that there are). REQUIRES:
// `served` is not empty.
absl::StatusOr<const ServedVersion*> ChooseVersion(std::span<const ServedVersion> served,
                                                   std::string_view version);

// The game with these options, by this version of its rules; an empty version is the present one.
//
// UNKNOWN_VARIANT; RULEBOOK_VERSION_UNKNOWN; UNKNOWN_OPTION, OPTION_OUT_OF_RANGE (field
// "options.NAME"). The first that applies, in this order: versions may differ in their options.
absl::StatusOr<Game> FindGame(std::string_view id,
                              const std::map<std::string, std::string>& options,
                              std::string_view rulebook_version);

// BAD_BASE (field "base"): not within 1 to kMaxBase, or no whole coins for the game's units.
absl::Status CheckBase(const Game& game, std::int64_t base);

}  // namespace mj::scoring
