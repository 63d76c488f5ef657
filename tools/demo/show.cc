#include "tools/demo/show.h"

#include <chrono>
#include <sstream>
#include <vector>

#include "libs/base/strings.h"
#include "libs/console/text.h"
#include "libs/player/lobby.h"
#include "libs/rpc/client.h"
#include "tools/demo/checks.h"
#include "tools/demo/deal_check.h"

namespace mj::demo {
namespace {

using base::Cat;
using ::mahjong::scoring::v1::ScoringService;

constexpr std::chrono::seconds kSeatingLimit{30};

// The scoring service must know the game by the same rulebook.
absl::Status CheckRulebook(ScoringService::StubInterface& scoring, const rules::Variant& game) {
  ::mahjong::scoring::v1::ListVariantsRequest request;
  request.set_variant(std::string(game.info().id));
  const auto response = rpc::Invoke(scoring, &ScoringService::StubInterface::ListVariants, request,
                                    {.timeout = player::kCallTimeout});
  if (!response.ok()) return response.status();
  const std::string ours = rules::RulebookVersion(game);
  const std::string& theirs = response->variants(0).rulebook_version();
  if (ours == theirs) return absl::OkStatus();
  return absl::FailedPreconditionError(base::ToAbsl(
      Cat("the scoring service plays by rulebook ", theirs, ", this program by ", ours)));
}

absl::Status Failed(std::string_view what, const absl::Status& status) {
  return absl::Status(status.code(), base::ToAbsl(Cat(what, ": ", base::ToStd(status.message()))));
}

class Teller {
 public:
  Teller(const ShowOptions& options, const Telling& telling, Shown& shown)
      : options_(options), telling_(telling), shown_(shown), sitting_(*shown.sitting) {
    for (const Seat seat : rules::kSeats) shown_.balances[seat] = sitting_.guests[seat].coins;
  }

  void Tell(const RoundStory& story) {
    std::ostringstream out;
    std::vector<std::string> problems = ProblemsOf(story, shown_.balances);
    const CheckResult deal = CheckDeal(story, *sitting_.game, sitting_.options);
    if (!deal.good) problems.push_back(deal.text);
    if (SettledIn(story, Seat::k0) != nullptr && EndedIn(story, Seat::k0) != nullptr &&
        DrawnIn(story, Seat::k0) != nullptr) {
      ++shown_.settled;
      PrintRound(sitting_, story, deal, out);
    }
    for (const std::string& problem : problems) out << "PROBLEM: " << problem << "\n\n";
    shown_.problems += static_cast<int>(problems.size());
    if (story.number < options_.rounds) BuyIns(out);
    telling_.page(out.str());
    telling_.progress(Cat(options_.variant, ": round ", std::to_string(story.number), " of ",
                          std::to_string(options_.rounds), " is settled"));
  }

 private:
  void BuyIns(std::ostream& out) {
    for (const Seat seat : rules::kSeats) {
      const std::int64_t coins = BuyIn(shown_.balances[seat], sitting_.base);
      if (coins == 0) continue;
      shown_.balances[seat] += coins;
      out << sitting_.guests[seat].name << " is short of coins and buys in 补充 "
          << console::Grouped(coins) << "\n\n";
    }
  }

  const ShowOptions& options_;
  const Telling& telling_;
  Shown& shown_;
  const Sitting& sitting_;
};

}  // namespace

Shown ShowTable(const Stubs& stubs, ScoringService::StubInterface& scoring,
                const ShowOptions& options, const Telling& telling) {
  Shown shown;
  auto sitting = SeatFour(stubs, options.prefix, options.variant, kSeatingLimit);
  if (!sitting.ok()) {
    shown.status = Failed("no table", sitting.status());
    return shown;
  }
  shown.sitting = *std::move(sitting);
  telling.progress(Cat(options.variant, ": four players are seated"));
  if (const absl::Status rulebook = CheckRulebook(scoring, *shown.sitting->game); !rulebook.ok()) {
    shown.status = Failed("scoring", rulebook);
    return shown;
  }
  std::ostringstream out;
  PrintSitting(*shown.sitting, out);
  telling.page(out.str());

  Teller teller(options, telling, shown);
  const absl::Status played =
      PlayRounds(stubs, *shown.sitting, {.rounds = options.rounds, .seed = options.seed},
                 [&teller](const RoundStory& story) { teller.Tell(story); });
  if (!played.ok()) shown.status = Failed("play", played);
  return shown;
}

}  // namespace mj::demo
