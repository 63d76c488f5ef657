#include "tools/mahjongctl/queue_players.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/strings.h"
#include "libs/books/played.h"
#include "libs/console/text.h"
#include "libs/pg/pool.h"
#include "libs/variants/registry.h"
#include "tools/mahjongctl/crowd.h"
#include "tools/mahjongctl/exit_code.h"
#include "tools/mahjongctl/queue_run.h"

namespace mj::mahjongctl {
namespace {

using base::Cat;
using std::chrono::milliseconds;
using Json = nlohmann::ordered_json;

constexpr std::chrono::seconds kBooksLimit{60};

// "1.234 s".
std::string Seconds(milliseconds time) {
  const std::string rest = std::to_string(1'000 + time.count() % 1'000);
  return Cat(std::to_string(time.count() / 1'000), ".", rest.substr(1), " s");
}

std::string LineOf(const QueueMoment& now) {
  const auto number = [](int count) { return console::PadLeft(std::to_string(count), 5); };
  return Cat(console::PadLeft(Seconds(now.since_begin), 10), "  queued", number(now.queued),
             "  wait p50 ", Seconds(now.wait_p50), " p99 ", Seconds(now.wait_p99), "  tables",
             number(now.tables), "  gone", number(now.left));
}

struct Summary {
  std::size_t players = 0;
  std::size_t parties = 0;  // of friends
  std::set<std::string> tables;
  bool seated_once = false;
  bool rounds_closed = false;
  books::PlayedBooks books;
  std::vector<std::string> wrong;

  [[nodiscard]] bool good() const {
    return seated_once && rounds_closed && books.balance() && wrong.empty();
  }
};

absl::StatusOr<books::PlayedBooks> ReadBooks(const std::string& database, base::Clock& clock,
                                             const std::set<std::string>& tables) {
  pg::Pool pool({.url = database, .application_name = "mahjongctl", .connections_max = 1}, clock);
  books::PlayedBooks books;
  const absl::Status read = pool.Run({.deadline = clock.Monotonic() + kBooksLimit,
                                      .isolation = pg::RunOptions::Isolation::kRepeatableRead,
                                      .read_only = true},
                                     [&](pg::Transaction& tx) {
                                       auto found =
                                           books::ReadPlayed(tx, {tables.begin(), tables.end()});
                                       if (found.ok()) books = *found;
                                       return found.status();
                                     });
  if (!read.ok()) return read;
  return books;
}

Json Times(const std::vector<milliseconds>& times) {
  return {{"count", times.size()},
          {"p50_ms", Percentile(times, 50).count()},
          {"p99_ms", Percentile(times, 99).count()},
          {"max_ms", Percentile(times, 100).count()}};
}

Json ToJson(const QueueArguments& arguments, const QueueOutcome& outcome, const Summary& summary) {
  const books::PlayedBooks& books = summary.books;
  return {{"variant", arguments.variant},
          {"players", summary.players},
          {"parties_of_friends", summary.parties},
          {"tables", summary.tables.size()},
          {"cancelled", outcome.cancelled},
          {"cancelled_too_late", outcome.cancelled_too_late},
          {"reads_elsewhere", outcome.reads},
          {"wait", Times(outcome.waits)},
          {"estimate_error", Times(outcome.estimate_errors)},
          {"seated_once", summary.seated_once},
          {"rounds_begun", books.rounds_begun},
          {"rounds_open", books.rounds_open},
          {"rounds_closed", summary.rounds_closed},
          {"books_total", books.total},
          {"books_balance", books.balance()},
          {"wrong", summary.wrong},
          {"ok", summary.good()}};
}

void Print(const QueueArguments& arguments, const QueueOutcome& outcome, const Summary& summary,
           std::ostream& out) {
  const auto line = [&](std::string_view what, const std::string& told) {
    out << "  " << console::PadRight(what, 18) << told << '\n';
  };
  const auto count = [](std::size_t n) { return console::Grouped(static_cast<std::int64_t>(n)); };
  const auto spread = [](const std::vector<milliseconds>& times) {
    return Cat("p50 ", Seconds(Percentile(times, 50)), "  p99 ", Seconds(Percentile(times, 99)),
               "  max ", Seconds(Percentile(times, 100)));
  };
  out << arguments.variant << '\n';
  line("players",
       Cat(count(summary.players), ", ", count(summary.parties), " parties of friends among them"));
  line("cancelled", Cat(std::to_string(outcome.cancelled), ", and ",
                        std::to_string(outcome.cancelled_too_late), " too late"));
  line("waited", spread(outcome.waits));
  line("estimate was off", Cat(spread(outcome.estimate_errors), "  of ",
                               count(outcome.estimate_errors.size()), " that had one"));
  line("read elsewhere", Cat(std::to_string(outcome.reads), " times what was just written"));
  line("seated once", Cat(summary.seated_once ? "everybody" : "NOT EVERYBODY", ", at ",
                          count(summary.tables.size()), " tables"));
  line("rounds", Cat(console::Grouped(summary.books.rounds_begun), " begun, ",
                     console::Grouped(summary.books.rounds_open), " not closed"));
  line("books", summary.books.balance()
                    ? std::string("balance")
                    : Cat("WRONG: total ", console::Grouped(summary.books.total), ", journal rows ",
                          console::Grouped(summary.books.unbalanced_journal_rows), ", balances ",
                          console::Grouped(summary.books.wrong_balances)));
  for (const std::string& wrong : summary.wrong) out << "WRONG: " << wrong << '\n';
  out << (summary.good() ? "OK" : "FAILED") << '\n';
}

}  // namespace

int QueuePlayers(const QueueArguments& arguments, bool terminal, std::ostream& out,
                 std::ostream& err) {
  const auto fail = [&](int code, std::string_view why) {
    err << "mahjongctl: " << why << '\n';
    return code;
  };
  if (variants::Find(arguments.variant) == nullptr) {
    return fail(kUsage, Cat("no game is called ", base::Quoted(arguments.variant)));
  }
  base::SystemClock clock;
  const std::string prefix =
      !arguments.prefix.empty()
          ? arguments.prefix
          : Cat("q", std::to_string(clock.Now().time_since_epoch().count() / 1'000));
  if (!base::IsId(Cat(prefix, "-", std::to_string(arguments.players)))) {
    return fail(kUsage, "--prefix can be no beginning of an id");
  }
  QueueRunOptions options{.wallet_address = arguments.wallet,
                          .table_address = arguments.table,
                          .matchmaking = {},
                          .variant = arguments.variant,
                          .limit = std::chrono::seconds(arguments.limit_seconds),
                          .seed = arguments.seed};
  for (const std::string_view address : base::Split(arguments.matchmaking, ',')) {
    options.matchmaking.emplace_back(address);
  }
  const std::vector<Party> crowd = DrawCrowd(
      arguments.players, std::chrono::seconds(arguments.over_seconds), prefix, arguments.seed);
  QueueOutcome outcome;
  const absl::Status run = RunQueue(
      crowd, options, clock,
      [&](const QueueMoment& now) {
        err << (terminal ? "\r\033[K" : "") << LineOf(now) << (terminal ? "" : "\n") << std::flush;
      },
      outcome);
  if (terminal) err << '\n';
  if (!run.ok()) return fail(kUnavailable, base::ToStd(run.message()));

  Summary summary;
  for (const Party& party : crowd) {
    summary.players += party.players.size();
    summary.parties += party.players.size() > 1 ? 1U : 0U;
  }
  for (const GivenSeat& seat : outcome.seats) summary.tables.insert(seat.table);
  summary.wrong = FaultsOf(crowd, outcome.seats);
  summary.seated_once = summary.wrong.empty();
  const auto books = ReadBooks(arguments.database, clock, summary.tables);
  if (!books.ok()) return fail(kUnavailable, base::ToStd(books.status().message()));
  summary.books = *books;
  summary.rounds_closed = books->rounds_open == 0 &&
                          books->rounds_begun == static_cast<std::int64_t>(summary.tables.size());
  summary.wrong.insert(summary.wrong.end(), outcome.wrong.begin(), outcome.wrong.end());
  if (arguments.json) {
    out << ToJson(arguments, outcome, summary)
               .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
        << '\n';
  } else {
    Print(arguments, outcome, summary, out);
  }
  return summary.good() ? kDone : kFailed;
}

}  // namespace mj::mahjongctl
