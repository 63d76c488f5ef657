// The wallet's books, read in SQL as finance reads them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "libs/books/played.h"
#include "libs/pg/pool.h"

namespace mj::demo {

struct AccountLine {
  std::string account_id;
  std::int64_t deposited = 0;  // money in minus money out
  std::int64_t played = 0;     // won and lost, rake and penalties included
  std::int64_t entries = 0;    // the sum of all its entries
  std::int64_t balance = 0;    // as the wallet keeps it
};

struct KindLine {
  std::string kind;  // player, issue, house_rake, …
  std::int64_t accounts = 0;
  std::int64_t coins = 0;  // the sum of all entries
};

struct Books : books::PlayedBooks {
  std::vector<KindLine> kinds;       // every kind of account, in coins that players own
  std::vector<AccountLine> players;  // those asked about, in the order asked
};

struct BooksQuestion {
  std::vector<std::string> tables;
  std::vector<std::string> players;
};

// One consistent reading. Fails as pg::Pool does, and when a player has no account.
absl::StatusOr<Books> ReadBooks(pg::Pool& pool, base::Clock& clock, const BooksQuestion& question);

}  // namespace mj::demo
