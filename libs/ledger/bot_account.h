// The accounts of the house's bots, which sit at practice tables.
#pragma once

#include <string_view>

namespace mj::ledger {

// Begins the id of a bot's account, and of no player's. A bot has an account in practice coins alone.
inline constexpr std::string_view kBotAccountPrefix = "practice-bot-";

[[nodiscard]] constexpr bool IsBotAccount(std::string_view id) {
  return id.starts_with(kBotAccountPrefix);
}

}  // namespace mj::ledger
