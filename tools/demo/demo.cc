#include "tools/demo/demo.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "libs/base/clock.h"
#include "libs/base/entropy.h"
#include "libs/base/executor.h"
#include "libs/base/mutex.h"
#include "libs/base/strings.h"
#include "libs/rpc/client.h"
#include "libs/variants/registry.h"
#include "tools/demo/agreement.h"
#include "tools/demo/books.h"
#include "tools/demo/incidents.h"
#include "tools/demo/pages.h"
#include "tools/demo/records.h"
#include "tools/demo/show.h"

namespace mj::demo {
namespace {

using base::Cat;
using ::mahjong::scoring::v1::ScoringService;

// Player ids of one run: the demo may be played again and again on one stack.
std::string NewPrefix() {
  base::SystemEntropy entropy;
  std::array<std::byte, 4> bytes{};
  entropy.Fill(bytes);
  return Cat("demo-", base::ToHex(bytes));
}

std::vector<std::string> TablesOf(const DemoOptions& options) {
  if (!options.variants.empty()) return options.variants;
  std::vector<std::string> games;
  for (const rules::Variant* game : variants::All()) games.emplace_back(game->info().id);
  return games;
}

// Lines of several threads, one after the other.
class Log {
 public:
  explicit Log(std::ostream& out) : out_(out) {}
  void Line(std::string_view line) {
    base::MutexLock lock(mutex_);
    out_ << line << std::endl;
  }

 private:
  base::Mutex mutex_;
  std::ostream& out_ ABSL_GUARDED_BY(mutex_);
};

// All tables at once, each on a thread of its own; on the page one after the other.
std::vector<Shown> ShowAll(const DemoOptions& options, const std::vector<std::string>& games,
                           std::uint32_t rounds, std::ostream& out, Log& log) {
  const Stubs stubs = Connect(options.addresses);
  const auto scoring =
      ScoringService::NewStub(rpc::MakeChannel({.target = options.scoring, .retry_safe = true}));
  const std::string prefix = NewPrefix();
  std::vector<Shown> shown(games.size());
  Pages pages(games.size(), out);
  base::Executor tables(
      {.name = "tables", .threads = static_cast<int>(games.size()), .queue_max = games.size()});
  for (std::size_t i = 0; i < games.size(); ++i) {
    tables.Post([&, i] {
      shown[i] = ShowTable(stubs, *scoring,
                           {.prefix = Cat(prefix, "-", games[i]),
                            .variant = games[i],
                            .rounds = rounds,
                            .seed = options.seed},
                           {.page = [&](std::string_view text) { pages.Write(i, text); },
                            .progress = [&](std::string_view line) { log.Line(line); }});
      pages.Close(i);
    });
  }
  tables.Stop();
  return shown;
}

}  // namespace

bool RunDemo(const DemoOptions& options, std::ostream& out, std::ostream& err) {
  const std::vector<std::string> games = TablesOf(options);
  const auto tables = static_cast<std::uint32_t>(games.size());
  const std::uint32_t rounds =
      options.rounds > 0 ? options.rounds : std::max(1U, kRoundsInAll / tables);
  PrintLegend(games.size(), rounds, out);
  Log log(err);
  const std::vector<Shown> shown = ShowAll(options, games, rounds, out, log);

  std::uint32_t settled = 0;
  int problems = 0;
  bool played = true;
  BooksQuestion question;
  for (const Shown& table : shown) {
    settled += table.settled;
    problems += table.problems;
    if (!table.status.ok()) {
      played = false;
      log.Line(Cat("mj-demo: ", base::ToStd(table.status.message())));
    }
    if (!table.sitting) continue;
    question.tables.push_back(table.sitting->table_id);
    for (const Seat seat : rules::kSeats) {
      question.players.push_back(table.sitting->guests[seat].player_id);
    }
  }
  if (question.tables.empty()) return false;

  // Beside the games themselves; not where somebody asks for certain games.
  Incidents incidents;
  Agreement agreement;
  if (options.variants.empty() && played) {
    log.Line("four strangers form a table in the lobby");
    agreement =
        ShowAgreement(Connect(options.addresses), Cat(NewPrefix(), "-lobby"), options.seed, out);
    problems += agreement.problems;
    if (!agreement.status.ok()) {
      played = false;
      log.Line(Cat("mj-demo: lobby: ", base::ToStd(agreement.status.message())));
    } else {
      question.tables.push_back(agreement.table);
      question.players.insert(question.players.end(), agreement.players.begin(),
                              agreement.players.end());
    }
  }
  if (options.variants.empty() && played) {
    log.Line("one player falls asleep, another leaves");
    incidents =
        ShowIncidents(Connect(options.addresses), Cat(NewPrefix(), "-late"), options.seed, out);
    problems += incidents.problems;
    if (!incidents.status.ok()) {
      played = false;
      log.Line(Cat("mj-demo: incidents: ", base::ToStd(incidents.status.message())));
    }
    question.tables.insert(question.tables.end(), incidents.tables.begin(), incidents.tables.end());
    question.players.insert(question.players.end(), incidents.players.begin(),
                            incidents.players.end());
  }

  if (!options.records.empty()) {
    const Stubs stubs = Connect(options.addresses);
    const auto written = WriteRecords(*stubs.table, question.tables, options.records);
    if (!written.ok()) {
      log.Line(Cat("mj-demo: records: ", base::ToStd(written.status().message())));
      return false;
    }
    out << "Records 牌局记录: " << *written << " rounds in " << options.records << "\n\n";
  }

  base::SystemClock clock;
  pg::Pool pool({.url = options.database, .application_name = "mj-demo", .connections_max = 1},
                clock);
  const auto books = ReadBooks(pool, clock, question);
  if (!books.ok()) {
    log.Line(Cat("mj-demo: books: ", base::ToStd(books.status().message())));
    return false;
  }
  PrintBooks(*books, out);
  auto line = books->players.begin();
  for (const Shown& table : shown) {
    if (!table.sitting) continue;
    for (const Seat seat : rules::kSeats) {
      const AccountLine& account = *line++;
      if (account.balance == table.balances[seat]) continue;
      out << "PROBLEM: " << account.account_id << ": the books say " << account.balance
          << ", the last round said " << table.balances[seat] << "\n\n";
      ++problems;
    }
  }

  for (const std::int64_t balance : agreement.balances) {
    if ((line++)->balance == balance) continue;
    out << "PROBLEM: the books say otherwise than the lobby's round\n\n";
    ++problems;
  }
  for (const std::int64_t balance : incidents.balances) {
    if ((line++)->balance == balance) continue;
    out << "PROBLEM: the books say otherwise than the void round\n\n";
    ++problems;
  }

  const std::uint32_t wanted = rounds * tables;
  const bool good = played && problems == 0 && books->balance() && settled == wanted &&
                    books->settlements == wanted + incidents.settled + agreement.settled &&
                    books->rounds_open == 0;
  out << (good ? "OK: " : "NOT OK: ") << settled << " of " << wanted << " rounds at " << tables
      << (tables == 1 ? " table" : " tables") << " were settled, "
      << (books->balance() ? "the books balance" : "THE BOOKS ARE WRONG") << ", " << problems
      << " problems\n";
  out.flush();
  return good;
}

}  // namespace mj::demo
