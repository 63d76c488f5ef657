#include "tools/demo/evening.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "libs/base/entropy.h"
#include "libs/base/mutex.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/player/lobby.h"
#include "libs/player/table_player.h"
#include "libs/rpc/client.h"
#include "libs/variants/registry.h"

namespace mj::demo {
namespace {

using base::Cat;
using ::mahjong::matchmaking::v1::MatchmakingService;
using ::mahjong::table::v1::TableService;
using ::mahjong::wallet::v1::WalletService;

struct Invitation {
  const char* name;
  std::int64_t coins;
};
// Of three different tiers in Chaozhou (CZ-70).
constexpr std::array<Invitation, 4> kInvited = {
    {{"ming", 15'000}, {"hong", 40'000}, {"juan", 200'000}, {"wei", 12'000}}};

// Who has less than this many bases after a round buys in for that many: in time, since the table asks
// right then whether it has the room's minimum (64 of them in Shaoguan), and removes whoever has not.
constexpr std::int64_t kShortBases = 200;
constexpr std::int64_t kBuyInBases = 200;

// A round in which nothing happens for so long is stuck.
constexpr std::chrono::seconds kPatience{60};

// The base of the highest tier that is open to the player.
absl::StatusOr<std::int64_t> OwnBase(const Stubs& stubs, const std::string& player,
                                     const std::string& variant) {
  ::mahjong::wallet::v1::GetStakeTierRequest request;
  request.set_player_id(player);
  request.set_variant(variant);
  request.set_currency(::mahjong::common::v1::CURRENCY_COIN);
  MJ_ASSIGN_OR_RETURN(const ::mahjong::wallet::v1::GetStakeTierResponse response,
                      rpc::Invoke(*stubs.wallet, &WalletService::StubInterface::GetStakeTier,
                                  request, {.timeout = player::kCallTimeout}));
  return response.tier().base();
}

// The first failure of several threads; what follows from it is not told.
class Failure {
 public:
  void Note(const std::string& who, const absl::Status& status) {
    base::MutexLock lock(mutex_);
    if (!first_.ok() || status.code() == absl::StatusCode::kCancelled) return;
    first_ =
        absl::Status(status.code(), base::ToAbsl(Cat(who, ": ", base::ToStd(status.message()))));
  }
  absl::Status first() const {
    base::MutexLock lock(mutex_);
    return first_;
  }

 private:
  mutable base::Mutex mutex_;
  absl::Status first_ ABSL_GUARDED_BY(mutex_);
};

// One player's part, on its thread.
absl::Status PlayOne(const Stubs& stubs, const Sitting& sitting, const PlayOptions& options,
                     Seat seat, Stories& stories, player::Halt& halt) {
  const Guest& guest = sitting.guests[seat];
  const int index = rules::IndexOf(seat);
  std::uint32_t rounds = 0;
  absl::Status bought;
  const auto hear = [&](const table::TableEvent& event) {
    if (event.event_case() == table::TableEvent::kRoundSettled && ++rounds < options.rounds &&
        event.round_settled().seats_size() == rules::kSeatCount) {
      const std::int64_t coins = BuyIn(event.round_settled().seats(index).balance(), sitting.base);
      if (coins > 0) {
        bought = player::Deposit(
            *stubs.wallet,
            Cat("buyin-", event.round_settled().round_id(), "-", std::to_string(index)),
            guest.player_id, coins, "buy-in between rounds");
        if (!bought.ok()) halt.Now();
      }
    }
    stories.Add(seat, event);
  };
  base::SystemEntropy entropy;
  const absl::Status played = player::PlayAtTable(
      *stubs.table,
      {.table_id = sitting.table_id,
       .player_id = guest.player_id,
       .join_token = guest.join_token,
       .seed = options.seed * rules::kSeatCount + static_cast<std::uint64_t>(index),
       .rounds = options.rounds,
       .entropy = &entropy},
      hear, halt);
  return bought.ok() ? played : bought;
}

absl::StatusOr<rules::Options> OptionsOf(const Stubs& stubs, const rules::Variant& game,
                                         const std::string& table_id) {
  ::mahjong::table::v1::GetTableRequest request;
  request.set_table_id(table_id);
  MJ_ASSIGN_OR_RETURN(const ::mahjong::table::v1::GetTableResponse response,
                      rpc::Invoke(*stubs.table, &TableService::StubInterface::GetTable, request,
                                  {.timeout = player::kCallTimeout}));
  const auto& texts = response.table().options();
  const auto parsed = rules::ParseOptions(
      game.options(), std::map<std::string, std::string>(texts.begin(), texts.end()));
  if (const auto* options = std::get_if<rules::Options>(&parsed)) return *options;
  return absl::InternalError("the table has options that the game does not know");
}

}  // namespace

Stubs Connect(const Addresses& addresses) {
  return {.wallet = WalletService::NewStub(
              rpc::MakeChannel({.target = addresses.wallet, .retry_safe = true})),
          .table = TableService::NewStub(
              rpc::MakeChannel({.target = addresses.table, .retry_safe = true})),
          .matchmaking = MatchmakingService::NewStub(
              rpc::MakeChannel({.target = addresses.matchmaking, .retry_safe = true}))};
}

absl::StatusOr<Sitting> SeatFour(const Stubs& stubs, const std::string& prefix,
                                 const std::string& variant, std::chrono::milliseconds limit) {
  Sitting sitting;
  sitting.game = variants::Find(variant);
  if (sitting.game == nullptr) {
    std::string known;
    for (const rules::Variant* game : variants::All()) known += Cat(" ", game->info().id);
    return absl::NotFoundError(Cat("no game is called \"", variant, "\"; there are", known));
  }
  std::vector<Guest> guests;
  for (const Invitation& invited : kInvited) {
    guests.push_back({Cat(prefix, "-", invited.name), invited.name, invited.coins});
    MJ_RETURN_IF_ERROR(player::OpenFunded(*stubs.wallet, guests.back().player_id, invited.coins));
    MJ_ASSIGN_OR_RETURN(const std::int64_t base, OwnBase(stubs, guests.back().player_id, variant));
    sitting.base = sitting.base == 0 ? base : std::min(sitting.base, base);
  }
  std::vector<std::string> tickets;
  for (const Guest& guest : guests) {
    MJ_ASSIGN_OR_RETURN(const auto ticket,
                        player::Queue(*stubs.matchmaking, Cat("queue-", guest.player_id),
                                      guest.player_id, variant, sitting.base));
    tickets.push_back(ticket.ticket_id());
  }
  for (std::size_t i = 0; i < guests.size(); ++i) {
    MJ_ASSIGN_OR_RETURN(const auto assignment,
                        player::AwaitAssignment(*stubs.matchmaking, tickets[i], limit));
    if (i == 0) sitting.table_id = assignment.table_id();
    if (assignment.table_id() != sitting.table_id) {
      return absl::FailedPreconditionError(
          "the four were seated at different tables: somebody else is queueing");
    }
    const auto seat = rules::SeatFromIndex(static_cast<int>(assignment.seat()));
    if (!seat || !sitting.guests[*seat].player_id.empty()) {
      return absl::InternalError("two of the four were given one seat");
    }
    sitting.guests[*seat] = guests[i];
    sitting.guests[*seat].join_token = assignment.join_token();
  }
  MJ_ASSIGN_OR_RETURN(sitting.options, OptionsOf(stubs, *sitting.game, sitting.table_id));
  return sitting;
}

std::int64_t BuyIn(std::int64_t balance, std::int64_t base) {
  return balance < kShortBases * base ? kBuyInBases * base : 0;
}

absl::Status PlayRounds(const Stubs& stubs, const Sitting& sitting, const PlayOptions& options,
                        const std::function<void(const RoundStory&)>& told) {
  Stories stories;
  Failure failure;
  player::Halt halt;
  {
    base::Executor players(
        {.name = "players", .threads = rules::kSeatCount, .queue_max = rules::kSeatCount});
    for (const Seat seat : rules::kSeats) {
      players.Post([&, seat] {
        const absl::Status played = PlayOne(stubs, sitting, options, seat, stories, halt);
        if (!played.ok()) {
          failure.Note(sitting.guests[seat].name, played);
          halt.Now();  // the others would wait for this one for ever
        }
        stories.Finish(seat);
      });
    }
    for (std::uint32_t number = 1; number <= options.rounds; ++number) {
      const std::optional<RoundStory> story = stories.Await(number, kPatience);
      if (!story) {
        failure.Note("table", absl::DeadlineExceededError("nothing happens any more"));
        halt.Now();
        break;
      }
      told(*story);
    }
  }
  return failure.first();
}

}  // namespace mj::demo
