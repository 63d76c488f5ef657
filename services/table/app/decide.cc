#include "services/table/app/decide.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include "libs/audit/digest.h"
#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/fairness/commitment.h"
#include "libs/fairness/deal.h"
#include "libs/fairness/stream.h"
#include "libs/round/decide.h"
#include "libs/round/result.h"
#include "libs/variants/registry.h"
#include "services/table/app/bot_seats.h"
#include "services/table/app/orders.h"
#include "services/table/app/plays.h"

namespace mj::table {
namespace {

using base::Cat;
using base::Error;
using base::Reason;

bool AnyoneSeated(const TableSpec& spec) {
  return std::any_of(spec.players.begin(), spec.players.end(),
                     [](const PlayerId& player) { return !player.empty(); });
}

absl::Status CheckPlayers(const TableSpec& spec) {
  for (Seat seat : rules::kSeats) {
    const PlayerId& player = spec.players[seat];
    if (player.empty()) continue;
    for (Seat other : rules::kSeats) {
      if (other < seat && spec.players[other] == player) {
        return Error(Reason::kDuplicatePlayer, Cat("player_ids: ", player.value(), " twice"),
                     {.field = "player_ids"});
      }
    }
  }
  return absl::OkStatus();
}

// Whoever is seated has come for a base. At an empty table its players find one; where it follows from
// their coins the table may have a room, above whose base it never is.
absl::Status CheckBase(const TableSpec& spec, const rules::VariantInfo& game) {
  if (spec.base == 0 && !AnyoneSeated(spec)) return absl::OkStatus();
  const bool found_there = !AnyoneSeated(spec) && game.base_from != rules::BaseFrom::kCoins;
  if (spec.base < 1 || spec.base > kBaseMax || spec.base % game.units_per_base != 0 ||
      found_there) {
    return Error(Reason::kBadBase, Cat("base: got ", std::to_string(spec.base)), {.field = "base"});
  }
  return absl::OkStatus();
}

absl::Status OptionError(const rules::OptionRefusal& refusal) {
  const Reason reason = refusal.fault == rules::OptionFault::kUnknown ? Reason::kUnknownOption
                                                                      : Reason::kOptionOutOfRange;
  return Error(reason, Cat("options: ", refusal.name),
               {.field = "options", .metadata = {{"option", refusal.name}}});
}

// A choice from one's hand names tiles; the first of them that the hand does not have.
std::optional<Tile> NotHeld(const rules::Hand& hand, const round::Choice& choice) {
  const auto lacks = [&hand](Tile tile) { return !hand.concealed.Has(tile); };
  switch (choice.kind) {
    case round::ChoiceKind::kChow:
      if (lacks(choice.tile)) return choice.tile;
      if (lacks(choice.other)) return choice.other;
      return std::nullopt;
    case round::ChoiceKind::kAddedKong:
    case round::ChoiceKind::kConcealedKong:
    case round::ChoiceKind::kDiscard:
      if (lacks(choice.tile)) return choice.tile;
      return std::nullopt;
    case round::ChoiceKind::kWin:
    case round::ChoiceKind::kPass:
    case round::ChoiceKind::kPung:
    case round::ChoiceKind::kDiscardKong:
    case round::ChoiceKind::kRoll:
      return std::nullopt;
  }
  return std::nullopt;
}

// Names no tile: what is refused is logged, and a choice can name tiles of a hand.
absl::Status RefusedChoice(const Round& round, Seat seat, const round::Choice& choice) {
  const bool held = !NotHeld(round.play.seats[seat].hand, choice);
  return Error(held ? Reason::kChoiceNotOffered : Reason::kTileNotHeld, {}, {.field = "choice"});
}

absl::Status RejectionError(const Round& round, Seat seat, const round::Choice& choice,
                            round::Rejection rejection) {
  switch (rejection) {
    case round::Rejection::kRepeatedAnswer:
      return absl::OkStatus();
    case round::Rejection::kNotBegun:
    case round::Rejection::kRoundOver:
      return Error(Reason::kRoundNotInProgress);
    case round::Rejection::kUnknownDecision:
      return Error(Reason::kDecisionNotOffered, {}, {.field = "decision_id"});
    case round::Rejection::kStaleDecision:
    case round::Rejection::kAlreadyAnswered:
    case round::Rejection::kDecisionClosed:
      return Error(Reason::kDecisionStale, {}, {.field = "decision_id"});
    case round::Rejection::kNotOffered:
      return RefusedChoice(round, seat, choice);
    case round::Rejection::kAlreadyBegun:
    case round::Rejection::kSeatNotNamed:
    case round::Rejection::kAlreadyLeaving:
    case round::Rejection::kNothingHeldBack:
      break;
  }
  MJ_CHECK(false, "a rejection that an Act cannot have");
}

bool AnyoneLeaves(const TableState& state) {
  return std::any_of(state.leaving.begin(), state.leaving.end(),
                     [](const auto& reason) { return reason.has_value(); });
}

// Nobody answers a question about the stakes with a tile.
absl::Status RefuseStakesQuestion(const TableState& state, Seat seat, DecisionRef decision) {
  const StakesAsking* const asked = FindAsking(state, seat, decision);
  if (asked == nullptr) return absl::OkStatus();
  const auto& prompt = state.stakes.prompts[seat];
  if (prompt && prompt->number == asked->number) {
    return Error(Reason::kChoiceNotOffered, "choice: one of a round", {.field = "choice"});
  }
  return Error(Reason::kDecisionStale, {}, {.field = "decision_id"});
}

absl::Status CheckBots(const TableSpec& spec) {
  if (std::none_of(spec.bots.begin(), spec.bots.end(), [](bool bot) { return bot; })) {
    return absl::OkStatus();
  }
  if (spec.currency != Currency::kPractice) {
    return Error(Reason::kBotsForPracticeOnly, "bots: coins are played for", {.field = "bots"});
  }
  if (!AnyoneSeated(spec)) {
    return Error(Reason::kBotsForPracticeOnly, "bots: no player beside them", {.field = "bots"});
  }
  return absl::OkStatus();
}

// Behind the end of a void round: whoever said in it that it leaves, and the table with the last.
void LeaveAfter(const TableState& state, Events& events) {
  for (Seat seat : rules::kSeats) {
    if (!state.leaving[seat] || state.seats[seat].player.empty()) continue;
    events.emplace_back(SeatLeft{seat, state.seats[seat].player, *state.leaving[seat]});
  }
  CloseWithTheLast(state, events);
}

// A fifth is told whether there is something to see instead (COM-13).
absl::Status TableFull(const TableState& state) {
  const bool watchable = state.spec.settings.watchable != 0;
  return Error(Reason::kTableFull, {}, {.metadata = {{"watchable", watchable ? "true" : "false"}}});
}

}  // namespace

absl::StatusOr<Seat> SeatedAt(const TableState& state, const PlayerId& player) {
  if (state.closed) return Error(Reason::kTableClosed);
  const std::optional<Seat> seat = state.SeatOf(player);
  if (!seat || state.leaving[*seat]) return Error(Reason::kNotSeated);
  return *seat;
}

absl::StatusOr<Seat> OpenSeat(const TableState& state, const Asker& who) {
  const std::optional<Seat> seat = state.SeatOf(who.player);
  if (!seat) return Error(Reason::kNotSeated);
  const std::optional<audit::Digest>& wanted = state.token_hashes[*seat];
  if (!wanted) return *seat;
  const audit::Digest given = audit::Sha256(who.token);
  // All of it is looked at, whichever byte is the first to differ.
  unsigned differing = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    differing |= static_cast<unsigned>(given[i] ^ (*wanted)[i]);
  }
  if (differing == 0) return *seat;
  return Error(Reason::kBadJoinToken, {}, {.field = "join_token"});
}

absl::StatusOr<const rules::Variant*> FindGame(const std::string& variant) {
  const rules::Variant* const game = variants::Find(variant);
  if (game != nullptr) return game;
  return Error(Reason::kUnknownVariant, Cat("variant: got ", variant), {.field = "variant"});
}

absl::StatusOr<TableSpec> CheckSpec(TableSpec asked) {
  MJ_ASSIGN_OR_RETURN(const rules::Variant* const variant, FindGame(asked.variant));
  const auto options = rules::ParseOptions(variant->options(), asked.options);
  if (const auto* refusal = std::get_if<rules::OptionRefusal>(&options)) {
    return OptionError(*refusal);
  }
  MJ_RETURN_IF_ERROR(CheckBase(asked, variant->info()));
  MJ_RETURN_IF_ERROR(CheckPlayers(asked));
  MJ_RETURN_IF_ERROR(CheckBots(asked));
  asked.options = rules::ToTexts(variant->options(), std::get<rules::Options>(options),
                                 /*all=*/true);
  return asked;
}

void SeatBots(const TableId& table, TableSpec& spec) {
  for (Seat seat : rules::kSeats) {
    if (spec.bots[seat]) spec.players[seat] = BotIdOf(table, seat);
  }
}

void CloseWithTheLast(const TableState& state, Events& events) {
  PerSeat<bool> stays;
  for (Seat seat : rules::kSeats) stays[seat] = !state.seats[seat].player.empty();
  for (const TableEvent& event : events) {
    if (const auto* left = std::get_if<SeatLeft>(&event)) stays[left->seat] = false;
  }
  for (Seat seat : rules::kSeats) {
    if (stays[seat] && !state.seats[seat].bot) return;
  }
  for (Seat seat : rules::kSeats) {
    if (stays[seat]) events.emplace_back(SeatLeft{seat, state.seats[seat].player});
  }
  events.emplace_back(TableEnded{});
}

absl::StatusOr<Events> DecideJoin(const TableState& state, const PlayerId& player,
                                  std::optional<Seat> seat,
                                  const std::optional<audit::Digest>& token_hash) {
  if (state.closed || state.orders.closes) return Error(Reason::kTableClosed);
  if (const auto own = state.SeatOf(player)) {
    if (state.leaving[*own]) return TableFull(state);
    if (seat && seat != own) {
      return Error(Reason::kSeatTaken, "seat: the player sits at another one", {.field = "seat"});
    }
    return Events{};
  }
  const auto free = std::find_if(rules::kSeats.begin(), rules::kSeats.end(),
                                 [&state](Seat s) { return state.seats[s].player.empty(); });
  if (free == rules::kSeats.end()) return TableFull(state);
  if (seat && !state.seats[*seat].player.empty()) {
    return Error(Reason::kSeatTaken, {}, {.field = "seat"});
  }
  return Events{SeatTaken{seat.value_or(*free), player, token_hash}};
}

absl::StatusOr<Events> DecideReady(const TableState& state, const PlayerId& player,
                                   int round_number,
                                   const std::optional<fairness::Digest>& nonce_hash) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatedAt(state, player));
  const int next = state.rounds_begun + 1;
  if (round_number != 0 && round_number < next) return Events{};
  if (state.stage() != TableStage::kWaiting || round_number > next) {
    return Error(
        Reason::kRoundInProgress,
        Cat("round_number: got ", std::to_string(round_number), ", next is ", std::to_string(next)),
        {.field = "round_number"});
  }
  if (state.seats[seat].ready) return Events{};
  return Events{SeatReadied{seat, next, nonce_hash}};
}

Reveal DecideReveal(const TableState& state, const PlayerId& player, int round_number,
                    const fairness::Bytes& nonce) {
  const absl::StatusOr<Seat> seat = SeatedAt(state, player);
  if (!seat.ok()) return {seat.status()};
  if (!state.round || state.round->begun.players[*seat] != player ||
      round_number > state.round->begun.number) {
    return {Error(Reason::kRoundNotInProgress, {}, {.field = "round_number"})};
  }
  const Round& round = *state.round;
  if (round_number < round.begun.number) {
    return {Error(Reason::kNonceTooLate, {}, {.field = "round_number"})};
  }
  const auto& hash = round.begun.nonce_hashes[*seat];
  if (!hash) return {Error(Reason::kNonceNotCommitted)};
  const bool counts = fairness::CheckNonce({hash, nonce}) == fairness::NonceOutcome::kRevealed;
  const bool again =
      counts && fairness::CheckNonce(round.nonce(*seat)) == fairness::NonceOutcome::kRevealed;
  if (again) return {absl::OkStatus()};
  if (round.deal) return {Error(Reason::kNonceTooLate)};
  if (counts) return {absl::OkStatus(), {NonceRevealed{*seat, nonce}}};
  Reveal reveal{Error(Reason::kBadNonce, {}, {.field = "nonce"})};
  if (!round.reveals[*seat]) {
    fairness::Bytes kept = nonce;
    kept.resize(std::min(kept.size(), fairness::kNonceBytesMax + 1));
    reveal.events.emplace_back(NonceRevealed{*seat, std::move(kept)});
  }
  return reveal;
}

absl::StatusOr<Events> DecideAct(const TableState& state, const PlayerId& player,
                                 DecisionRef decision, const round::Choice& choice, WallTime now) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatedAt(state, player));
  MJ_RETURN_IF_ERROR(RefuseStakesQuestion(state, seat, decision));
  if (!state.round || state.round->begun.players[seat] != player) {
    return Error(Reason::kRoundNotInProgress);
  }
  const Round& round = *state.round;
  const DecisionRef number = decision >> 32U;
  if (number != static_cast<DecisionRef>(round.begun.number)) {
    if (!round.live() || round.play.over()) return Error(Reason::kRoundNotInProgress);
    const bool earlier = number != 0 && number < static_cast<DecisionRef>(round.begun.number);
    return Error(earlier ? Reason::kDecisionStale : Reason::kDecisionNotOffered, {},
                 {.field = "decision_id"});
  }
  const auto id = static_cast<round::DecisionId>(decision & 0xffff'ffffU);
  if (round.Answered(seat, id, choice)) return Events{};
  if (!round.deal) return Error(Reason::kRoundNotInProgress);
  round::Decision decided = round::Decide(*round.setup, round.play, round::Act{seat, id, choice});
  if (const auto* rejection = std::get_if<round::Rejection>(&decided)) {
    MJ_RETURN_IF_ERROR(RejectionError(round, seat, choice, *rejection));
    return Events{};
  }
  Events events = Played(state, std::get<std::vector<round::Event>>(std::move(decided)), now);
  if (state.seats[seat].auto_play) events.insert(events.begin(), AutoPlaySet{seat, false});
  return events;
}

absl::StatusOr<Events> DecideTakeOver(const TableState& state, const PlayerId& player) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatedAt(state, player));
  if (state.stage() != TableStage::kPlaying) return Error(Reason::kRoundNotInProgress);
  if (!state.seats[seat].auto_play) return Events{};
  return Events{AutoPlaySet{seat, false}};
}

absl::StatusOr<Events> DecideShowHand(const TableState& state, const PlayerId& player, bool show) {
  if (state.closed) return Error(Reason::kTableClosed);
  const std::optional<Seat> seat = state.SeatOf(player);
  // One that is about to leave may still take it back.
  if (!seat || (show && state.leaving[*seat])) return Error(Reason::kNotSeated);
  if (show && state.spec.settings.watchable == 0) return Error(Reason::kTableNotWatchable);
  if (state.hand_shown[*seat].has_value() == show) return Events{};
  return Events{HandShown{*seat, player, show}};
}

absl::StatusOr<Events> DecideLeave(const TableState& state, const PlayerId& player,
                                   LeaveReason reason, WallTime now) {
  if (state.closed) return Error(Reason::kTableClosed);
  const std::optional<Seat> seat = state.SeatOf(player);
  if (!seat) return Error(Reason::kNotSeated);
  if (state.stage() == TableStage::kPlaying) return Depart(state, *seat, reason, now);
  // Of a void round that the wallet has yet to close: it goes then.
  if (state.to_void() && state.leaving[*seat]) return Events{};
  return LeaveTable(state, *seat, reason);
}

Events LeaveTable(const TableState& state, Seat seat, LeaveReason reason) {
  Events events{SeatLeft{seat, state.seats[seat].player, reason}};
  if (state.stage() == TableStage::kWaiting) CloseWithTheLast(state, events);
  return events;
}

Events AskToPlayOn(const TableState& state) {
  MJ_CHECK(NextStepOf(state) == NextStep::kAsk);
  return {QuestionAsked{state.rounds_begun + 1}};
}

Events BeginRound(const TableState& state, const RoundId& round, const fairness::Seed& seed) {
  MJ_CHECK(state.all_ready() && state.stage() == TableStage::kWaiting);
  RoundBegun begun;
  begun.round = round;
  begun.number = state.rounds_begun + 1;
  begun.rulebook_version = rules::RulebookVersion(*state.variant);
  begun.base = state.base;
  for (Seat seat : rules::kSeats) {
    begun.players[seat] = state.seats[seat].player;
    begun.bots[seat] = state.seats[seat].bot;
  }
  begun.seed = seed;
  begun.nonce_hashes = state.nonce_hashes;
  return {std::move(begun)};
}

Events DrawDeal(const TableState& state) {
  MJ_CHECK(state.to_draw());
  const Round& round = *state.round;
  DealDrawn deal;
  fairness::RoundContext context;
  for (Seat seat : rules::kSeats) {
    const fairness::NonceRecord nonce = round.nonce(seat);
    deal.nonces[seat] = {nonce.reveal, fairness::CheckNonce(nonce)};
    context.nonces[static_cast<std::size_t>(seat)] = fairness::EffectiveNonce(nonce);
  }
  context.round_id = round.begun.round.value();
  context.variant = state.spec.variant;
  context.options = rules::ToTexts(state.variant->options(), state.options, /*all=*/true);
  const fairness::Digest digest = fairness::ContextDigest(context);
  const fairness::Seed& seed = round.begun.seed;

  const rules::PlayRules play = state.variant->play(state.options);
  deal.wall = fairness::ShuffleWall(play.wall, digest, seed);
  const fairness::Dice dice = fairness::RollDice(digest, seed);
  deal.dice = {static_cast<std::uint8_t>(dice.first), static_cast<std::uint8_t>(dice.second)};
  deal.anew = !state.next;
  if (state.next) {
    deal.dealer = state.next->dealer;
    deal.round_wind = state.next->round_wind;
    deal.seat_winds = state.next->seat_winds;
  } else if (play.winds) {
    deal.seat_winds = PerSeat<Tile>(fairness::DrawWinds(digest, seed));
    deal.round_wind = tiles::kEast;
    for (Seat seat : rules::kSeats) {
      if ((*deal.seat_winds)[seat] == tiles::kEast) deal.dealer = seat;
    }
  } else {
    deal.dealer = static_cast<Seat>(fairness::DrawDealer(digest, seed));
  }
  return {std::move(deal)};
}

Events OpenPlay(const TableState& state) {
  MJ_CHECK(NextStepOf(state) == NextStep::kOpenPlay);
  return Command(state, round::Begin{}, WallTime{});  // no pause follows a deal
}

Events LeaveNow(const TableState& state, WallTime now) {
  MJ_CHECK(NextStepOf(state) == NextStep::kEscape);
  for (Seat seat : rules::kSeats) {
    if (state.leaving[seat]) {
      return Command(state, round::Void{round::VoidReason::kEscape, seat}, now);
    }
  }
  return {};
}

Events DropRound(const TableState& state) {
  MJ_CHECK(NextStepOf(state) == NextStep::kOpenPlay);
  Events events{RoundVoided{VoidReason::kRefused, {}, {}}};
  LeaveAfter(state, events);
  return events;
}

Events Unseat(const TableState& state, const std::vector<Unseated>& players) {
  // While the wallet was asked they, or all four, may have left.
  if (state.stage() != TableStage::kWaiting) return {};
  Events events;
  for (const auto& [seat, player, reason, why] : players) {
    if (state.seats[seat].player != player) continue;
    events.emplace_back(SeatLeft{seat, player, reason, why});
  }
  if (!events.empty()) CloseWithTheLast(state, events);
  return events;
}

Events PostRound(const TableState& state, RoundPosted posted) {
  MJ_CHECK(NextStepOf(state) == NextStep::kSettle);
  Events events{std::move(posted)};
  CloseWithTheLast(state, events);
  return events;
}

Events VoidRound(const TableState& state, std::optional<PenaltyPosted> penalty) {
  MJ_CHECK(NextStepOf(state) == NextStep::kVoid);
  const TableState::VoidCause cause = *state.to_void();
  Events events{RoundVoided{cause.reason, cause.escaped, std::move(penalty)}};
  LeaveAfter(state, events);
  return events;
}

NextStep NextStepOf(const TableState& state) {
  switch (state.stage()) {
    case TableStage::kClosed:
      return NextStep::kNothing;
    case TableStage::kWaiting:
      if (HasToDismiss(state)) return NextStep::kDismiss;
      if (WantsProposal(state)) return NextStep::kAskForStakes;
      if (WantsConsent(state)) return NextStep::kAskConsent;
      if (!StakesSettled(state)) return NextStep::kNothing;
      if (state.all_ready()) return NextStep::kBeginRound;
      return state.all_seated() && !state.question_due ? NextStep::kAsk : NextStep::kNothing;
    case TableStage::kPlaying:
      if (state.to_draw()) {
        const bool waits = std::any_of(rules::kSeats.begin(), rules::kSeats.end(),
                                       [&state](Seat seat) { return state.WaitsForNonce(seat); });
        return waits ? NextStep::kNothing : NextStep::kDrawDeal;
      }
      if (std::holds_alternative<round::NotBegun>(state.round->play.phase)) {
        return NextStep::kOpenPlay;
      }
      if (AnyoneLeaves(state) && !state.round->play.leaving) return NextStep::kEscape;
      return state.orders.voids ? NextStep::kEndByOperator : NextStep::kNothing;
    case TableStage::kSettling:
      if (state.to_void()) return NextStep::kVoid;
      return state.round->scored ? NextStep::kSettle : NextStep::kScore;
  }
  return NextStep::kNothing;
}

ScoreQuestion ScoreQuestionOf(const TableState& state) {
  const Round& round = *state.round;
  ScoreQuestion question;
  question.variant = state.spec.variant;
  question.options = rules::ToTexts(state.variant->options(), state.options, /*all=*/false);
  question.base = round.begun.base;
  question.rulebook_version = round.begun.rulebook_version;
  const auto finished = round::Finished(round.play);
  MJ_CHECK(finished.has_value(), "a void round has no score");
  question.round = *finished;
  return question;
}

Beginning BeginningOf(const TableState& state) {
  MJ_CHECK(NextStepOf(state) == NextStep::kOpenPlay);
  const RoundBegun& begun = state.round->begun;
  return {.round = begun.round,
          .table = state.id,
          .variant = state.spec.variant,
          .rulebook_version = begun.rulebook_version,
          .base = begun.base,
          .currency = state.spec.currency,
          .players = begun.players};
}

Voiding VoidingOf(const TableState& state) {
  MJ_CHECK(NextStepOf(state) == NextStep::kVoid);
  const TableState::VoidCause cause = *state.to_void();
  return {state.round->begun.round, cause.reason, cause.escaped};
}

Settlement SettlementOf(const TableState& state) {
  const Round& round = *state.round;
  MJ_CHECK(round.scored.has_value());
  return {.round = round.begun.round,
          .table = state.id,
          .variant = state.spec.variant,
          .rulebook_version = round.begun.rulebook_version,
          .base = round.begun.base,
          .currency = state.spec.currency,
          .players = round.begun.players,
          .transfers = round.scored->transfers};
}

}  // namespace mj::table
