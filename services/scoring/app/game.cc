#include "services/scoring/app/game.h"

#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "libs/variants/registry.h"

namespace mj::scoring {

using base::Cat;
using base::Error;
using base::Reason;

std::span<const rules::Variant* const> AllGames() { return variants::All(); }

absl::StatusOr<const rules::Variant*> FindVariant(std::string_view id) {
  if (const rules::Variant* variant = variants::Find(id)) return variant;
  return Error(Reason::kUnknownVariant, Cat("variant: no game is called \"", id, "\""),
               {.field = "variant"});
}

absl::StatusOr<Game> FindGame(std::string_view id,
                              const std::map<std::string, std::string>& options,
                              std::string_view rulebook_version) {
  const absl::StatusOr<const rules::Variant*> variant = FindVariant(id);
  if (!variant.ok()) return variant.status();

  const auto parsed = rules::ParseOptions((*variant)->options(), options);
  if (const auto* refusal = std::get_if<rules::OptionRefusal>(&parsed)) {
    const std::string field = Cat("options.", refusal->name);
    if (refusal->fault == rules::OptionFault::kUnknown) {
      return Error(Reason::kUnknownOption, Cat(field, ": no option of this game"),
                   {.field = field});
    }
    return Error(Reason::kOptionOutOfRange,
                 Cat(field, ": got \"", options.at(refusal->name), "\", which is not allowed"),
                 {.field = field});
  }

  std::string served = rules::RulebookVersion(**variant);
  if (!rulebook_version.empty() && rulebook_version != served) {
    return Error(
        Reason::kRulebookVersionUnknown,
        Cat("rulebook_version: got \"", rulebook_version, "\", served is \"", served, "\""),
        {.field = "rulebook_version", .metadata = {{"served", served}}});
  }
  return Game{.variant = *variant,
              .options = std::get<rules::Options>(parsed),
              .rulebook_version = std::move(served)};
}

absl::Status CheckBase(const Game& game, std::int64_t base) {
  const int units = game.variant->info().units_per_base;
  if (base >= 1 && base <= kMaxBase && base % units == 0) return absl::OkStatus();
  return Error(Reason::kBadBase,
               Cat("base: got ", std::to_string(base), ", want 1 to ", std::to_string(kMaxBase),
                   units > 1 ? Cat(", a multiple of ", std::to_string(units)) : ""),
               {.field = "base"});
}

}  // namespace mj::scoring
