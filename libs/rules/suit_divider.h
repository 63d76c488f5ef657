// Goes through every way in which the tiles of one suit can be sets, or sets and a pair.
#pragma once

#include <array>
#include <cstdint>

#include "libs/rules/suit_table.h"

namespace mj::rules::internal {

// One way: what was taken, lowest first.
struct SuitParts {
  struct Part {
    std::uint8_t rank = 0;  // less one; the lowest of a sequence
    bool sequence = false;  // else a triplet
  };
  RankCounts counts{};  // of all that was taken
  std::array<Part, 5> sets{};
  int set_count = 0;
  int pair = -1;  // the pair's rank less one; -1: there is none
};

// What a suit's parts may be.
struct PartLimits {
  int alike = 4;              // of a rank, at most
  int sets_without_pair = 4;  // at most; beside a pair there are never more than four
};

// Calls `visit(const SuitParts&)` for every choice of sets, and a pair or none, within the limits.
// Of several ways to divide the same tiles those come first that have the pair, then the triplets,
// then the sequences as low as possible.
template <typename Visit>
class SuitDivider {
 public:
  SuitDivider(const SuitForm& form, const PartLimits& limits, Visit& visit)
      : form_(form), limits_(limits), visit_(visit) {}

  void Run() { Rank(0); }

 private:
  std::uint8_t& Count(int rank) { return parts_.counts[static_cast<std::size_t>(rank)]; }

  bool MoreSets() const {
    return parts_.set_count < (parts_.pair < 0 ? limits_.sets_without_pair : 4);
  }

  void Rank(int rank) {
    if (rank == form_.ranks) return visit_(parts_);
    if (parts_.pair < 0 && parts_.set_count <= 4 && Count(rank) + 2 <= limits_.alike) {
      parts_.pair = rank;
      Count(rank) = static_cast<std::uint8_t>(Count(rank) + 2);
      Triplets(rank);
      Count(rank) = static_cast<std::uint8_t>(Count(rank) - 2);
      parts_.pair = -1;
    }
    Triplets(rank);
  }

  void Triplets(int rank) {
    if (MoreSets() && Count(rank) + 3 <= limits_.alike) {
      Take(rank, false);
      Triplets(rank);
      GiveBack();
    }
    Sequences(rank);
  }

  void Sequences(int rank) {
    const int most = limits_.alike;
    if (form_.sequences && rank + 2 < form_.ranks && MoreSets() && Count(rank) < most &&
        Count(rank + 1) < most && Count(rank + 2) < most) {
      Take(rank, true);
      Sequences(rank);
      GiveBack();
    }
    Rank(rank + 1);
  }

  void Take(int rank, bool sequence) {
    parts_.sets[static_cast<std::size_t>(parts_.set_count++)] = {
        .rank = static_cast<std::uint8_t>(rank), .sequence = sequence};
    Change(rank, sequence, 1);
  }

  void GiveBack() {
    const auto part = parts_.sets[static_cast<std::size_t>(--parts_.set_count)];
    Change(part.rank, part.sequence, -1);
  }

  void Change(int rank, bool sequence, int times) {
    if (!sequence) {
      Count(rank) = static_cast<std::uint8_t>(Count(rank) + 3 * times);
      return;
    }
    for (int i = rank; i < rank + 3; ++i) Count(i) = static_cast<std::uint8_t>(Count(i) + times);
  }

  const SuitForm form_;
  const PartLimits limits_;
  Visit& visit_;
  SuitParts parts_;
};

template <typename Visit>
void ForEachDivision(const SuitForm& form, const PartLimits& limits, Visit&& visit) {
  SuitDivider<Visit>(form, limits, visit).Run();
}

}  // namespace mj::rules::internal
