// A table as text, for somebody who watches it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libs/rules/variant.h"
#include "mahjong/table/v1/watched_event.pb.h"

namespace mj::player {

namespace table = ::mahjong::table::v1;

// What the events add up to. Bad or unknown values of a newer server are shown as "?". Not
// thread-safe.
class Board {
 public:
  // Watched from `seat`, 0 to 3.
  explicit Board(std::uint32_t seat) : seat_(seat) {}

  // The next event. What it says in one line without its end.
  std::string Take(const table::WatchedEvent& event);

  // The table as it stands, in lines of at most 100 columns.
  [[nodiscard]] std::string Picture() const;

 private:
  struct Chair {
    std::string player;  // empty: nobody
    bool ready = false;
    bool auto_play = false;
    int concealed = 0;
    std::vector<std::string> melds;
    std::vector<std::string> river;  // a tile that was called is taken away again
  };

  std::string On(const table::TableMade& event);
  std::string On(const table::PlayerJoined& event);
  std::string On(const table::SeatReady& event);
  std::string On(const table::PlayOnAsked& event);
  std::string On(const table::WatchedAutoPlay& event);
  std::string On(const table::WatchedRound& event);
  std::string On(const table::DealDrawn& event);
  std::string On(const table::DiceRolled& event);
  std::string On(const table::HandsDealt& event);
  std::string On(const table::IndicatorTurned& event);
  std::string On(const table::TileTaken& event);
  std::string On(const table::TileDiscarded& event);
  std::string On(const table::MeldCalled& event);
  std::string On(const table::KongDeclared& event);
  std::string On(const table::KongMade& event);
  std::string On(const table::HorsesTurned& event);
  std::string On(const table::RoundEnded& event);
  std::string On(const table::RoundSettled& event);
  std::string On(const table::RoundVoid& event);
  std::string On(const table::PlayerLeft& event);
  std::string On(const table::TableClosed& event);
  std::string OnAny(const table::WatchedEvent& event);

  void Read(const table::Table& table);
  Chair& At(std::uint32_t seat) { return chairs_[seat % chairs_.size()]; }
  [[nodiscard]] std::string Who(std::uint32_t seat) const;
  [[nodiscard]] std::string_view NameOf(rules::MeldKind kind) const;
  [[nodiscard]] std::string_view BaseZh() const;
  [[nodiscard]] std::string HowWon(::mahjong::common::v1::WinMethod how) const;

  const std::uint32_t seat_;
  std::string table_id_;
  std::string variant_;
  const rules::Variant* game_ = nullptr;  // null: one that this program does not have
  std::int64_t base_ = 0;
  std::uint32_t round_ = 0;
  bool playing_ = false;
  std::optional<std::uint32_t> dealer_;  // none while the deal is not drawn
  std::optional<std::uint32_t> actor_;
  std::uint32_t wall_left_ = 0;
  std::string wild_;
  std::string hand_;  // of seat_, when it is lent
  std::array<Chair, 4> chairs_;
};

}  // namespace mj::player
