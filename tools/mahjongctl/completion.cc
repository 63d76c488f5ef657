#include "tools/mahjongctl/completion.h"

namespace mj::mahjongctl {
namespace {

std::string Joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
  return all;
}

}  // namespace

void WriteBashCompletion(const std::vector<CompletionCommand>& commands, std::ostream& out) {
  std::vector<std::string> names;
  for (const CompletionCommand& command : commands) names.push_back(command.name);
  out << R"(# bash completion of mahjongctl: source <(mahjongctl completion bash)
_mahjongctl() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} flags= values=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '--help --version )"
      << Joined(names) << R"(' -- "$word"))
    return
  fi
  case ${COMP_WORDS[1]} in
)";
  for (const CompletionCommand& command : commands) {
    std::vector<std::string> flags;
    std::string positional;
    std::string cases;
    for (const CompletionWord& word : command.words) {
      if (word.flag.empty()) {
        positional = Joined(word.values);
      } else {
        flags.push_back(word.flag);
        if (!word.values.empty()) {
          cases += "        " + word.flag + ") values='" + Joined(word.values) + "' ;;\n";
        }
      }
    }
    out << "    " << command.name << ")\n      flags='" << Joined(flags) << "'\n";
    out << "      case $before in\n" << cases << "        -*) ;;\n";
    out << "        *) values='" << positional << "' ;;\n      esac\n      ;;\n";
  }
  out << R"(  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
  fi
}
complete -o default -F _mahjongctl mahjongctl
)";
}

}  // namespace mj::mahjongctl
