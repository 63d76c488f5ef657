// The lobby: which tables are open, page by page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/rules/variant.h"
#include "services/table/app/model.h"

namespace mj::table {

// Which tables to list.
struct LobbyFilter {
  std::string variant;
  Currency currency = Currency::kCoin;
  Coins room = 0;           // of this room; 0: of every room, and those that have none yet
  bool free_seats = false;  // only where somebody can sit down
};

// A table as the lobby shows it.
struct LobbyTable {
  TableId id;
  OptionTexts options;  // every option of the game
  Coins base = 0;       // as it stands; 0: not found yet
  Coins room = 0;  // whoever sits down needs enough for the room of this base; 0: for the least
  TableStage stage = TableStage::kWaiting;
  bool watchable = true;      // whoever finds no seat may watch (COM-13)
  PerSeat<PlayerId> players;  // empty: a free seat
  bool operator==(const LobbyTable&) const = default;
};

// The port to where that is known, of every process's tables. Calls block. Thread-safe.
class Lobby {
 public:
  virtual ~Lobby() = default;
  // At most `limit` open tables with ids after `after` (empty: from the first), by id: the oldest
  // first. Fails with what may pass.
  virtual absl::StatusOr<std::vector<LobbyTable>> List(const LobbyFilter& filter,
                                                       const TableId& after,
                                                       std::int64_t limit) = 0;
};

// One page. Blocks. UNKNOWN_VARIANT, BAD_BASE, BAD_PAGE_SIZE (0 is kPageDefault), BAD_PAGE_TOKEN (of
// another filter, too).
inline constexpr std::int64_t kPageDefault = 20;
inline constexpr std::int64_t kPageMax = 100;
struct LobbyPage {
  std::vector<LobbyTable> tables;  // with the options that differ from the game's defaults
  std::string next;                // the token of the page after it; empty: this is the last
};
[[nodiscard]] absl::StatusOr<LobbyPage> ListTables(Lobby& lobby, const LobbyFilter& filter,
                                                   std::int64_t page_size, std::string_view token);

// Of every option of a game those that differ from its defaults; of another program's rules all.
[[nodiscard]] OptionTexts DifferingOptions(const rules::Variant& game, const OptionTexts& all);

}  // namespace mj::table
