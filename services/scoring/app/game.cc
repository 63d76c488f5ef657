#include "services/scoring/app/game.h"

#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/variants/registry.h"

namespace mj::scoring {

using base::Cat;
using base::Error;
using base::Reason;

std::span<const rules::Variant* const> AllGames() { return variants::All(); }

absl::StatusOr<const rules::Variant*> FindVariant(std::string_view id) {
  if (const rules::Variant* variant = variants::Find(id)) return variant;
  return Error(Reason::kUnknownVariant, Cat("variant: no game is called ", base::Quoted(id)),
               {.field = "variant"});
}

namespace {

// A path that a trailer can carry, whatever the option's name.
std::string NameOfOption(std::string_view name) {
  return base::IsId(name) ? Cat("options.", name) : "options";
}

}  // namespace

std::vector<ServedVersion> VersionsOf(const rules::Variant& present) {
  std::vector<ServedVersion> versions{{&present, rules::RulebookVersion(present)}};
  for (const rules::Variant* former : present.former()) {
    versions.push_back({former, rules::RulebookVersion(*former)});
  }
  return versions;
}

std::span<const ServedVersion> Served(const rules::Variant& present) {
  static const auto* const all = [] {
    auto* versions = new std::map<const rules::Variant*, std::vector<ServedVersion>>;
    for (const rules::Variant* game : AllGames()) versions->emplace(game, VersionsOf(*game));
    return versions;
  }();
  return all->at(&present);
}

absl::StatusOr<const ServedVersion*> ChooseVersion(std::span<const ServedVersion> served,
                                                   std::string_view version) {
  if (version.empty()) return &served.front();
  std::string names;
  for (const ServedVersion& one : served) {
    if (one.version == version) return &one;
    names += (names.empty() ? "" : " ") + one.version;
  }
  return Error(Reason::kRulebookVersionUnknown,
               Cat("rulebook_version: got ", base::Quoted(version), ", served is ", names),
               {.field = "rulebook_version", .metadata = {{"served", names}}});
}

absl::StatusOr<Game> FindGame(std::string_view id,
                              const std::map<std::string, std::string>& options,
                              std::string_view rulebook_version) {
  MJ_ASSIGN_OR_RETURN(const rules::Variant* const present, FindVariant(id));
  MJ_ASSIGN_OR_RETURN(const ServedVersion* const served,
                      ChooseVersion(Served(*present), rulebook_version));
  const auto parsed = rules::ParseOptions(served->variant->options(), options);
  if (const auto* refusal = std::get_if<rules::OptionRefusal>(&parsed)) {
    const std::string field = NameOfOption(refusal->name);
    if (refusal->fault == rules::OptionFault::kUnknown) {
      return Error(Reason::kUnknownOption,
                   Cat(field, ": ", base::Quoted(refusal->name), " is no option of this game"),
                   {.field = field});
    }
    return Error(
        Reason::kOptionOutOfRange,
        Cat(field, ": got ", base::Quoted(options.at(refusal->name)), ", which is not allowed"),
        {.field = field});
  }
  return Game{.variant = served->variant,
              .options = std::get<rules::Options>(parsed),
              .rulebook_version = served->version};
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
