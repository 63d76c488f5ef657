#include "libs/pg/cluster_testing.h"

#include <gtest/gtest.h>

#include "libs/pg/migrations_testing.h"

namespace mj::pg::testing {
namespace {

TEST(MigrationsTest, SplitsUpAndDown) {
  const Migration migration = ParseMigration(
      "0001_x.sql",
      "-- a comment\n-- migrate:up\nCREATE TABLE x ();\n-- migrate:down\nDROP TABLE x;");
  EXPECT_EQ(migration.file, "0001_x.sql");
  EXPECT_EQ(migration.up, "CREATE TABLE x ();\n");
  EXPECT_EQ(migration.down, "DROP TABLE x;\n");
}

TEST(MigrationsTest, TemplateNameFollowsTheText) {
  EXPECT_NE(TemplateName({{"a.sql", "1", ""}}), TemplateName({{"a.sql", "2", ""}}));
  EXPECT_NE(TemplateName({{"a.sql", "1", ""}}), TemplateName({{"b.sql", "1", ""}}));
  EXPECT_EQ(TemplateName({{"a.sql", "1", "x"}}), TemplateName({{"a.sql", "1", "y"}}));
}

TEST(DatabaseTest, EachTestHasItsOwn) {
  const Database one;
  const Database two;
  EXPECT_NE(one.url(), two.url());
  one.Execute("CREATE TABLE mark (x int); INSERT INTO mark VALUES (7)");
  EXPECT_EQ(one.Execute("SELECT x FROM mark"), "7");
  EXPECT_EQ(two.Refusal("SELECT x FROM mark"), "42P01");
}

TEST(DatabaseTest, IsDroppedWithItsConnections) {
  std::string name;
  {
    const Database gone;
    name = gone.name();
    EXPECT_EQ(gone.Execute("SELECT 1"), "1");
  }
  const Database other;
  EXPECT_EQ(other.Execute("SELECT count(*) FROM pg_database WHERE datname = '" + name + "'"), "0");
}

TEST(ClusterTest, OwnOneStopsAndStartsAndSurvivesAKill) {
  Cluster cluster;
  const Database database(cluster);
  database.Execute("CREATE TABLE mark (x int)");
  cluster.Stop();
  cluster.Start();
  database.Execute("INSERT INTO mark VALUES (1)");
  cluster.Kill();
  cluster.Start();
  EXPECT_EQ(database.Execute("SELECT count(*) FROM mark"), "1");
}

}  // namespace
}  // namespace mj::pg::testing
