// What stands before the play: who and when, the promise, the nonces, the deal.
#include <chrono>
#include <set>

#include "libs/fairness/commitment.h"
#include "libs/fairness/stream.h"
#include "libs/fairness/verify.h"
#include "libs/ledger/bot_account.h"
#include "libs/proof/checks.h"
#include "libs/rules/options.h"

namespace mj::proof {
namespace {

using rules::Seat;

constexpr record::Coins kBaseMax = 10'000;

bool DealtAtAll(const record::RoundRecord& record) { return !record.wall.empty() || record.dice; }

// What two processes' clocks may differ by: a table that another takes over goes on by the other's.
constexpr std::chrono::seconds kSkewMax{5};

// Holds one time after the other to the one before it.
class Clock {
 public:
  explicit Clock(record::Time first) : latest_(first) {}

  bool Goes(record::Time time) {
    const bool goes = time + kSkewMax >= latest_;
    stepped_back_ |= time < latest_;
    latest_ = time;
    return goes;
  }
  bool stepped_back() const { return stepped_back_; }

 private:
  record::Time latest_;
  bool stepped_back_ = false;
};

std::optional<Misfit> CheckTimes(Case& the) {
  const record::RoundRecord& record = the.record;
  Clock clock(record.began_at);
  for (std::size_t i = 0; i < record.events.size(); ++i) {
    if (clock.Goes(record.events[i].time)) continue;
    return Misfit{Said("events[", std::to_string(i), "].time_us"),
                  "earlier than what happened before it"};
  }
  if (the.settled() != nullptr && !clock.Goes(the.settled()->scored_at)) {
    return Misfit{"settled.scored_us", "scored before the play was over"};
  }
  if (!clock.Goes(record.ended_at)) {
    return Misfit{"ended_us", "the end is earlier than what ended it"};
  }
  the.not_provable.push_back(
      clock.stepped_back()
          ? "when things happened: the table's clock went back a little, as it does when another "
            "process takes the table over"
          : "when things happened: only that their times are in order (the table's clock)");
  return std::nullopt;
}

// A seat is a bot's exactly if its account is one, and bots play for practice coins alone.
std::optional<Misfit> CheckBots(const record::RoundRecord& record) {
  for (const Seat seat : rules::kSeats) {
    const bool named = ledger::IsBotAccount(record.players[seat]);
    if (record.bots[seat] != named) {
      return Misfit{"bot_seats", Said(SeatText(seat), named ? ": not told of" : ": a player's")};
    }
    if (named && record.currency != record::Currency::kPractice) {
      return Misfit{"currency", "bots play for practice coins alone"};
    }
  }
  return std::nullopt;
}

// Whoever is East deals, and the round wind begins with East.
std::optional<Misfit> CheckDrawnWinds(const record::RoundRecord& record) {
  if (!record.drawn || !record.seat_winds) return std::nullopt;
  if ((*record.seat_winds)[record.dealer] != tiles::kEast) {
    return Misfit{"dealer", "not the seat that drew East"};
  }
  if (record.round_wind != tiles::kEast) return Misfit{"round_wind", "a first round is East's"};
  return std::nullopt;
}

std::string_view PlaceOf(fairness::Misfit misfit) {
  switch (misfit) {
    case fairness::Misfit::kDice:
      return "dice";
    case fairness::Misfit::kDealer:
      return "dealer";
    case fairness::Misfit::kWinds:
      return "seat_winds";
    default:
      return "wall";
  }
}

std::string TextFor(const fairness::Verdict& verdict) {
  switch (verdict.misfit) {
    case fairness::Misfit::kWallSize:
      return Said(std::to_string(verdict.at), " tiles, which is not what the game has");
    case fairness::Misfit::kWallTiles:
      return Said("tile ", std::to_string(verdict.at), " is one too many of its kind");
    case fairness::Misfit::kWallOrder:
      return Said("tile ", std::to_string(verdict.at), " is not the one that the seed gives");
    case fairness::Misfit::kDice:
      return "not the dice that the seed gives";
    case fairness::Misfit::kDealer:
      return "not the dealer that the seed gives";
    case fairness::Misfit::kWinds:
      return Said("seat ", std::to_string(verdict.at), " has not the wind that the seed gives");
    default:
      return Said("does not fit: ", fairness::MisfitText(verdict.misfit));
  }
}

}  // namespace

Checked CheckRoundItself(Case& the) {
  const record::RoundRecord& record = the.record;
  if (record.round_id.empty()) return Misfit{"round_id", "empty"};
  if (record.table_id.empty()) return Misfit{"table_id", "empty"};
  const std::set<std::string> players(record.players.begin(), record.players.end());
  if (players.size() != rules::kSeatCount || players.contains("")) {
    return Misfit{"player_ids", "not four different players"};
  }
  if (auto misfit = CheckBots(record)) return *std::move(misfit);
  if (record.base < 1 || record.base > kBaseMax) {
    return Misfit{"base", Said("got ", std::to_string(record.base), ", want 1 to 10000")};
  }
  if (auto misfit = CheckTimes(the)) return *std::move(misfit);
  the.not_provable.push_back(
      "how many rounds the table had played before: the number of the round");
  return Proved{
      Said("four players, ", Count(record.events.size(), "event"), " with their times in order")};
}

Checked CheckCommitment(Case& the) {
  if (fairness::CommitSeed(the.record.seed) != the.record.seed_hash) {
    return Misfit{"seed", "does not hash to what was shown before the deal"};
  }
  return Proved{"SHA-256 of the 128-byte seed is the hash that was shown before the deal"};
}

Checked CheckNonces(Case& the) {
  std::size_t counted = 0;
  std::string void_ones;
  for (const Seat seat : rules::kSeats) {
    const record::Nonce& nonce = the.record.nonces[seat];
    if (fairness::CheckNonce(nonce.record) != nonce.outcome) {
      return Misfit{Said("nonces[", std::to_string(rules::IndexOf(seat)), "]"),
                    "counted, or not counted, against the rule"};
    }
    if (nonce.outcome == fairness::NonceOutcome::kRevealed) {
      ++counted;
    } else if (nonce.record.commitment || nonce.record.reveal) {
      void_ones += Said(void_ones.empty() ? "" : ", ", SeatText(seat));
    }
  }
  if (!void_ones.empty()) {
    the.not_provable.push_back(
        Said("nonces that do not count, since nothing hangs on them: those of ", void_ones));
  }
  if (counted == 0) return Proved{"no nonce counts: the deal comes from the seed alone"};
  return Proved{Said(std::to_string(counted),
                     " of the four nonces hash to what was committed, and went into the deal")};
}

Checked CheckRulebook(Case& the) {
  const record::RoundRecord& record = the.record;
  the.game = FindRules(record.variant, record.rulebook_version);
  if (the.game == nullptr) {
    return Misfit{"rulebook_version",
                  "this program does not have these rules; one of that time does"};
  }
  const auto options = rules::ParseOptions(the.game->options(), record.options);
  if (const auto* refusal = std::get_if<rules::OptionRefusal>(&options)) {
    return Misfit{"options", Said("the game has no such option or value: ", refusal->name)};
  }
  the.options = std::get<rules::Options>(options);
  if (rules::ToTexts(the.game->options(), *the.options, /*all=*/true) != record.options) {
    return Misfit{"options", "not all of the game's options, as they are written"};
  }
  return Proved{Said(record.rulebook_version, ", with ", Count(record.options.size(), "option"))};
}

Checked CheckDeal(Case& the) {
  const record::RoundRecord& record = the.record;
  if (!DealtAtAll(record)) {
    if (!the.refused()) return Misfit{"wall", "a round that was played has one"};
    return Nothing{"void before its deal was drawn"};
  }
  if (!record.dice) return Misfit{"dice", "missing"};
  const fairness::Verdict verdict =
      fairness::VerifyDeal(record::PublishedDealOf(record), the.game->play(*the.options).wall);
  if (!verdict.fits()) return Misfit{std::string(PlaceOf(verdict.misfit)), TextFor(verdict)};
  if (record.number == 1 && !record.drawn) {
    return Misfit{"drawn", "a table's first round draws its dealer"};
  }
  if (auto misfit = CheckDrawnWinds(record)) return *std::move(misfit);
  the.setup = SetupOf(*the.game, record);
  if (!the.setup) return Misfit{"seat_winds", "winds that this game does not deal"};
  if (!record.drawn) {
    the.not_provable.emplace_back(kFollowsUnproved);
  }
  return Proved{Said(std::to_string(record.wall.size()), " tiles, dice ",
                     std::to_string(record.dice->first), " ", std::to_string(record.dice->second),
                     record.drawn ? ", dealer and winds" : "",
                     ": each as seed and nonces give it")};
}

}  // namespace mj::proof
