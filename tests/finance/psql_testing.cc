#include "tests/finance/psql_testing.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "libs/pg/process_testing.h"

namespace mj::finance {

std::string Psql(const std::string& url, const std::string& role, const std::string& sql) {
  std::string file = std::filesystem::temp_directory_path() / "mj-psql-XXXXXX";
  const int made = mkstemp(file.data());
  if (made < 0) pg::testing::Die("mkstemp " + file);
  std::FILE* const script = fdopen(made, "w");
  std::fputs(sql.c_str(), script);
  std::fclose(script);
  const std::string command = pg::testing::ServerPrograms() + "/psql -X -w -P pager=off '" + url +
                              "&options=-c%20role%3D" + role + "' <" + file + " 2>&1";
  std::FILE* const psql = popen(command.c_str(), "r");
  if (psql == nullptr) pg::testing::Die("popen " + command);
  std::string printed;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), psql)) {
    printed.append(buffer.data(), got);
  }
  pclose(psql);
  std::filesystem::remove(file);
  return printed;
}

}  // namespace mj::finance
