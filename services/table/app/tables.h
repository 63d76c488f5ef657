// The tables of this process, and the way to each: the table service's use cases.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/base/mutex.h"
#include "services/table/app/table.h"

namespace mj::table {

struct TablesOptions {
  std::size_t tables_max = 20'000;  // held at once; more are refused
  std::chrono::milliseconds load_retry{1'000};
  TableSettings settings;  // of tables that are made without
};

// The rooms of a game, and how its tables come to be in one of them.
struct RoomList {
  std::vector<Room> rooms;  // by base
  rules::BaseFrom base_from = rules::BaseFrom::kCoins;
};

// Thread-safe. A table that this process does not hold is taken, if nobody else holds it (leases.h), and
// its journal is replayed: a table outlives the process that made it. One that is lost (Table) is
// loaded again by itself, since a round may be waiting for its clocks. Calls answer as those of Table,
// and besides them TABLE_NOT_FOUND; TABLE_MOVED, with the address of whoever holds it; OVERLOADED when
// tables_max are held; SHUTTING_DOWN after Stop; INTERNAL for a journal that cannot be read.
class Tables {
 public:
  // Everything in `surroundings` outlives every task of its runners.
  explicit Tables(const Surroundings& surroundings, TablesOptions options = {});
  // Stops.
  ~Tables();
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  // Makes a table. `asked` as CheckSpec wants it. The same request with the same content is
  // answered with the table that it made, as it stands; with other content REQUEST_ID_REUSED.
  // CheckSpec's reasons, WithSettings'; PLAYER_BUSY (metadata: player_id).
  // `given` are the settings that it names; the others are as TablesOptions has them now.
  void Create(const RequestId& request, const TableSpec& asked, const SettingValues& given,
              Done<TableInfo> done);

  // The rooms of a game as the wallet has them. UNKNOWN_VARIANT.
  void ListRooms(const std::string& variant, Currency currency, Done<RoomList> done);

  void Join(const TableId& table, const PlayerId& player, std::optional<Seat> seat,
            const std::optional<audit::Digest>& token_hash, Done<Table::Seated> done);
  void Ready(const TableId& table, const PlayerId& player, int round_number,
             const std::optional<fairness::Digest>& nonce_hash, Done<StreamSeq> done);
  void RevealNonce(const TableId& table, const PlayerId& player, int round_number,
                   const fairness::Bytes& nonce, Done<StreamSeq> done);
  void Act(const TableId& table, const PlayerId& player, DecisionRef decision,
           const round::Choice& choice, Done<StreamSeq> done);
  void TakeOver(const TableId& table, const PlayerId& player, Done<StreamSeq> done);
  void AnswerStakes(const TableId& table, const PlayerId& player, DecisionRef decision,
                    const StakesAnswer& answer, Done<StreamSeq> done);
  void Leave(const TableId& table, const PlayerId& player, LeaveReason reason,
             Done<Table::Left> done);
  void ShowHand(const TableId& table, const PlayerId& player, bool show, Done<StreamSeq> done);
  // What operators ask of one table; as Table's.
  void Order(const TableId& table, const OperatorActed& order, Done<bool> done);
  // Wherever it is held.
  void Inspect(const TableId& table, Done<Inspection> done);
  // What is so of all tables, those to come too. Once stop.from has come no table is made:
  // ROUNDS_STOPPED.
  void SetStop(const RoundsStopped& stop);
  // Wherever it is held.
  void Get(const TableId& table, Done<TableInfo> done);
  // The same for one who sits there, who is told until when the table waits for it.
  void GetFor(const TableId& table, const Asker& who, Done<Table::Description> done);
  void Subscribe(const TableId& table, const Asker& who, StreamSeq after,
                 Done<std::shared_ptr<Subscription>> done);
  void Watch(const TableId& table, const PlayerId& player, Seat seat, StreamSeq after,
             Done<std::shared_ptr<WatchSubscription>> done);

  // Loads a table that this process has taken, so that it goes on by itself. A journal that cannot be
  // read now is tried again; one that cannot be read at all is reported to the monitor and left.
  void Adopt(const HeldTable& held);

  // Lets go of every table but these, under these epochs: the others are somebody else's now.
  void KeepOnly(const std::vector<HeldTable>& held);

  // Takes no table any more, and tells which it holds, to be given away; those that are just being
  // loaded stop.
  std::vector<std::shared_ptr<Table>> Close();

  // Ends every stream with SHUTTING_DOWN, and refuses what comes from now on. What is under way in
  // the journal is finished.
  void Stop();

  [[nodiscard]] std::size_t held() const;
  // How many more it may hold.
  [[nodiscard]] std::size_t room() const;

 private:
  class Core;
  std::shared_ptr<Core> core_;
};

}  // namespace mj::table
