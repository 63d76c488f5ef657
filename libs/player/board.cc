#include "libs/player/board.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "libs/base/strings.h"
#include "libs/console/text.h"
#include "libs/narration/words.h"
#include "libs/player/void_reason.h"
#include "libs/receipt/names.h"
#include "libs/tiles/mpsz.h"
#include "libs/variants/registry.h"
#include "libs/wire/finished_round.h"

namespace mj::player {
namespace {

namespace common = ::mahjong::common::v1;
using base::Cat;
using console::Grouped;
using console::PadRight;
using console::Signed;
using narration::Both;
using table::WatchedEvent;

constexpr int kColumns = 100;
constexpr std::size_t kNameMax = 16;

// Ids of one kind begin alike.
std::string Tail(const std::string& id) {
  return id.size() <= kNameMax ? id : id.substr(id.size() - kNameMax);
}

std::string Number(std::int64_t n) { return std::to_string(n); }

// "5m 五万".
std::string TileBoth(const std::string& mpsz) {
  const auto counts = tiles::ParseCounts(mpsz);
  return Cat(mpsz, " ", counts ? tiles::ToChinese(*counts) : "?");
}

// "5555m" of "5m".
std::string Four(const std::string& tile) {
  if (tile.empty()) return "?";
  return Cat(std::string(3, tile.front()), tile);
}

std::string WhyVoid(table::VoidReason reason) {
  const auto known = ReasonOf(reason);
  return known ? Both(narration::WordsFor(*known)) : "?";
}

std::string WhyLeft(table::LeaveReason reason) {
  switch (reason) {
    case table::LEAVE_REASON_LEFT:
      return Both(narration::WordsFor(record::LeaveReason::kLeft));
    case table::LEAVE_REASON_CLIENT_CLOSED:
      return Both(narration::WordsFor(record::LeaveReason::kClientClosed));
    case table::LEAVE_REASON_BELOW_MINIMUM:
      return Both(narration::WordsFor(record::LeaveReason::kBelowMinimum));
    case table::LEAVE_REASON_REFUSED:
      return Both(narration::WordsFor(record::LeaveReason::kRefused));
    case table::LEAVE_REASON_NO_ANSWER:
      return Both(narration::WordsFor(record::LeaveReason::kNoAnswer));
    case table::LEAVE_REASON_DISAGREED:
      return Both(narration::WordsFor(record::LeaveReason::kDisagreed));
    case table::LEAVE_REASON_CONNECTION_LOST:
      return Both(narration::WordsFor(record::LeaveReason::kConnectionLost));
    case table::LEAVE_REASON_OPERATOR:
      return Both(narration::WordsFor(record::LeaveReason::kOperator));
    default:
      return "?";
  }
}

}  // namespace

std::string Board::Take(const WatchedEvent& event) {
  std::string line = OnAny(event);
  if (event.hand().empty()) {
    hand_.clear();
  } else if (hand_ != event.hand()) {
    hand_ = event.hand();
    line += Cat("; hand 手牌 ", Number(seat_), ": ", TileBoth(hand_));
  }
  return line;
}

std::string Board::OnAny(const WatchedEvent& event) {
  switch (event.event_case()) {
    case WatchedEvent::kTableMade:
      return On(event.table_made());
    case WatchedEvent::kPlayerJoined:
      return On(event.player_joined());
    case WatchedEvent::kSeatReady:
      return On(event.seat_ready());
    case WatchedEvent::kPlayOnAsked:
      return On(event.play_on_asked());
    case WatchedEvent::kAutoPlay:
      return On(event.auto_play());
    case WatchedEvent::kRoundBegan:
      return On(event.round_began());
    case WatchedEvent::kDealDrawn:
      return On(event.deal_drawn());
    case WatchedEvent::kDiceRolled:
      return On(event.dice_rolled());
    case WatchedEvent::kHandsDealt:
      return On(event.hands_dealt());
    case WatchedEvent::kIndicatorTurned:
      return On(event.indicator_turned());
    case WatchedEvent::kTileTaken:
      return On(event.tile_taken());
    case WatchedEvent::kTileDiscarded:
      return On(event.tile_discarded());
    case WatchedEvent::kMeldCalled:
      return On(event.meld_called());
    case WatchedEvent::kKongDeclared:
      return On(event.kong_declared());
    case WatchedEvent::kKongMade:
      return On(event.kong_made());
    case WatchedEvent::kHorsesTurned:
      return On(event.horses_turned());
    case WatchedEvent::kRoundEnded:
      return On(event.round_ended());
    case WatchedEvent::kRoundSettled:
      return On(event.round_settled());
    case WatchedEvent::kRoundVoid:
      return On(event.round_void());
    case WatchedEvent::kPlayerLeft:
      return On(event.player_left());
    case WatchedEvent::kTableClosed:
      return On(event.table_closed());
    case WatchedEvent::EVENT_NOT_SET:
      break;
  }
  return "something that this program does not know";
}

void Board::Read(const table::Table& table) {
  table_id_ = table.table_id();
  variant_ = table.variant();
  game_ = variants::Find(table.variant());
  base_ = table.base();
  for (const table::Seat& seat : table.seats()) {
    At(seat.seat()).player = seat.player_id();
    At(seat.seat()).ready = seat.ready();
    At(seat.seat()).auto_play = seat.auto_play();
  }
}

std::string Board::Who(std::uint32_t seat) const {
  if (seat >= chairs_.size()) return "?";
  const std::string& player = chairs_[seat].player;
  return Cat(Number(seat), " ", player.empty() ? "(free)" : Tail(player));
}

std::string_view Board::NameOf(rules::MeldKind kind) const {
  return game_ == nullptr ? "?" : receipt::WordsForMeld(*game_, kind).zh;
}

std::string_view Board::BaseZh() const { return game_ == nullptr ? "?" : game_->info().base_zh; }

std::string Board::HowWon(common::WinMethod how) const {
  const auto way = wire::WinWayOf(how);
  if (game_ == nullptr || !way) return "?";
  const receipt::Words words = receipt::WordsFor(game_->info(), *way);
  return Cat(words.en, " ", words.zh);
}

std::string Board::On(const table::TableMade& event) {
  Read(event.table());
  return Cat(Both(narration::kTableMade), " ", table_id_, " ", variant_, " base ", BaseZh(), " ",
             Grouped(base_));
}

std::string Board::On(const table::PlayerJoined& event) {
  At(event.seat()) = {};
  At(event.seat()).player = event.player_id();
  return Cat(Who(event.seat()), " ", Both(narration::kTakesASeat));
}

std::string Board::On(const table::SeatReady& event) {
  At(event.seat()).ready = true;
  return Cat(Who(event.seat()), " ", Both(narration::kIsReady));
}

std::string Board::On(const table::PlayOnAsked& event) {
  return Cat(Both(narration::kPlayOn), "  round ", Number(event.round_number()));
}

std::string Board::On(const table::WatchedAutoPlay& event) {
  At(event.seat()).auto_play = event.on();
  return Cat(Who(event.seat()), event.on() ? " 托管: the system plays for it" : " plays again");
}

std::string Board::On(const table::WatchedRound& event) {
  chairs_ = {};
  Read(event.table());
  base_ = event.round().base();
  round_ = event.round().round_number();
  dealer_.reset();
  actor_.reset();
  playing_ = true;
  wall_left_ = 0;
  wild_.clear();
  return Cat("round ", Number(round_), " 第", Number(round_), "局  base ", BaseZh(), " ",
             Grouped(base_));
}

std::string Board::On(const table::DealDrawn& event) {
  dealer_ = event.dealer();
  actor_ = dealer_;
  const auto counted = std::count_if(
      event.nonces().begin(), event.nonces().end(),
      [](const auto& nonce) { return nonce.outcome() == table::NONCE_OUTCOME_REVEALED; });
  return Cat(Both(narration::kDealer), " ", Who(event.dealer()),
             ", drawn with the nonces 随机数 of ", Number(counted));
}

std::string Board::On(const table::DiceRolled& event) {
  std::string faces;
  for (const std::uint32_t face : event.faces()) faces += Cat(" ", Number(face));
  return Cat(Both(narration::kDice), faces);
}

std::string Board::On(const table::HandsDealt&) {
  for (Chair& chair : chairs_) chair.concealed = 13;
  return Both(narration::kDealt);
}

std::string Board::On(const table::IndicatorTurned& event) {
  wild_ = event.wild();
  return Cat(Both(narration::kTurned), " ", TileBoth(event.indicator()), ", ",
             Both(narration::kWild), " ", TileBoth(wild_));
}

std::string Board::On(const table::TileTaken& event) {
  actor_ = event.seat();
  ++At(event.seat()).concealed;
  wall_left_ = event.wall_left();
  const bool replacement = event.source() == table::DRAW_SOURCE_REPLACEMENT;
  return Cat(Who(event.seat()), " ",
             Both(replacement ? narration::kDrawsForKong : narration::kDraws), ", ",
             Number(wall_left_), " ", Both(narration::kLeft));
}

std::string Board::On(const table::TileDiscarded& event) {
  actor_ = event.seat();
  --At(event.seat()).concealed;
  At(event.seat()).river.push_back(event.tile());
  return Cat(Who(event.seat()), " ", Both(narration::kThrows), " ", TileBoth(event.tile()));
}

std::string Board::On(const table::MeldCalled& event) {
  Chair& chair = At(event.seat());
  const common::Meld& meld = event.meld();
  actor_ = event.seat();
  chair.concealed -= 2;
  if (!At(meld.from()).river.empty()) At(meld.from()).river.pop_back();
  const auto kind = wire::MeldKindOf(meld.kind());
  chair.melds.push_back(Cat(kind ? NameOf(*kind) : "?", " ", meld.tiles()));
  return Cat(Who(event.seat()), " ", kind ? NameOf(*kind) : "?", " ", TileBoth(meld.tiles()),
             " from ", Who(meld.from()));
}

std::string Board::On(const table::KongDeclared& event) {
  actor_ = event.seat();
  return Cat(Who(event.seat()), " adds to its pung ", NameOf(rules::MeldKind::kAddedKong), " ",
             TileBoth(event.tile()));
}

std::string Board::On(const table::KongMade& event) {
  const common::CompletedKong& kong = event.kong();
  Chair& chair = At(kong.seat());
  actor_ = kong.seat();
  const auto kind = wire::MeldKindOf(kong.kind());
  const std::string tiles = Four(kong.tile());
  if (kind == rules::MeldKind::kAddedKong) {
    chair.concealed -= 1;
    const std::string three = tiles.substr(1);
    const auto pung = std::find_if(chair.melds.begin(), chair.melds.end(),
                                   [&](const std::string& meld) { return meld.ends_with(three); });
    if (pung != chair.melds.end()) chair.melds.erase(pung);
  } else if (kind == rules::MeldKind::kDiscardKong) {
    chair.concealed -= 3;
    if (kong.has_from() && !At(kong.from()).river.empty()) At(kong.from()).river.pop_back();
  } else {
    chair.concealed -= 4;
  }
  chair.melds.push_back(Cat(kind ? NameOf(*kind) : "?", " ", tiles));
  std::string line = Cat(Who(kong.seat()), " ", kind ? NameOf(*kind) : "?", " ", TileBoth(tiles));
  if (kong.has_from()) line += Cat(" from ", Who(kong.from()));
  return line;
}

std::string Board::On(const table::HorsesTurned& event) {
  std::string line = Both(narration::kHorses);
  for (const table::Horse& horse : event.horses()) {
    line += Cat(" ", TileBoth(horse.tile()), horse.has_hit_seat() ? " 中" : "");
  }
  return line;
}

std::string Board::On(const table::RoundEnded& event) {
  playing_ = false;
  if (event.outcome().wins().empty()) return Both(narration::kExhausted);
  std::string line;
  for (const common::ClaimedWin& win : event.outcome().wins()) {
    line += Cat(line.empty() ? "" : "; ", Who(win.seat()), " ", Both(narration::kWins), " ",
                TileBoth(win.tile()), ", ", HowWon(win.how()));
    if (win.has_from()) line += Cat(" of ", Who(win.from()));
  }
  return line;
}

std::string Board::On(const table::RoundSettled& event) {
  std::string line = Both(narration::kPaid);
  for (const table::SeatResult& seat : event.seats()) {
    line += Cat("  ", Who(seat.seat()), " ", Signed(seat.net()), " = ", Grouped(seat.balance()));
  }
  return line;
}

std::string Board::On(const table::RoundVoid& event) {
  playing_ = false;
  std::string line = Cat(Both(narration::kVoid), ": ", WhyVoid(event.reason()));
  if (event.has_escaped_seat()) line += Cat(" ", Who(event.escaped_seat()));
  for (const table::SeatResult& seat : event.penalty().seats()) {
    line += Cat("  ", Who(seat.seat()), " ", Signed(seat.net()), " = ", Grouped(seat.balance()));
  }
  return line;
}

std::string Board::On(const table::PlayerLeft& event) {
  const std::string who = Who(event.seat());
  At(event.seat()) = {};
  return Cat(who, " ", Both(narration::kLeaves), ": ", WhyLeft(event.reason()));
}

std::string Board::On(const table::TableClosed&) { return Both(narration::kTableClosed); }

std::string Board::Picture() const {
  std::ostringstream out;
  const std::string_view name = game_ == nullptr ? "?" : game_->info().name_zh;
  out << name << ' ' << variant_ << "  table 牌桌 " << table_id_ << "\nround 第" << round_
      << "局  base " << BaseZh() << ' ' << Grouped(base_) << "  wall 余牌 " << wall_left_;
  if (!wild_.empty()) out << "  " << Both(narration::kWild) << ' ' << TileBoth(wild_);
  out << '\n';
  for (std::uint32_t seat = 0; seat < chairs_.size(); ++seat) {
    const Chair& chair = chairs_[seat];
    std::string line = PadRight(Who(seat), 19);
    line += PadRight(playing_ && seat == dealer_ ? "庄" : "", 3);
    line += playing_ && seat == actor_ ? "> " : "  ";
    if (playing_) line += Cat(PadRight(Number(chair.concealed), 3), "tiles 手牌");
    if (!playing_ && chair.ready) line += "ready 准备";
    if (chair.auto_play) line += "  托管";
    for (const std::string& meld : chair.melds) line += Cat("  [", meld, "]");
    out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    std::string river;
    for (const std::string& tile : chair.river) river += Cat(river.empty() ? "" : " ", tile);
    if (river.empty()) continue;
    for (const std::string& part : console::Wrap(river, kColumns - 22, 1)) {
      out << std::string(22, ' ') << part << '\n';
    }
  }
  if (!hand_.empty()) out << "hand 手牌 " << seat_ << ": " << TileBoth(hand_) << '\n';
  return out.str();
}

}  // namespace mj::player
