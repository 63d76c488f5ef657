// Every way to read a winning hand, by trying everything.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "libs/rules/hand.h"

namespace mj::scorer {

// How many of each kind, by the kind's place in 1m…9m 1p…9p 1s…9s 1z…7z.
using Kinds = std::array<int, 34>;

inline constexpr int kEast = 27, kSouth = 28, kWest = 29, kNorth = 30, kWhite = 31, kGreen = 32,
                     kRed = 33;

struct Set {
  bool sequence = false;
  bool kong = false;
  int kind = 0;  // the lowest of a sequence
};

enum class Form { kSetsAndPair, kSevenPairs, kThirteenOrphans };

struct Reading {
  Form form = Form::kSetsAndPair;
  std::vector<Set> sets;  // kSetsAndPair: four, melds among them
  int pair = 0;           // kSetsAndPair
  Kinds tiles{};          // the whole hand, wild tiles as what they stand for
};

// Calls `each` for every reading of the win, some perhaps more than once. A wild tile in the
// concealed hand stands for every kind in turn.
void ForEachReading(const rules::Win& win, std::optional<int> wild, bool seven_pairs,
                    bool thirteen_orphans, const std::function<void(const Reading&)>& each);

bool IsHonour(int kind);
bool IsTerminal(int kind);

// Questions about a reading.
int TripletsWithin(const Reading& reading, int first, int last);  // pungs and kongs of these kinds
int KindsOfTriplets(const Reading& reading, int first,
                    int last);  // how many of these kinds have one
bool IsTripletOf(const Reading& reading, int kind);
bool FourTriplets(const Reading& reading);
bool FourSequences(const Reading& reading);
bool FourKongs(const Reading& reading);
int FourAlikes(const Reading& reading);
int SuitsOf(const Reading& reading);  // how many of the three suits
bool HasHonours(const Reading& reading);
bool HasSimples(const Reading& reading);  // any tile that is neither terminal nor honour
bool FullFlush(const Reading& reading);
bool HalfFlush(const Reading& reading);

// No meld but concealed kongs.
bool IsConcealed(const rules::Hand& hand);

}  // namespace mj::scorer
