// What is looked at: who was seated together, and what came of each round.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mj::collusion {

using Coins = std::int64_t;

inline constexpr std::size_t kSeats = 4;

// Four whom the queue put at one table, by seat.
struct Sitting {
  struct Place {
    std::string player = {};
    std::string request = {};  // friends come by one request
    std::string device = {};   // as it was told then; empty: not told
    std::string network = {};  // as the device
  };

  // What had to be alike, and when: who was in one draw at that time could have met.
  std::string draw = {};
  std::array<Place, kSeats> places = {};
};

// A round that was paid.
struct Round {
  // Seats are 0 to 3.
  struct Payment {
    std::size_t from = 0;
    std::size_t to = 0;
    Coins coins = 0;  // more than 0
  };
  // A win that a player was offered on another's tile, and that it took or let go of its own will.
  struct Chance {
    std::size_t thrower = 0;
    std::size_t chooser = 0;
    bool taken = false;
  };
  struct DealIn {
    std::size_t thrower = 0;
    std::size_t winner = 0;
  };

  std::string id = {};
  std::array<std::string, kSeats> players = {};
  std::vector<Payment> payments = {};
  std::vector<Chance> chances = {};
  std::vector<DealIn> deal_ins = {};
};

}  // namespace mj::collusion
