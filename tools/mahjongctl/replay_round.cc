#include "tools/mahjongctl/replay_round.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "libs/base/strings.h"
#include "libs/console/text.h"
#include "libs/narration/words.h"
#include "libs/receipt/names.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/kept_round.h"
#include "tools/mahjongctl/exit_code.h"
#include "tools/mahjongctl/input.h"
#include "tools/mahjongctl/message_json.h"
#include "tools/mahjongctl/record_file.h"
#include "tools/mahjongctl/replay_moments.h"
#include "tools/mahjongctl/replay_page.h"

namespace mj::mahjongctl {
namespace {

using base::Cat;
using console::Grouped;
using console::PadLeft;
using console::PadRight;
using narration::Both;
using rules::Seat;

constexpr int kColumns = 100;
constexpr int kIndent = 25;  // of what stands below a name
constexpr std::string_view kClear = "\033[H\033[2J";
constexpr std::string_view kKeys =
    "[Enter, n] next 下一步  [b] back 上一步  [g] first 开头  [G] last 结尾  [q] quit 退出";

std::string BothOf(tiles::Tile tile) {
  return Cat(tiles::ToText(tile), " ", tiles::ChineseName(tile));
}

// "123m44z + 5p  一二三万 东东 + 五筒".
std::string HandText(const ShownHand& hand) {
  std::string mpsz = tiles::ToText(hand.resting);
  std::string zh = tiles::ToChinese(hand.resting);
  if (hand.drawn) {
    mpsz += Cat(" + ", tiles::ToText(*hand.drawn));
    zh += Cat(" + ", tiles::ChineseName(*hand.drawn));
  }
  return Cat(PadRight(mpsz, 24), " ", zh);
}

void PrintBelow(std::string_view text, std::ostream& out) {
  for (const std::string& line : console::Wrap(text, kColumns - kIndent, 2)) {
    out << std::string(kIndent, ' ') << line << '\n';
  }
}

void PrintHead(const record::RoundRecord& record, const rules::Variant& game, std::ostream& out) {
  const rules::VariantInfo& info = game.info();
  out << info.name_zh << ' ' << info.name_en << "  table 牌桌 " << Printable(record.table_id)
      << "\nround 第" << record.number << "局 " << Printable(record.round_id) << "  "
      << DateText(record.began_at) << " UTC\nbase " << info.base_zh << ' ' << Grouped(record.base)
      << (record.currency == record::Currency::kPractice ? "  practice 练习" : "");
  if (record.dice) {
    out << "  " << Both(narration::kDice) << ' ' << record.dice->first << ' '
        << record.dice->second;
  }
  if (record.round_wind) {
    out << "  " << Both(narration::kRoundWind) << ' ' << tiles::ChineseName(*record.round_wind);
  }
  out << '\n';
}

// The table as it stands: who holds what, melds, discards.
void PrintTable(const record::RoundRecord& record, const rules::Variant& game,
                const rules::PerSeat<std::string>& names, const Moment& moment, std::ostream& out) {
  const round::State& state = moment.state;
  const std::optional<Seat> actor = ActorOf(state);
  out << Both(narration::kLeft) << ' ' << int{state.left};
  if (state.deal.wild) out << "  " << Both(narration::kWild) << ' ' << BothOf(*state.deal.wild);
  out << '\n';
  for (const Seat seat : rules::kSeats) {
    std::string line = PadRight(names[seat], 19);
    line += PadRight(seat == record.dealer ? narration::kDealer.zh : "", 2);
    line += record.seat_winds ? tiles::ChineseName((*record.seat_winds)[seat]) : "  ";
    line += seat == actor ? " >" : "  ";
    out << line << HandText(HandOf(state, seat)) << '\n';
    std::string melds;
    for (const rules::CalledMeld& meld : state.seats[seat].hand.melds) {
      melds += Cat(melds.empty() ? "" : "  ", "[", receipt::WordsForMeld(game, meld.meld.kind).zh,
                   " ", tiles::ToText(meld.meld), "]");
    }
    if (!melds.empty()) PrintBelow(melds, out);
    std::string river;
    for (const round::Thrown& thrown : state.river) {
      if (thrown.seat != seat) continue;
      // A tile that was called lies in a meld.
      river += Cat(river.empty() ? "" : " ", thrown.taken_by ? "(" : "", tiles::ToText(thrown.tile),
                   thrown.taken_by ? ")" : "");
    }
    if (!river.empty()) PrintBelow(river, out);
    if (moment.auto_play[seat]) PrintBelow(Both(narration::kSystemPlays), out);
  }
}

void PrintOutcome(const record::RoundRecord& record, std::ostream& out) {
  for (const narration::Sentence& sentence : OutcomeOf(record)) {
    for (const std::string& line : console::Wrap(sentence.both(), kColumns, 2)) out << line << '\n';
  }
}

std::string LineOf(const Moment& moment) {
  return Cat(ClockText(moment.time), " ", PadLeft(Cat("#", std::to_string(moment.event)), 4), " ",
             moment.told.both());
}

// Wrapped behind the time and the number.
void PrintLine(const Moment& moment, std::ostream& out) {
  constexpr int kBehind = 18;
  for (const std::string& line : console::Wrap(LineOf(moment), kColumns, kBehind)) {
    out << line << '\n';
  }
}

void PrintAll(const record::RoundRecord& record, const Replay& replay, std::ostream& out) {
  const rules::PerSeat<std::string> names = NamesOf(record);
  PrintHead(record, *replay.game, out);
  bool dealt = false;
  for (const Moment& moment : replay.moments) {
    PrintLine(moment, out);
    const bool first_turn = std::holds_alternative<round::Turn>(moment.state.phase) &&
                            moment.state.seats[record.dealer].open;
    if (!first_turn || std::exchange(dealt, true)) continue;
    PrintTable(record, *replay.game, names, moment, out);
  }
  if (!replay.moments.empty()) {
    PrintTable(record, *replay.game, names, replay.moments.back(), out);
  }
  if (!replay.misfit) PrintOutcome(record, out);
}

// One screen an event. Ends with the keys, or when nobody reads any more.
void Step(const record::RoundRecord& record, const Replay& replay, const ReadKey& read_key,
          std::ostream& out) {
  const rules::PerSeat<std::string> names = NamesOf(record);
  const std::size_t last = replay.moments.empty() ? 0 : replay.moments.size() - 1;
  for (std::size_t at = 0; out.good();) {
    out << kClear;
    PrintHead(record, *replay.game, out);
    if (!replay.moments.empty()) {
      PrintTable(record, *replay.game, names, replay.moments[at], out);
      out << '\n';
      PrintLine(replay.moments[at], out);
    }
    if (at == last && !replay.misfit) PrintOutcome(record, out);
    out << '\n' << at + 1 << '/' << last + 1 << "  " << kKeys << '\n' << std::flush;
    switch (read_key()) {
      case '\0':
      case 'q':
      case '\x03':  // ^C
      case '\x04':  // ^D
        return;
      case 'b':
      case 'p':
        at -= at > 0 ? 1 : 0;
        break;
      case 'g':
        at = 0;
        break;
      case 'G':
        at = last;
        break;
      default:
        at += at < last ? 1 : 0;
    }
  }
}

void PrintJson(const record::RoundRecord& record, std::ostream& out) {
  ::mahjong::record::v1::RoundRecord message;
  wire::ToRecord(record, message);
  out << JsonOf(message) << '\n';
}

int WritePage(const ReplayArguments& arguments, const record::RoundRecord& record,
              const Replay& replay, std::ostream& out, std::ostream& err) {
  const std::string page = PageOf(record, replay);
  if (arguments.html == "-") {
    out << page;
    return kDone;
  }
  std::ofstream file(arguments.html, std::ios::binary | std::ios::trunc);
  if (file << page && file.flush()) return kDone;
  err << "mahjongctl: " << arguments.html << ": cannot be written\n";
  return kNoOutput;
}

}  // namespace

int ReplayRound(const ReplayArguments& arguments, const ReadKey& read_key, std::ostream& out,
                std::ostream& err) {
  const std::optional<std::string> bytes = ReadInput(arguments.file);
  if (!bytes) {
    err << "mahjongctl: " << arguments.file << ": " << std::strerror(errno) << '\n';
    return kNoInput;
  }
  const RecordFile file = OpenRecord(*bytes);
  const auto complain = [&](std::string_view why) {
    err << "mahjongctl: " << arguments.file << ": " << Printable(why) << '\n';
    return kFailed;
  };
  if (!file.record) return complain(file.misfit);
  if (arguments.json) {
    PrintJson(*file.record, out);
    return file.misfit.empty() ? static_cast<int>(kDone) : complain(file.misfit);
  }
  const std::optional<Replay> replay = ReplayOf(*file.record);
  if (!replay) {
    return complain(Cat("this program does not have the rules ", file.record->rulebook_version));
  }
  int code = kDone;
  if (!arguments.html.empty()) {
    code = WritePage(arguments, *file.record, *replay, out, err);
  } else if (read_key && !arguments.all) {
    Step(*file.record, *replay, read_key, out);
  } else {
    PrintAll(*file.record, *replay, out);
  }
  if (code != kDone) return code;
  if (!file.misfit.empty()) return complain(file.misfit);
  if (replay->misfit) return complain(Cat(replay->misfit->where, ": ", replay->misfit->text));
  return kDone;
}

}  // namespace mj::mahjongctl
