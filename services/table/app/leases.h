// The port to who holds which table. A process has one lease, which it prolongs while it lives, and
// holds tables under it; each change of a table's holder raises the table's epoch, which fences the
// journal against whoever held it before (event_log.h). All times are the store's own.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/table/app/model.h"

namespace mj::table {

// A process that holds tables.
struct Owner {
  OwnerId id;            // of this run of it
  std::string instance;  // stays when it is started anew; empty: nobody comes after it
  std::string address;   // host:port under which clients reach it
  bool operator==(const Owner&) const = default;
};

// A table that a process holds.
struct HeldTable {
  TableId table;
  std::int64_t epoch = 0;  // of its appends
  bool operator==(const HeldTable&) const = default;
};

// Who holds a table that is somebody else's.
struct Elsewhere {
  std::string address;
  bool operator==(const Elsewhere&) const = default;
};

// Calls block; they are made on executor threads. Thread-safe. A call that fails may be made again as
// it is.
//
// Invariants, whoever calls and however many at once:
//   1. an open table has at most one holder, and only that one's epoch is good for appends;
//   2. a table is taken only from nobody, or from a process whose lease is over, or that gave it;
//   3. once a table is taken no append under an earlier epoch is written.
class Leases {
 public:
  virtual ~Leases() = default;

  // A process begins: its lease lasts for `time` from now, and those of its instance end.
  virtual absl::Status Begin(const Owner& self, std::chrono::milliseconds time) = 0;

  // Prolongs the lease, under whatever address `self` has now. False: it had run out meanwhile, and
  // others may have taken its tables; it is good again.
  virtual absl::StatusOr<bool> Renew(const Owner& self, std::chrono::milliseconds time) = 0;

  // The process ends: whatever it holds is nobody's.
  virtual absl::Status End(const OwnerId& self) = 0;

  // Takes one table, if it may be taken, or is held by `self` already: an epoch of its own each time.
  // A closed table needs no holder and is answered with its last epoch. TABLE_NOT_FOUND.
  virtual absl::StatusOr<std::variant<HeldTable, Elsewhere>> Take(const TableId& table,
                                                                  const OwnerId& self) = 0;

  // Takes at most `limit` open tables that may be taken, or were given to `self`.
  virtual absl::StatusOr<std::vector<HeldTable>> TakeSome(const OwnerId& self,
                                                          std::int64_t limit) = 0;

  // The open tables that `self` has taken and still holds, by id.
  virtual absl::StatusOr<std::vector<HeldTable>> ListHeld(const OwnerId& self) = 0;

  // From now on `self` is given nothing any more.
  virtual absl::Status Retire(const OwnerId& self) = 0;

  // Gives tables, each to one of the other processes that live and have not retired, evenly. Answers
  // with the address of each table's new holder, in order; empty: nobody holds it now, or it was
  // somebody else's already.
  virtual absl::StatusOr<std::vector<std::string>> GiveAway(const OwnerId& self,
                                                            std::span<const HeldTable> tables) = 0;
};

}  // namespace mj::table
