// How a table keeps time and who may watch it: what can be set for one table apart from the game's
// options, which are rules.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mj::table {

// Milliseconds, but for `overruns` (times), `watchable` and `bot_strength`. Within the ranges of SettingRows.
struct TableSettings {
  std::int64_t act_ms = 20'000;       // to act on one's turn, and to roll the dice (COM-09)
  std::int64_t claim_ms = 10'000;     // to claim another's tile (D-COM-6)
  std::int64_t overruns = 2;          // of a round, after which the system plays (COM-09)
  std::int64_t auto_play_ms = 1'000;  // for which the system waits before it acts for a seat
  std::int64_t claim_pause_ms = 500;  // that follow every discard, whether it can be claimed or not
  std::int64_t question_ms = 20'000;  // to say whether to play on (COM-14)
  std::int64_t reveal_ms = 2'000;     // to reveal a nonce; nobody who has none is waited for
  std::int64_t away_ms = 180'000;     // without a connection, which is an escape (COM-10)
  std::int64_t all_away_ms = 600'000;   // of all four, which ends the round without one (D-COM-10)
  std::int64_t watchable = 1;           // 1: whoever has no seat may watch; 0: nobody (COM-13)
  std::int64_t watch_delay_ms = 5'000;  // by which whoever watches is told everything later
  std::int64_t empty_ms = 600'000;      // for which an empty table waits for its first player
  std::int64_t bot_think_ms = 1'200;  // for which a bot of the house thinks, a quarter more or less
  std::int64_t bot_strength = 2;      // how well it plays: 1 weak, 2 medium, 3 strong

  bool operator==(const TableSettings&) const = default;
};

// One setting: its name for clients, its value, its range, both ends included.
struct SettingRow {
  std::string_view name;
  std::int64_t TableSettings::* value;
  std::int64_t min;
  std::int64_t max;
};
[[nodiscard]] std::span<const SettingRow> SettingRows();

using SettingValues = std::map<std::string, std::int64_t>;

// `base` with `given` in place of what it has. UNKNOWN_OPTION, OPTION_OUT_OF_RANGE (field:
// settings; metadata: option).
[[nodiscard]] absl::StatusOr<TableSettings> WithSettings(TableSettings base,
                                                         const SettingValues& given);

// Every setting by name; those that differ from the defaults.
[[nodiscard]] SettingValues ToValues(const TableSettings& settings);
[[nodiscard]] SettingValues Differing(const TableSettings& settings);

}  // namespace mj::table
