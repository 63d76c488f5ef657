// Reads the dbmate files of migrations/ for tests, so that a test needs neither dbmate nor npm.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mj::pg::testing {

struct Migration {
  std::string file;  // "0001_wallet.sql"
  std::string up;    // SQL between "-- migrate:up" and "-- migrate:down"
  std::string down;  // SQL after "-- migrate:down"
};

// Splits one dbmate file. `file` is only carried along. Missing markers leave a part empty.
[[nodiscard]] Migration ParseMigration(std::string file, std::string_view text);

// The repository's migrations, all or those named, by name. The folder is found from the working directory upwards (ctest runs in the repository's root).
// Ends the test program with a message when a file cannot be read.
[[nodiscard]] std::vector<Migration> ReadAllMigrations();
[[nodiscard]] std::vector<Migration> ReadMigrations(const std::vector<std::string>& files);

// The name of a template database for these migrations: changes with any byte of them.
[[nodiscard]] std::string TemplateName(const std::vector<Migration>& migrations);

}  // namespace mj::pg::testing
