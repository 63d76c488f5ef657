#include "services/table/app/settings.h"

#include <algorithm>
#include <array>

#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "libs/bots/strength.h"

namespace mj::table {
namespace {

constexpr std::array kRows = {
    SettingRow{"act_ms", &TableSettings::act_ms, 50, 120'000},
    SettingRow{"claim_ms", &TableSettings::claim_ms, 50, 60'000},
    SettingRow{"overruns", &TableSettings::overruns, 1, 10},
    SettingRow{"auto_play_ms", &TableSettings::auto_play_ms, 0, 5'000},
    SettingRow{"claim_pause_ms", &TableSettings::claim_pause_ms, 0, 5'000},
    SettingRow{"question_ms", &TableSettings::question_ms, 50, 120'000},
    SettingRow{"reveal_ms", &TableSettings::reveal_ms, 50, 10'000},
    SettingRow{"away_ms", &TableSettings::away_ms, 1'000, 600'000},
    SettingRow{"all_away_ms", &TableSettings::all_away_ms, 1'000, 3'600'000},
    SettingRow{"watchable", &TableSettings::watchable, 0, 1},
    SettingRow{"watch_delay_ms", &TableSettings::watch_delay_ms, 0, 300'000},
    SettingRow{"empty_ms", &TableSettings::empty_ms, 1'000, 86'400'000},
    SettingRow{"bot_think_ms", &TableSettings::bot_think_ms, 0, 10'000},
    SettingRow{"bot_strength", &TableSettings::bot_strength, 1, bots::kStrengths.size()},
};

}  // namespace

std::span<const SettingRow> SettingRows() { return kRows; }

absl::StatusOr<TableSettings> WithSettings(TableSettings base, const SettingValues& given) {
  for (const auto& [name, value] : given) {
    const auto row = std::find_if(kRows.begin(), kRows.end(),
                                  [&name = name](const SettingRow& r) { return r.name == name; });
    if (row == kRows.end()) {
      return base::Error(base::Reason::kUnknownOption, base::Cat("settings: ", name),
                         {.field = "settings", .metadata = {{"option", name}}});
    }
    if (value < row->min || value > row->max) {
      return base::Error(base::Reason::kOptionOutOfRange,
                         base::Cat("settings: ", name, " got ", std::to_string(value), ", want ",
                                   std::to_string(row->min), " to ", std::to_string(row->max)),
                         {.field = "settings", .metadata = {{"option", name}}});
    }
    base.*(row->value) = value;
  }
  return base;
}

SettingValues ToValues(const TableSettings& settings) {
  SettingValues values;
  for (const SettingRow& row : kRows) values[std::string(row.name)] = settings.*(row.value);
  return values;
}

SettingValues Differing(const TableSettings& settings) {
  SettingValues values;
  for (const SettingRow& row : kRows) {
    if (settings.*(row.value) == TableSettings{}.*(row.value)) continue;
    values[std::string(row.name)] = settings.*(row.value);
  }
  return values;
}

}  // namespace mj::table
