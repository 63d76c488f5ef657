#include "services/table/app/bot_player.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "libs/base/check.h"
#include "libs/bots/mix.h"
#include "libs/variants/registry.h"
#include "services/table/app/decide.h"

namespace mj::table {
namespace {

// FNV-1a: equal inputs, equal outputs, in every process.
std::uint64_t HashOf(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

const rules::Variant& GameOf(const TableInfo& table) {
  const rules::Variant* const game = variants::Find(table.variant);
  MJ_CHECK(game != nullptr, "a table of a game that does not exist");
  return *game;
}

TableSettings SettingsOf(const TableInfo& table) {
  const auto settings = WithSettings(TableSettings{}, table.settings);
  MJ_CHECK(settings.ok(), "a table with settings that do not exist");
  return *settings;
}

void Sooner(std::optional<WallTime>& first, std::optional<WallTime> other) {
  if (other && (!first || *other < *first)) first = other;
}

}  // namespace

BotPlayer::BotPlayer(const TableFormed& formed, WallTime now, bots::Distances& distances)
    : seat_(formed.own_seat),
      game_(GameOf(formed.table)),
      distances_(distances),
      seed_(HashOf(formed.table.seats[formed.own_seat].player.value())),
      think_(SettingsOf(formed.table).bot_think_ms),
      strength_(bots::kStrengths.at(
          static_cast<std::size_t>(SettingsOf(formed.table).bot_strength - 1))) {
  Adopt(formed.table.options);
  WantReady(now);
}

// The round that is followed, if one is, is not gone on with: options change between rounds.
void BotPlayer::Adopt(const OptionTexts& options) {
  const auto parsed = rules::ParseOptions(game_.options(), options);
  const auto* values = std::get_if<rules::Options>(&parsed);
  MJ_CHECK(values != nullptr, "a table with options that do not exist");
  play_ = game_.play(*values);
  bot_.emplace(game_, *values, seed_, distances_, strength_);
  follower_.emplace(play_, round::Viewer::Player(seat_));
}

WallTime BotPlayer::After(WallTime now, std::optional<WallTime> due) const {
  constexpr std::uint64_t kSpread = 501;  // thousandths, from 750 to 1250
  const auto thousandths = static_cast<std::int64_t>(750 + bots::Mix(seed_ ^ seen_) % kSpread);
  WallTime at = now + think_ * thousandths / 1000;
  if (due) at = std::min(at, now + (*due - now) / 2);
  return at;
}

void BotPlayer::WantReady(WallTime now, std::optional<WallTime> due) {
  ready_at_ = After(now, due);
}

void BotPlayer::NotReady() {
  ready_ = false;
  ready_at_.reset();
}

void BotPlayer::See(const Shown& shown) {
  seen_ = shown.sequence;
  std::visit([this, &shown](const auto& event) { On(event, shown.time); }, *shown.event);
}

std::optional<WallTime> BotPlayer::next() const {
  std::optional<WallTime> first = ready_at_;
  if (question_) Sooner(first, question_->at);
  if (turn_) Sooner(first, turn_->at);
  return first;
}

BotMove BotPlayer::Move() {
  const std::optional<WallTime> first = next();
  MJ_CHECK(first.has_value());
  if (turn_ && turn_->at == *first) {
    const Turn turn = *std::exchange(turn_, std::nullopt);
    return AnswerTurn{turn.decision, bot_->Choose(follower_->view())};
  }
  if (question_ && question_->at == *first) {
    const Question question = *std::exchange(question_, std::nullopt);
    return AnswerAboutStakes{question.decision, question.answer};
  }
  ready_at_.reset();
  return SayReady{};
}

// --------------------------------------------------------------------------- between rounds

void BotPlayer::On(const SeatReady& event, WallTime /*now*/) {
  if (event.seat != seat_) return;
  ready_ = true;
  ready_at_.reset();
}

void BotPlayer::On(const PlayOnAsked& event, WallTime now) {
  if (!ready_) WantReady(now, event.due);
}

void BotPlayer::On(const StakesWanted& event, WallTime now) {
  NotReady();
  question_.reset();
  if (event.seat != seat_) return;
  question_ = Question{event.decision,
                       After(now, event.due),
                       {StakesAnswer::Kind::kPropose, event.bases.front(), {}}};
}

void BotPlayer::On(const StakesNamed& event, WallTime now) {
  question_.reset();
  Adopt(event.options);
  WantReady(now);
}

void BotPlayer::On(const ConsentWanted& event, WallTime now) {
  question_ = Question{event.decision, After(now, event.due), {StakesAnswer::Kind::kAccept, 0, {}}};
}

void BotPlayer::On(const ConsentGiven& event, WallTime /*now*/) {
  if (event.seat == seat_) question_.reset();
}

void BotPlayer::On(const BaseChanged& /*event*/, WallTime now) {
  NotReady();
  WantReady(now);
}

void BotPlayer::On(const ClockMoved& event, WallTime now) {
  if (turn_ && turn_->decision == event.decision) turn_->at = After(now, event.due);
  if (question_ && question_->decision == event.decision) question_->at = After(now, event.due);
  if (event.decision == 0 && !ready_) WantReady(now, event.due);
}

// ------------------------------------------------------------------------------- in a round

void BotPlayer::On(const RoundOpened& /*event*/, WallTime /*now*/) { NotReady(); }

void BotPlayer::On(const DealOpened& event, WallTime /*now*/) {
  rules::Deal deal;
  deal.dealer = event.dealer;
  deal.round_wind = event.round_wind;
  deal.seat_winds = event.seat_winds;
  follower_->Take(round::RoundBegan{.deal = deal});
}

void BotPlayer::On(const PlayShown& event, WallTime now) {
  follower_->Take(event.event);
  if (const auto* asked = std::get_if<round::YouAreAsked>(&event.event)) {
    turn_ = Turn{RefOf(event.round_number, asked->ask.decision), After(now, event.due)};
  } else if (!follower_->view().ask) {
    turn_.reset();  // answered, or over
  }
}

void BotPlayer::On(const RoundOver& /*event*/, WallTime /*now*/) { turn_.reset(); }

void BotPlayer::On(const RoundPaid& /*event*/, WallTime now) { WantReady(now); }

void BotPlayer::On(const RoundDropped& /*event*/, WallTime now) {
  turn_.reset();
  WantReady(now);
}

}  // namespace mj::table
