#include "services/matchmaking/app/wish.h"

#include <cstddef>
#include <string_view>
#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/matching/fit.h"
#include "libs/matching/network.h"
#include "libs/rules/options.h"
#include "libs/variants/registry.h"

namespace mj::matchmaking {
namespace {

using base::Cat;
using base::Error;
using base::Reason;

absl::Status Refuse(const rules::OptionRefusal& refusal) {
  const std::string field = Cat("options.", refusal.name);
  switch (refusal.fault) {
    case rules::OptionFault::kUnknown:
      return Error(Reason::kUnknownOption, Cat(field, ": no such option"), {.field = field});
    case rules::OptionFault::kNotAValue:
    case rules::OptionFault::kOutOfRange:
      break;
  }
  return Error(Reason::kOptionOutOfRange, Cat(field, ": not a value of this option"),
               {.field = field});
}

absl::Status TooMany(std::string_view field, std::size_t most) {
  return Error(Reason::kBatchTooLarge, Cat(field, ": want at most ", std::to_string(most)),
               {.field = std::string(field)});
}

// Puts what is told of a player into the wish. `at` is where it stands in the request.
absl::Status ReadDetails(const Details& details, const std::string& at, Wish& wish) {
  if (details.latency.size() > kRegionsMax) {
    return TooMany(Cat(at, "client.latency_ms"), kRegionsMax);
  }
  for (const auto& [region, latency] : details.latency) {
    if (latency < 0 || latency > kLatencyMax) {
      const std::string field = Cat(at, "client.latency_ms.", region);
      return Error(Reason::kBadLatency,
                   Cat(field, ": got ", std::to_string(latency), ", want 0 to ",
                       std::to_string(kLatencyMax)),
                   {.field = field});
    }
    wish.client.latency.emplace(region, static_cast<int>(latency));
  }
  if (!details.address.empty()) {
    const auto network = matching::NetworkOf(details.address);
    if (!network) {
      const std::string field = Cat(at, "client.network_address");
      return Error(Reason::kBadAddress, Cat(field, ": want an IPv4 or IPv6 address"),
                   {.field = field});
    }
    wish.client.network = *network;
  }
  if (details.avoid.size() > kAvoidMax) return TooMany(Cat(at, "avoid_player_ids"), kAvoidMax);
  wish.client.device = details.device;
  wish.avoid = details.avoid;
  return absl::OkStatus();
}

// Of the friends' wishes, the later of two that cannot be at one table.
absl::Status RefuseParty(const std::vector<Wish>& wishes) {
  for (std::size_t i = 1; i < wishes.size(); ++i) {
    const std::string at = Cat("friends[", std::to_string(i - 1), "].");
    for (std::size_t j = 0; j < i; ++j) {
      if (wishes[i].player != wishes[j].player) continue;
      const std::string field = Cat(at, "player_id");
      return Error(Reason::kDuplicatePlayer, Cat(field, ": is named before"), {.field = field});
    }
    for (std::size_t j = 0; j < i; ++j) {
      MJ_RETURN_IF_ERROR(
          RefuseSharing(ForMatching(wishes[i]), ForMatching(wishes[j]), Cat(at, "client")));
    }
  }
  return absl::OkStatus();
}

}  // namespace

matching::Ticket ForMatching(const Wish& wish) {
  matching::Ticket ticket;
  ticket.id = wish.player.value();
  ticket.player = wish.player.value();
  ticket.pool = wish.pool;
  ticket.bots = wish.bots;
  ticket.bot_strength = wish.bot_strength;
  ticket.device = wish.client.device;
  ticket.network = wish.client.network;
  ticket.latency = wish.client.latency;
  for (const PlayerId& player : wish.avoid) ticket.avoid.insert(player.value());
  return ticket;
}

absl::Status RefuseSharing(const matching::Ticket& comes, const matching::Ticket& there,
                           std::string_view field) {
  const auto refuse = [&](Reason reason, std::string_view what) {
    return Error(reason, Cat(field, ".", what, ": is that of player ", there.player),
                 {.field = Cat(field, ".", what), .metadata = {{"player_id", there.player}}});
  };
  switch (matching::ConflictOf(comes, there)) {
    case matching::Conflict::kDevice:
      return refuse(Reason::kSharedDevice, "device_id");
    case matching::Conflict::kNetwork:
      return refuse(Reason::kSharedNetwork, "network_address");
    case matching::Conflict::kNone:
    case matching::Conflict::kSamePlayer:
    case matching::Conflict::kAvoided:
      break;
  }
  return absl::OkStatus();
}

absl::StatusOr<Wish> ReadEntry(const EntryRequest& request) {
  Wish wish;
  wish.request = request.request;
  wish.player = request.player;
  wish.asked_room = request.code;
  MJ_RETURN_IF_ERROR(ReadDetails(request.details, "", wish));
  return wish;
}

absl::StatusOr<std::vector<Wish>> ReadWishes(const TicketRequest& request) {
  const rules::Variant* game = variants::Find(request.variant);
  if (game == nullptr) {
    return Error(Reason::kUnknownVariant, "variant: no such game", {.field = "variant"});
  }
  const auto options = rules::ParseOptions(game->options(), request.options);
  if (const auto* refusal = std::get_if<rules::OptionRefusal>(&options)) return Refuse(*refusal);

  const std::int64_t base = request.asked_base;
  const std::int64_t unit = game->info().units_per_base;
  if (base < 0 || base > kBaseMax || base % unit != 0) {
    return Error(Reason::kBadBase,
                 Cat("base: got ", std::to_string(base), ", want 0 or a multiple of ",
                     std::to_string(unit), " up to ", std::to_string(kBaseMax)),
                 {.field = "base"});
  }

  Wish wish;
  wish.request = request.request;
  wish.player = request.player;
  wish.pool.variant = request.variant;
  wish.pool.options =
      rules::ToTexts(game->options(), std::get<rules::Options>(options), /*all=*/false);
  wish.pool.currency = request.currency;
  wish.pool.media = request.media;
  wish.asked_base = base;
  wish.bots = request.bots;
  wish.bot_strength = request.bot_strength;
  if (wish.bots != matching::Bots::kNone && wish.pool.staked()) {
    return Error(Reason::kBotsForPracticeOnly, "bots: coins are played for", {.field = "bots"});
  }

  std::vector<Wish> wishes(1 + request.friends.size(), wish);
  MJ_RETURN_IF_ERROR(ReadDetails(request.details, "", wishes[0]));
  if (wishes.size() > kSeats) return TooMany("friends", kSeats - 1);
  for (std::size_t i = 1; i < wishes.size(); ++i) {
    const Friend& other = request.friends[i - 1];
    wishes[i].player = other.player;
    MJ_RETURN_IF_ERROR(
        ReadDetails(other.details, Cat("friends[", std::to_string(i - 1), "]."), wishes[i]));
  }
  MJ_RETURN_IF_ERROR(RefuseParty(wishes));
  return wishes;
}

}  // namespace mj::matchmaking
