#include "tools/mahjongctl/seat_table.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "libs/base/strings.h"
#include "libs/bots/goals.h"
#include "libs/bots/sight.h"
#include "libs/console/text.h"
#include "libs/ledger/units.h"
#include "libs/narration/words.h"
#include "libs/player/void_reason.h"
#include "libs/receipt/names.h"
#include "libs/rpc/time.h"
#include "libs/variants/registry.h"
#include "libs/wire/finished_round.h"
#include "libs/wire/seat_events.h"

namespace mj::mahjongctl {
namespace {

namespace table = ::mahjong::table::v1;
using base::Cat;
using narration::Sentence;
using narration::Words;
using rules::Seat;

constexpr Words kRemoved = {"已离开牌桌", "you are no longer seated"};

template <typename Message>
std::optional<base::WallTime> DeadlineOf(const Message& message) {
  if (!message.has_deadline()) return std::nullopt;
  return rpc::FromProto(message.deadline());
}

std::optional<Seat> SeatOf(std::uint32_t number) {
  return rules::SeatFromIndex(static_cast<int>(std::min(number, 99U)));
}

Words Localized(const ::mahjong::common::v1::LocalizedText& text) {
  return {text.zh_hans(), text.en()};
}

}  // namespace

std::optional<std::vector<Sentence>> TellEnd(const narration::Narrator& narrator,
                                             const table::RoundEnded& ended) {
  const auto finished = wire::FromProto(ended.outcome());
  if (!finished.ok()) return std::nullopt;
  std::vector<Sentence> lines;
  for (const rules::Win& win : finished->wins) {
    round::Won won;
    won.wins.push_back(win);
    lines.push_back(narrator.Tell(round::Event(won)));
  }
  if (lines.empty()) {
    lines.push_back(narrator.Tell(
        round::Event(round::RoundEnded{round::Outcome::kExhausted, std::nullopt, std::nullopt})));
  }
  return lines;
}

bool SeatTable::Take(const TableEvent& event, base::WallTime received) {
  if (event.has_time()) {
    const auto ahead = received - rpc::FromProto(event.time());
    ahead_ = std::min(ahead_.value_or(ahead), ahead);
  }
  if (event.event_case() == TableEvent::kTableFormed) return Form(event.table_formed());
  if (!formed()) return false;
  switch (event.event_case()) {
    case TableEvent::kStakesProposed:
      base_ = event.stakes_proposed().base();
      return Adopt(event.stakes_proposed().options());
    case TableEvent::kBaseChanged:
      base_ = event.base_changed().base();
      return true;
    case TableEvent::kPlayOnAsked:
      AskToPlayOn(event.play_on_asked().round_number(), DeadlineOf(event.play_on_asked()));
      return true;
    case TableEvent::kSeatReady:
      if (SeatOf(event.seat_ready().seat()) == own_) play_on_.reset();
      return true;
    case TableEvent::kRoundBegan:
      round_ = event.round_began().round_number();
      base_ = event.round_began().base();
      dealt_ = false;
      play_on_.reset();
      result_.reset();
      told_.clear();
      auto_play_ = {};
      return true;
    case TableEvent::kDealDrawn: {
      const table::DealDrawn& drawn = event.deal_drawn();
      const auto deal =
          wire::DealFromProto(drawn.dealer(), drawn.round_wind(), drawn.seat_winds(), "");
      if (!deal.ok()) return false;
      follower_->Take(round::RoundBegan{.deal = *deal});
      Tell(narrator_->Tell(round::SeatEvent(round::RoundBegan{.deal = *deal}), own_));
      return true;
    }
    case TableEvent::kClockMoved:
      if (asked_ && asked_->decision == event.clock_moved().decision_id()) {
        asked_->deadline = DeadlineOf(event.clock_moved());
      }
      if (play_on_ && event.clock_moved().decision_id() == 0) {
        play_on_->deadline = DeadlineOf(event.clock_moved());
      }
      return true;
    case TableEvent::kAutoPlayChanged: {
      const auto seat = SeatOf(event.auto_play_changed().seat());
      if (!seat) return false;
      auto_play_[*seat] = event.auto_play_changed().on();
      Tell(narrator_->TellRecorded(record::AutoPlaySet{*seat, auto_play_[*seat]}));
      return true;
    }
    case TableEvent::kRoundEnded:
      return End(event.round_ended());
    case TableEvent::kRoundSettled:
      Settle(event.round_settled());
      return true;
    case TableEvent::kRoundVoid:
      Drop(event.round_void());
      return true;
    case TableEvent::kPlayerLeft:
      if (SeatOf(event.player_left().seat()) == own_) {
        over_ = Sentence().Say(kRemoved);
        if (!event.player_left().message().empty()) {
          over_->Say(":").Say(event.player_left().message());
        }
      }
      return true;
    case TableEvent::kTableClosed:
      if (!over_) over_ = Sentence().Say(narration::kTableClosed);
      return true;
    default:
      return Play(event);
  }
}

bool SeatTable::Form(const table::TableFormed& formed) {
  const rules::Variant* const game = variants::Find(formed.table().variant());
  const auto own = SeatOf(formed.own_seat());
  if (game == nullptr || !own) return false;
  rules::PerSeat<std::string> names;
  for (const table::Seat& seat : formed.table().seats()) {
    if (const auto at = SeatOf(seat.seat())) {
      names[*at] = Cat(std::to_string(seat.seat()), at == own    ? " you"
                                                    : seat.bot() ? " bot"
                                                                 : " player");
    }
  }
  game_ = game;
  own_ = *own;
  table_id_ = formed.table().table_id();
  base_ = formed.table().base();
  narrator_.emplace(*game, std::move(names));
  return Adopt(formed.table().options());
}

bool SeatTable::Adopt(const google::protobuf::Map<std::string, std::string>& texts) {
  const auto parsed = rules::ParseOptions(
      game_->options(), std::map<std::string, std::string>(texts.begin(), texts.end()));
  const auto* values = std::get_if<rules::Options>(&parsed);
  if (values == nullptr) return false;
  options_ = *values;
  follower_.emplace(game_->play(options_), round::Viewer::Player(own_));
  dealt_ = false;
  return true;
}

bool SeatTable::Play(const TableEvent& event) {
  const auto played = wire::PlayedFromProto(event);
  if (!played.ok()) return false;
  if (!*played) return true;
  const round::SeatEvent& what = (*played)->event;
  follower_->Take(what);
  if (std::holds_alternative<round::HandDealt>(what)) dealt_ = true;
  if (std::holds_alternative<round::YouAreAsked>(what)) {
    Ask(event.decision_offered().decision());
    return true;
  }
  if (const auto* answered = std::get_if<round::YouAnswered>(&what)) {
    asked_.reset();
    if (answered->by != round::AnswerBy::kPlayer) Tell(narrator_->Tell(what, own_));
    return true;
  }
  Tell(narrator_->Tell(what, own_));
  return true;
}

void SeatTable::Ask(const table::Decision& decision) {
  if (!view().ask) return;
  AskedNow asked{.decision = decision.decision_id(),
                 .offer = view().ask->offer,
                 .win_coins = decision.offers().win().coins(),
                 .win_patterns = {},
                 .deadline = DeadlineOf(decision)};
  for (const std::string& id : decision.offers().win().pattern_ids()) {
    asked.win_patterns.push_back(id);
  }
  asked_ = std::move(asked);
}

bool SeatTable::End(const table::RoundEnded& ended) {
  asked_.reset();
  auto lines = TellEnd(*narrator_, ended);
  if (!lines) return false;
  for (const Sentence& line : *lines) Tell(line);
  result_ = Result{.lines = *std::move(lines), .hands = {}, .settled = false};
  for (int i = 0; i < ended.hands_size() && i < rules::kSeatCount; ++i) {
    const auto counts = tiles::ParseCounts(ended.hands(i));
    if (!counts) return false;
    if (counts->empty()) continue;
    constexpr Words kHeld = {"手牌", "held"};
    result_->hands.push_back(
        Sentence().Say(narrator_->NameOf(static_cast<Seat>(i))).Say(kHeld).Say(*counts));
  }
  return true;
}

void SeatTable::Pay(const google::protobuf::RepeatedPtrField<table::SeatResult>& seats) {
  if (seats.empty()) return;
  Sentence line;
  line.Say(narration::kPaid).Say(":");
  bool first = true;
  for (const table::SeatResult& result : seats) {
    const auto seat = SeatOf(result.seat());
    if (!seat) continue;
    net_[*seat] += result.net();
    if (!std::exchange(first, false)) line.Say(";");
    line.Say(narrator_->NameOf(*seat)).Say(console::Signed(result.net())).Say("=");
    line.Say(console::Grouped(result.balance()));
  }
  result_->lines.push_back(std::move(line));
}

void SeatTable::Settle(const table::RoundSettled& settled) {
  if (!result_) result_.emplace();
  result_->settled = true;
  for (const ::mahjong::scoring::v1::WinScore& win : settled.score().wins()) {
    const auto seat = SeatOf(win.seat());
    if (!seat || !win.legal()) continue;
    Sentence line;
    line.Say(narrator_->NameOf(*seat)).Say(":");
    for (const auto& title : win.titles()) line.Say(Localized(title));
    for (const auto& pattern : win.patterns()) {
      line.Say(",").Say(Localized(pattern.name()));
      if (pattern.count() > 1) line.Say(Cat("x", std::to_string(pattern.count())));
    }
    result_->lines.push_back(std::move(line));
  }
  for (const ::mahjong::scoring::v1::ReceiptLine& receipt : settled.score().receipt().lines()) {
    const auto to = SeatOf(receipt.to_seat());
    if (!to) continue;
    Sentence line;
    line.Say(narrator_->NameOf(*to)).Say(narration::kFrom);
    for (int i = 0; i < receipt.from_seats_size(); ++i) {
      const auto from = SeatOf(receipt.from_seats(i));
      if (i > 0) line.Say(",");
      if (from) line.Say(narrator_->NameOf(*from));
    }
    line.Say(":").Say(receipt.arithmetic());
    result_->lines.push_back(std::move(line));
    result_->lines.push_back(Sentence().Say(" ").Say(Localized(receipt.text())));
  }
  Pay(settled.seats());
  AskToPlayOn(round_ + 1, std::nullopt);
}

void SeatTable::Drop(const table::RoundVoid& dropped) {
  asked_.reset();
  Sentence line;
  line.Say(narration::kVoid);
  if (const auto reason = player::ReasonOf(dropped.reason())) {
    line.Say(":").Say(narration::WordsFor(*reason));
  }
  if (dropped.has_escaped_seat()) {
    if (const auto seat = SeatOf(dropped.escaped_seat())) line.Say(narrator_->NameOf(*seat));
  }
  result_ = Result{.lines = {std::move(line)}, .hands = {}, .settled = true};
  Pay(dropped.penalty().seats());
  AskToPlayOn(round_ + 1, std::nullopt);
}

void SeatTable::AskToPlayOn(std::uint32_t round, std::optional<base::WallTime> deadline) {
  // The question may come behind the end of the round: with its time then.
  if (play_on_ && play_on_->round == round && !deadline) return;
  play_on_ = AskedToPlayOn{round, deadline};
}

void SeatTable::Tell(Sentence sentence) {
  told_.push_back(std::move(sentence));
  if (told_.size() > kTold) told_.pop_front();
}

std::chrono::seconds SeatTable::Left(base::WallTime deadline, base::WallTime now) const {
  const auto left = deadline - (now - ahead_.value_or(std::chrono::microseconds(0)));
  return std::max(std::chrono::seconds(0), std::chrono::ceil<std::chrono::seconds>(left));
}

std::int64_t SeatTable::Coins(rules::Units units) const {
  const auto base = ledger::Coins::From(base_);
  if (!base) return 0;
  const auto coins = ledger::CoinsFromUnits(units, game_->info().units_per_base, *base);
  return coins.ok() ? coins.value().value() : 0;
}

std::vector<ShownWait> SeatTable::WaitsOf(const rules::Hand& hand) const {
  std::vector<ShownWait> waits;
  tiles::TileCounts seen;
  for (const round::Thrown& thrown : view().river) {
    if (!thrown.taken_by) seen.Add(thrown.tile);
  }
  for (const Seat seat : rules::kSeats) {
    if (seat == own_) continue;
    for (const rules::CalledMeld& called : view().seats[seat].melds) {
      tiles::AddTo(seen, called.meld);
    }
  }
  if (view().indicator) seen.Add(*view().indicator);
  for (const rules::Wait& wait :
       rules::ListWaits(*game_, options_, view().deal, own_, hand, seen)) {
    rules::Win win;
    win.seat = own_;
    win.hand = hand;
    win.tile = wait.tile;
    ShownWait shown{.tile = wait.tile, .unseen = wait.unseen, .self_drawn = 0, .on_discard = 0};
    shown.self_drawn = Coins(bots::Brings(*game_, options_, view().deal, win));
    win.way = rules::WinWay::kDiscard;
    win.from = rules::Before(own_);
    shown.on_discard = Coins(bots::Brings(*game_, options_, view().deal, win));
    waits.push_back(shown);
  }
  return waits;
}

std::vector<Waits> SeatTable::WaitsNow() const {
  std::vector<Waits> all;
  if (!formed() || !dealt_ || result_) return all;
  rules::Hand hand;
  hand.concealed = view().hand;
  hand.melds = view().seats[own_].melds;
  if (hand.concealed.total() == hand.resting_tiles()) {
    auto waits = WaitsOf(hand);
    if (!waits.empty()) all.push_back({std::nullopt, std::move(waits)});
    return all;
  }
  if (hand.concealed.total() != hand.resting_tiles() + 1) return all;
  for (const tiles::Tile tile : bots::KindsOf(hand)) {
    auto waits = WaitsOf(bots::Without(hand, tile));
    if (!waits.empty()) all.push_back({tile, std::move(waits)});
  }
  return all;
}

}  // namespace mj::mahjongctl
