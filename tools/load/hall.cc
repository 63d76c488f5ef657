#include "tools/load/hall.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "libs/base/executor.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/player/lobby.h"
#include "libs/rpc/client.h"

namespace mj::load {
namespace {

using base::Cat;
using ::mahjong::wallet::v1::WalletService;
using table::TableService;

constexpr std::int64_t kCoins = 100'000'000;
constexpr std::int64_t kBase = 100;
constexpr int kSeatsEachConnection = 400;
constexpr int kAtOnce = 16;  // tables that are made at the same time

}  // namespace

// Counts the seats whose stream has not ended. Thread-safe.
class Hall::Door {
 public:
  void Enter() {
    base::MutexLock lock(mutex_);
    ++inside_;
  }
  void Leave() {
    base::MutexLock lock(mutex_);
    if (--inside_ == 0) empty_.NotifyAll();
  }
  void AwaitEmpty() {
    base::MutexLock lock(mutex_);
    while (inside_ > 0) empty_.Wait(mutex_);
  }

 private:
  base::Mutex mutex_;
  base::CondVar empty_;
  int inside_ ABSL_GUARDED_BY(mutex_) = 0;
};

Hall::Hall(HallOptions options, base::Clock& clock, Counts& counts)
    : options_(std::move(options)),
      clock_(clock),
      counts_(counts),
      wallet_(WalletService::NewStub(
          rpc::MakeChannel({.target = options_.wallet_address, .retry_safe = true}))),
      door_(std::make_shared<Door>()) {
  const int connections = options_.tables * 4 / kSeatsEachConnection + 1;
  for (int i = 0; i < connections; ++i) {
    stubs_.push_back(TableService::NewStub(
        rpc::MakeChannel({.target = options_.table_address, .own_connection = true})));
  }
}

Hall::~Hall() { Close(); }

absl::Status Hall::Open() {
  seats_.resize(static_cast<std::size_t>(options_.tables) * 4);
  base::Mutex mutex;
  absl::Status first;
  std::atomic<int> next = 0;
  {
    base::Executor makers({.name = "makers", .threads = kAtOnce, .queue_max = kAtOnce});
    for (int i = 0; i < kAtOnce; ++i) {
      makers.Post([&] {
        for (int table = next++; table < options_.tables; table = next++) {
          const absl::Status made = Furnish(table);
          base::MutexLock lock(mutex);
          first.Update(made);
          if (!first.ok()) return;
        }
      });
    }
  }
  return first;
}

absl::Status Hall::Furnish(int table) {
  table::CreateTableRequest create;
  create.set_request_id(Cat(options_.prefix, "-", std::to_string(table)));
  create.set_variant(options_.variant);
  create.set_base(kBase);
  for (int seat = 0; seat < 4; ++seat) {
    const std::string player =
        Cat(options_.prefix, "-", std::to_string(table), "-", std::to_string(seat));
    MJ_RETURN_IF_ERROR(player::OpenFunded(*wallet_, player, kCoins));
    create.add_player_ids(player);
  }
  auto& stub = *stubs_[static_cast<std::size_t>(table) % stubs_.size()];
  MJ_ASSIGN_OR_RETURN(const table::CreateTableResponse made,
                      rpc::Invoke(stub, &TableService::StubInterface::CreateTable, create,
                                  {.timeout = player::kCallTimeout}));
  const auto throws = std::make_shared<std::array<Throw, 4>>();
  for (int seat = 0; seat < 4; ++seat) {
    door_->Enter();
    const std::size_t at = static_cast<std::size_t>(table) * 4 + static_cast<std::size_t>(seat);
    seats_[at] = std::make_unique<Seat>(stub, clock_, counts_, throws,
                                        SeatOptions{.table_id = made.table().table_id(),
                                                    .player_id = create.player_ids(seat),
                                                    .seat = static_cast<std::uint32_t>(seat),
                                                    .pace = options_.pace,
                                                    .seed = options_.seed + at},
                                        [door = door_] { door->Leave(); });
    seats_[at]->Start();  // now, or the first tables would have waited too long for their players
  }
  return absl::OkStatus();
}

void Hall::Close() {
  for (const auto& seat : seats_) {
    if (seat != nullptr) seat->Stop();
  }
  door_->AwaitEmpty();
  seats_.clear();
}

}  // namespace mj::load
