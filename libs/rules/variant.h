// A game: its tables, and the few questions that the round and the scoring ask it.
//
// A Variant is stateless and immutable; every member may be called from any thread. It is the one
// source of its rules: the round plays by it, the scoring service pays by it, ListVariants shows
// its tables, and the rules documentation is generated from them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "libs/rules/hand.h"
#include "libs/rules/options.h"
#include "libs/rules/reading.h"

namespace mj::rules {

// The id of a rule of the rulebook ("CZ-22"); always a view of static text.
using RuleId = std::string_view;

// A payment in units; coins are units × base / units_per_base (libs/ledger).
using Units = std::int64_t;

// ---------------------------------------------------------------------------------- tables

struct WinQuestion;
struct Worth;

// How a table comes to its base stake.
enum class BaseFrom : std::uint8_t {
  kCoins,        // from what its players have: the lowest of their tiers (CZ-70, D-CZ-10)
  kAgreement,    // the first player proposes it, and everybody else accepts it (GD-90)
  kFirstPlayer,  // the first player chooses it, and options (SG-51)
};

struct VariantInfo {
  std::string_view id;  // the game's name everywhere: "chaozhou"
  std::string_view name_zh;
  std::string_view name_en;
  int revision = 1;        // raised by hand when a predicate or a payment changes, so that the
                           // rulebook version changes even where no table does
  int units_per_base = 1;  // 2 where the text pays half bases; bases are then even
  BaseFrom base_from = BaseFrom::kCoins;

  // Which of a Worth's figures mean something in this game, and stand in its results.
  bool counts_fan = false;
  bool fan_doubles = false;  // each fan doubles what is paid; otherwise fan multiply it
  bool counts_multiplier = false;
  bool counts_horses = false;

  // What the text calls the three kongs (RULEBOOK 0) and what it counts them in: each game has its
  // own words.
  struct KongNames {
    std::string_view of_discard = "点杠";
    std::string_view added = "明杠";
    std::string_view concealed = "暗杠";
    std::string_view unit_zh{};
    std::string_view unit_en{};
  };
  KongNames kong_names{};
  // The text's words for the base stake, and for wins on another's tile.
  std::string_view base_zh = "底注";
  std::string_view discard_win_zh = "点炮胡";
  std::string_view robbed_kong_zh = "抢杠胡";

  // For receipts: the rule by which fan or multiplier count as another figure than their patterns
  // come to; the one that multiplies points beyond the pattern; the one that turns horses; the one
  // by which a seat alone pays another's kongs.
  RuleId (*limit_rule)(const WinQuestion&, const Worth&) = nullptr;
  RuleId factor_rule = {};
  RuleId horses_rule = {};
  RuleId kill_rule = {};
};

// Everything that a win is judged by, besides the reading.
struct WinQuestion {
  const Win* win = nullptr;
  const Deal* deal = nullptr;
  int winners = 1;  // legal winners on this tile; 1 on a self-draw
};

enum class PatternRole : std::uint8_t {
  kMultiplier,  // value multiplies
  kFan,         // value adds fan
  kPoints,      // value is the whole hand's worth
};

// One row of a game's pattern table.
struct Pattern {
  RuleId id;
  std::string_view name_zh;
  std::string_view name_en;
  PatternRole role = PatternRole::kMultiplier;
  std::int64_t value = 0;
  std::span<const RuleId> implies{};  // not counted beside this one
  bool big = false;         // 大牌: a big pattern of the text, named so in results (COM-16)
  std::string_view source;  // where the source text says it: "000 2.5"
  // Null: the row for what is left when no other applies, which the game counts itself.
  bool (*applies)(const WinQuestion&, const Reading&) = nullptr;
  // How often it counts where it applies. Null: once.
  int (*times)(const WinQuestion&, const Reading&) = nullptr;
};

// A rule that is no pattern: payments, limits, locks. For receipts and documentation.
struct RuleText {
  RuleId id;
  std::string_view name_zh;
  std::string_view name_en;
  std::string_view source;
};

// ------------------------------------------------------------------------------- play, as data

enum class MissedWin : std::uint8_t { kNoLock, kSameTile, kEveryTile };
enum class LockEnds : std::uint8_t {
  kOwnDrawOrCall,  // the player draws, pungs or kongs
  kOwnDiscard,     // the player discards, before that discard's window (PLAY-04)
};
enum class WildMode : std::uint8_t { kNone, kFixed, kFlipped };

// What the round engine has to know to play a game with given options.
struct PlayRules {
  TileCounts wall;  // the tiles of a full wall
  bool chow = false;
  bool winds = false;         // seat winds and a round wind are dealt
  bool dealer_rolls = false;  // COM-02: the dealer is asked to roll the dice; else the system rolls
  MissedWin missed_win = MissedWin::kNoLock;
  LockEnds lock_ends = LockEnds::kOwnDrawOrCall;
  bool feeder_may_not_rob = false;  // SG-03: not the one whose discard made that pung
  bool kill = false;                // SG-43
  int horses = 0;                   // tiles turned after a win
  bool horses_on_robbed_kong = false;
  WildMode wild = WildMode::kNone;
  Tile fixed_wild;  // WildMode::kFixed
};

// What has happened so far, as far as first-turn wins need it.
struct FirstTurnFacts {
  Seat winner = Seat::k0;
  Seat dealer = Seat::k0;
  WinWay way = WinWay::kSelfDraw;
  int winner_draws = 0;             // the winner's draws of this round, the winning one included;
                                    // the dealer's fourteenth tile counts as one (PLAY-02)
  bool winner_called = false;       // the winner has called or konged
  bool anyone_called = false;       // anyone has called or konged, concealed kongs too
  bool dealer_second_turn = false;  // the dealer drew again (a replacement in its first turn is
                                    // none) or has called a tile (PLAY-05)
  bool previous_seats_first_discard = false;  // won on the first tile that the winner's previous
                                              // seat threw in this round (PLAY-08)
};

// ------------------------------------------------------------------------------------ judging

// Why a claim is no win, in order of precedence.
enum class NoWin : std::uint8_t {
  kNotAWinningShape,
  kChickenNotAllowed,
  kDiscardWinNotAllowed,
};

// Some rows of a pattern table: a bit at each one's place.
using RowMask = std::uint64_t;
inline constexpr std::size_t kMaxPatterns = 64;

// The ids of some rows of a game's pattern table, in the table's order: sorted. A view of the
// table, which is static.
class PatternIds {
 public:
  class Iterator {
   public:
    using value_type = RuleId;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = RuleId;
    using iterator_category = std::input_iterator_tag;

    constexpr Iterator() = default;
    constexpr Iterator(const Pattern* table, RowMask left) : table_(table), left_(left) {}
    constexpr RuleId operator*() const { return table_[std::countr_zero(left_)].id; }
    constexpr Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    constexpr Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    constexpr bool operator==(const Iterator& other) const { return left_ == other.left_; }

   private:
    const Pattern* table_ = nullptr;
    RowMask left_ = 0;
  };

  constexpr PatternIds() = default;
  // REQUIRES: the table has all these rows.
  constexpr PatternIds(std::span<const Pattern> table, RowMask rows)
      : table_(table.data()), rows_(rows) {}

  constexpr RowMask rows() const { return rows_; }
  constexpr std::size_t size() const { return static_cast<std::size_t>(std::popcount(rows_)); }
  constexpr bool empty() const { return rows_ == 0; }
  constexpr Iterator begin() const { return {table_, rows_}; }
  constexpr Iterator end() const { return {table_, 0}; }
  // REQUIRES: i < size().
  constexpr RuleId operator[](std::size_t i) const {
    Iterator at = begin();
    while (i-- > 0) ++at;
    return *at;
  }

  // Whether they are the same of one table.
  constexpr bool operator==(const PatternIds& other) const {
    return rows_ == other.rows_ && (rows_ == 0 || table_ == other.table_);
  }

 private:
  const Pattern* table_ = nullptr;
  RowMask rows_ = 0;
};

// What one reading of a win is worth.
struct Worth {
  std::optional<NoWin> no_win;    // set: the reading may not win, and the rest is empty
  PatternIds patterns;            // that counted, sorted; implied ones left out, capped ones kept
  bool chicken = false;           // `patterns` holds the chicken, which counts as none in a tie
  std::int64_t fan = 0;           // where the game counts fan
  std::int64_t multiplier = 1;    // after the cap, where the game multiplies
  std::int64_t before_limit = 0;  // for ties: worth before any limit
  std::int64_t horses_hit = 0;    // where the game turns horses
  Units share = 0;                // what one paying seat owes
};

// One debt between two seats.
struct Transfer {
  Seat from = Seat::k0;
  Seat to = Seat::k0;
  Units units = 0;  // > 0
  RuleId rule;

  bool operator==(const Transfer&) const = default;
};

// At most: three winners and kongs between each of twelve pairs.
using Transfers = InlineVector<Transfer, 24>;

// Adds `units` to the line of this payer, payee and rule; a new line when there is none.
void Owe(Transfers& transfers, Seat from, Seat to, Units units, RuleId rule);

struct NextDeal {
  Seat dealer = Seat::k0;
  std::optional<Tile> round_wind;  // games with winds

  bool operator==(const NextDeal&) const = default;
};

// A game.
class Variant {
 public:
  virtual ~Variant() = default;

  virtual const VariantInfo& info() const = 0;
  virtual std::span<const OptionDef> options() const = 0;
  // Sorted by id; at most kMaxPatterns.
  virtual std::span<const Pattern> patterns() const = 0;
  virtual std::span<const RuleText> rules() const = 0;
  virtual Shapes shapes(const Options& options) const = 0;
  virtual PlayRules play(const Options& options) const = 0;

  // Whether a win at this moment is heavenly or earthly, by this game's definition. Only the two
  // flags are set, and only where the game knows them.
  virtual WinFlags FirstTurn(const FirstTurnFacts& facts, const Options& options) const = 0;

  // What the win is worth when its tiles are read like this.
  virtual Worth Appraise(const WinQuestion& question, const Reading& reading,
                         const FinishedRound& round, const Options& options) const = 0;

  // Who pays `win`, with which rule: adds to `transfers`.
  virtual void PayWin(const WinQuestion& question, const Worth& worth, const Options& options,
                      Transfers& transfers) const = 0;

  // Who pays for the kongs of the round: adds to `transfers`.
  virtual void PayKongs(const FinishedRound& round, const Options& options,
                        Transfers& transfers) const = 0;

  // Who deals next, and under which round wind. `round.wins` are the legal ones.
  virtual NextDeal Next(const FinishedRound& round) const = 0;

  // Earlier versions of these rules, newest first, with the same id and a version of their own: a
  // round goes on by the rules that it began with. Whoever changes a released rule keeps it here.
  virtual std::span<const Variant* const> former() const { return {}; }
};

// The version of a game's rules: its id and a hash over its tables, options and revision. Two
// builds that play the same rules agree on it; a change of a rule changes it.
std::string RulebookVersion(const Variant& variant);

}  // namespace mj::rules
