#include "services/matchmaking/wiring.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>

#include "libs/base/executor.h"
#include "libs/base/periodic.h"
#include "libs/base/status.h"
#include "libs/pg/pool.h"
#include "libs/pg/pool_metrics.h"
#include "services/matchmaking/app/feed_reader.h"
#include "services/matchmaking/app/locator.h"
#include "services/matchmaking/app/loops.h"
#include "services/matchmaking/app/room_desk.h"
#include "services/matchmaking/app/seat_keeper.h"
#include "services/matchmaking/app/seating.h"
#include "services/matchmaking/app/ticket_desk.h"
#include "services/matchmaking/app/ticket_watch.h"
#include "services/matchmaking/app/waits.h"
#include "services/matchmaking/monitoring.h"
#include "services/matchmaking/peers/feeds_client.h"
#include "services/matchmaking/peers/tables_client.h"
#include "services/matchmaking/peers/wallet_client.h"
#include "services/matchmaking/rpc/operator_service.h"
#include "services/matchmaking/rpc/service.h"
#include "services/matchmaking/store/pg_erasures.h"
#include "services/matchmaking/store/pg_feed_store.h"
#include "services/matchmaking/store/pg_store.h"

namespace mj::matchmaking {

namespace {

constexpr int kBeats = 4;  // threads for the loops, one each
constexpr int kFeeds = 2;  // threads that follow the table service, one for each feed
constexpr int kErasers = 1;
// Between two turns of following: how soon another replica takes over a feed that is nobody's.
constexpr Millis kFeedPause{250};
// Between two looks for tickets that need not tell of a person any more, and how many are emptied then.
constexpr std::chrono::seconds kErasePause{60};
constexpr std::int64_t kErasedAtOnce = 5'000;

absl::Status CheckSchema(pg::Pool& pool, const base::Clock& clock) {
  const auto deadline = clock.Monotonic() + std::chrono::seconds(10);
  MJ_ASSIGN_OR_RETURN(const pg::Result result,
                      pool.Execute({.deadline = deadline, .read_only = true},
                                   "SELECT to_regclass('matchmaking.live_seats') IS NOT NULL"
                                   "   AND to_regclass('matchmaking.feeds') IS NOT NULL"
                                   "   AND to_regclass('matchmaking.erasures') IS NOT NULL"
                                   "   AND EXISTS (SELECT FROM pg_attribute"
                                   "     WHERE attrelid = to_regclass('matchmaking.match_members')"
                                   "       AND attname = 'join_token')"));
  MJ_ASSIGN_OR_RETURN(const auto row, result.One<bool>());
  if (std::get<0>(row)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "the database has no schema matchmaking, or an older one: run the migrations");
}

}  // namespace

absl::Status Bind(const Config& config, mj::rpc::Bindings& bindings) {
  base::Clock& clock = bindings.clock();
  auto& pool_metrics = bindings.Own(std::make_unique<pg::PoolMetrics>(bindings.metrics()));
  // Every thread can hold a connection, so none waits for one.
  pg::PoolOptions options{
      .url = config.database,
      .application_name = "mj-matchmaking",
      .connections_max = config.server.workers + config.seaters + kBeats + kFeeds + kErasers,
      .prepared_statements = config.prepared_statements};
  options.observer = [&pool_metrics](const pg::PoolStats& stats) { pool_metrics.Set(stats); };
  auto& pool = bindings.Own(std::make_unique<pg::Pool>(options, clock));
  MJ_RETURN_IF_ERROR(CheckSchema(pool, clock));
  Store& store = bindings.Own(std::make_unique<store::PgStore>(pool, clock));
  Tables& tables = bindings.Own(
      peers::ConnectTables(config.table_address, clock, {.timeout = config.table_timeout}));
  Wallet& wallet = bindings.Own(peers::ConnectWallet(config.wallet_address));

  auto& seats = bindings.Own(std::make_unique<SeatKeeper>(
      store, tables, SeatKeeperOptions{.check_interval = config.seat_check}));
  auto& seating = bindings.Own(std::make_unique<Seating>(
      store, tables, SeatingOptions{.check_seats_after = config.seat_check}));
  auto& desk = bindings.Own(std::make_unique<TicketDesk>(
      store, wallet, seats, bindings.ids(), TicketDeskOptions{.ticket_lifetime = config.ticket}));
  auto& rooms = bindings.Own(std::make_unique<RoomDesk>(store, wallet, seats, bindings.ids(),
                                                        bindings.entropy(),
                                                        RoomDeskOptions{.lifetime = config.room}));
  auto& locator = bindings.Own(std::make_unique<Locator>(store, tables));
  auto& waits = bindings.Own(std::make_unique<Waits>(store, clock));
  auto& watch = bindings.Own(std::make_unique<TicketWatch>(store, clock));
  bindings.AddService<::mahjong::matchmaking::v1::MatchmakingService>(
      std::make_unique<rpc::MatchmakingService>(
          bindings.front(), rpc::MatchmakingService::Parts{desk, rooms, locator, watch, waits}));
  auto& erasures = bindings.Own(std::make_unique<store::PgErasures>(pool, clock));
  bindings.AddService<::mahjong::matchmaking::v1::MatchmakingOperatorService>(
      std::make_unique<rpc::OperatorService>(bindings.front(), erasures));
  KeepOptions keep;
  keep.seated = config.keep_places;
  auto& erasing = bindings.Own(std::make_unique<base::Periodic>("erasing", [&erasures, keep,
                                                                            log = bindings.log()] {
    const absl::StatusOr<std::int64_t> erased = erasures.EraseEnded(keep, kErasedAtOnce);
    // It is tried again at the next look.
    if (!erased.ok()) {
      log.Warn("tickets could not be emptied", {{"error", std::string(erased.status().message())}});
    }
  }));
  bindings.OnStop("matchmaking's erasing", [&erasing] { erasing.Stop(); });
  erasing.Start(kErasePause);

  LoopOptions loop_options;
  loop_options.match.windows.bots_after = std::chrono::milliseconds(config.bots_after).count();
  auto& monitor = bindings.Own(MakeMonitor(bindings.metrics(), bindings.log()));
  auto& beats = bindings.Own(
      std::make_unique<base::Executor>(base::ExecutorOptions{.name = "beats", .threads = kBeats}));
  auto& seater = bindings.Own(std::make_unique<base::Executor>(
      base::ExecutorOptions{.name = "seater", .threads = config.seaters}));
  auto& loops = bindings.Own(std::make_unique<Loops>(
      LoopParts{clock, bindings.ids(), store, seating, seats, watch, monitor, beats, seater},
      loop_options));
  auto& feed_store = bindings.Own(std::make_unique<store::PgFeedStore>(pool, clock));
  auto& feeds = bindings.Own(peers::ConnectFeeds(config.table_address, clock));
  auto& reader = bindings.Own(
      std::make_unique<FeedReader>(feed_store, feeds, clock, monitor, bindings.ids().Next()));
  auto& rounds = bindings.Own(
      std::make_unique<base::Periodic>("rounds", [&reader] { reader.FollowRounds(); }));
  auto& open_seats =
      bindings.Own(std::make_unique<base::Periodic>("seats", [&reader] { reader.FollowSeats(); }));
  bindings.OnStop("matchmaking's feeds", [&feeds, &rounds, &open_seats] {
    feeds.End();
    rounds.Stop();
    open_seats.Stop();
  });
  rounds.Start(kFeedPause);
  open_seats.Start(kFeedPause);
  bindings.OnStop("matchmaking's loops", [&loops, &seater] {
    loops.Stop();
    seater.Stop();  // what was begun is finished; what is not is another replica's
  });
  loops.Start();
  return absl::OkStatus();
}

}  // namespace mj::matchmaking
