#include "tools/demo/together.h"

#include <array>

#include "libs/base/executor.h"
#include "libs/base/mutex.h"
#include "libs/base/strings.h"

namespace mj::demo {
namespace {

constexpr std::array<const char*, rules::kSeatCount> kNames = {"ming", "hong", "juan", "wei"};

}  // namespace

std::string NameOfStranger(std::size_t seat) { return kNames[seat % kNames.size()]; }

std::vector<std::string> IdsOfStrangers(const std::string& prefix) {
  std::vector<std::string> ids;
  for (const char* name : kNames) ids.push_back(base::Cat(prefix, "-", name));
  return ids;
}

absl::Status PlayTogether(const std::function<absl::Status(int, player::Halt&)>& play) {
  base::Mutex mutex;
  absl::Status first;
  player::Halt halt;
  {
    base::Executor players(
        {.name = "players", .threads = rules::kSeatCount, .queue_max = rules::kSeatCount});
    for (int seat = 0; seat < rules::kSeatCount; ++seat) {
      players.Post([&, seat] {
        const absl::Status played = play(seat, halt);
        if (played.ok()) return;
        halt.Now();
        base::MutexLock lock(mutex);
        if (first.ok() && played.code() != absl::StatusCode::kCancelled) first = played;
      });
    }
  }
  base::MutexLock lock(mutex);
  return first;
}

}  // namespace mj::demo
