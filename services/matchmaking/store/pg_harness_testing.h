// A database for the tests of this room, and its time.
#pragma once

#include <string>

#include "libs/base/clock.h"
#include "libs/pg/cluster_testing.h"
#include "libs/pg/pool.h"
#include "services/matchmaking/store/pg_feed_store.h"
#include "services/matchmaking/store/pg_store.h"
#include "services/matchmaking/store/schema_testing.h"

namespace mj::matchmaking::store {

// A fresh database with matchmaking's schema, whose now() stands still until it is moved.
class PgHarness {
 public:
  // The cluster is shared with tests that load it to its limits: a slow answer is no failure here.
  static constexpr PgStoreOptions kPatience{.timeout = Millis(240'000)};

  explicit PgHarness(int connections = 8);

  Store& store() { return store_; }
  FeedStore& feeds() { return feeds_; }
  void Advance(Millis by);

  [[nodiscard]] const pg::testing::Database& database() const { return database_; }

 private:
  pg::testing::Database database_{Migrations()};
  base::SystemClock clock_;
  pg::Pool pool_;
  PgStore store_;
  PgFeedStore feeds_{pool_, clock_, kPatience};
};

}  // namespace mj::matchmaking::store
