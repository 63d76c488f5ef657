// The audit trail of what operators did to accounts: read only. What writes it is Wallet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "services/wallet/app/types.h"

namespace mj::wallet {

enum class TrailKind : std::uint8_t { kFreeze, kUnfreeze, kCloseAccount, kAdjust, kReverse };

// Where a line stands: later ones are greater.
struct TrailPlace {
  base::WallTime time{};        // of writing, by the store's clock
  std::int64_t source = 0;      // 0: an account event, 1: a journal row
  std::int64_t number = 0;      // of it
  std::int64_t account_no = 0;  // the store's
  auto operator<=>(const TrailPlace&) const = default;
};

struct TrailLine {
  TrailPlace place;
  TrailKind kind = TrailKind::kFreeze;
  AccountKey account;
  std::string requested_by;
  std::string approved_by;  // kAdjust and kReverse
  std::string reason;
  std::int64_t journal_no = 0;  // kAdjust and kReverse; else 0
  std::int64_t coins = 0;       // kAdjust and kReverse: that the account was given
  bool operator==(const TrailLine&) const = default;
};

// Empty: whatever.
struct TrailFilter {
  std::string account_id = {};
  std::string who = {};  // asked for it, or approved
};

// The port to where it is. Blocks. Thread-safe. Failures are as LedgerStore's.
class Trail {
 public:
  virtual ~Trail() = default;
  // The newest first, at most `limit`, before `before` (nullopt: from the newest).
  virtual absl::StatusOr<std::vector<TrailLine>> List(const TrailFilter& filter,
                                                      const std::optional<TrailPlace>& before,
                                                      std::int64_t limit,
                                                      base::MonotonicTime deadline) = 0;
};

struct TrailPage {
  std::vector<TrailLine> lines;
  std::string next;  // empty: this is the last
};
// One page. Blocks. BAD_ID, BAD_PAGE_SIZE (0 is 20, at most 100), BAD_PAGE_TOKEN.
[[nodiscard]] absl::StatusOr<TrailPage> ListTrail(Trail& trail, const TrailFilter& filter,
                                                  std::int64_t page_size, std::string_view token,
                                                  base::MonotonicTime deadline);

}  // namespace mj::wallet
