#include "tests/tidy/source.h"

#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

namespace mj::tidy {
namespace {

bool IsIdentifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Walks the text once; `text` and `code` get a blank for each character that is not theirs.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<Line> Run() {
    while (at_ < text_.size()) Step();
    if (!line_.raw.empty()) EndLine();
    return std::move(lines_);
  }

 private:
  enum class Keep { kAll, kText, kNothing };

  void Step() {
    if (Looking("//")) {
      TakeUntil("\n", Keep::kNothing);
    } else if (Looking("/*")) {
      Take(2, Keep::kNothing);
      TakePast("*/", Keep::kNothing);
    } else if (Looking("R\"") && (at_ == 0 || !IsIdentifier(text_[at_ - 1]))) {
      TakeRawString();
    } else if (text_[at_] == '"') {
      TakeQuoted('"');
    } else if (text_[at_] == '\'' && (at_ == 0 || !IsIdentifier(text_[at_ - 1]))) {
      TakeQuoted('\'');  // after an identifier or digit it separates digits: 1'000
    } else {
      Take(1, Keep::kAll);
    }
  }

  bool Looking(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void Take(std::size_t count, Keep keep) {
    for (; count > 0 && at_ < text_.size(); --count, ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        EndLine();
        continue;
      }
      line_.raw += c;
      line_.text += keep == Keep::kNothing ? ' ' : c;
      line_.code += keep == Keep::kAll ? c : ' ';
    }
  }

  void TakeUntil(std::string_view end, Keep keep) {
    const std::size_t found = text_.find(end, at_);
    Take((found == std::string_view::npos ? text_.size() : found) - at_, keep);
  }

  void TakePast(std::string_view end, Keep keep) {
    TakeUntil(end, keep);
    Take(end.size(), keep);
  }

  void TakeQuoted(char quote) {
    Take(1, Keep::kAll);
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      Take(text_[at_] == '\\' ? 2 : 1, Keep::kText);
    }
    if (at_ < text_.size() && text_[at_] == quote) Take(1, Keep::kAll);
  }

  void TakeRawString() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return Take(text_.size() - at_, Keep::kText);
    const std::string end = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    TakePast(end, Keep::kText);
  }

  void EndLine() {
    lines_.push_back(std::move(line_));
    line_ = Line();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Line line_;
  std::vector<Line> lines_;
};

std::vector<Line> SplitPlain(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string raw(text.substr(0, end));
    lines.push_back({raw, raw, raw});
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<Include> FindIncludes(const std::vector<Line>& lines) {
  std::vector<Include> includes;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view rest = lines[i].text;
    const auto skip_blanks = [&rest] {
      while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t')) rest.remove_prefix(1);
    };
    skip_blanks();
    if (!rest.starts_with('#')) continue;
    rest.remove_prefix(1);
    skip_blanks();
    if (!rest.starts_with("include")) continue;
    rest.remove_prefix(7);
    skip_blanks();
    if (rest.empty() || (rest[0] != '<' && rest[0] != '"')) continue;
    const bool angled = rest[0] == '<';
    rest.remove_prefix(1);
    const std::size_t end = rest.find(angled ? '>' : '"');
    if (end == std::string_view::npos) continue;
    includes.push_back({std::string(rest.substr(0, end)), angled, static_cast<int>(i) + 1});
  }
  return includes;
}

}  // namespace

bool IsTestPath(std::string_view path) {
  if (path.starts_with("tests/")) return true;
  const std::size_t dot = path.rfind('.');
  const std::string_view stem = path.substr(0, dot);
  constexpr std::array<std::string_view, 4> kSuffixes = {"_test", "_bench", "_testing",
                                                         "_contract"};
  for (std::string_view suffix : kSuffixes) {
    if (stem.ends_with(suffix)) return true;
  }
  return false;
}

Source Parse(std::string path, std::string_view text) {
  Source source;
  source.path = std::move(path);
  if (source.IsCpp()) {
    source.lines = Splitter(text).Run();
    source.includes = FindIncludes(source.lines);
  } else {
    source.lines = SplitPlain(text);
  }
  return source;
}

}  // namespace mj::tidy
