// Judging a hand and scoring a finished round, for any game.
//
// Pure and thread-safe. Nothing here checks that the tiles can exist: input goes through
// CheckRound or CheckHand (check.h) first.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "libs/rules/variant.h"

namespace mj::rules {

// Whether a reading worth `a` counts rather than one worth `b`, both legal (RULEBOOK 0, D-COM-2).
bool Beats(const Worth& a, const Worth& b);

// A claim, judged: the reading that counts and what it is worth. `worth.no_win` set: no win.
struct Judgement {
  Reading reading;
  Worth worth;

  bool legal() const { return !worth.no_win; }
};

// Of all readings that may win, the one that pays the winner most (D-COM-2); equal pay: more
// patterns (a chicken counts as none), then worth more before any limit, then the smallest sorted
// list of ids. With no reading that may win: the reason of the one that came furthest in NoWin's
// order; no reading at all is kNotAWinningShape. Does not allocate.
Judgement Judge(const Variant& variant, const Options& options, const FinishedRound& round,
                const WinQuestion& question);

// The same for a player who asks during play whether it may win, before anyone has claimed.
// `winners` is taken as 1: no game's legality hangs on it (the contract kit holds this).
Judgement JudgeClaim(const Variant& variant, const Options& options, const Deal& deal,
                     const Win& win);

using Judgements = InlineVector<Judgement, kMaxWins>;

// A round with its legal wins alone: a copy only where some are not.
class LegalRound {
 public:
  // `round` must stay. REQUIRES: a judgement for each of its wins.
  LegalRound(const FinishedRound& round, const Judgements& judgements);

  const FinishedRound& operator*() const { return legal_ ? *legal_ : *round_; }

 private:
  const FinishedRound* round_;
  std::optional<FinishedRound> legal_;
};

// What a finished round comes to.
struct RoundScore {
  Judgements wins;  // as in round.wins; illegal ones count as not claimed
  Transfers transfers;
  PerSeat<Units> net;  // sums to zero

  bool any_legal_win() const {
    for (const Judgement& win : wins) {
      if (win.legal()) return true;
    }
    return false;
  }
};

RoundScore ScoreRound(const Variant& variant, const Options& options, const FinishedRound& round);
// The same into `score`, which is large. REQUIRES: it is empty.
void ScoreRound(const Variant& variant, const Options& options, const FinishedRound& round,
                RoundScore& score);

// Who deals next: illegal wins are as if not claimed.
NextDeal NextAfter(const Variant& variant, const Options& options, const FinishedRound& round);

// ------------------------------------------------------------------- answers for people

struct ReadingVerdict {
  Reading reading;
  Worth worth;
  bool counted = false;
};

// Every distinct reading of a claim with its worth; the one that counts is marked. For display:
// allocates.
std::vector<ReadingVerdict> ExplainReadings(const Variant& variant, const Options& options,
                                            const Deal& deal, const Win& win, int winners);

// What one tile would do for a hand that waits.
struct Wait {
  Tile tile;
  std::optional<Judgement> by_self_draw;  // nothing: that way no win is legal
  std::optional<Judgement> by_discard;
  std::optional<Judgement> by_robbed_kong;
  int unseen = 0;  // copies that are neither in the hand nor in `seen`
};

// Every kind that completes the hand, whether or not it may be won in some way. First-turn flags
// and kong replacements are not assumed.
//   seen   visible tiles outside this hand: discards, others' melds, the indicator
std::vector<Wait> ListWaits(const Variant& variant, const Options& options, const Deal& deal,
                            Seat seat, const Hand& hand, const TileCounts& seen);

}  // namespace mj::rules
