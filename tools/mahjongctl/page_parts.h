// The files of page/, as they are built into the program.
#pragma once

#include <string_view>

namespace mj::mahjongctl {

extern const std::string_view kPageHtml;
extern const std::string_view kPageCss;
extern const std::string_view kPageJs;

}  // namespace mj::mahjongctl
