#include "libs/variants/registry.h"

namespace mj::variants {

namespace generated {
std::span<const rules::Variant* const> Games();
}

std::span<const rules::Variant* const> All() { return generated::Games(); }

const rules::Variant* Find(std::string_view id) {
  for (const rules::Variant* game : All()) {
    if (game->info().id == id) return game;
  }
  return nullptr;
}

}  // namespace mj::variants
