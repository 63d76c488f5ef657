#include "services/table/store/record.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "libs/base/bytes.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/fields.h"
#include "libs/wire/kept_round.h"
#include "libs/wire/round_record.h"
#include "mahjong/record/v1/record.pb.h"
#include "services/table/store/operation_kind.h"

namespace mj::table::store {
namespace {

namespace record = ::mahjong::record::v1;
using base::Cat;

absl::Status Lost(std::string_view what) { return absl::DataLossError(base::ToAbsl(what)); }

constexpr std::string_view kCoin = "COIN";
constexpr std::string_view kPractice = "PRACTICE";

std::uint32_t Number(Seat seat) { return static_cast<std::uint32_t>(rules::IndexOf(seat)); }

absl::StatusOr<Seat> SeatOf(std::uint32_t number, std::string_view field) {
  if (number < rules::kSeatCount) return static_cast<Seat>(number);
  return Lost(Cat(field, ": got ", std::to_string(number)));
}

// None where the text is empty.
absl::StatusOr<std::optional<fairness::Digest>> HashOf(const std::string& text,
                                                       std::string_view field) {
  if (text.empty()) return std::optional<fairness::Digest>();
  fairness::Digest hash{};
  if (text.size() != hash.size()) return Lost(Cat(field, ": not 32 bytes"));
  std::copy(text.begin(), text.end(), hash.begin());
  return std::optional(hash);
}

absl::StatusOr<Tile> TileOf(std::string_view text, std::string_view field) {
  if (const auto tile = tiles::ParseTile(text)) return *tile;
  return Lost(Cat(field, ": no tile"));
}

// ----------------------------------------------------------------------------------- writing

class Writer {
 public:
  explicit Writer(record::TableRecord& out) : out_(out) {}

  void operator()(const TableCreated& event) {
    record::TableCreated& to = *out_.mutable_table_created();
    to.set_table_id(event.table.value());
    to.set_request_id(event.request.value());
    to.set_variant(event.spec.variant);
    to.mutable_options()->insert(event.spec.options.begin(), event.spec.options.end());
    to.set_base(event.spec.base);
    to.set_currency(std::string(event.spec.currency == Currency::kCoin ? kCoin : kPractice));
    for (const PlayerId& player : event.spec.players) to.add_player_ids(player.value());
    for (const auto& [name, value] : ToValues(event.spec.settings)) {
      (*to.mutable_settings())[name] = value;
    }
    wire::ToNumbers(event.spec.bots, *to.mutable_bot_seats());
    const auto& hashes = event.spec.token_hashes;
    if (hashes != PerSeat<std::optional<audit::Digest>>{}) {
      for (const auto& hash : hashes) {
        to.add_join_token_hashes(hash ? base::TextOf(*hash) : std::string());
      }
    }
    to.set_media_room_id(event.spec.media_room);
  }
  void operator()(const QuestionAsked& event) {
    out_.mutable_question_asked()->set_round_number(static_cast<std::uint32_t>(event.round_number));
  }
  void operator()(const AutoPlaySet& event) {
    wire::ToRecord(event, *out_.mutable_auto_play_set());
  }
  void operator()(const SeatLeaving& event) {
    wire::ToRecord(mj::record::Leaving{event.seat, event.player.value(), event.reason},
                   *out_.mutable_seat_leaving());
  }
  void operator()(const ClocksRestarted&) { out_.mutable_clocks_restarted(); }
  void operator()(const StakesAsked& event) {
    record::StakesAsked& to = *out_.mutable_stakes_asked();
    to.set_number(static_cast<std::uint32_t>(event.number));
    to.set_seat(Number(event.seat));
    for (Coins base : event.bases) to.add_bases(base);
  }
  void operator()(const StakesProposed& event) {
    record::StakesProposed& to = *out_.mutable_stakes_proposed();
    to.set_number(static_cast<std::uint32_t>(event.number));
    to.set_seat(Number(event.seat));
    to.set_base(event.base);
    to.mutable_asked()->insert(event.asked.begin(), event.asked.end());
    to.mutable_options()->insert(event.options.begin(), event.options.end());
  }
  void operator()(const ConsentAsked& event) {
    out_.mutable_consent_asked()->set_number(static_cast<std::uint32_t>(event.number));
  }
  void operator()(const StakesAccepted& event) {
    record::StakesAccepted& to = *out_.mutable_stakes_accepted();
    to.set_number(static_cast<std::uint32_t>(event.number));
    to.set_seat(Number(event.seat));
  }
  void operator()(const BaseSet& event) { out_.mutable_base_set()->set_base(event.base); }
  void operator()(const SeatTaken& event) {
    record::SeatTaken& to = *out_.mutable_seat_taken();
    to.set_seat(Number(event.seat));
    to.set_player_id(event.player.value());
    if (event.token_hash) to.set_join_token_hash(base::TextOf(*event.token_hash));
  }
  void operator()(const SeatReadied& event) {
    record::SeatReadied& to = *out_.mutable_seat_readied();
    to.set_seat(Number(event.seat));
    to.set_round_number(static_cast<std::uint32_t>(event.round_number));
    if (event.nonce_hash) to.set_nonce_hash(base::TextOf(*event.nonce_hash));
  }
  void operator()(const SeatLeft& event) {
    wire::ToRecord(mj::record::Left{event.seat, event.player.value(), event.reason, event.why},
                   *out_.mutable_seat_left());
  }
  void operator()(const HandShown& event) {
    wire::ToRecord(mj::record::HandShown{event.seat, event.player.value(), event.show},
                   *out_.mutable_hand_shown());
  }
  void operator()(const RoundBegun& event) {
    record::RoundBegun& to = *out_.mutable_round_begun();
    to.set_round_id(event.round.value());
    to.set_round_number(static_cast<std::uint32_t>(event.number));
    to.set_rulebook_version(event.rulebook_version);
    to.set_base(event.base);
    for (const PlayerId& player : event.players) to.add_player_ids(player.value());
    to.set_seed(base::TextOf(event.seed));
    for (const auto& hash : event.nonce_hashes) {
      to.add_nonce_hashes(hash ? base::TextOf(*hash) : std::string());
    }
    wire::ToNumbers(event.bots, *to.mutable_bot_seats());
  }
  void operator()(const NonceRevealed& event) {
    out_.mutable_nonce_revealed()->set_seat(Number(event.seat));
    out_.mutable_nonce_revealed()->set_nonce(base::TextOf(event.nonce));
  }
  void operator()(const DealDrawn& event) {
    record::DealDrawn& to = *out_.mutable_deal_drawn();
    for (const SeatNonce& nonce : event.nonces) {
      record::SeatNonce& added = *to.add_nonces();
      added.set_outcome(std::string(wire::WordOf(nonce.outcome)));
      if (nonce.reveal) added.set_reveal(base::TextOf(*nonce.reveal));
    }
    to.set_dealer(Number(event.dealer));
    for (std::uint8_t face : event.dice) to.add_dice(face);
    if (event.round_wind) to.set_round_wind(tiles::ToText(*event.round_wind));
    if (event.seat_winds) {
      for (Tile wind : *event.seat_winds) to.add_seat_winds(tiles::ToText(wind));
    }
    to.set_anew(event.anew);
    to.set_wall(tiles::ToText(std::span<const Tile>(event.wall)));
  }
  void operator()(const RoundPlayed& event) {
    wire::ToRecord(event.event, *out_.mutable_round_event());
  }
  void operator()(const RoundScored& event) { wire::ToRecord(event, *out_.mutable_round_scored()); }
  void operator()(const RoundPosted& event) { wire::ToRecord(event, *out_.mutable_round_posted()); }
  void operator()(const RoundVoided& event) { wire::ToRecord(event, *out_.mutable_round_voided()); }
  void operator()(const OperatorActed& event) {
    record::OperatorActed& to = *out_.mutable_operator_acted();
    to.set_kind(std::string(ToSql(event.kind)));
    to.set_request_id(event.request.value());
    to.set_operator_(event.who);
    to.set_reason(event.reason);
    to.set_round_id(event.round.value());
    to.set_player_id(event.player.value());
    to.set_at_once(event.at_once);
  }
  void operator()(const RoundsStopped& event) {
    record::RoundsStopped& to = *out_.mutable_rounds_stopped();
    if (event.from) to.set_from_us(event.from->time_since_epoch().count());
  }
  void operator()(const TableEnded&) { out_.mutable_table_ended(); }

 private:
  record::TableRecord& out_;
};

// ----------------------------------------------------------------------------------- reading

template <typename Ids>
absl::StatusOr<PerSeat<PlayerId>> PlayersOf(const Ids& ids) {
  if (ids.size() != rules::kSeatCount) return Lost("player_ids: not four");
  PerSeat<PlayerId> players;
  for (Seat seat : rules::kSeats) players[seat] = PlayerId(ids.Get(rules::IndexOf(seat)));
  return players;
}

template <typename Numbers>
absl::StatusOr<PerSeat<bool>> SeatsOf(const Numbers& numbers) {
  const auto seats = wire::SeatsFromNumbers(numbers, "bot_seats");
  if (!seats.ok()) return Lost("bot_seats");
  return *seats;
}

absl::StatusOr<TableEvent> Read(const record::TableCreated& from) {
  TableCreated event;
  event.table = TableId(from.table_id());
  event.request = RequestId(from.request_id());
  event.spec.variant = from.variant();
  event.spec.options = OptionTexts(from.options().begin(), from.options().end());
  event.spec.base = from.base();
  if (from.currency() != kCoin && from.currency() != kPractice) return Lost("currency");
  event.spec.currency = from.currency() == kCoin ? Currency::kCoin : Currency::kPractice;
  MJ_ASSIGN_OR_RETURN(event.spec.players, PlayersOf(from.player_ids()));
  const auto settings =
      WithSettings(TableSettings{}, SettingValues(from.settings().begin(), from.settings().end()));
  if (!settings.ok()) return Lost("settings");
  event.spec.settings = *settings;
  MJ_ASSIGN_OR_RETURN(event.spec.bots, SeatsOf(from.bot_seats()));
  event.spec.media_room = from.media_room_id();
  if (from.join_token_hashes().empty()) return event;
  if (from.join_token_hashes_size() != rules::kSeatCount)
    return Lost("join_token_hashes: not four");
  for (Seat seat : rules::kSeats) {
    MJ_ASSIGN_OR_RETURN(event.spec.token_hashes[seat],
                        HashOf(from.join_token_hashes(rules::IndexOf(seat)), "join_token_hashes"));
  }
  return event;
}

absl::StatusOr<TableEvent> Read(const record::QuestionAsked& from) {
  return QuestionAsked{static_cast<int>(from.round_number())};
}

absl::StatusOr<TableEvent> Read(const record::SeatLeaving& from) {
  MJ_ASSIGN_OR_RETURN(const mj::record::Leaving event, wire::FromRecord(from));
  return SeatLeaving{event.seat, PlayerId(event.player), event.reason};
}

absl::StatusOr<TableEvent> Read(const record::SeatTaken& from) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatOf(from.seat(), "seat_taken.seat"));
  MJ_ASSIGN_OR_RETURN(const auto token_hash,
                      HashOf(from.join_token_hash(), "seat_taken.join_token_hash"));
  return SeatTaken{seat, PlayerId(from.player_id()), token_hash};
}

absl::StatusOr<TableEvent> Read(const record::SeatReadied& from) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatOf(from.seat(), "seat_readied.seat"));
  MJ_ASSIGN_OR_RETURN(const auto nonce_hash, HashOf(from.nonce_hash(), "seat_readied.nonce_hash"));
  return SeatReadied{seat, static_cast<int>(from.round_number()), nonce_hash};
}

absl::StatusOr<TableEvent> Read(const record::SeatLeft& from) {
  MJ_ASSIGN_OR_RETURN(const mj::record::Left event, wire::FromRecord(from));
  return SeatLeft{event.seat, PlayerId(event.player), event.reason, event.why};
}

absl::StatusOr<TableEvent> Read(const record::HandShown& from) {
  MJ_ASSIGN_OR_RETURN(const mj::record::HandShown event, wire::FromRecord(from));
  return HandShown{event.seat, PlayerId(event.player), event.show};
}

absl::StatusOr<TableEvent> Read(const record::OperatorActed& from) {
  const std::optional<OperationKind> kind = ParseOperationKind(from.kind());
  const bool of_a_table =
      kind && *kind != OperationKind::kStopRounds && *kind != OperationKind::kResumeRounds;
  if (!of_a_table) return Lost(Cat("operator_acted.kind: got ", from.kind()));
  return OperatorActed{*kind,         RequestId(from.request_id()), from.operator_(),
                       from.reason(), RoundId(from.round_id()),     PlayerId(from.player_id()),
                       from.at_once()};
}

absl::StatusOr<TableEvent> Read(const record::RoundsStopped& from) {
  if (!from.has_from_us()) return RoundsStopped{};
  return RoundsStopped{WallTime(std::chrono::microseconds(from.from_us()))};
}

absl::StatusOr<TableEvent> Read(const record::StakesAsked& from) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatOf(from.seat(), "stakes_asked.seat"));
  return StakesAsked{
      static_cast<int>(from.number()), seat, {from.bases().begin(), from.bases().end()}};
}

absl::StatusOr<TableEvent> Read(const record::StakesProposed& from) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatOf(from.seat(), "stakes_proposed.seat"));
  return StakesProposed{static_cast<int>(from.number()), seat, from.base(),
                        OptionTexts(from.asked().begin(), from.asked().end()),
                        OptionTexts(from.options().begin(), from.options().end())};
}

absl::StatusOr<TableEvent> Read(const record::ConsentAsked& from) {
  return ConsentAsked{static_cast<int>(from.number())};
}

absl::StatusOr<TableEvent> Read(const record::StakesAccepted& from) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatOf(from.seat(), "stakes_accepted.seat"));
  return StakesAccepted{static_cast<int>(from.number()), seat};
}

absl::StatusOr<TableEvent> Read(const record::BaseSet& from) { return BaseSet{from.base()}; }

absl::Status ReadWinds(const record::DealDrawn& from, DealDrawn& event) {
  if (!from.round_wind().empty()) {
    MJ_ASSIGN_OR_RETURN(event.round_wind, TileOf(from.round_wind(), "round_wind"));
  }
  if (from.seat_winds().empty()) return absl::OkStatus();
  if (from.seat_winds_size() != rules::kSeatCount) return Lost("seat_winds: not four");
  event.seat_winds.emplace();
  for (Seat seat : rules::kSeats) {
    MJ_ASSIGN_OR_RETURN((*event.seat_winds)[seat],
                        TileOf(from.seat_winds(rules::IndexOf(seat)), "seat_winds"));
  }
  return absl::OkStatus();
}

absl::StatusOr<TableEvent> Read(const record::RoundBegun& from) {
  RoundBegun event;
  event.round = RoundId(from.round_id());
  event.number = static_cast<int>(from.round_number());
  event.rulebook_version = from.rulebook_version();
  event.base = from.base();
  MJ_ASSIGN_OR_RETURN(event.players, PlayersOf(from.player_ids()));
  if (from.seed().size() != event.seed.size()) return Lost("seed: not 128 bytes");
  std::copy(from.seed().begin(), from.seed().end(), event.seed.begin());
  if (from.nonce_hashes_size() != rules::kSeatCount) return Lost("nonce_hashes: not four");
  for (Seat seat : rules::kSeats) {
    MJ_ASSIGN_OR_RETURN(event.nonce_hashes[seat],
                        HashOf(from.nonce_hashes(rules::IndexOf(seat)), "nonce_hashes"));
  }
  MJ_ASSIGN_OR_RETURN(event.bots, SeatsOf(from.bot_seats()));
  return event;
}

absl::StatusOr<TableEvent> Read(const record::NonceRevealed& from) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatOf(from.seat(), "nonce_revealed.seat"));
  return NonceRevealed{seat, {from.nonce().begin(), from.nonce().end()}};
}

absl::StatusOr<SeatNonce> NonceOf(const record::SeatNonce& from) {
  SeatNonce nonce;
  const auto outcome = wire::OutcomeOf(from.outcome());
  if (!outcome) return Lost("nonces.outcome");
  nonce.outcome = *outcome;
  if (from.has_reveal()) nonce.reveal.emplace(from.reveal().begin(), from.reveal().end());
  return nonce;
}

absl::StatusOr<TableEvent> Read(const record::DealDrawn& from) {
  DealDrawn event;
  if (from.nonces_size() != rules::kSeatCount) return Lost("nonces: not four");
  for (Seat seat : rules::kSeats) {
    MJ_ASSIGN_OR_RETURN(event.nonces[seat], NonceOf(from.nonces(rules::IndexOf(seat))));
  }
  MJ_ASSIGN_OR_RETURN(event.dealer, SeatOf(from.dealer(), "dealer"));
  if (from.dice_size() != 2) return Lost("dice: not two");
  for (int i = 0; i < 2; ++i) {
    if (from.dice(i) < 1 || from.dice(i) > 6) return Lost("dice: no face");
    event.dice[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(from.dice(i));
  }
  event.anew = from.anew();
  auto wall = tiles::ParseTiles(from.wall());
  if (!wall) return Lost("wall: no tiles");
  event.wall = *std::move(wall);
  MJ_RETURN_IF_ERROR(ReadWinds(from, event));
  return event;
}

absl::StatusOr<TableEvent> Read(const record::RoundEvent& from) {
  MJ_ASSIGN_OR_RETURN(round::Event event, wire::FromRecord(from));
  return RoundPlayed{std::move(event)};
}

absl::StatusOr<TableEvent> ReadAny(const record::TableRecord& from) {
  switch (from.record_case()) {
    case record::TableRecord::kTableCreated:
      return Read(from.table_created());
    case record::TableRecord::kSeatTaken:
      return Read(from.seat_taken());
    case record::TableRecord::kSeatReadied:
      return Read(from.seat_readied());
    case record::TableRecord::kSeatLeft:
      return Read(from.seat_left());
    case record::TableRecord::kRoundBegun:
      return Read(from.round_begun());
    case record::TableRecord::kRoundEvent:
      return Read(from.round_event());
    case record::TableRecord::kRoundScored:
      return wire::FromRecord(from.round_scored());
    case record::TableRecord::kRoundPosted:
      return wire::FromRecord(from.round_posted());
    case record::TableRecord::kRoundVoided:
      return wire::FromRecord(from.round_voided());
    case record::TableRecord::kQuestionAsked:
      return Read(from.question_asked());
    case record::TableRecord::kAutoPlaySet:
      return wire::FromRecord(from.auto_play_set());
    case record::TableRecord::kSeatLeaving:
      return Read(from.seat_leaving());
    case record::TableRecord::kHandShown:
      return Read(from.hand_shown());
    case record::TableRecord::kClocksRestarted:
      return ClocksRestarted{};
    case record::TableRecord::kStakesAsked:
      return Read(from.stakes_asked());
    case record::TableRecord::kStakesProposed:
      return Read(from.stakes_proposed());
    case record::TableRecord::kConsentAsked:
      return Read(from.consent_asked());
    case record::TableRecord::kStakesAccepted:
      return Read(from.stakes_accepted());
    case record::TableRecord::kBaseSet:
      return Read(from.base_set());
    case record::TableRecord::kNonceRevealed:
      return Read(from.nonce_revealed());
    case record::TableRecord::kDealDrawn:
      return Read(from.deal_drawn());
    case record::TableRecord::kTableEnded:
      return TableEnded{};
    case record::TableRecord::kOperatorActed:
      return Read(from.operator_acted());
    case record::TableRecord::kRoundsStopped:
      return Read(from.rounds_stopped());
    case record::TableRecord::RECORD_NOT_SET:
      break;
  }
  return Lost("a record of no kind that is known here");
}

}  // namespace

EncodedEvent Encode(const LogEntry& entry) {
  record::TableRecord out;
  out.set_format(kRecordFormat);
  out.set_time_us(entry.time.time_since_epoch().count());
  std::visit(Writer(out), entry.event);
  EncodedEvent encoded;
  encoded.kind = record::TableRecord::descriptor()
                     ->FindFieldByNumber(static_cast<int>(out.record_case()))
                     ->name();
  google::protobuf::io::StringOutputStream stream(&encoded.payload);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  out.SerializeToCodedStream(&coded);
  return encoded;
}

absl::StatusOr<LogEntry> Decode(std::int64_t seq, std::string_view payload) {
  record::TableRecord from;
  if (!from.ParseFromArray(payload.data(), static_cast<int>(payload.size()))) {
    return Lost("not a record");
  }
  if (from.format() == 0 || from.format() > kRecordFormat) {
    return Lost(Cat("record format ", std::to_string(from.format()), ", at most ",
                    std::to_string(kRecordFormat), " is known here"));
  }
  MJ_ASSIGN_OR_RETURN(TableEvent event, ReadAny(from));
  return LogEntry{seq, WallTime(std::chrono::microseconds(from.time_us())), std::move(event)};
}

}  // namespace mj::table::store
