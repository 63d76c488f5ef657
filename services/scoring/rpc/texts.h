// Static texts into messages, without a copy on the way.
#pragma once

#include <string>
#include <string_view>

#include "libs/rules/variant.h"
#include "mahjong/common/v1/common.pb.h"
#include "mahjong/scoring/v1/score.pb.h"

namespace mj::scoring::rpc {

inline void SetView(std::string_view text, std::string& out) {
  out.assign(text.data(), text.size());
}

inline void SetText(std::string_view zh, std::string_view en,
                    ::mahjong::common::v1::LocalizedText& out) {
  SetView(zh, *out.mutable_zh_hans());
  SetView(en, *out.mutable_en());
}

inline ::mahjong::scoring::v1::PatternUnit UnitOf(rules::PatternRole role) {
  switch (role) {
    case rules::PatternRole::kFan:
      return ::mahjong::scoring::v1::PATTERN_UNIT_FAN;
    case rules::PatternRole::kMultiplier:
      return ::mahjong::scoring::v1::PATTERN_UNIT_MULTIPLIER;
    case rules::PatternRole::kPoints:
      return ::mahjong::scoring::v1::PATTERN_UNIT_POINTS;
  }
  return ::mahjong::scoring::v1::PATTERN_UNIT_UNSPECIFIED;
}

}  // namespace mj::scoring::rpc
