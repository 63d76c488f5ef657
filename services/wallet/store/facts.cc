#include "services/wallet/store/facts.h"

#include <cstddef>

#include "libs/base/strings.h"

namespace mj::wallet::store {

std::vector<std::string> FactsColumn(const Facts& facts) {
  std::vector<std::string> column;
  for (const auto& [name, value] : facts) {
    column.push_back(name);
    column.push_back(value);
  }
  return column;
}

Facts FactsFrom(std::string_view lines) {
  Facts facts;
  const std::vector<std::string_view> parts = base::Split(lines, '\n');
  for (std::size_t at = 0; at + 1 < parts.size(); at += 2) {
    facts.emplace(parts[at], parts[at + 1]);
  }
  return facts;
}

}  // namespace mj::wallet::store
