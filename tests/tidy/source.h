#pragma once

// A source file as the checks see it.

#include <string>
#include <string_view>
#include <vector>

namespace mj::tidy {

struct Line {
  std::string raw;   // as it stands
  std::string text;  // comments blanked, literals kept
  std::string code;  // comments and the contents of literals blanked
};

struct Include {
  std::string path;  // between the quotes or brackets
  bool angled;       // <path> rather than "path"
  int line;          // from 1
};

// A file of tests: *_test, *_bench, *_testing, *_contract, or anything below tests/.
[[nodiscard]] bool IsTestPath(std::string_view path);

struct Source {
  std::string path;  // from the repository root, e.g. "libs/round/decide.cc"
  std::vector<Line> lines;
  std::vector<Include> includes;

  [[nodiscard]] bool IsTest() const { return IsTestPath(path); }
  [[nodiscard]] bool IsHeader() const { return path.ends_with(".h"); }
  [[nodiscard]] bool IsCpp() const { return IsHeader() || path.ends_with(".cc"); }
};

// Splits C++ text: comments, string and character literals (raw strings too), includes. Never fails;
// an unterminated literal or comment reaches to the end. Other text (shell, SQL) comes out with
// `text` and `code` like `raw`.
[[nodiscard]] Source Parse(std::string path, std::string_view text);

}  // namespace mj::tidy
