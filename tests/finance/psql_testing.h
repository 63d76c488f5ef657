// psql, as finance would use it.
#pragma once

#include <string>

namespace mj::finance {

// Runs `sql` with psql as a role of the database and returns what it prints, errors too. Ends the
// test program where psql cannot be run.
std::string Psql(const std::string& url, const std::string& role, const std::string& sql);

}  // namespace mj::finance
