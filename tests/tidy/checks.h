#pragma once

// Applies the floor plan and the bans to sources.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/bans.h"
#include "tests/tidy/source.h"

namespace mj::tidy {

// The longest file; more is two files.
inline constexpr std::size_t kLinesMax = 600;
// The longest main.cc of a service: it reads as a sentence.
inline constexpr std::size_t kMainLinesMax = 30;

struct Finding {
  std::string path;
  int line;          // from 1; 0 for the file or folder itself
  std::string what;  // what is wrong, and the cure

  [[nodiscard]] std::string ToString() const;  // "path:line: what"
};
using Findings = std::vector<Finding>;

// What `source` includes against the row of its room, and against the rules for files of tests.
[[nodiscard]] Findings CheckIncludes(const Source& source);

// One ban against one file.
[[nodiscard]] Findings CheckBan(const Ban& ban, const Source& source);

// Ids of games as literals outside their folder; tests and tools may name them. `ids` are the names
// of the folders of libs/variants.
[[nodiscard]] Findings CheckVariantIds(const std::vector<std::string>& ids, const Source& source);

// Its length, and `#pragma once` in a header.
[[nodiscard]] Findings CheckShape(const Source& source);

// All of the above.
[[nodiscard]] Findings CheckSource(const std::vector<std::string>& ids, const Source& source);

// The repository below `root`: every source, and a README.md in every room (a folder with a
// CMakeLists.txt).
[[nodiscard]] Findings CheckTree(const std::string& root);

}  // namespace mj::tidy
