#include "tools/mahjongctl/play_rounds.h"

#include "libs/casefile/documents.h"
#include "libs/casefile/whole_round.h"
#include "tools/mahjongctl/lines.h"

namespace mj::mahjongctl {
namespace {

using casefile::FormatError;
using casefile::OrderedJson;

std::variant<casefile::PlayedRound, FormatError> ReadAndPlay(const nlohmann::json& document) {
  const auto read = casefile::ReadWholeRound(document);
  if (const auto* error = std::get_if<FormatError>(&read)) return *error;
  return casefile::Play(std::get<casefile::WholeRound>(read));
}

}  // namespace

ExitCode PlayRounds(std::string_view text, std::ostream& out) {
  for (const casefile::Document& document : casefile::SplitDocuments(text)) {
    if (const auto* error = std::get_if<FormatError>(&document)) {
      WriteError(nullptr, *error, out);
      continue;
    }
    const auto& json = std::get<nlohmann::json>(document);
    auto played = ReadAndPlay(json);
    if (const auto* error = std::get_if<FormatError>(&played)) {
      WriteError(casefile::IdOf(json), *error, out);
      continue;
    }
    auto& [steps, result] = std::get<casefile::PlayedRound>(played);
    OrderedJson line;
    line["id"] = casefile::IdOf(json);
    line["steps"] = std::move(steps);
    line["result"] = std::move(result);
    out << line.dump() << '\n';
  }
  return kDone;
}

}  // namespace mj::mahjongctl
