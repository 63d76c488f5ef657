// What a record claims, and what came of checking it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mj::proof {

// In the order in which they are checked; each rests on those before it.
enum class Claim : std::uint8_t {
  kRound,       // who, where, when: nothing contradicts itself
  kCommitment,  // the seed is the one that was promised before the deal
  kNonces,      // the players' nonces were counted by the rules
  kRulebook,    // a game, options and a rulebook that this program has
  kDeal,        // wall, dice, dealer and winds are what seed and nonces give
  kPlay,        // the events are what the rules make of the players' answers, all and in order
  kOutcome,     // the round ended as its events say
  kScore,       // what was owed, and every word of the receipt
  kJournalRow,  // the wallet's row is this round's, hashes to its hash, and sums to zero
  kSettlement,  // what everybody paid and has, in the record and in the row
};
inline constexpr int kClaims = 10;

// "commitment", "journal row": a stable name for people and machines.
[[nodiscard]] std::string_view NameOf(Claim claim);

// In Report::not_provable, where a round took its dealer over: Follows can prove it.
inline constexpr std::string_view kFollowsUnproved =
    "dealer and winds: they follow from the table's round before this one";

enum class Verdict : std::uint8_t {
  kProved,
  kRefuted,     // something does not fit
  kNotReached,  // behind a claim that was refuted
  kNothing,     // this round has nothing of the kind: a void round is not scored
};
[[nodiscard]] std::string_view NameOf(Verdict verdict);

struct Statement {
  Claim claim = Claim::kRound;
  Verdict verdict = Verdict::kNotReached;
  std::string text;   // what was proved, or what does not fit: one line of English
  std::string where;  // kRefuted: the place in the record, "events[12]", "settled.posted"
};

struct Report {
  std::vector<Statement> statements;      // one for each claim, in order
  std::vector<std::string> not_provable;  // what nobody can tell from this record, and who can

  // Whether nothing is refuted. False, too, where there is nothing to say at all.
  [[nodiscard]] bool fits() const;
  // The first that is refuted, or nullptr.
  [[nodiscard]] const Statement* misfit() const;
};

}  // namespace mj::proof
