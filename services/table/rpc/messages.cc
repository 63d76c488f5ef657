#include "services/table/rpc/messages.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "libs/base/bytes.h"
#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/fields.h"
#include "libs/wire/finished_round.h"
#include "libs/wire/seat_events.h"
#include "services/table/app/decide.h"

namespace mj::table::rpc {
namespace {

using wire::Number;

// The texts' words for the two answers to COM-14's question (001 1.4.3).
constexpr std::string_view kPlayOn = "继续游戏";
constexpr std::string_view kLeave = "退出";

::mahjong::common::v1::Currency ToProto(Currency currency) {
  return currency == Currency::kCoin ? ::mahjong::common::v1::CURRENCY_COIN
                                     : ::mahjong::common::v1::CURRENCY_PRACTICE;
}

proto::BaseSource ToProto(rules::BaseFrom from) {
  switch (from) {
    case rules::BaseFrom::kCoins:
      return proto::BASE_SOURCE_COINS;
    case rules::BaseFrom::kAgreement:
      return proto::BASE_SOURCE_AGREEMENT;
    case rules::BaseFrom::kFirstPlayer:
      return proto::BASE_SOURCE_FIRST_PLAYER;
  }
  return proto::BASE_SOURCE_UNSPECIFIED;
}

proto::LeaveReason ToProto(LeaveReason reason) {
  switch (reason) {
    case LeaveReason::kLeft:
      return proto::LEAVE_REASON_LEFT;
    case LeaveReason::kClientClosed:
      return proto::LEAVE_REASON_CLIENT_CLOSED;
    case LeaveReason::kBelowMinimum:
      return proto::LEAVE_REASON_BELOW_MINIMUM;
    case LeaveReason::kRefused:
      return proto::LEAVE_REASON_REFUSED;
    case LeaveReason::kNoAnswer:
      return proto::LEAVE_REASON_NO_ANSWER;
    case LeaveReason::kConnectionLost:
      return proto::LEAVE_REASON_CONNECTION_LOST;
    case LeaveReason::kDisagreed:
      return proto::LEAVE_REASON_DISAGREED;
    case LeaveReason::kOperator:
      return proto::LEAVE_REASON_OPERATOR;
  }
  return proto::LEAVE_REASON_UNSPECIFIED;
}

proto::VoidReason ToProto(VoidReason reason) {
  switch (reason) {
    case VoidReason::kEscape:
      return proto::VOID_REASON_ESCAPE;
    case VoidReason::kConnectionLost:
      return proto::VOID_REASON_CONNECTION_LOST;
    case VoidReason::kAllAbsent:
      return proto::VOID_REASON_ALL_ABSENT;
    case VoidReason::kOperator:
      return proto::VOID_REASON_OPERATOR;
    case VoidReason::kRefused:
      return proto::VOID_REASON_REFUSED;
  }
  return proto::VOID_REASON_UNSPECIFIED;
}

proto::NonceOutcome ToProto(fairness::NonceOutcome outcome) {
  switch (outcome) {
    case fairness::NonceOutcome::kNotCommitted:
      return proto::NONCE_OUTCOME_NOT_COMMITTED;
    case fairness::NonceOutcome::kNotRevealed:
      return proto::NONCE_OUTCOME_NOT_REVEALED;
    case fairness::NonceOutcome::kBadLength:
      return proto::NONCE_OUTCOME_BAD_LENGTH;
    case fairness::NonceOutcome::kMismatch:
      return proto::NONCE_OUTCOME_MISMATCH;
    case fairness::NonceOutcome::kRevealed:
      return proto::NONCE_OUTCOME_REVEALED;
  }
  return proto::NONCE_OUTCOME_UNSPECIFIED;
}

template <typename Results>
void ToProto(const PerSeat<SeatPosted>& seats, Results& out) {
  for (Seat seat : rules::kSeats) {
    proto::SeatResult& result = *out.Add();
    result.set_seat(Number(seat));
    result.set_net(seats[seat].net);
    result.set_rake(seats[seat].rake);
    result.set_balance(seats[seat].balance);
  }
}

void ToProto(const WinWorth& worth, proto::WinOffer& out) {
  for (const rules::RuleId id : worth.patterns) out.add_pattern_ids(std::string(id));
  if (worth.fan) out.set_fan(static_cast<std::int32_t>(*worth.fan));
  if (worth.multiplier) out.set_multiplier(*worth.multiplier);
  out.set_coins(worth.coins);
}

template <typename Nonces>
void ToProto(const PerSeat<SeatNonce>& nonces, Nonces& out) {
  for (const SeatNonce& nonce : nonces) {
    proto::SeatNonce& added = *out.Add();
    added.set_outcome(ToProto(nonce.outcome));
    if (nonce.reveal) added.set_nonce(base::TextOf(*nonce.reveal));
  }
}

// The name of the decision that an event of play is about; 0 when it is about none.
DecisionRef DecisionIn(const PlayShown& play) {
  if (const auto* asked = std::get_if<round::YouAreAsked>(&play.event)) {
    return RefOf(play.round_number, asked->ask.decision);
  }
  if (const auto* answered = std::get_if<round::YouAnswered>(&play.event)) {
    return RefOf(play.round_number, answered->decision);
  }
  return 0;
}

// What is the same in a seat's stream and to whoever watches.

void Write(const PlayerJoined& event, proto::PlayerJoined& to) {
  to.set_seat(Number(event.seat));
  to.set_player_id(event.player.value());
}

void Write(const SeatReady& event, proto::SeatReady& to) {
  to.set_seat(Number(event.seat));
  to.set_round_number(static_cast<std::uint32_t>(event.round_number));
}

void Write(const PlayOnAsked& event, proto::PlayOnAsked& to) {
  to.set_round_number(static_cast<std::uint32_t>(event.round_number));
  rpc::ToProto(event.due, *to.mutable_deadline());
  to.set_play_on_text(std::string(kPlayOn));
  to.set_leave_text(std::string(kLeave));
}

void Write(const RoundOpened& event, proto::RoundBegan& to) {
  to.set_round_id(event.round.value());
  to.set_round_number(static_cast<std::uint32_t>(event.number));
  to.set_rulebook_version(event.rulebook_version);
  to.set_seed_hash(base::TextOf(event.seed_hash));
  to.set_base(event.base);
  for (const auto& hash : event.nonce_hashes) {
    to.add_nonce_hashes(hash ? base::TextOf(*hash) : std::string());
  }
  if (event.reveal_due) rpc::ToProto(*event.reveal_due, *to.mutable_reveal_deadline());
}

void Write(const DealOpened& event, proto::DealDrawn& to) {
  to.set_dealer(Number(event.dealer));
  if (event.round_wind) to.set_round_wind(tiles::ToText(*event.round_wind));
  if (event.seat_winds) {
    for (Tile wind : *event.seat_winds) to.add_seat_winds(tiles::ToText(wind));
  }
  to.set_anew(event.anew);
  ToProto(event.nonces, *to.mutable_nonces());
}

void Write(const round::Horses& horses, const HorseHits& hits, proto::HorsesTurned& to) {
  to.set_tiles(tiles::ToText(std::span(horses.begin(), horses.size())));
  for (std::size_t i = 0; i < horses.size(); ++i) {
    proto::Horse& horse = *to.add_horses();
    horse.set_tile(tiles::ToText(horses[i]));
    if (hits[i]) horse.set_hit_seat(Number(*hits[i]));
  }
}

void Write(const RoundOver& event, proto::RoundEnded& to) {
  ::mahjong::common::v1::FinishedRound& outcome = *to.mutable_outcome();
  wire::ToProto(event.outcome, outcome);
  outcome.set_variant(event.variant);
  outcome.mutable_options()->insert(event.options.begin(), event.options.end());
  outcome.set_base(event.base);
  for (const tiles::TileCounts& hand : event.hands) to.add_hands(tiles::ToText(hand));
}

void Write(const RoundPaid& event, proto::RoundSettled& to) {
  to.set_round_id(event.round.value());
  // The scorer's own bytes: nothing is lost that a newer scorer says and this program does not
  // know.
  if (!to.mutable_score()->ParseFromString(event.scored.score)) to.clear_score();
  ToProto(event.posted.seats, *to.mutable_seats());
  for (const Shortfall& shortfall : event.posted.shortfalls) {
    proto::Shortfall& added = *to.add_shortfalls();
    added.set_from_seat(Number(shortfall.from));
    added.set_to_seat(Number(shortfall.to));
    added.set_coins(shortfall.coins);
  }
  to.set_next_dealer(Number(event.next.dealer));
  if (event.next.round_wind) to.set_next_round_wind(tiles::ToText(*event.next.round_wind));
  to.set_seed(base::TextOf(event.seed));
  to.set_journal_id(event.posted.journal_id);
  ToProto(event.nonces, *to.mutable_nonces());
}

void Write(const RoundDropped& event, proto::RoundVoid& to) {
  to.set_round_id(event.round.value());
  to.set_reason(ToProto(event.reason));
  if (event.escaped) to.set_escaped_seat(Number(*event.escaped));
  if (event.penalty) {
    ToProto(event.penalty->seats, *to.mutable_penalty()->mutable_seats());
    to.mutable_penalty()->set_shortfall(event.penalty->shortfall);
    to.mutable_penalty()->set_journal_id(event.penalty->journal_id);
  }
  to.set_seed(base::TextOf(event.seed));
  ToProto(event.nonces, *to.mutable_nonces());
}

void Write(const PlayerLeft& event, proto::PlayerLeft& to) {
  to.set_seat(Number(event.seat));
  to.set_player_id(event.player.value());
  to.set_reason(ToProto(event.reason));
  if (event.why.empty()) return;
  to.set_error_reason(event.why);
  if (const auto why = base::ReasonByName(event.why)) {
    to.set_message(std::string(base::InfoOf(*why).zh_hans));
  }
}

class EventWriter {
 public:
  explicit EventWriter(proto::TableEvent& out) : out_(out) {}

  void operator()(const TableFormed& event) {
    proto::TableFormed& to = *out_.mutable_table_formed();
    rpc::ToProto(event.table, "", *to.mutable_table());
    to.set_own_seat(Number(event.own_seat));
  }
  void operator()(const PlayerJoined& event) { Write(event, *out_.mutable_player_joined()); }
  void operator()(const SeatReady& event) { Write(event, *out_.mutable_seat_ready()); }
  void operator()(const PlayOnAsked& event) { Write(event, *out_.mutable_play_on_asked()); }
  void operator()(const StakesWanted& event) {
    proto::StakesAsked& to = *out_.mutable_stakes_asked();
    to.set_seat(Number(event.seat));
    rpc::ToProto(event.due, *to.mutable_deadline());
    if (event.decision == 0) return;
    proto::Decision& decision = *to.mutable_decision();
    decision.set_decision_id(event.decision);
    decision.set_kind(proto::DECISION_KIND_STAKES);
    rpc::ToProto(event.due, *decision.mutable_deadline());
    proto::Offers& offers = *decision.mutable_offers();
    for (Coins base : event.bases) offers.add_bases(base);
    for (const OptionChoice& choice : event.options) {
      proto::OptionOffer& option = *offers.add_options();
      option.set_name(choice.name);
      for (const std::string& value : choice.values) option.add_values(value);
      option.set_value(choice.now);
    }
    offers.set_refuse(true);
  }
  void operator()(const StakesNamed& event) {
    proto::StakesProposed& to = *out_.mutable_stakes_proposed();
    to.set_seat(Number(event.seat));
    to.set_base(event.base);
    to.mutable_options()->insert(event.options.begin(), event.options.end());
  }
  void operator()(const ConsentWanted& event) {
    proto::ConsentAsked& to = *out_.mutable_consent_asked();
    to.set_proposer_seat(Number(event.proposer));
    to.set_base(event.base);
    to.mutable_options()->insert(event.options.begin(), event.options.end());
    proto::Decision& decision = *to.mutable_decision();
    decision.set_decision_id(event.decision);
    decision.set_kind(proto::DECISION_KIND_CONSENT);
    rpc::ToProto(event.due, *decision.mutable_deadline());
    decision.mutable_offers()->set_accept(true);
    decision.mutable_offers()->set_refuse(true);
  }
  void operator()(const ConsentGiven& event) {
    out_.mutable_stakes_accepted()->set_seat(Number(event.seat));
  }
  void operator()(const BaseChanged& event) { out_.mutable_base_changed()->set_base(event.base); }
  void operator()(const ClockMoved& event) {
    proto::ClockMoved& to = *out_.mutable_clock_moved();
    to.set_decision_id(event.decision);
    rpc::ToProto(event.due, *to.mutable_deadline());
  }
  void operator()(const AutoPlayChanged& event) {
    proto::AutoPlayChanged& to = *out_.mutable_auto_play_changed();
    to.set_seat(Number(event.seat));
    to.set_on(event.on);
    if (event.due) rpc::ToProto(*event.due, *to.mutable_deadline());
  }
  void operator()(const HandShowing& event) { out_.mutable_hand_showing()->set_on(event.on); }
  void operator()(const RoundOpened& event) { Write(event, *out_.mutable_round_began()); }
  void operator()(const DealOpened& event) { Write(event, *out_.mutable_deal_drawn()); }
  void operator()(const PlayShown& event) {
    if (const auto* turned = std::get_if<round::HorsesTurned>(&event.event)) {
      return Write(turned->horses, event.hits, *out_.mutable_horses_turned());
    }
    MJ_CHECK(wire::ToProto(event.event, DecisionIn(event), out_), "an event that is not shown");
    if (event.win) {
      ToProto(
          *event.win,
          *out_.mutable_decision_offered()->mutable_decision()->mutable_offers()->mutable_win());
    }
    if (event.due) {
      rpc::ToProto(*event.due,
                   *out_.mutable_decision_offered()->mutable_decision()->mutable_deadline());
    }
  }
  void operator()(const RoundOver& event) { Write(event, *out_.mutable_round_ended()); }
  void operator()(const RoundPaid& event) { Write(event, *out_.mutable_round_settled()); }
  void operator()(const RoundDropped& event) { Write(event, *out_.mutable_round_void()); }
  void operator()(const PlayerLeft& event) { Write(event, *out_.mutable_player_left()); }
  void operator()(const RoundsStopping& event) {
    proto::NoNewRounds& to = *out_.mutable_no_new_rounds();
    if (event.from) rpc::ToProto(*event.from, *to.mutable_from_time());
  }
  void operator()(const TableClosed&) { out_.mutable_table_closed(); }

 private:
  proto::TableEvent& out_;
};

class WatchedWriter {
 public:
  explicit WatchedWriter(proto::WatchedEvent& out) : out_(out) {}

  void operator()(const TableMade& event) {
    rpc::ToProto(event.table, "", *out_.mutable_table_made()->mutable_table());
  }
  void operator()(const PlayerJoined& event) { Write(event, *out_.mutable_player_joined()); }
  void operator()(const SeatReady& event) { Write(event, *out_.mutable_seat_ready()); }
  void operator()(const PlayOnAsked& event) { Write(event, *out_.mutable_play_on_asked()); }
  void operator()(const AutoPlayTurned& event) {
    out_.mutable_auto_play()->set_seat(Number(event.seat));
    out_.mutable_auto_play()->set_on(event.on);
  }
  void operator()(const RoundStarted& event) {
    rpc::ToProto(event.table, "", *out_.mutable_round_began()->mutable_table());
    Write(event.round, *out_.mutable_round_began()->mutable_round());
  }
  void operator()(const DealOpened& event) { Write(event, *out_.mutable_deal_drawn()); }
  void operator()(const round::DiceRolled& event) {
    wire::ToProto(event, *out_.mutable_dice_rolled());
  }
  void operator()(const HandsDealt&) { out_.mutable_hands_dealt(); }
  void operator()(const round::IndicatorTurned& event) {
    wire::ToProto(event, *out_.mutable_indicator_turned());
  }
  void operator()(const TileTaken& event) {
    proto::TileTaken& to = *out_.mutable_tile_taken();
    to.set_seat(Number(event.seat));
    to.set_source(wire::ToProto(event.kind));
    to.set_wall_left(event.left);
  }
  void operator()(const round::Discarded& event) {
    wire::ToProto(event, *out_.mutable_tile_discarded());
  }
  void operator()(const round::Called& event) { wire::ToProto(event, *out_.mutable_meld_called()); }
  void operator()(const round::KongDeclared& event) {
    wire::ToProto(event, *out_.mutable_kong_declared());
  }
  void operator()(const round::KongMade& event) { wire::ToProto(event, *out_.mutable_kong_made()); }
  void operator()(const HorsesShown& event) {
    Write(event.horses, event.hits, *out_.mutable_horses_turned());
  }
  void operator()(const RoundOver& event) { Write(event, *out_.mutable_round_ended()); }
  void operator()(const RoundPaid& event) { Write(event, *out_.mutable_round_settled()); }
  void operator()(const RoundDropped& event) { Write(event, *out_.mutable_round_void()); }
  void operator()(const PlayerLeft& event) { Write(event, *out_.mutable_player_left()); }
  void operator()(const TableClosed&) { out_.mutable_table_closed(); }

 private:
  proto::WatchedEvent& out_;
};

}  // namespace

proto::TableState ToProto(TableStage stage) {
  switch (stage) {
    case TableStage::kWaiting:
      return proto::TABLE_STATE_WAITING;
    case TableStage::kPlaying:
      return proto::TABLE_STATE_PLAYING;
    case TableStage::kSettling:
      return proto::TABLE_STATE_SETTLING;
    case TableStage::kClosed:
      return proto::TABLE_STATE_CLOSED;
  }
  return proto::TABLE_STATE_UNSPECIFIED;
}

void ToProto(const TableInfo& table, std::string_view address, proto::Table& out) {
  out.set_table_id(table.id.value());
  out.set_variant(table.variant);
  out.mutable_options()->insert(table.options.begin(), table.options.end());
  out.set_base(table.base);
  out.set_currency(ToProto(table.currency));
  out.mutable_settings()->insert(table.settings.begin(), table.settings.end());
  out.set_state(ToProto(table.stage));
  for (Seat seat : rules::kSeats) {
    proto::Seat& added = *out.add_seats();
    added.set_seat(Number(seat));
    added.set_player_id(table.seats[seat].player.value());
    added.set_ready(table.seats[seat].ready);
    added.set_auto_play(table.seats[seat].auto_play);
    added.set_agreed(table.agreed[seat]);
    added.set_bot(table.seats[seat].bot);
  }
  out.set_round_number(static_cast<std::uint32_t>(table.round_number));
  out.set_round_id(table.round.value());
  if (table.dealer) out.set_dealer(Number(*table.dealer));
  if (table.proposer) out.set_proposer_seat(Number(*table.proposer));
  out.set_address(std::string(address));
  out.set_media_room_id(table.media_room);
  ToProto(table.created_at, *out.mutable_create_time());
}

void ToProto(const Shown& shown, proto::TableEvent& out) {
  out.set_sequence(shown.sequence);
  ToProto(shown.time, *out.mutable_time());
  std::visit(EventWriter(out), *shown.event);
}

void ToProto(const Watched& watched, proto::WatchedEvent& out) {
  out.set_sequence(watched.sequence);
  ToProto(watched.time, *out.mutable_time());
  if (const auto hand = watched.hand.Look()) out.set_hand(tiles::ToText(*hand));
  std::visit(WatchedWriter(out), *watched.event);
}

void ToProto(const RoomList& rooms, proto::ListRoomsResponse& out) {
  for (const Room& room : rooms.rooms) {
    proto::Room& added = *out.add_rooms();
    added.set_base(room.base);
    added.set_minimum_balance(room.minimum);
    added.set_rake_per_player(room.rake);
    added.set_escape_penalty(room.escape_penalty);
  }
  out.set_base_source(ToProto(rooms.base_from));
}

void ToProto(const LobbyPage& page, proto::ListTablesResponse& out) {
  for (const LobbyTable& table : page.tables) {
    proto::TableListing& added = *out.add_tables();
    added.set_table_id(table.id.value());
    added.mutable_options()->insert(table.options.begin(), table.options.end());
    added.set_base(table.base);
    added.set_room_base(table.room);
    added.set_state(ToProto(table.stage));
    added.set_watchable(table.watchable);
    for (const PlayerId& player : table.players) added.add_player_ids(player.value());
  }
  out.set_next_page_token(page.next);
}

void ToProto(const RoundPage& page, proto::ListRoundsResponse& out) {
  for (const RoundListing& round : page.rounds) {
    proto::RoundListing& added = *out.add_rounds();
    added.set_round_id(round.round.value());
    added.set_table_id(round.table.value());
    added.set_round_number(static_cast<std::uint32_t>(round.number));
    added.set_variant(round.variant);
    added.set_base(round.base);
    added.set_currency(ToProto(round.currency));
    for (const PlayerId& player : round.players) added.add_player_ids(player.value());
    added.set_end(round.settled ? proto::ROUND_END_SETTLED : proto::ROUND_END_VOID);
    ToProto(round.began_at, *added.mutable_begin_time());
    ToProto(round.ended_at, *added.mutable_end_time());
  }
  out.set_next_page_token(page.next);
}

void ToProto(const OutboxBatch<EndedRound>& batch, proto::WatchRoundsResponse& out) {
  for (const EndedRound& round : batch.items) {
    proto::EndedRound& added = *out.add_rounds();
    added.set_round_id(round.round.value());
    added.set_table_id(round.table.value());
    added.set_table_request_id(round.request.value());
    added.set_variant(round.variant);
    added.set_base(round.base);
    added.set_currency(ToProto(round.currency));
    for (const PlayerId& player : round.players) added.add_player_ids(player.value());
    added.set_end(round.void_reason ? proto::ROUND_END_VOID : proto::ROUND_END_SETTLED);
    if (round.void_reason) added.set_void_reason(ToProto(*round.void_reason));
    for (const Coins coins : round.coins) added.add_coins(coins);
    ToProto(round.ended_at, *added.mutable_end_time());
  }
  out.set_position(batch.position);
  mj::rpc::ToProto(batch.lag, *out.mutable_lag());
}

void ToProto(const OutboxBatch<SeatChange>& batch, proto::WatchOpenSeatsResponse& out) {
  for (const SeatChange& table : batch.items) {
    proto::TableSeats& added = *out.add_tables();
    added.set_table_id(table.table.value());
    added.set_table_request_id(table.request.value());
    added.set_address(table.address);
    added.set_variant(table.variant);
    added.mutable_options()->insert(table.options.begin(), table.options.end());
    added.set_base(table.base);
    added.set_currency(ToProto(table.currency));
    added.set_state(ToProto(table.stage));
    for (const PlayerId& player : table.players) added.add_player_ids(player.value());
    added.set_open(table.open());
    for (const PlayerId& player : table.left) added.add_left_player_ids(player.value());
    added.set_media_room_id(table.media_room);
  }
  out.set_position(batch.position);
  mj::rpc::ToProto(batch.lag, *out.mutable_lag());
}

}  // namespace mj::table::rpc
