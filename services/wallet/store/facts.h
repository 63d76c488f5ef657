// What else a remembered answer says, as wallet.requests.facts holds it: name, value, name, value …
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/wallet/app/ledger_store.h"

namespace mj::wallet::store {

// To be written as text[]. REQUIRES no line breaks in names and values.
[[nodiscard]] std::vector<std::string> FactsColumn(const Facts& facts);

// What array_to_string(facts, E'\n') gives. What is no list of pairs gives nothing.
[[nodiscard]] Facts FactsFrom(std::string_view lines);

}  // namespace mj::wallet::store
