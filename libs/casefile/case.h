// A case: one finished round of any game as a JSON object, and back.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "libs/casefile/fields.h"
#include "libs/rules/variant.h"

namespace mj::casefile {

// What is written keeps the format's order of fields.
using OrderedJson = nlohmann::ordered_json;

// Coins of one base; a base is never more (D-SET-3).
inline constexpr std::int64_t kMaxBase = 10'000;

struct Case {
  std::string id;                           // empty when it has none
  const rules::Variant* variant = nullptr;  // a registered game; never null in a case that was read
  rules::Options options;
  std::int64_t base = 0;  // 1 to kMaxBase, and whole coins for every unit of the game
  rules::FinishedRound round;
};

// Reads a case strictly: a field that the format does not know, that is missing, of a wrong type
// or out of range, a tile or meld that is none, an unknown game or option, or a round that cannot
// be (rules::CheckRound) is answered with the first mistake. `id`, `note` and `expect` may be
// absent, and `expect` is not looked into. Never throws.
std::variant<Case, FormatError> ReadCase(const nlohmann::json& document);

// The case as the format writes it, without id, note and expect.
OrderedJson WriteCase(const Case& the_case);

// The `id` of a document that may be anything, as it stands; null when it has none, or a list or
// an object for one.
nlohmann::json IdOf(const nlohmann::json& document);

// ------------------------------------------------ parts that whole rounds share with cases

// What both begin with: game, options, base, dealer and winds.
struct Table {
  const rules::Variant* variant = nullptr;  // null only after a mistake
  rules::Options options;
  std::int64_t base = 0;
  rules::Deal deal;  // without the wild kind
};
Table ReadTable(Fields& fields);
void WriteTable(const Table& table, OrderedJson& out);

}  // namespace mj::casefile
