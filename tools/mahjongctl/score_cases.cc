#include "tools/mahjongctl/score_cases.h"

#include "libs/casefile/documents.h"
#include "libs/casefile/expect.h"
#include "tools/mahjongctl/lines.h"

namespace mj::mahjongctl {

using casefile::Case;
using casefile::FormatError;
using casefile::OrderedJson;

Scorer LocalScorer() {
  return [](const Case& one) -> std::variant<OrderedJson, FormatError, Unavailable> {
    auto expect = casefile::Expect(one);
    if (auto* error = std::get_if<FormatError>(&expect)) return std::move(*error);
    return std::get<OrderedJson>(std::move(expect));
  };
}

ExitCode ScoreCases(std::string_view text, const Scorer& scorer, std::ostream& out,
                    std::ostream& err) {
  for (const casefile::Document& document : casefile::SplitDocuments(text)) {
    if (const auto* error = std::get_if<FormatError>(&document)) {
      WriteError(nullptr, *error, out);
      continue;
    }
    const auto& json = std::get<nlohmann::json>(document);
    const auto read = casefile::ReadCase(json);
    if (const auto* error = std::get_if<FormatError>(&read)) {
      WriteError(casefile::IdOf(json), *error, out);
      continue;
    }
    const auto scored = scorer(std::get<Case>(read));
    if (const auto* expect = std::get_if<OrderedJson>(&scored)) {
      out << expect->dump() << '\n';
    } else if (const auto* error = std::get_if<FormatError>(&scored)) {
      WriteError(casefile::IdOf(json), *error, out);
    } else {
      err << "mahjongctl: " << std::get<Unavailable>(scored).why << '\n';
      return kUnavailable;
    }
  }
  return kDone;
}

}  // namespace mj::mahjongctl
