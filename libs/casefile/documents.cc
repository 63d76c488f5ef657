#include "libs/casefile/documents.h"

#include <set>
#include <string>
#include <utility>

namespace mj::casefile {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 32;
constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Watches the parser for what JSON itself allows but a case must not have.
class Watch {
 public:
  void Look(int depth, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (depth >= kDeepest) Note("nested too deeply");
    }
    if (event == Event::object_start) names_.emplace_back();
    if (event == Event::object_end) names_.pop_back();
    if (event == Event::key) {
      const std::string& name = parsed.get_ref<const std::string&>();
      if (!names_.back().insert(name).second) {
        Note("field " + Quoted(name) + " stands twice in one object");
      }
    }
  }
  const std::string& note() const { return note_; }

 private:
  void Note(std::string note) {
    if (note_.empty()) note_ = std::move(note);
  }

  std::vector<std::set<std::string>> names_;
  std::string note_;
};

// The library's message without its own name and number.
std::string Plain(std::string_view what) {
  const std::size_t bracket = what.find("] ");
  return std::string(bracket == std::string_view::npos ? what : what.substr(bracket + 2));
}

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(kSpace) == std::string_view::npos;
}

// Where the entry that `text` begins with ends: at the `,` or `]` outside of everything, or npos.
std::size_t EndOfEntry(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (depth == 0 && (c == ',' || c == ']')) return i;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
  }
  return std::string_view::npos;
}

// REQUIRES: `text` begins after the list's `[`.
std::vector<Document> SplitList(std::string_view text) {
  std::vector<Document> documents;
  while (true) {
    const std::size_t end = EndOfEntry(text);
    if (end == std::string_view::npos) {
      documents.emplace_back(FormatError{"", "the list does not end: `]` is missing"});
      return documents;
    }
    const bool last = text[end] == ']';
    const std::string_view entry = text.substr(0, end);
    if (!(last && documents.empty() && IsBlank(entry))) documents.push_back(ParseDocument(entry));
    text = text.substr(end + 1);
    if (last) break;
  }
  if (!IsBlank(text)) documents.emplace_back(FormatError{"", "there is more after the list"});
  return documents;
}

std::vector<Document> SplitLines(std::string_view text) {
  std::vector<Document> documents;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (!IsBlank(line)) documents.push_back(ParseDocument(line));
  }
  return documents;
}

}  // namespace

Document ParseDocument(std::string_view text) {
  Watch watch;
  try {
    Json document =
        Json::parse(text, [&watch](int depth, Json::parse_event_t event, const Json& parsed) {
          watch.Look(depth, event, parsed);
          return true;
        });
    if (!watch.note().empty()) return FormatError{"", watch.note()};
    return document;
  } catch (const Json::exception& error) {
    return FormatError{"", Plain(error.what())};
  }
}

std::vector<Document> SplitDocuments(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  text.remove_prefix(first);
  if (text.front() == '[') return SplitList(text.substr(1));

  std::vector<Document> documents = SplitLines(text);
  if (documents.size() > 1 && std::holds_alternative<FormatError>(documents.front())) {
    Document whole = ParseDocument(text);
    if (std::holds_alternative<Json>(whole)) {
      documents.clear();
      documents.push_back(std::move(whole));
    }
  }
  return documents;
}

}  // namespace mj::casefile
