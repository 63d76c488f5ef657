#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "libs/base/strings.h"
#include "libs/console/text.h"
#include "libs/receipt/names.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/finished_round.h"
#include "tools/demo/print.h"

namespace mj::demo {
namespace {

namespace common = ::mahjong::common::v1;
namespace scoring = ::mahjong::scoring::v1;
using base::Cat;
using console::Grouped;
using console::PadLeft;
using console::PadRight;
using table::TableEvent;

constexpr int kNameWidth = 6;

std::string Number(std::int64_t n) { return std::to_string(n); }

// "2 hong  ".
std::string Who(const Sitting& sitting, std::uint32_t seat) {
  const auto known = rules::SeatFromIndex(static_cast<int>(seat));
  return Cat(Number(seat), " ", PadRight(known ? sitting.guests[*known].name : "?", kNameWidth));
}

void PrintWrapped(std::string_view text, int indent, int further, std::ostream& out) {
  const std::string lead(static_cast<std::size_t>(indent), ' ');
  for (const std::string& line : console::Wrap(text, kColumns - indent, further)) {
    out << lead << line << '\n';
  }
}

// "123m44z  一二三万 东东", both columns aligned.
std::string Hand(const std::string& mpsz, int width) {
  const auto counts = tiles::ParseCounts(mpsz);
  return Cat(PadRight(mpsz, width), "  ", counts ? tiles::ToChinese(*counts) : "?");
}

std::string_view MeldZh(const Sitting& sitting, common::MeldKind kind) {
  const auto known = wire::MeldKindOf(kind);
  return known && sitting.game != nullptr ? receipt::WordsForMeld(*sitting.game, *known).zh : "?";
}

std::string_view KongZh(const Sitting& sitting, common::KongKind kind) {
  const auto known = wire::MeldKindOf(kind);
  return known && sitting.game != nullptr ? receipt::WordsForMeld(*sitting.game, *known).zh : "?";
}

std::string Chinese(const std::string& mpsz) {
  const auto counts = tiles::ParseCounts(mpsz);
  return counts ? tiles::ToChinese(*counts) : "?";
}

void PrintDeal(const Sitting& sitting, const RoundStory& story, std::ostream& out) {
  const table::DealDrawn& drawn = *DrawnIn(story, Seat::k0);
  int widest = 0;
  for (const Seat seat : rules::kSeats) {
    widest = std::max(widest, console::WidthOf(DealtTo(story, seat)));
  }
  out << "dealt 起手\n";
  for (const Seat seat : rules::kSeats) {
    const auto number = static_cast<std::uint32_t>(rules::IndexOf(seat));
    out << "  " << Who(sitting, number) << (number == drawn.dealer() ? "庄 " : "   ");
    if (rules::IndexOf(seat) < drawn.seat_winds_size()) {
      out << Chinese(drawn.seat_winds(rules::IndexOf(seat))) << ' ';
    }
    out << Hand(DealtTo(story, seat), widest) << '\n';
  }
}

void PrintCalls(const Sitting& sitting, const RoundStory& story, std::ostream& out) {
  bool any = false;
  const auto line = [&](std::uint32_t seat, std::string_view what, const std::string& tiles,
                        std::optional<std::uint32_t> from) {
    if (!std::exchange(any, true)) out << "calls 吃碰杠\n";
    out << "  " << Who(sitting, seat) << "   " << PadRight(what, 5) << PadRight(tiles, 6)
        << PadRight(Chinese(tiles), 10);
    if (from) out << " from " << Who(sitting, *from);
    out << '\n';
  };
  for (const TableEvent& event : story.StreamOf(Seat::k0)) {
    if (event.event_case() == TableEvent::kMeldCalled) {
      const common::Meld& meld = event.meld_called().meld();
      line(event.meld_called().seat(), MeldZh(sitting, meld.kind()), meld.tiles(),
           meld.has_from() ? std::optional(meld.from()) : std::nullopt);
    } else if (event.event_case() == TableEvent::kKongMade) {
      const common::CompletedKong& kong = event.kong_made().kong();
      const std::string rank = kong.tile().substr(0, 1);
      line(kong.seat(), KongZh(sitting, kong.kind()), Cat(rank, rank, rank, kong.tile()),
           kong.has_from() ? std::optional(kong.from()) : std::nullopt);
    }
  }
}

void PrintDiscards(const Sitting& sitting, const RoundStory& story, std::ostream& out) {
  rules::PerSeat<std::vector<tiles::Tile>> rivers;
  std::uint32_t left = 0;
  for (const TableEvent& event : story.StreamOf(Seat::k0)) {
    if (event.event_case() == TableEvent::kTileDrawn) left = event.tile_drawn().wall_left();
    if (event.event_case() != TableEvent::kTileDiscarded) continue;
    const auto seat = rules::SeatFromIndex(static_cast<int>(event.tile_discarded().seat()));
    const auto tile = tiles::ParseTile(event.tile_discarded().tile());
    if (seat && tile) rivers[*seat].push_back(*tile);
  }
  out << "discards 弃牌; tiles left in the wall 余牌: " << left << '\n';
  for (const Seat seat : rules::kSeats) {
    const auto number = static_cast<std::uint32_t>(rules::IndexOf(seat));
    PrintWrapped(Cat(Who(sitting, number), "   ", tiles::ToText(rivers[seat])), 2, kNameWidth + 5,
                 out);
  }
}

// The texts' words for the win (COM-16): "自摸 大牌自摸 庄胡".
std::string TitlesZh(const scoring::WinScore& win) {
  std::string titles;
  for (const common::LocalizedText& title : win.titles()) {
    titles += Cat(titles.empty() ? "" : " ", title.zh_hans());
  }
  return titles;
}

std::string_view HowEn(common::WinMethod how) {
  return how == common::WIN_METHOD_SELF_DRAW ? "by self-draw"
         : how == common::WIN_METHOD_DISCARD ? "on a discard of "
                                             : "robbing a kong of ";
}

std::string_view FlagText(int flag) {
  switch (flag) {
    case common::WIN_FLAG_LAST_TILE:
      return "last tile 海底";
    case common::WIN_FLAG_KONG_REPLACEMENT:
      return "kong's replacement 杠上";
    case common::WIN_FLAG_HEAVENLY:
      return "heavenly 天胡";
    case common::WIN_FLAG_EARTHLY:
      return "earthly 地胡";
    default:
      return "?";
  }
}

void PrintPatterns(const scoring::WinScore& win, std::ostream& out) {
  for (const scoring::PatternHit& hit : win.patterns()) {
    const bool fan = hit.unit() == scoring::PATTERN_UNIT_FAN;
    out << "    " << PadRight(hit.id(), 6) << PadLeft(Cat(fan ? "+" : "×", Number(hit.value())), 4)
        << (fan ? "番 " : "   ") << PadRight(hit.name().zh_hans(), 12) << hit.name().en() << '\n';
  }
  std::string worth;
  const auto add = [&worth](std::string_view what, std::int64_t n) {
    worth += Cat(worth.empty() ? "" : " × ", Number(n), what);
  };
  if (win.has_fan()) add(" 番 fan", win.fan());
  if (win.has_multiplier()) add(" 倍 multiplier", win.multiplier());
  if (win.has_horses_hit() && win.horses_hit() > 0) {
    worth += Cat(" × (1 + ", Number(win.horses_hit()), " 马 horses hit)");  // SG-20
  }
  if (!worth.empty()) out << "    " << worth << '\n';
}

void PrintWin(const Sitting& sitting, const common::ClaimedWin& claim, const scoring::WinScore& win,
              std::ostream& out) {
  out << "win 胡  " << Who(sitting, claim.seat()) << TitlesZh(win) << "  " << HowEn(claim.how());
  if (claim.has_from()) out << Who(sitting, claim.from());
  for (const int flag : claim.flags()) out << "  " << FlagText(flag);
  out << '\n';
  std::string mpsz = claim.concealed();
  std::string zh = Chinese(claim.concealed());
  for (const common::Meld& meld : claim.melds()) {
    mpsz += Cat(" [", meld.tiles(), "]");
    zh += Cat(" [", MeldZh(sitting, meld.kind()), " ", Chinese(meld.tiles()), "]");
  }
  PrintWrapped(Cat(mpsz, " + ", claim.tile()), 4, 2, out);
  PrintWrapped(Cat(zh, " + ", Chinese(claim.tile())), 4, 2, out);
  PrintPatterns(win, out);
}

// The tiles turned after the win, each with the winner that it hits or as a miss (COM-16).
void PrintHorses(const Sitting& sitting, const RoundStory& story, std::ostream& out) {
  const table::HorsesTurned* turned = HorsesIn(story, Seat::k0);
  if (turned == nullptr) return;
  std::string text = "horses 买马 ";
  for (const table::Horse& horse : turned->horses()) {
    text += Cat(" ", horse.tile(), " ", Chinese(horse.tile()));
    if (horse.has_hit_seat()) {
      const auto seat = rules::SeatFromIndex(static_cast<int>(horse.hit_seat()));
      text += Cat(" 中 hits ", seat ? sitting.guests[*seat].name : "?", ";");
    } else {
      text += " 不中 misses;";
    }
  }
  if (text.ends_with(';')) text.pop_back();
  PrintWrapped(text, 0, 2, out);
}

void PrintOutcome(const Sitting& sitting, const RoundStory& story, std::ostream& out) {
  const table::RoundEnded& ended = *EndedIn(story, Seat::k0);
  const scoring::RoundScore& score = SettledIn(story, Seat::k0)->score();
  if (ended.outcome().end() == common::ROUND_END_EXHAUSTED) {
    out << "exhausted wall 流局: nobody wins\n";
    for (int seat = 0; seat < ended.hands_size(); ++seat) {
      out << "  " << Who(sitting, static_cast<std::uint32_t>(seat)) << "   "
          << Hand(ended.hands(seat), 18) << '\n';
    }
  }
  for (int i = 0; i < ended.outcome().wins_size() && i < score.wins_size(); ++i) {
    PrintWin(sitting, ended.outcome().wins(i), score.wins(i), out);
  }
  PrintHorses(sitting, story, out);
}

void PrintTransfers(const Sitting& sitting, const scoring::RoundScore& score, std::ostream& out) {
  if (score.transfers().empty()) {
    out << "transfers 收付: none\n";
    return;
  }
  out << "transfers 收付\n";
  for (const common::Transfer& transfer : score.transfers()) {
    const auto name = receipt::NameOf(*sitting.game, transfer.rule_id());
    out << "  " << Who(sitting, transfer.from_seat()) << "→ " << Who(sitting, transfer.to_seat())
        << PadLeft(Grouped(transfer.coins()), 9) << "  " << PadRight(transfer.rule_id(), 6)
        << (name ? name->zh : "") << '\n';
  }
  out << "reckoning 算式\n";
  for (const scoring::ReceiptLine& line : score.receipt().lines()) {
    std::string text = Cat(Who(sitting, line.to_seat()), "   ", line.arithmetic(), " ");
    for (const std::string& id : line.rule_ids()) {
      const auto name = receipt::NameOf(*sitting.game, id);
      text += Cat("  ", id, name ? Cat(" ", name->zh) : "");
    }
    PrintWrapped(text, 2, kNameWidth + 5, out);
  }
}

void PrintBalances(const Sitting& sitting, const table::RoundSettled& settled, std::ostream& out) {
  out << "balances 余额\n";
  for (const table::SeatResult& seat : settled.seats()) {
    out << "  " << Who(sitting, seat.seat()) << PadLeft(console::Signed(seat.net()), 12)
        << PadLeft(Grouped(seat.balance()), 12);
    if (seat.rake() > 0) out << "  rake 抽水 " << Grouped(seat.rake());
    out << '\n';
  }
  for (const table::Shortfall& shortfall : settled.shortfalls()) {
    out << "  " << Who(sitting, shortfall.from_seat()) << "could not pay "
        << Who(sitting, shortfall.to_seat()) << Grouped(shortfall.coins()) << '\n';
  }
}

}  // namespace

void PrintSitting(const Sitting& sitting, std::ostream& page) {
  std::ostringstream out;
  const rules::VariantInfo& game = sitting.game->info();
  out << Heading(Cat(game.name_zh, " ", game.name_en)) << '\n';
  out << "table 牌桌 " << sitting.table_id << "\nrulebook 规则 "
      << rules::RulebookVersion(*sitting.game) << "\nbase " << game.base_zh << ' '
      << Grouped(sitting.base) << ": the highest that all four can afford 四人都够的最高一档\n";
  for (const Seat seat : rules::kSeats) {
    const Guest& guest = sitting.guests[seat];
    out << "  " << Who(sitting, static_cast<std::uint32_t>(rules::IndexOf(seat)))
        << PadLeft(Grouped(guest.coins), 12) << "  " << guest.player_id << '\n';
  }
  out << '\n';
  Emit(out.str(), page);
}

void PrintRound(const Sitting& sitting, const RoundStory& story, const CheckResult& deal,
                std::ostream& page) {
  std::ostringstream out;
  const table::RoundBegan& began = *BeganIn(story, Seat::k0);
  const table::RoundSettled& settled = *SettledIn(story, Seat::k0);
  std::string title = Cat("round ", Number(story.number), " 第", Number(story.number), "局");
  if (const table::DiceRolled* dice = DiceIn(story, Seat::k0); dice && dice->faces_size() == 2) {
    title += Cat("  dice 骰子 ", Number(dice->faces(0)), " ", Number(dice->faces(1)));
  }
  const table::DealDrawn& drawn = *DrawnIn(story, Seat::k0);
  if (!drawn.round_wind().empty()) title += Cat("  wind 圈风 ", Chinese(drawn.round_wind()));
  out << Heading(Cat(title, "  base ", sitting.game->info().base_zh, " ", Grouped(began.base())))
      << '\n';
  PrintDeal(sitting, story, out);
  PrintCalls(sitting, story, out);
  PrintDiscards(sitting, story, out);
  PrintOutcome(sitting, story, out);
  PrintTransfers(sitting, settled.score(), out);
  PrintBalances(sitting, settled, out);
  out << "next dealer 下局庄家  " << Who(sitting, settled.next_dealer()) << '\n';
  PrintWrapped(Cat(deal.good ? "deal 公平  " : "DEAL IS WRONG 不符  ", deal.text), 0, 2, out);
  out << '\n';
  Emit(out.str(), page);
}

}  // namespace mj::demo
