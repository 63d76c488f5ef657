// Real PostgreSQL for tests, in milliseconds: a private cluster that many test programs share, and
// a fresh database for each test.
//
//   #include "libs/pg/cluster_testing.h"     TEST_DEPS pg_testing
//
//   TEST(TicketStoreTest, OneLiveTicketPerPlayer) {
//     const mj::pg::testing::Database database({"0003_matchmaking.sql"});
//     mj::pg::Pool pool({.url = database.url()}, clock);
//     …
//   }
//
// Life of the shared cluster. The first test program that asks starts it in a folder of its own
// below the temporary folder; a keeper process ends it, and removes its data, two seconds after the
// last test program that used it is gone, however that one went (a file lock tells). A keeper that
// is killed takes the server with it, and the next run begins anew. It listens on a Unix socket
// only. Durability is off: what has to survive a power cut is not tested with it.
//
// Failures of the set-up end the test program with a message.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libs/pg/migrations_testing.h"

namespace mj::pg::testing {

// A server that tests may use. Thread-safe, except for Start, Stop and Kill.
class Cluster {
 public:
  // The one that all test programs run from this working directory share. Never stop it.
  static Cluster& Shared();

  // One of the caller's own, started, which it may stop, kill and start again. Ends with the object
  // and with the thread that started it. kDurable: what is committed is on the disk, as it is in
  // production; for benchmarks.
  enum class Durability : std::uint8_t { kNone, kDurable };
  explicit Cluster(Durability durability = Durability::kNone);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // libpq's URL of a database in it, as the superuser `postgres`.
  [[nodiscard]] std::string Url(std::string_view database) const;

  // For a cluster of the caller's own: a fast shutdown; kill -9; a start that waits until it
  // answers.
  void Stop();
  void Kill();
  void Start();

 private:
  struct SharedTag {};
  explicit Cluster(SharedTag);

  std::string folder_;
  bool own_ = false;
  Durability durability_ = Durability::kNone;
  pid_t postmaster_ = -1;
};

// A new database with migrations applied; dropped with the object, connections and all.
class Database {
 public:
  // Every file of migrations/.
  explicit Database(Cluster& cluster = Cluster::Shared());
  // These files of it ("0001_wallet.sql"), in the order of their names; may be none.
  explicit Database(const std::vector<std::string>& migrations,
                    Cluster& cluster = Cluster::Shared());
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  // One or several statements as the superuser, outside of the code under test. Returns the first
  // column of the last statement's first row ("" for none or NULL). A refusal ends the test
  // program: use Refusal where one is expected.
  std::string Execute(std::string_view sql) const;

  // The SQLSTATE with which the database refuses `sql`, or nothing when it does not.
  [[nodiscard]] std::optional<std::string> Refusal(std::string_view sql) const;

 private:
  Database(Cluster& cluster, const std::vector<Migration>& migrations);

  Cluster& cluster_;
  std::string name_;
  std::string url_;
};

}  // namespace mj::pg::testing
