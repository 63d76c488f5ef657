#include "libs/player/route.h"

#include <algorithm>
#include <utility>

#include "libs/base/moved.h"
#include "libs/player/lobby.h"
#include "libs/rpc/client.h"

namespace mj::player {
namespace {

using ::mahjong::table::v1::TableService;
using std::chrono::milliseconds;

// The first try comes at once: most often another process has the table already.
constexpr milliseconds kPauseStep{50};
constexpr milliseconds kPauseMax{500};
constexpr milliseconds kAskTimeout{1'000};
constexpr int kAsked = 3;            // processes that stand still, passed over at once
constexpr int kTriesOfSilence = 10;  // a call that was not answered has taken long

milliseconds PauseBefore(int attempt) { return std::min(kPauseMax, kPauseStep * attempt); }

std::unique_ptr<TableRoute::Stub> ConnectTo(const std::string& address) {
  return TableService::NewStub(rpc::MakeChannel({.target = address}));
}

}  // namespace

TableRoute::TableRoute(Stub& any, std::string table_id, Halt& halt)
    : any_(any), table_id_(std::move(table_id)), halt_(halt), pool_(ConnectTo), stub_(&any) {}

bool TableRoute::FindAgain(const absl::Status& failure) {
  const auto moved = base::MovedTo(failure);
  const bool silent = absl::IsDeadlineExceeded(failure);
  if (!moved && !silent && !IsResumable(failure)) return false;
  milliseconds waited{0};
  for (int i = 0; i <= tries_; ++i) waited += PauseBefore(i);
  if (waited >= kPatience) return false;
  halt_.Pause(PauseBefore(tries_));
  tries_ += silent ? kTriesOfSilence : 1;
  if (halt_.halted()) return false;
  if (moved && !moved->empty()) {
    stub_ = &pool_.At(*moved);
  } else {
    Ask();
  }
  return true;
}

// Where nobody answers, the next try asks again.
void TableRoute::Ask() {
  ::mahjong::table::v1::GetTableRequest request;
  request.set_table_id(table_id_);
  for (int i = 0; i < kAsked && !halt_.halted(); ++i) {
    const auto found = rpc::Invoke(any_, &TableService::StubInterface::GetTable, request,
                                   {.timeout = kAskTimeout});
    if (found.ok() && !found->table().address().empty()) {
      stub_ = &pool_.At(found->table().address());
      return;
    }
    // Another one may answer for one that stands still; a failure that came at once does not change.
    if (!absl::IsDeadlineExceeded(found.status())) break;
  }
  stub_ = &any_;
}

}  // namespace mj::player
