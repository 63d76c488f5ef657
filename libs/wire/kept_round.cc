#include "libs/wire/kept_round.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "libs/audit/digest.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/fields.h"
#include "libs/wire/round_record.h"

namespace mj::wire {
namespace {

namespace stored = ::mahjong::record::v1;
using base::Cat;
using base::InField;
using base::Reason;
using record::LeaveReason;
using record::VoidReason;
using rules::Seat;
using tiles::Tile;

constexpr std::string_view kRefused = "refused";
constexpr std::string_view kConnectionLost = "connection_lost";
constexpr Pairs<std::string_view, LeaveReason, 8> kLeaveReasons = {
    {{"left", LeaveReason::kLeft},
     {"client_closed", LeaveReason::kClientClosed},
     {"below_minimum", LeaveReason::kBelowMinimum},
     {kRefused, LeaveReason::kRefused},
     {"no_answer", LeaveReason::kNoAnswer},
     {kConnectionLost, LeaveReason::kConnectionLost},
     {"disagreed", LeaveReason::kDisagreed},
     {"operator", LeaveReason::kOperator}}};
constexpr Pairs<std::string_view, VoidReason, 5> kVoidReasons = {
    {{"escape", VoidReason::kEscape},
     {kConnectionLost, VoidReason::kConnectionLost},
     {"all_absent", VoidReason::kAllAbsent},
     {"operator", VoidReason::kOperator},
     {kRefused, VoidReason::kRefused}}};
constexpr Pairs<std::string_view, record::Currency, 2> kCurrencies = {
    {{"COIN", record::Currency::kCoin}, {"PRACTICE", record::Currency::kPractice}}};
constexpr Pairs<std::string_view, fairness::NonceOutcome, 5> kOutcomes = {
    {{"not_committed", fairness::NonceOutcome::kNotCommitted},
     {"not_revealed", fairness::NonceOutcome::kNotRevealed},
     {"bad_length", fairness::NonceOutcome::kBadLength},
     {"mismatch", fairness::NonceOutcome::kMismatch},
     {"revealed", fairness::NonceOutcome::kRevealed}}};

// Whatever is wrong with it, it is stored: lost data, and nobody's request.
absl::Status Lost(std::string_view what, const absl::Status& status) {
  const auto carried = base::CarriedBy(status);
  return absl::DataLossError(
      base::ToAbsl(Cat("a stored ", what, " cannot be read: ", base::ToStd(status.message()), " (",
                       carried ? carried->details.field : std::string(), ")")));
}

template <typename Domain, std::size_t N>
absl::StatusOr<Domain> Word(const Pairs<std::string_view, Domain, N>& words, std::string_view word,
                            std::string_view field) {
  if (const auto domain = DomainOf(words, word)) return *domain;
  return Wrong(Reason::kUnknownEnumValue, field, Cat("got ", Quoted(word)));
}

template <typename Array>
absl::StatusOr<Array> BytesOf(const std::string& bytes, std::string_view field) {
  Array array{};
  if (bytes.size() != array.size()) {
    return Wrong(Reason::kBadText, field, Cat("got ", std::to_string(bytes.size()), " bytes"));
  }
  std::copy(bytes.begin(), bytes.end(), array.begin());
  return array;
}

template <typename Array>
std::string TextOf(const Array& bytes) {
  return std::string(bytes.begin(), bytes.end());
}

record::Time TimeOf(std::int64_t us) { return record::Time(std::chrono::microseconds(us)); }
std::int64_t MicrosOf(record::Time time) { return time.time_since_epoch().count(); }

// ------------------------------------------------------------------------------------ the coins

template <typename Rows>
absl::StatusOr<rules::PerSeat<record::SeatPosted>> ReadPosted(const Rows& rows) {
  if (rows.size() != rules::kSeatCount) return Wrong(Reason::kBadSeat, "seats", "not four");
  rules::PerSeat<record::SeatPosted> seats;
  for (const Seat seat : rules::kSeats) {
    const stored::Posted& posted = rows.Get(rules::IndexOf(seat));
    if (posted.seat() != Number(seat)) return Wrong(Reason::kBadSeat, "seats", "not in order");
    seats[seat] = {posted.net(), posted.rake(), posted.balance()};
  }
  return seats;
}

template <typename Rows>
void WritePosted(const rules::PerSeat<record::SeatPosted>& seats, Rows& rows) {
  for (const Seat seat : rules::kSeats) {
    stored::Posted& posted = *rows.Add();
    posted.set_seat(Number(seat));
    posted.set_net(seats[seat].net);
    posted.set_rake(seats[seat].rake);
    posted.set_balance(seats[seat].balance);
  }
}

absl::StatusOr<std::pair<Seat, Seat>> ReadDebt(const stored::Owed& owed) {
  MJ_ASSIGN_OR_RETURN(const Seat from, SeatFromNumber(owed.from_seat(), "from_seat"));
  MJ_ASSIGN_OR_RETURN(const Seat to, SeatFromNumber(owed.to_seat(), "to_seat"));
  return std::pair(from, to);
}

absl::StatusOr<record::RoundScored> Read(const stored::RoundScored& from) {
  record::RoundScored scored;
  for (int i = 0; i < from.transfers_size(); ++i) {
    const stored::Owed& owed = from.transfers(i);
    const auto debt = ReadDebt(owed);
    if (!debt.ok()) return InField(Element("transfers", i), debt.status());
    scored.transfers.push_back({debt->first, debt->second, owed.coins(), owed.rule_id()});
  }
  scored.score = from.score();
  return scored;
}

absl::StatusOr<record::RoundPosted> Read(const stored::RoundPosted& from) {
  record::RoundPosted posted;
  posted.journal_id = from.journal_id();
  MJ_ASSIGN_OR_RETURN(posted.seats, ReadPosted(from.seats()));
  for (int i = 0; i < from.shortfalls_size(); ++i) {
    const auto debt = ReadDebt(from.shortfalls(i));
    if (!debt.ok()) return InField(Element("shortfalls", i), debt.status());
    posted.shortfalls.push_back({debt->first, debt->second, from.shortfalls(i).coins()});
  }
  return posted;
}

absl::StatusOr<record::RoundVoided> Read(const stored::RoundVoided& from) {
  record::RoundVoided voided;
  MJ_ASSIGN_OR_RETURN(voided.reason, Word(kVoidReasons, from.reason(), "reason"));
  MJ_ASSIGN_OR_RETURN(voided.escaped,
                      MaybeSeat(from, &stored::RoundVoided::has_escaped_seat,
                                &stored::RoundVoided::escaped_seat, "escaped_seat"));
  if (!from.has_penalty()) return voided;
  voided.penalty.emplace();
  voided.penalty->journal_id = from.penalty().journal_id();
  auto seats = ReadPosted(from.penalty().seats());
  if (!seats.ok()) return InField("penalty", seats.status());
  voided.penalty->seats = *std::move(seats);
  voided.penalty->shortfall = from.penalty().shortfall();
  return voided;
}

// ------------------------------------------------------------------------ what players did besides

absl::StatusOr<record::AutoPlaySet> Read(const stored::AutoPlaySet& from) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatFromNumber(from.seat(), "seat"));
  return record::AutoPlaySet{seat, from.on()};
}

absl::StatusOr<record::Leaving> Read(const stored::SeatLeaving& from) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatFromNumber(from.seat(), "seat"));
  MJ_ASSIGN_OR_RETURN(const LeaveReason reason, Word(kLeaveReasons, from.reason(), "reason"));
  return record::Leaving{seat, from.player_id(), reason};
}

absl::StatusOr<record::Left> Read(const stored::SeatLeft& from) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatFromNumber(from.seat(), "seat"));
  MJ_ASSIGN_OR_RETURN(const LeaveReason reason, Word(kLeaveReasons, from.reason(), "reason"));
  return record::Left{seat, from.player_id(), reason, from.why()};
}

absl::StatusOr<record::HandShown> Read(const stored::HandShown& from) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatFromNumber(from.seat(), "seat"));
  return record::HandShown{seat, from.player_id(), from.show()};
}

// ----------------------------------------------------------------------------------- the record

absl::StatusOr<record::What> ReadWhat(const stored::RecordedEvent& from) {
  switch (from.event_case()) {
    case stored::RecordedEvent::kRoundEvent: {
      auto event = FromRecord(from.round_event());
      if (event.ok()) return record::What(*std::move(event));
      return Wrong(Reason::kBadText, "round_event", base::ToStd(event.status().message()));
    }
    case stored::RecordedEvent::kAutoPlaySet:
      return Read(from.auto_play_set());
    case stored::RecordedEvent::kSeatLeaving:
      return Read(from.seat_leaving());
    case stored::RecordedEvent::kSeatLeft:
      return Read(from.seat_left());
    case stored::RecordedEvent::kClocksRestarted:
      return record::ClocksRestarted{};
    case stored::RecordedEvent::kHandShown:
      return Read(from.hand_shown());
    case stored::RecordedEvent::EVENT_NOT_SET:
      break;
  }
  return Wrong(Reason::kFieldRequired, "event", "absent, or not known to this program");
}

absl::StatusOr<record::JournalRow> Read(const stored::JournalRow& from) {
  record::JournalRow row;
  row.journal_id = from.journal_id();
  row.canonical = from.canonical();
  MJ_ASSIGN_OR_RETURN(row.hash, BytesOf<fairness::Digest>(from.hash(), "hash"));
  return row;
}

void Write(const record::JournalRow& row, stored::JournalRow& to) {
  to.set_journal_id(row.journal_id);
  to.set_canonical(row.canonical);
  to.set_hash(TextOf(row.hash));
}

absl::StatusOr<record::Nonce> Read(const stored::RecordedNonce& from) {
  record::Nonce nonce;
  if (!from.hash().empty()) {
    MJ_ASSIGN_OR_RETURN(nonce.record.commitment, BytesOf<fairness::Digest>(from.hash(), "hash"));
  }
  if (from.has_nonce()) nonce.record.reveal.emplace(from.nonce().begin(), from.nonce().end());
  MJ_ASSIGN_OR_RETURN(nonce.outcome, Word(kOutcomes, from.outcome(), "outcome"));
  return nonce;
}

void Write(const record::Nonce& nonce, stored::RecordedNonce& to) {
  if (nonce.record.commitment) to.set_hash(TextOf(*nonce.record.commitment));
  if (nonce.record.reveal) to.set_nonce(TextOf(*nonce.record.reveal));
  to.set_outcome(std::string(WireOf(kOutcomes, nonce.outcome)));
}

absl::Status ReadDeal(const stored::RoundRecord& from, record::RoundRecord& to) {
  MJ_ASSIGN_OR_RETURN(to.seed_hash, BytesOf<fairness::Digest>(from.seed_hash(), "seed_hash"));
  MJ_ASSIGN_OR_RETURN(to.seed, BytesOf<fairness::Seed>(from.seed(), "seed"));
  if (from.nonces_size() != rules::kSeatCount) {
    return Wrong(Reason::kBadSeat, "nonces", "not one for each seat");
  }
  for (const Seat seat : rules::kSeats) {
    auto nonce = Read(from.nonces(rules::IndexOf(seat)));
    if (!nonce.ok()) return InField(Element("nonces", rules::IndexOf(seat)), nonce.status());
    to.nonces[seat] = *std::move(nonce);
  }
  to.drawn = from.drawn();
  auto wall = tiles::ParseTiles(from.wall());
  if (!wall) return Wrong(Reason::kBadTiles, "wall", "no tiles");
  to.wall = *std::move(wall);
  if (from.dice_size() != 0 && from.dice_size() != 2) {
    return Wrong(Reason::kBadText, "dice", "not two");
  }
  for (const std::uint32_t face : from.dice()) {
    if (face < 1 || face > 6) return Wrong(Reason::kBadText, "dice", "no face");
  }
  if (from.dice_size() == 2) {
    to.dice = fairness::Dice{static_cast<int>(from.dice(0)), static_cast<int>(from.dice(1))};
  }
  MJ_ASSIGN_OR_RETURN(to.dealer, SeatFromNumber(from.dealer(), "dealer"));
  if (!from.round_wind().empty()) {
    MJ_ASSIGN_OR_RETURN(to.round_wind, TileFromText(from.round_wind(), "round_wind"));
  }
  if (from.seat_winds().empty()) return absl::OkStatus();
  if (from.seat_winds_size() != rules::kSeatCount) {
    return Wrong(Reason::kBadWind, "seat_winds", "not one for each seat");
  }
  to.seat_winds.emplace();
  for (const Seat seat : rules::kSeats) {
    MJ_ASSIGN_OR_RETURN((*to.seat_winds)[seat],
                        TileFromText(from.seat_winds(rules::IndexOf(seat)), "seat_winds"));
  }
  return absl::OkStatus();
}

void WriteDeal(const record::RoundRecord& from, stored::RoundRecord& to) {
  to.set_seed_hash(TextOf(from.seed_hash));
  to.set_seed(TextOf(from.seed));
  for (const record::Nonce& nonce : from.nonces) Write(nonce, *to.add_nonces());
  to.set_drawn(from.drawn);
  to.set_wall(tiles::ToText(std::span<const Tile>(from.wall)));
  if (from.dice) {
    to.add_dice(static_cast<std::uint32_t>(from.dice->first));
    to.add_dice(static_cast<std::uint32_t>(from.dice->second));
  }
  to.set_dealer(Number(from.dealer));
  if (from.round_wind) to.set_round_wind(tiles::ToText(*from.round_wind));
  if (!from.seat_winds) return;
  for (const Tile wind : *from.seat_winds) to.add_seat_winds(tiles::ToText(wind));
}

absl::StatusOr<record::Settled> Read(const stored::RecordedSettlement& from) {
  record::Settled settled;
  settled.scored_at = TimeOf(from.scored_us());
  MJ_ASSIGN_OR_RETURN(settled.scored, Read(from.scored()));
  MJ_ASSIGN_OR_RETURN(settled.posted, Read(from.posted()));
  MJ_ASSIGN_OR_RETURN(settled.row, Read(from.row()));
  return settled;
}

absl::StatusOr<record::Voided> Read(const stored::RecordedVoid& from) {
  record::Voided voided;
  MJ_ASSIGN_OR_RETURN(voided.voided, Read(from.voided()));
  if (from.has_row()) {
    MJ_ASSIGN_OR_RETURN(voided.row, Read(from.row()));
  }
  return voided;
}

absl::StatusOr<record::RoundRecord> Read(const stored::RoundRecord& from) {
  record::RoundRecord to;
  to.round_id = from.round_id();
  to.table_id = from.table_id();
  if (from.number() == 0 ||
      from.number() > static_cast<std::uint32_t>(std::numeric_limits<int>::max())) {
    return Wrong(Reason::kBadText, "number", Cat("got ", std::to_string(from.number())));
  }
  to.number = static_cast<int>(from.number());
  to.variant = from.variant();
  to.options.insert(from.options().begin(), from.options().end());
  to.base = from.base();
  MJ_ASSIGN_OR_RETURN(to.currency, Word(kCurrencies, from.currency(), "currency"));
  to.rulebook_version = from.rulebook_version();
  if (from.player_ids_size() != rules::kSeatCount) {
    return Wrong(Reason::kBadSeat, "player_ids", "not four");
  }
  for (const Seat seat : rules::kSeats) {
    to.players[seat] = from.player_ids(rules::IndexOf(seat));
  }
  MJ_ASSIGN_OR_RETURN(to.bots, SeatsFromNumbers(from.bot_seats(), "bot_seats"));
  to.began_at = TimeOf(from.began_us());
  to.ended_at = TimeOf(from.ended_us());
  MJ_RETURN_IF_ERROR(ReadDeal(from, to));
  to.events.reserve(static_cast<std::size_t>(from.events_size()));
  for (int i = 0; i < from.events_size(); ++i) {
    auto what = ReadWhat(from.events(i));
    if (!what.ok()) return InField(Element("events", i), what.status());
    to.events.push_back({TimeOf(from.events(i).time_us()), *std::move(what)});
  }
  switch (from.end_case()) {
    case stored::RoundRecord::kSettled: {
      auto settled = Read(from.settled());
      if (!settled.ok()) return InField("settled", settled.status());
      to.end = *std::move(settled);
      return to;
    }
    case stored::RoundRecord::kVoided: {
      auto voided = Read(from.voided());
      if (!voided.ok()) return InField("voided", voided.status());
      to.end = *std::move(voided);
      return to;
    }
    case stored::RoundRecord::END_NOT_SET:
      break;
  }
  return Wrong(Reason::kFieldRequired, "end", "absent, or not known to this program");
}

struct WhatWriter {
  stored::RecordedEvent& to;

  void operator()(const round::Event& event) const { ToRecord(event, *to.mutable_round_event()); }
  void operator()(const record::AutoPlaySet& event) const {
    ToRecord(event, *to.mutable_auto_play_set());
  }
  void operator()(const record::Leaving& event) const {
    ToRecord(event, *to.mutable_seat_leaving());
  }
  void operator()(const record::Left& event) const { ToRecord(event, *to.mutable_seat_left()); }
  void operator()(const record::ClocksRestarted&) const { to.mutable_clocks_restarted(); }
  void operator()(const record::HandShown& event) const {
    ToRecord(event, *to.mutable_hand_shown());
  }
};

struct EndWriter {
  stored::RoundRecord& to;

  void operator()(const record::Settled& end) const {
    stored::RecordedSettlement& settled = *to.mutable_settled();
    settled.set_scored_us(MicrosOf(end.scored_at));
    ToRecord(end.scored, *settled.mutable_scored());
    ToRecord(end.posted, *settled.mutable_posted());
    Write(end.row, *settled.mutable_row());
  }
  void operator()(const record::Voided& end) const {
    ToRecord(end.voided, *to.mutable_voided()->mutable_voided());
    if (end.row) Write(*end.row, *to.mutable_voided()->mutable_row());
  }
};

// A part, with the failure of its reading made lost data.
template <typename Part, typename Message>
absl::StatusOr<Part> ReadPart(const Message& from, std::string_view what) {
  auto part = Read(from);
  if (part.ok()) return part;
  return Lost(what, part.status());
}

}  // namespace

std::string_view WordOf(fairness::NonceOutcome outcome) { return WireOf(kOutcomes, outcome); }
std::optional<fairness::NonceOutcome> OutcomeOf(std::string_view word) {
  return DomainOf(kOutcomes, word);
}

std::string Serialized(const stored::RoundRecord& record) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    record.SerializeToCodedStream(&coded);
  }
  return bytes;
}

std::string DigestOf(const stored::RoundRecord& record) {
  stored::RoundRecord rest = record;
  rest.clear_digest();
  return std::string(audit::AsBytes(audit::Sha256(Serialized(rest))));
}

absl::StatusOr<record::RoundRecord> FromRecord(const stored::RoundRecord& record) {
  constexpr std::string_view kWhat = "round record";
  if (record.format() == 0 || record.format() > kRoundRecordFormat) {
    return Lost(kWhat, Wrong(Reason::kBadText, "format",
                             Cat("got ", std::to_string(record.format()), ", at most ",
                                 std::to_string(kRoundRecordFormat), " is known here")));
  }
  if (record.digest() != DigestOf(record)) {
    return Lost(kWhat, Wrong(Reason::kBadText, "digest", "not the SHA-256 of the rest"));
  }
  auto round = Read(record);
  if (!round.ok()) return Lost(kWhat, round.status());
  stored::RoundRecord again;
  ToRecord(*round, again);
  if (Serialized(again) != Serialized(record)) {
    return Lost(kWhat, Wrong(Reason::kBadText, "record", "not in its one form"));
  }
  return round;
}

void ToRecord(const record::RoundRecord& round, stored::RoundRecord& record) {
  record.Clear();
  record.set_format(kRoundRecordFormat);
  record.set_round_id(round.round_id);
  record.set_table_id(round.table_id);
  record.set_number(static_cast<std::uint32_t>(round.number));
  record.set_variant(round.variant);
  record.mutable_options()->insert(round.options.begin(), round.options.end());
  record.set_base(round.base);
  record.set_currency(std::string(WireOf(kCurrencies, round.currency)));
  record.set_rulebook_version(round.rulebook_version);
  for (const std::string& player : round.players) record.add_player_ids(player);
  ToNumbers(round.bots, *record.mutable_bot_seats());
  record.set_began_us(MicrosOf(round.began_at));
  record.set_ended_us(MicrosOf(round.ended_at));
  WriteDeal(round, record);
  for (const record::RecordedEvent& event : round.events) {
    stored::RecordedEvent& to = *record.add_events();
    to.set_time_us(MicrosOf(event.time));
    std::visit(WhatWriter{to}, event.what);
  }
  std::visit(EndWriter{record}, round.end);
  record.set_digest(DigestOf(record));
}

absl::StatusOr<record::RoundRecord> ParseRoundRecord(std::string_view bytes) {
  constexpr std::string_view kWhat = "round record";
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return Lost(kWhat, Wrong(Reason::kBadText, "record", "too long"));
  }
  stored::RoundRecord record;
  if (!record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Lost(kWhat, Wrong(Reason::kBadText, "record", "not a message of this kind"));
  }
  auto round = FromRecord(record);
  if (!round.ok()) return round;
  // Fields twice, or in another order, are read without a complaint by protobuf.
  if (Serialized(record) != bytes) {
    return Lost(kWhat, Wrong(Reason::kBadText, "record", "not in its one form"));
  }
  return round;
}

absl::StatusOr<record::AutoPlaySet> FromRecord(const stored::AutoPlaySet& record) {
  return ReadPart<record::AutoPlaySet>(record, "auto_play_set");
}
absl::StatusOr<record::Leaving> FromRecord(const stored::SeatLeaving& record) {
  return ReadPart<record::Leaving>(record, "seat_leaving");
}
absl::StatusOr<record::Left> FromRecord(const stored::SeatLeft& record) {
  return ReadPart<record::Left>(record, "seat_left");
}
absl::StatusOr<record::HandShown> FromRecord(const stored::HandShown& record) {
  return ReadPart<record::HandShown>(record, "hand_shown");
}
absl::StatusOr<record::RoundScored> FromRecord(const stored::RoundScored& record) {
  return ReadPart<record::RoundScored>(record, "round_scored");
}
absl::StatusOr<record::RoundPosted> FromRecord(const stored::RoundPosted& record) {
  return ReadPart<record::RoundPosted>(record, "round_posted");
}
absl::StatusOr<record::RoundVoided> FromRecord(const stored::RoundVoided& record) {
  return ReadPart<record::RoundVoided>(record, "round_voided");
}

void ToRecord(const record::AutoPlaySet& event, stored::AutoPlaySet& record) {
  record.set_seat(Number(event.seat));
  record.set_on(event.on);
}

void ToRecord(const record::Leaving& event, stored::SeatLeaving& record) {
  record.set_seat(Number(event.seat));
  record.set_player_id(event.player);
  record.set_reason(std::string(WireOf(kLeaveReasons, event.reason)));
}

void ToRecord(const record::Left& event, stored::SeatLeft& record) {
  record.set_seat(Number(event.seat));
  record.set_player_id(event.player);
  record.set_reason(std::string(WireOf(kLeaveReasons, event.reason)));
  record.set_why(event.why);
}

void ToRecord(const record::HandShown& event, stored::HandShown& record) {
  record.set_seat(Number(event.seat));
  record.set_player_id(event.player);
  record.set_show(event.show);
}

void ToRecord(const record::RoundScored& event, stored::RoundScored& record) {
  for (const record::SeatTransfer& transfer : event.transfers) {
    stored::Owed& owed = *record.add_transfers();
    owed.set_from_seat(Number(transfer.from));
    owed.set_to_seat(Number(transfer.to));
    owed.set_coins(transfer.coins);
    owed.set_rule_id(transfer.rule);
  }
  record.set_score(event.score);
}

void ToRecord(const record::RoundPosted& event, stored::RoundPosted& record) {
  record.set_journal_id(event.journal_id);
  WritePosted(event.seats, *record.mutable_seats());
  for (const record::Shortfall& shortfall : event.shortfalls) {
    stored::Owed& owed = *record.add_shortfalls();
    owed.set_from_seat(Number(shortfall.from));
    owed.set_to_seat(Number(shortfall.to));
    owed.set_coins(shortfall.coins);
  }
}

void ToRecord(const record::RoundVoided& event, stored::RoundVoided& record) {
  record.set_reason(std::string(WireOf(kVoidReasons, event.reason)));
  if (event.escaped) record.set_escaped_seat(Number(*event.escaped));
  if (!event.penalty) return;
  record.mutable_penalty()->set_journal_id(event.penalty->journal_id);
  WritePosted(event.penalty->seats, *record.mutable_penalty()->mutable_seats());
  record.mutable_penalty()->set_shortfall(event.penalty->shortfall);
}

}  // namespace mj::wire
