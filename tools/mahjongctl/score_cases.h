// mahjongctl score --cases: what every case of a file comes to.
#pragma once

#include <functional>
#include <ostream>
#include <string_view>
#include <variant>

#include "libs/casefile/case.h"
#include "tools/mahjongctl/exit_code.h"

namespace mj::mahjongctl {

// Why no further case can be scored: the service does not answer.
struct Unavailable {
  std::string why;
};

// Scores one case somewhere.
using Scorer =
    std::function<std::variant<casefile::OrderedJson, casefile::FormatError, Unavailable>(
        const casefile::Case&)>;

// In this process, by the rules that it is linked with.
Scorer LocalScorer();

// One line for each document of `text`, in order: its `expect` object, or {"id", "error"} for one
// that is malformed or refused. kUnavailable, and the reason on `err`, as soon as the scorer says
// so; the lines before it are written.
ExitCode ScoreCases(std::string_view text, const Scorer& scorer, std::ostream& out,
                    std::ostream& err);

}  // namespace mj::mahjongctl
