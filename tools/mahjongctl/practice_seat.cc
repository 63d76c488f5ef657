#include "tools/mahjongctl/practice_seat.h"

#include "libs/base/clock.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/base/uuid.h"
#include "libs/bots/strength.h"
#include "libs/player/lobby.h"
#include "libs/rpc/client.h"

namespace mj::mahjongctl {
namespace {

using ::mahjong::table::v1::TableService;

constexpr std::int64_t kPurse = 1'000'000;  // practice coins, enough for every game's dearest room
constexpr std::chrono::seconds kSeated{30};

player::matchmaking::BotStrength StrengthOf(const std::string& name) {
  const auto strength = bots::StrengthNamed(name);
  if (!strength) return player::matchmaking::BOT_STRENGTH_UNSPECIFIED;
  switch (*strength) {
    case bots::Strength::kWeak:
      return player::matchmaking::BOT_STRENGTH_WEAK;
    case bots::Strength::kMedium:
      return player::matchmaking::BOT_STRENGTH_MEDIUM;
    case bots::Strength::kStrong:
      return player::matchmaking::BOT_STRENGTH_STRONG;
  }
  return player::matchmaking::BOT_STRENGTH_UNSPECIFIED;
}

}  // namespace

absl::StatusOr<PracticeSeat> TakePracticeSeat(const SuiteAddresses& addresses,
                                              const std::string& variant, std::int64_t base,
                                              const std::string& strength) {
  const auto wallet =
      player::wallet::WalletService::NewStub(rpc::MakeChannel({.target = addresses.wallet}));
  const auto matchmaking = player::matchmaking::MatchmakingService::NewStub(
      rpc::MakeChannel({.target = addresses.matchmaking}));
  base::SystemClock clock;
  base::SystemEntropy entropy;
  const std::string id = base::UuidGenerator(clock, entropy).Next();
  PracticeSeat seat;
  seat.player_id = base::Cat("guest-", id);
  MJ_RETURN_IF_ERROR(player::OpenForPractice(*wallet, seat.player_id, kPurse));
  MJ_ASSIGN_OR_RETURN(const auto ticket,
                      player::QueueForPractice(*matchmaking, id, seat.player_id, variant, base,
                                               StrengthOf(strength)));
  MJ_ASSIGN_OR_RETURN(const auto assigned,
                      player::AwaitAssignment(*matchmaking, ticket.ticket_id(), kSeated));
  seat.table_id = assigned.table_id();
  seat.join_token = assigned.join_token();
  seat.tables =
      TableService::NewStub(rpc::MakeChannel({.target = addresses.table, .retry_safe = true}));
  return seat;
}

}  // namespace mj::mahjongctl
