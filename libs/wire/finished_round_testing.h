// A round in which every field of the message has its use, as text.
#pragma once

namespace mj::wire {

inline constexpr char kGoodRound[] = R"(
  dealer: 1 round_wind: "2z" wild: "5z" end: ROUND_END_WIN horses: "1p5s7z2s"
  seat_winds: "4z" seat_winds: "1z" seat_winds: "2z" seat_winds: "3z"
  wins { seat: 2 concealed: "99m45s" tile: "6s" how: WIN_METHOD_SELF_DRAW
         melds { kind: MELD_KIND_CHOW tiles: "345p" from: 1 }
         melds { kind: MELD_KIND_DISCARD_KONG tiles: "2222m" from: 3 }
         melds { kind: MELD_KIND_CONCEALED_KONG tiles: "7777s" }
         flags: WIN_FLAG_LAST_TILE flags: WIN_FLAG_KONG_REPLACEMENT
         kong_feeder: 3 killer_paid_by: 0 }
  wins { seat: 0 concealed: "1234567891119m" tile: "6s" how: WIN_METHOD_ROBBED_KONG from: 3 }
  kongs { seat: 2 kind: KONG_KIND_DISCARD tile: "2m" from: 3 }
  kongs { seat: 1 kind: KONG_KIND_ADDED tile: "8p" paid_by: 0 }
  kongs { seat: 2 kind: KONG_KIND_CONCEALED tile: "7s" })";

}  // namespace mj::wire
