// Strict reading of JSON objects: every field is asked for by name and type, and what nobody
// asked for is a mistake.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace mj::casefile {

// What is wrong with a document, and where.
struct FormatError {
  std::string path;  // "wins[0].melds[1].tiles"; empty for the document itself
  std::string text;  // "\"12\" is no tiles"

  // "wins[0].tile: \"5x\" is no tile".
  std::string ToText() const { return path.empty() ? text : path + ": " + text; }
  bool operator==(const FormatError&) const = default;
};

// Keeps the first mistake of a document, so that reading can go on without a check at every step.
class Mistakes {
 public:
  void Add(std::string path, std::string text) {
    if (!first_) first_ = FormatError{std::move(path), std::move(text)};
  }
  bool any() const { return first_.has_value(); }
  // REQUIRES: any().
  const FormatError& first() const { return *first_; }

 private:
  std::optional<FormatError> first_;
};

// One JSON object. Every reader that fails notes the mistake and answers an empty value; nothing
// throws. Not thread-safe. `object` and `mistakes` must outlive it.
class Fields {
 public:
  using Json = nlohmann::json;

  // `path` is where the object stands, "" for the document. Anything but an object is a mistake.
  Fields(const Json& object, std::string path, Mistakes& mistakes);

  // The field, now known; nullptr when it is absent.
  const Json* Find(std::string_view name);
  // The same, but its absence is a mistake.
  const Json* Need(std::string_view name);

  std::string NeedText(std::string_view name);
  std::optional<std::string> FindText(std::string_view name);
  // A whole number within min and max; 5.0 is none.
  std::int64_t NeedNumber(std::string_view name, std::int64_t min, std::int64_t max);
  std::optional<std::int64_t> FindNumber(std::string_view name, std::int64_t min, std::int64_t max);
  // A list of at most `most` entries; nullptr when it is none.
  const Json* NeedList(std::string_view name, std::size_t most);

  // Every field that was never asked for is a mistake. To be called last.
  void NoOthers();

  void Mistake(std::string_view name, std::string text);
  std::string PathOf(std::string_view name) const;
  Mistakes& mistakes() { return mistakes_; }

 private:
  std::int64_t Number(std::string_view name, const Json& value, std::int64_t min, std::int64_t max);

  const Json* object_;  // nullptr when it is no object
  std::string path_;
  Mistakes& mistakes_;
  std::set<std::string, std::less<>> known_;
};

// "wins" and 2: "wins[2]".
std::string ElementPath(std::string_view list_path, std::size_t index);

// For messages: `text` in quotes as JSON, cut when it is long.
std::string Quoted(std::string_view text);

}  // namespace mj::casefile
