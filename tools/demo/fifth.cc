#include "tools/demo/fifth.h"

#include <sstream>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/console/text.h"
#include "libs/player/lobby.h"
#include "libs/player/watcher.h"
#include "libs/rpc/client.h"
#include "libs/rpc/time.h"
#include "tools/demo/print.h"

namespace mj::demo {
namespace {

using table::TableService;
using table::WatchedEvent;

constexpr int kPictureAt = 12;  // discards of a round

}  // namespace

Fifth::Fifth(TableService::StubInterface& stub, std::string table, std::string id,
             std::uint32_t seat, std::chrono::milliseconds delay)
    : stub_(stub),
      table_(std::move(table)),
      id_(std::move(id)),
      seat_(seat),
      delay_(delay),
      board_(seat) {}

Fifth::~Fifth() { halt_.Now(); }

absl::Status Fifth::Begin(const std::string& lender) {
  table::JoinTableRequest join;
  join.set_table_id(table_);
  join.set_player_id(id_);
  const absl::Status joined = rpc::Invoke(stub_, &TableService::StubInterface::JoinTable, join,
                                          {.timeout = player::kCallTimeout})
                                  .status();
  const auto refused = base::CarriedBy(joined);
  told_full_ = base::HasReason(joined, base::Reason::kTableFull) && refused &&
               refused->details.metadata.count("watchable") > 0 &&
               refused->details.metadata.at("watchable") == "true";
  table::ShowHandRequest show;
  show.set_table_id(table_);
  show.set_player_id(lender);
  show.set_show(true);
  MJ_RETURN_IF_ERROR(rpc::Invoke(stub_, &TableService::StubInterface::ShowHand, show,
                                 {.timeout = player::kCallTimeout, .player = lender})
                         .status());
  thread_ = std::make_unique<base::Executor>(
      base::ExecutorOptions{.name = "fifth", .threads = 1, .queue_max = 1});
  thread_->Post([this] {
    const absl::Status end = player::WatchTable(
        stub_, {.table_id = table_, .player_id = id_, .seat = seat_},
        [this](const WatchedEvent& event) {
          See(event);
          return true;
        },
        halt_);
    base::MutexLock lock(mutex_);
    end_ = end;
  });
  return absl::OkStatus();
}

void Fifth::Finish() {
  if (thread_ != nullptr) thread_->Stop();
}

void Fifth::See(const WatchedEvent& event) {
  base::MutexLock lock(mutex_);
  ++events_;
  early_ += clock_.Now() < mj::rpc::FromProto(event.time()) + delay_ ? 1 : 0;
  hands_ += event.hand().empty() ? 0 : 1;
  const std::string line = board_.Take(event);
  if (event.event_case() == WatchedEvent::kRoundBegan) discards_ = 0;
  if (event.event_case() == WatchedEvent::kTileDiscarded && ++discards_ == kPictureAt &&
      picture_.empty()) {
    picture_ = board_.Picture();
  }
  if (event.event_case() == WatchedEvent::kRoundEnded && !picture_.empty() && result_.empty()) {
    result_ = line;
  }
}

void Fifth::Tell(std::ostream& out) const {
  base::MutexLock lock(mutex_);
  out << Heading("a fifth comes, and watches 旁观") << '\n'
      << "the table is full 牌桌已满, and can be watched: everything " << delay_.count()
      << " ms later, from seat " << seat_ << ",\nwhose player lends its hand\n";
  std::istringstream picture(picture_);
  for (std::string line; std::getline(picture, line);) out << "  " << line << '\n';
  for (const std::string& line : console::Wrap(result_, kColumns - 2, 2))
    out << "  " << line << '\n';
  out << events_ << " events, " << hands_ << " with that hand; nobody else's tiles, decisions or "
      << "passes\n";
  if (!good()) {
    out << "PROBLEM: " << early_ << " events came too early; " << (told_full_ ? "" : "not ")
        << "told that it is full; " << end_.message() << '\n';
  }
}

int Fifth::problems() const {
  base::MutexLock lock(mutex_);
  return good() ? 0 : 1;
}

bool Fifth::good() const {
  return told_full_ && early_ == 0 && hands_ > 0 && !picture_.empty() && end_.ok();
}

}  // namespace mj::demo
