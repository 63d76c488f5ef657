// A table service and a wallet for tests, with the faults that a network has.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "services/matchmaking/app/feeds.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

// What happens to a call on its way.
enum class Fault : std::uint8_t {
  kNone,
  kLostOnTheWay,  // it never arrives; the caller cannot tell
  kAnswerLost,    // it is carried out; the caller cannot tell
};

// Tables as the table service keeps them: one for each match, a player at one table at a time.
// Thread-safe.
class FakeTables final : public Tables {
 public:
  // `until` is not looked at: nothing takes time here.
  absl::StatusOr<TablePlace> CreateTable(const Match& match, base::MonotonicTime until) override;
  absl::StatusOr<TablePlace> JoinTable(const Match& match, base::MonotonicTime until) override;
  absl::StatusOr<TableNow> GetTable(const TablePlace& place) override;
  absl::StatusOr<TableNow> GetTableFor(const LiveSeat& seat) override;
  absl::Status LeaveTable(const TablePlace& place, const PlayerId& player) override;

  // Decides the fate of each call from now on; nothing means no faults.
  void SetFaults(std::function<Fault()> next);
  // From now on CreateTable answers this instead of making a new table, and JoinTable instead of seating
  // somebody, until it is OK.
  void Refuse(absl::Status refusal);

  // As players do it, without matchmaking.
  void Leave(const TableId& table, const PlayerId& player);
  void Play(const TableId& table, const std::string& round_id);  // empty: between rounds
  // Waits for the player until then.
  void Ask(const TableId& table, const PlayerId& player, base::WallTime until);
  void Move(const TableId& table, const std::string& address);  // to another process
  void Close(const TableId& table);
  void Forget(const TableId& table);                         // as if it had never been
  TableId Occupy(const PlayerId& player);                    // a table of its own
  [[nodiscard]] std::map<PlayerId, TableId> Seated() const;  // everybody who sits somewhere
  [[nodiscard]] std::size_t tables_made() const;
  // Who came and left, as the feed of seats tells it, after so many changes.
  [[nodiscard]] std::vector<SeatChange> ChangesAfter(std::size_t changes) const;

 private:
  struct Table {
    MatchId match;                   // for which it was made
    std::map<PlayerId, int> seated;  // and where
    bool closed = false;
    std::string address = "127.0.0.1:7000";
    std::string round_id;
    std::map<PlayerId, std::string> tokens;
    std::map<PlayerId, base::WallTime> deadlines;
  };
  absl::StatusOr<TableNow> Look(const TableId& id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Tells how the table stands, and who left it.
  void Tell(const TableId& id, const std::vector<PlayerId>& left)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Fault NextFault() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable base::Mutex mutex_;
  std::function<Fault()> faults_ ABSL_GUARDED_BY(mutex_);
  absl::Status refusal_ ABSL_GUARDED_BY(mutex_);
  std::map<MatchId, TableId> by_match_ ABSL_GUARDED_BY(mutex_);
  std::map<TableId, Table> tables_ ABSL_GUARDED_BY(mutex_);
  std::vector<SeatChange> changes_ ABSL_GUARDED_BY(mutex_);
  std::map<PlayerId, TableId> seats_ ABSL_GUARDED_BY(mutex_);
};

// Tiers by balance, as CZ-70: base 10 from 160 coins on, ten times the base from ten times the
// coins on, up to 10,000. Who has no balance set has no account. Thread-safe.
class FakeWallet final : public Wallet {
 public:
  absl::StatusOr<std::int64_t> OpenTier(const PlayerId& player, std::string_view variant,
                                        std::string_view currency,
                                        std::int64_t asked_base) override;
  void SetBalance(const PlayerId& player, std::int64_t coins);
  void SetFailure(absl::Status failure);
  [[nodiscard]] int calls() const;

 private:
  mutable base::Mutex mutex_;
  std::map<PlayerId, std::int64_t> balances_ ABSL_GUARDED_BY(mutex_);
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  int calls_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace mj::matchmaking
