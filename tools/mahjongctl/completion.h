// `mahjongctl completion bash`: what the shell offers behind the Tab key.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace mj::mahjongctl {

// A flag or a positional argument, and what it may be; empty values: a file, or anything.
struct CompletionWord {
  std::string flag;  // empty: positional
  std::vector<std::string> values;
};

struct CompletionCommand {
  std::string name;
  std::vector<CompletionWord> words;
};

// A script for bash: `source <(mahjongctl completion bash)`. Behind a flag that takes anything it offers
// files.
void WriteBashCompletion(const std::vector<CompletionCommand>& commands, std::ostream& out);

}  // namespace mj::mahjongctl
