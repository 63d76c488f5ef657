// Static texts into messages, without a copy on the way.
#pragma once

#include <string>
#include <string_view>

#include "mahjong/common/v1/common.pb.h"

namespace mj::scoring::rpc {

inline void SetView(std::string_view text, std::string& out) {
  out.assign(text.data(), text.size());
}

inline void SetText(std::string_view zh, std::string_view en,
                    ::mahjong::common::v1::LocalizedText& out) {
  SetView(zh, *out.mutable_zh_hans());
  SetView(en, *out.mutable_en());
}

}  // namespace mj::scoring::rpc
