// A pool's currency on the wire of the peers.
#pragma once

#include <string>
#include <string_view>

#include "libs/matching/ticket.h"
#include "mahjong/common/v1/common.pb.h"

namespace mj::matchmaking::peers {

// REQUIRES: "COIN" or "PRACTICE", as tickets have it.
[[nodiscard]] inline ::mahjong::common::v1::Currency CurrencyToProto(std::string_view currency) {
  return currency == matching::kUnstaked ? ::mahjong::common::v1::CURRENCY_PRACTICE
                                         : ::mahjong::common::v1::CURRENCY_COIN;
}

[[nodiscard]] inline std::string CurrencyFromProto(::mahjong::common::v1::Currency currency) {
  return currency == ::mahjong::common::v1::CURRENCY_PRACTICE ? std::string(matching::kUnstaked)
                                                              : std::string("COIN");
}

}  // namespace mj::matchmaking::peers
