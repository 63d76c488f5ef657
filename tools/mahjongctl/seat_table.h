// A table as one of its players sees it: what that seat's stream adds up to. No clock, no network.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/clock.h"
#include "libs/narration/narrator.h"
#include "libs/round/follow.h"
#include "libs/rules/score.h"
#include "mahjong/table/v1/table_event.pb.h"

namespace mj::mahjongctl {

// What the seat is asked for in a round.
struct AskedNow {
  std::uint64_t decision = 0;
  round::Offer offer;
  std::int64_t win_coins = 0;             // what the win that is offered would bring, if one is
  std::vector<std::string> win_patterns;  // ids
  std::optional<base::WallTime> deadline;
};

// Whether it plays the next round.
struct AskedToPlayOn {
  std::uint32_t round = 0;
  std::optional<base::WallTime> deadline;
};

// What a round came to.
struct Result {
  std::vector<narration::Sentence> lines;  // who won and how, the receipt, what was paid
  std::vector<narration::Sentence> hands;  // what each held at the end
  bool settled = false;                    // what it paid is known
};

// One wait, in coins for the winner in all; 0: no win that way.
struct ShownWait {
  tiles::Tile tile;
  int unseen = 0;
  std::int64_t self_drawn = 0;
  std::int64_t on_discard = 0;
};
// What a hand waits for, or what it would after a throw.
struct Waits {
  std::optional<tiles::Tile> thrown;
  std::vector<ShownWait> tiles;
};

// Not thread-safe.
class SeatTable {
 public:
  // The next event. False for what no server sends; then nothing more should be read.
  [[nodiscard]] bool Take(const ::mahjong::table::v1::TableEvent& event, base::WallTime received);

  [[nodiscard]] bool formed() const { return game_ != nullptr; }
  [[nodiscard]] const rules::Variant& game() const { return *game_; }
  [[nodiscard]] const std::string& table_id() const { return table_id_; }
  [[nodiscard]] rules::Seat own() const { return own_; }
  [[nodiscard]] const narration::Narrator& narrator() const { return *narrator_; }
  [[nodiscard]] std::int64_t base() const { return base_; }
  [[nodiscard]] std::uint32_t round() const { return round_; }  // the present or latest; 0: none
  // Whether tiles lie on the table: from the deal until the next round begins.
  [[nodiscard]] bool dealt() const { return dealt_; }
  [[nodiscard]] const round::SeatView& view() const { return follower_->view(); }
  [[nodiscard]] std::int64_t net(rules::Seat seat) const { return net_[seat]; }
  [[nodiscard]] bool auto_play(rules::Seat seat) const { return auto_play_[seat]; }
  [[nodiscard]] const std::optional<AskedNow>& asked() const { return asked_; }
  [[nodiscard]] const std::optional<AskedToPlayOn>& play_on() const { return play_on_; }
  [[nodiscard]] const std::optional<Result>& result() const { return result_; }
  // What happened, the latest last; at most kTold.
  [[nodiscard]] const std::deque<narration::Sentence>& told() const { return told_; }
  // Why nothing more will happen; absent while it may.
  [[nodiscard]] const std::optional<narration::Sentence>& over() const { return over_; }

  // How much of the time until `deadline` is left at `now`, by the server's clock as far as its events
  // tell; never negative.
  [[nodiscard]] std::chrono::seconds Left(base::WallTime deadline, base::WallTime now) const;

  // Nothing when there is no wait, or no hand.
  [[nodiscard]] std::vector<Waits> WaitsNow() const;

  // The answer was sent: it is not asked any more.
  void Answered() { asked_.reset(); }
  void SaidReady() { play_on_.reset(); }

  static constexpr std::size_t kTold = 16;

 private:
  using TableEvent = ::mahjong::table::v1::TableEvent;

  bool Form(const ::mahjong::table::v1::TableFormed& formed);
  bool Adopt(const google::protobuf::Map<std::string, std::string>& options);
  bool Play(const TableEvent& event);
  void Ask(const ::mahjong::table::v1::Decision& decision);
  bool End(const ::mahjong::table::v1::RoundEnded& ended);
  void Settle(const ::mahjong::table::v1::RoundSettled& settled);
  void Drop(const ::mahjong::table::v1::RoundVoid& dropped);
  void Tell(narration::Sentence sentence);
  void Pay(const google::protobuf::RepeatedPtrField<::mahjong::table::v1::SeatResult>& seats);
  void AskToPlayOn(std::uint32_t round, std::optional<base::WallTime> deadline);
  std::int64_t Coins(rules::Units units) const;
  std::vector<ShownWait> WaitsOf(const rules::Hand& hand) const;

  const rules::Variant* game_ = nullptr;
  rules::Options options_;
  rules::Seat own_ = rules::Seat::k0;
  std::string table_id_;
  std::optional<narration::Narrator> narrator_;
  std::optional<round::Follower> follower_;
  std::int64_t base_ = 0;
  std::uint32_t round_ = 0;
  bool dealt_ = false;
  rules::PerSeat<std::int64_t> net_;  // since it sat down
  rules::PerSeat<bool> auto_play_;
  std::optional<AskedNow> asked_;
  std::optional<AskedToPlayOn> play_on_;
  std::optional<Result> result_;
  std::deque<narration::Sentence> told_;
  std::optional<narration::Sentence> over_;
  std::optional<std::chrono::microseconds> ahead_;  // by how much our clock is, at most
};

// Who won what with which tile, a sentence a win; that nobody did. Nothing for what no server sends.
[[nodiscard]] std::optional<std::vector<narration::Sentence>> TellEnd(
    const narration::Narrator& narrator, const ::mahjong::table::v1::RoundEnded& ended);

}  // namespace mj::mahjongctl
