// The report: who may be playing for each other, and what speaks for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/collusion/played.h"

namespace mj::collusion {

enum class Kind : std::uint8_t {
  kMeetings,  // they sit together more often than the queue makes it
  kFlow,      // coins go from `one` to `other`
  kFeeding,   // `one` throws what `other` wins on
  kPassing,   // `one` lets wins on the tiles of `other` go
  kDevice,    // both have played from one device
  kNetwork,   // both have played from one network address that few have
};

// "meetings", "flow", "feeding", "passing", "device", "network".
[[nodiscard]] std::string_view NameOf(Kind kind);

struct Finding {
  Kind kind = Kind::kMeetings;
  std::string one = {};
  std::string other = {};  // of kinds that have no direction, the later by name
  // Sittings, wins or chances; what of them speaks for it, and what chance would make of them, in thousandths. kFlow:
  // `of` are rounds, and `seen` coins. kDevice, kNetwork: sittings together.
  std::int64_t seen = 0;
  std::int64_t of = 0;
  std::int64_t expected_milli = 0;
  // How improbable it is, as a power of ten: 9 is one in 10^9. 0 of kDevice and kNetwork, which are facts.
  int power = 0;
  // The rounds to look at, the latest first; at most ReportOptions::evidence_max.
  std::vector<std::string> rounds = {};
};

struct ReportOptions {
  double level = 0.001;           // of one false finding of a kind in a whole report
  std::size_t evidence_max = 20;  // rounds of a finding
  // Below these nothing is said.
  std::int64_t meetings_min = 5;
  std::int64_t rounds_min = 20;  // that both played
  std::int64_t feeds_min = 5;
  std::int64_t passes_min = 4;
  // More players than these at one address are a carrier's or a café's, and tell nothing.
  std::size_t household_max = 4;
};

struct Report {
  std::size_t sittings = 0;
  std::size_t rounds = 0;
  std::size_t players = 0;
  std::size_t pairs = 0;          // who sat at one table
  std::vector<Finding> findings;  // by pair, then by kind
};

// Takes what was played, oldest first, and then tells. Room grows with the pairs who sat together and the rounds
// of each. Not thread-safe.
class Examiner {
 public:
  explicit Examiner(ReportOptions options = {}) : options_(options) {}

  void Add(const Sitting& sitting);
  // REQUIRES: seats below kSeats; coins that add up within an int64.
  void Add(const Round& round);

  [[nodiscard]] Report Examine() const;

 private:
  using Player = std::uint32_t;
  using Pair = std::pair<Player, Player>;  // directed, or the lower first
  struct Together {                        // by Pair, the lower first
    std::int64_t apart = 0;                // sittings to which they came by separate requests
    std::int64_t sittings = 0;
    std::vector<std::size_t> rounds;  // indices into round_ids_
  };
  struct Flow {  // of a pair, the lower first; from the lower to the other is positive
    Coins coins = 0;
    std::vector<Coins>
        beyond;  // of each round: twice their flow, less what goes by way of the other two
  };
  struct Counts {  // of a directed pair
    std::int64_t deal_ins = 0;
    std::int64_t wins_seen = 0;  // of the second on somebody's tile, where the first sat
    std::int64_t chances = 0;    // of the first on the second's tiles
    std::int64_t passes = 0;
    std::vector<std::size_t> fed;     // rounds
    std::vector<std::size_t> passed;  // rounds
  };
  struct Draw {
    std::int64_t sittings = 0;
    std::map<Player, std::int64_t> of;
  };
  struct Habits {                // of a player, at all tables
    std::int64_t deal_ins = 0;   // into anybody
    std::int64_t wins_seen = 0;  // of others on somebody's tile
    std::int64_t chances = 0;
    std::int64_t passes = 0;
  };

  Player NumberOf(const std::string& player);
  void AddFlow(const Round& round, const std::array<Player, kSeats>& players);
  void FindMeetings(Report& report) const;
  void FindFlows(Report& report) const;
  void FindFeeding(Report& report) const;
  void FindPassing(Report& report) const;
  void FindShared(Kind kind, const std::map<std::string, std::set<Player>>& shared,
                  std::size_t players_max, Report& report) const;
  // Of rounds that were added, the latest first.
  std::vector<std::string> Evidence(const std::vector<std::size_t>& rounds) const;
  double LevelOf(std::size_t tests) const;

  const ReportOptions options_;
  std::size_t sittings_ = 0;
  std::map<std::string, Player> numbers_;
  std::vector<std::string> names_;
  std::vector<std::string> round_ids_;
  std::map<Pair, Together> together_;
  std::map<Pair, Flow> flows_;
  std::map<Pair, Counts> counts_;
  std::map<Player, Habits> habits_;
  std::map<std::string, Draw> draws_;
  std::map<std::string, std::set<Player>> devices_;
  std::map<std::string, std::set<Player>> networks_;
};

}  // namespace mj::collusion
