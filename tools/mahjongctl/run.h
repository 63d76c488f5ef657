// The whole program between its command line and its exit code.
#pragma once

namespace mj::mahjongctl {

int Run(int argc, const char* const* argv);

}  // namespace mj::mahjongctl
