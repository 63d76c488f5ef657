#include "services/matchmaking/store/pg_harness_testing.h"

#include "libs/base/check.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::matchmaking::store {

PgHarness::PgHarness(int connections)
    : pool_({.url = database_.url(),
             .connections_max = connections,
             .connect_timeout = std::chrono::seconds(60)},
            clock_),
      store_(pool_, clock_, kPatience) {
  // A now() that is found before PostgreSQL's own, in every session that begins from here on.
  database_.Execute(base::Cat(R"(
      CREATE SCHEMA clock;
      CREATE TABLE clock.stands_at AS SELECT pg_catalog.now() AS t;
      CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS
        'SELECT t FROM clock.stands_at';
      ALTER DATABASE ")",
                              database_.name(),
                              R"(" SET search_path = clock, public, pg_catalog)"));
}

void PgHarness::Advance(Millis by) {
  // Over the store's own connections: tests move time more often than they do anything else.
  const auto moved = pool_.Execute(
      {.deadline = clock_.Monotonic() + kPatience.timeout},
      "UPDATE clock.stands_at SET t = t + $1::bigint * interval '1 millisecond'", by.count());
  MJ_CHECK(moved.ok(), base::ToStd(moved.status().message()));
}

}  // namespace mj::matchmaking::store
