#pragma once

// Words that are banned in most places, each with what to say instead.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mj::tidy {

enum class Look {
  kCode,  // neither comments nor literals
  kText,  // literals too
  kRaw,   // everything, comments too
};

struct Exception {
  std::string_view path;    // a file, or a folder ending in '/'; `*` stands for one component
  std::string_view reason;  // why it may
};

struct Ban {
  std::string_view name;                // what the finding and the tests call it
  std::vector<std::string_view> words;  // matched as whole words where they begin or end like one
  std::string_view cure;
  Look look = Look::kCode;
  bool cpp_only = true;                       // false: in shell, SQL, protos and documents too
  bool tests_too = true;                      // false: files of tests may say it
  std::vector<std::string_view> within = {};  // only below these folders; none: everywhere
  std::vector<Exception> exceptions = {};
};

[[nodiscard]] std::span<const Ban> Bans();

// Does `line` hold `word`? Where the word begins or ends with a letter, digit or underscore, the
// character beside it must not be one: "float" is in "float x" and not in "float_format".
[[nodiscard]] bool HasWord(std::string_view line, std::string_view word);

// Does the exception's or folder's `pattern` hold for `path`?
[[nodiscard]] bool PathMatches(std::string_view pattern, std::string_view path);

}  // namespace mj::tidy
