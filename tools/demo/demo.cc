#include "tools/demo/demo.h"

#include <chrono>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/entropy.h"
#include "libs/base/strings.h"
#include "libs/console/text.h"
#include "libs/player/lobby.h"
#include "libs/rpc/client.h"
#include "mahjong/scoring/v1/scoring_service.grpc.pb.h"
#include "tools/demo/books.h"
#include "tools/demo/checks.h"
#include "tools/demo/deal_check.h"

namespace mj::demo {
namespace {

using base::Cat;
using ::mahjong::scoring::v1::ScoringService;

constexpr std::chrono::seconds kSeatingLimit{30};

// Player ids of one run: the demo may be played again and again on one stack.
std::string NewPrefix() {
  base::SystemEntropy entropy;
  std::array<std::byte, 4> bytes{};
  entropy.Fill(bytes);
  return Cat("demo-", base::ToHex(bytes));
}

// The scoring service must know the game by the same rulebook.
absl::Status CheckRulebook(const DemoOptions& options, const rules::Variant& game) {
  const auto stub = ScoringService::NewStub(rpc::MakeChannel({.target = options.scoring}));
  ::mahjong::scoring::v1::ListVariantsRequest request;
  request.set_variant(options.variant);
  const auto response = rpc::Invoke(*stub, &ScoringService::StubInterface::ListVariants, request,
                                    {.timeout = player::kCallTimeout});
  if (!response.ok()) return response.status();
  const std::string ours = rules::RulebookVersion(game);
  const std::string& theirs = response->variants(0).rulebook_version();
  if (ours == theirs) return absl::OkStatus();
  return absl::FailedPreconditionError(
      Cat("the scoring service plays by rulebook ", theirs, ", this program by ", ours));
}

class Teller {
 public:
  Teller(const Sitting& sitting, const DemoOptions& options, std::ostream& out, std::ostream& err)
      : sitting_(sitting), options_(options), out_(out), err_(err) {
    for (const Seat seat : rules::kSeats) balances_[seat] = sitting.guests[seat].coins;
  }

  void Tell(const RoundStory& story) {
    std::vector<std::string> problems = ProblemsOf(story, balances_);
    const CheckResult deal = CheckDeal(story, *sitting_.game, sitting_.options);
    if (!deal.good) problems.push_back(deal.text);
    if (SettledIn(story, Seat::k0) != nullptr && EndedIn(story, Seat::k0) != nullptr) {
      ++settled_;
      PrintRound(sitting_, story, deal, out_);
    }
    for (const std::string& problem : problems) {
      out_ << "PROBLEM: " << problem << "\n\n";
      ++problems_;
    }
    if (story.number < options_.rounds) BuyIns();
    out_.flush();
    err_ << "round " << story.number << " of " << options_.rounds << " is settled\n";
  }

  const rules::PerSeat<std::int64_t>& balances() const { return balances_; }
  std::uint32_t settled() const { return settled_; }
  int problems() const { return problems_; }
  void AddProblem(const std::string& problem) {
    out_ << "PROBLEM: " << problem << "\n\n";
    ++problems_;
  }

 private:
  void BuyIns() {
    for (const Seat seat : rules::kSeats) {
      const std::int64_t coins = BuyIn(balances_[seat], sitting_.base);
      if (coins == 0) continue;
      balances_[seat] += coins;
      out_ << sitting_.guests[seat].name << " is short of coins and buys in 补充 "
           << console::Grouped(coins) << "\n\n";
    }
  }

  const Sitting& sitting_;
  const DemoOptions& options_;
  std::ostream& out_;
  std::ostream& err_;
  rules::PerSeat<std::int64_t> balances_;
  std::uint32_t settled_ = 0;
  int problems_ = 0;
};

bool Fail(std::string_view what, const absl::Status& status, std::ostream& err) {
  err << "mj-demo: " << what << ": " << base::ToStd(status.message()) << '\n';
  return false;
}

}  // namespace

bool RunDemo(const DemoOptions& options, std::ostream& out, std::ostream& err) {
  base::SystemClock clock;
  pg::Pool pool({.url = options.database, .application_name = "mj-demo", .connections_max = 1},
                clock);
  const Stubs stubs = Connect(options.addresses);
  err << "four accounts are opened and queued\n";
  const auto sitting = SeatFour(stubs, NewPrefix(), options.variant, kSeatingLimit);
  if (!sitting.ok()) return Fail("no table", sitting.status(), err);
  const absl::Status rulebook = CheckRulebook(options, *sitting->game);
  if (!rulebook.ok()) return Fail("scoring", rulebook, err);
  PrintSitting(*sitting, out);
  out.flush();

  Teller teller(*sitting, options, out, err);
  const absl::Status played =
      PlayRounds(stubs, *sitting, {.rounds = options.rounds, .seed = options.seed},
                 [&teller](const RoundStory& story) { teller.Tell(story); });
  if (!played.ok()) Fail("play", played, err);

  std::vector<std::string> players;
  for (const Seat seat : rules::kSeats) players.push_back(sitting->guests[seat].player_id);
  const auto books = ReadBooks(pool, clock, sitting->table_id, players);
  if (!books.ok()) return Fail("books", books.status(), err);
  PrintBooks(*books, out);
  for (const Seat seat : rules::kSeats) {
    const AccountLine& line = books->players[static_cast<std::size_t>(rules::IndexOf(seat))];
    if (line.balance != teller.balances()[seat]) {
      teller.AddProblem(Cat(line.account_id, ": the books say ", std::to_string(line.balance),
                            ", the last round said ", std::to_string(teller.balances()[seat])));
    }
  }

  const bool good = played.ok() && teller.problems() == 0 && books->balance() &&
                    teller.settled() == options.rounds && books->settlements == options.rounds;
  out << (good ? "OK: " : "NOT OK: ") << teller.settled() << " of " << options.rounds
      << " rounds were settled, "
      << (books->balance() ? "the books balance" : "THE BOOKS ARE WRONG") << ", "
      << teller.problems() << " problems\n";
  out.flush();
  return good;
}

}  // namespace mj::demo
