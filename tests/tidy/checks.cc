#include "tests/tidy/checks.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "tests/tidy/table.h"

namespace mj::tidy {
namespace {

constexpr std::string_view kOneGame = "libs/variants/*/";

void Append(Findings& to, Findings from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

bool Below(std::string_view folder, std::string_view path) {
  return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

bool MayIncludeRoom(const Row& row, std::string_view star, std::string_view include) {
  return std::any_of(row.rooms.begin(), row.rooms.end(),
                     [&](std::string_view room) { return Below(Fill(room, star), include); });
}

bool Lists(const Row& row, Library library) {
  return std::find(row.libraries.begin(), row.libraries.end(), library) != row.libraries.end();
}

// Its own folder, and not the ones below that have rows of their own.
bool SameRoom(const Row& row, std::string_view star, std::string_view include) {
  std::string other_star;
  return FindRow(include, &other_star) == &row && other_star == star;
}

std::optional<std::string> RoomFault(const Source& source, const Row& row, std::string_view star,
                                     const Include& include) {
  if (!source.IsTest() && IsTestPath(include.path)) {
    return "only files of tests may include \"" + include.path + "\"";
  }
  if (SameRoom(row, star, include.path)) return std::nullopt;
  if (!source.IsTest() && PathMatches(kOneGame, include.path)) {
    return "a game is known to its folder alone: look it up in libs/variants/registry.h";
  }
  if (MayIncludeRoom(row, star, include.path)) return std::nullopt;
  if (source.IsTest() && MayIncludeRoom(TestRow(), star, include.path)) return std::nullopt;
  return Fill(row.folder, star) + " may not know \"" + include.path +
         "\": move the code to the room whose nouns it uses, or hand the thing in through a port";
}

std::optional<std::string> LibraryFault(const Source& source, const Row& row, std::string_view star,
                                        const Include& include) {
  const std::optional<Library> library = LibraryOf(include.path);
  if (!library) {
    return "nobody knows \"" + include.path +
           "\": includes are written from the repository root; a new library gets its line in "
           "tests/tidy/table.cc";
  }
  if (*library == Library::kStd) return std::nullopt;
  if (source.IsTest() && Lists(TestRow(), *library)) return std::nullopt;
  if (!Lists(row, *library)) {
    return Fill(row.folder, star) + " may not use " + std::string(Name(*library)) +
           ": its home is another room (ARCHITECTURE's floor plan, tests/tidy/table.cc)";
  }
  for (const Narrowing& narrowing : Narrowings()) {
    if (narrowing.library == *library && source.path.starts_with(narrowing.within) &&
        !source.path.ends_with("/" + std::string(narrowing.file_name))) {
      return "only " + std::string(narrowing.file_name) + " may use " + std::string(Name(*library));
    }
  }
  return std::nullopt;
}

bool Excepted(const Ban& ban, const Source& source) {
  if (source.path.starts_with("tests/tidy/")) return true;  // it names them all
  if (ban.cpp_only && !source.IsCpp()) return true;
  if (!ban.tests_too && source.IsTest()) return true;
  const auto matches = [&source](std::string_view pattern) {
    return PathMatches(pattern, source.path);
  };
  if (!ban.within.empty() && std::none_of(ban.within.begin(), ban.within.end(), matches)) {
    return true;
  }
  return std::any_of(ban.exceptions.begin(), ban.exceptions.end(),
                     [&](const Exception& exception) { return matches(exception.path); });
}

const std::string& Seen(const Line& line, Look look) {
  return look == Look::kCode ? line.code : look == Look::kText ? line.text : line.raw;
}

}  // namespace

std::string Finding::ToString() const {
  return path + (line > 0 ? ":" + std::to_string(line) : "") + ": " + what;
}

Findings CheckIncludes(const Source& source) {
  Findings findings;
  if (!source.IsCpp()) return findings;
  std::string star;
  const Row* row = FindRow(source.path, &star);
  if (row == nullptr) {
    return {{source.path, 0, "no room has this folder: give it a row in tests/tidy/table.cc"}};
  }
  for (const Include& include : source.includes) {
    const auto fault = IsRepositoryPath(include.path) ? RoomFault(source, *row, star, include)
                                                      : LibraryFault(source, *row, star, include);
    if (fault) findings.push_back({source.path, include.line, *fault});
  }
  return findings;
}

Findings CheckBan(const Ban& ban, const Source& source) {
  Findings findings;
  if (Excepted(ban, source)) return findings;
  for (std::size_t i = 0; i < source.lines.size(); ++i) {
    const std::string& line = Seen(source.lines[i], ban.look);
    for (std::string_view word : ban.words) {
      if (!HasWord(line, word)) continue;
      findings.push_back({source.path, static_cast<int>(i) + 1,
                          "'" + std::string(word) + "' is banned here (" + std::string(ban.name) +
                              "): " + std::string(ban.cure)});
      break;
    }
  }
  return findings;
}

Findings CheckVariantIds(const std::vector<std::string>& ids, const Source& source) {
  Findings findings;
  if (!source.IsCpp() || source.IsTest() || source.path.starts_with("tools/")) return findings;
  for (const std::string& id : ids) {
    if (source.path.starts_with("libs/variants/" + id + "/")) continue;
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const Line& line = source.lines[i];
      if (line.text.find("\"" + id + "\"") == std::string::npos) continue;
      findings.push_back({source.path, static_cast<int>(i) + 1,
                          "the id \"" + id +
                              "\" is known to its folder alone: look it up in the registry, or ask "
                              "the Variant a new question"});
    }
  }
  return findings;
}

Findings CheckShape(const Source& source) {
  Findings findings;
  const std::size_t length = source.lines.size();
  if (length > kLinesMax) {
    findings.push_back({source.path, static_cast<int>(kLinesMax) + 1,
                        std::to_string(length) + " lines: more than " + std::to_string(kLinesMax) +
                            " are two files"});
  }
  if (PathMatches("services/*/main.cc", source.path) && length > kMainLinesMax) {
    findings.push_back({source.path, static_cast<int>(kMainLinesMax) + 1,
                        "a main.cc has at most " + std::to_string(kMainLinesMax) +
                            " lines: the rest belongs to wiring.cc or libs/rpc"});
  }
  if (source.IsHeader() &&
      std::none_of(source.lines.begin(), source.lines.end(),
                   [](const Line& line) { return line.code.starts_with("#pragma once"); })) {
    findings.push_back({source.path, 1, "a header begins with #pragma once"});
  }
  return findings;
}

Findings CheckSource(const std::vector<std::string>& ids, const Source& source) {
  Findings findings = CheckIncludes(source);
  for (const Ban& ban : Bans()) Append(findings, CheckBan(ban, source));
  Append(findings, CheckVariantIds(ids, source));
  Append(findings, CheckShape(source));
  return findings;
}

}  // namespace mj::tidy
