// A sentence in both languages at once.
#pragma once

#include <string>
#include <string_view>

#include "libs/narration/words.h"
#include "libs/tiles/mpsz.h"

namespace mj::narration {

// Put together from pieces, in the order in which they are said. A blank stands between two pieces,
// but for one that begins with a mark (", ; : )") or follows an open bracket.
class Sentence {
 public:
  // The same in both languages: a name, a number, a mark.
  Sentence& Say(std::string_view same);
  Sentence& Say(const Words& words);
  // "5m" in English, 五万 in Chinese.
  Sentence& Say(tiles::Tile tile);
  Sentence& Say(const tiles::TileCounts& counts);
  Sentence& Say(const tiles::Meld& meld);

  [[nodiscard]] const std::string& zh() const { return zh_; }
  [[nodiscard]] const std::string& en() const { return en_; }
  // "2 juan throws 出牌 2s 二条": for a terminal.
  [[nodiscard]] const std::string& both() const { return both_; }

 private:
  Sentence& SayBoth(std::string_view zh, std::string_view en);

  std::string zh_;
  std::string en_;
  std::string both_;
};

}  // namespace mj::narration
