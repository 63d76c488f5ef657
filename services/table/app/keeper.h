// Keeps this process's lease, and with it the tables that it holds: takes over those whose process is
// gone, lets go of those that were taken from it, gives all away when the process is to end.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "libs/base/clock.h"
#include "libs/base/executor.h"
#include "services/table/app/leases.h"
#include "services/table/app/monitor.h"
#include "services/table/app/tables.h"

namespace mj::table {

struct KeeperOptions {
  std::chrono::milliseconds lease{3'000};
  std::chrono::milliseconds beat{1'000};       // between two renewals
  std::chrono::milliseconds beat_again{200};   // after one that failed, or without an address
  std::chrono::milliseconds give_time{3'000};  // that all tables may take to be given away
  std::int64_t page = 64;  // tables taken at once, so that several processes share what is left
};

// What a keeper works with. All of it outlives every task of `runner`.
struct KeeperParts {
  Leases& leases;
  Tables& tables;
  base::TaskRunner& runner;  // its own: nothing may keep a renewal waiting. Blocks.
  base::Clock& clock;
  Monitor& monitor;
};

// Thread-safe. A process that dies is missed when its lease is over: within lease + beat its tables are
// others'. One that only stood still finds out at its next renewal; until then the journal's epochs
// keep it from writing anything.
class Keeper {
 public:
  //   address   under which clients reach this process; asked at each renewal, empty until it is
  //             known.
  Keeper(const KeeperParts& parts, OwnerId self, std::string instance,
         std::function<std::string()> address, KeeperOptions options = {});
  // Stops.
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // Begins the lease, and goes on by itself: with tables that nobody holds, then with each beat.
  void Start();

  // Takes no more tables, gives those that this process holds to the others that live, each between
  // two decisions, and ends the lease; then calls `done`, on whatever thread. What cannot be given in
  // give_time, or to nobody, is stopped with SHUTTING_DOWN. Once.
  void GiveAll(std::function<void()> done);

  // No renewal follows.
  void Stop();

 private:
  class Core;
  std::shared_ptr<Core> core_;
};

}  // namespace mj::table
