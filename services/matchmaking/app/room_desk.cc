#include "services/matchmaking/app/room_desk.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "services/matchmaking/app/tiers.h"

namespace mj::matchmaking {
namespace {

constexpr std::size_t kDigits = 6;
constexpr std::uint32_t kCodes = 1'000'000;
constexpr int kAttempts = 10;  // at a code that no open room has

}  // namespace

std::string NewRoomCode(base::Entropy& entropy) {
  constexpr std::uint32_t kEnd = UINT32_MAX / kCodes * kCodes;  // above it codes were not alike
  std::uint32_t number = 0;
  do {
    std::array<std::byte, 4> bytes{};
    entropy.Fill(bytes);
    number = 0;
    for (const std::byte byte : bytes) number = number << 8 | std::to_integer<std::uint32_t>(byte);
  } while (number >= kEnd);
  const std::string digits = std::to_string(number % kCodes);
  return std::string(kDigits - digits.size(), '0') + digits;
}

bool IsRoomCode(std::string_view text) {
  return text.size() == kDigits &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

absl::StatusOr<Entered> RoomDesk::InRoom(const Tickets& tickets) {
  const Ticket& ticket = tickets.front();
  MJ_ASSIGN_OR_RETURN(Room room, store_.GetRoom(ticket.wish.pool.room));
  return Entered{std::move(room), ticket};
}

absl::StatusOr<Entered> RoomDesk::Open(const TicketRequest& request) {
  MJ_ASSIGN_OR_RETURN(std::vector<Wish> wishes, ReadWishes(request));
  Wish& wish = wishes.front();
  wish.asked_room = kNewRoom;
  MJ_ASSIGN_OR_RETURN(const std::optional<Tickets> before, taker_.Foresee(wishes));
  if (before) return InRoom(*before);

  MJ_ASSIGN_OR_RETURN(wish.pool.base, CommonTier(wallet_, wishes));
  Room room;
  room.id = wish.pool.room = ids_.Next();
  room.owner = wish.player;
  room.pool = wish.pool;
  const TicketId id(ids_.Next());
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    room.code = NewRoomCode(entropy_);
    const absl::StatusOr<Tickets> tickets =
        taker_.Take([&] { return store_.OpenRoom(room, id, wish, options_.lifetime); });
    const bool code_taken =
        absl::IsAlreadyExists(tickets.status()) && !base::CarriedBy(tickets.status());
    if (code_taken) continue;
    if (!tickets.ok()) return tickets.status();
    return InRoom(*tickets);
  }
  return base::Error(base::Reason::kOverloaded, "code: hardly any is left");
}

absl::StatusOr<Entered> RoomDesk::Enter(const EntryRequest& request) {
  MJ_ASSIGN_OR_RETURN(Wish wish, ReadEntry(request));
  MJ_ASSIGN_OR_RETURN(const std::optional<Tickets> before, taker_.Foresee({wish}));
  if (before) return InRoom(*before);

  MJ_ASSIGN_OR_RETURN(const Room room, store_.FindRoom(request.code));
  wish.pool = room.pool;
  MJ_RETURN_IF_ERROR(
      wallet_.OpenTier(wish.player, room.pool.variant, room.pool.currency, room.pool.base)
          .status());
  const TicketId id(ids_.Next());
  MJ_ASSIGN_OR_RETURN(const Tickets tickets, taker_.Take([&] {
    return store_.TakeTickets({id}, {wish}, options_.lifetime);
  }));
  return InRoom(tickets);
}

}  // namespace mj::matchmaking
