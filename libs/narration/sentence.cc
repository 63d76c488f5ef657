#include "libs/narration/sentence.h"

namespace mj::narration {
namespace {

void Append(std::string_view piece, std::string& to) {
  if (piece.empty()) return;
  constexpr std::string_view kMarks = ",;:)";
  const bool joined = to.empty() || to.back() == '(' || kMarks.find(piece.front()) != kMarks.npos;
  if (!joined) to += ' ';
  to.append(piece);
}

}  // namespace

Sentence& Sentence::SayBoth(std::string_view zh, std::string_view en) {
  Append(zh, zh_);
  Append(en, en_);
  Append(en, both_);
  if (zh != en) Append(zh, both_);
  return *this;
}

Sentence& Sentence::Say(std::string_view same) { return SayBoth(same, same); }

Sentence& Sentence::Say(const Words& words) { return SayBoth(words.zh, words.en); }

Sentence& Sentence::Say(tiles::Tile tile) {
  return SayBoth(tiles::ChineseName(tile), tiles::ToText(tile));
}

Sentence& Sentence::Say(const tiles::TileCounts& counts) {
  return SayBoth(tiles::ToChinese(counts), tiles::ToText(counts));
}

Sentence& Sentence::Say(const tiles::Meld& meld) {
  return SayBoth(tiles::ToChinese(meld), tiles::ToText(meld));
}

}  // namespace mj::narration
