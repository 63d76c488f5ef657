#include "tools/load/usage.h"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "libs/base/strings.h"

namespace mj::load {
namespace {

constexpr std::size_t kUserTime = 11;  // of the fields behind the name; see proc(5)
constexpr std::size_t kSystemTime = 12;

// One line of a file of /proc, which has no size; empty when there is none.
std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

absl::StatusOr<Usage> UsageFrom(const std::string& stat, const std::string& statm,
                                std::int64_t ticks_per_second, std::int64_t page_bytes) {
  // The name stands in brackets, and may hold blanks and brackets itself.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return absl::InvalidArgumentError("no stat of a process");
  std::istringstream rest(stat.substr(name_end + 1));
  std::vector<std::string> fields;
  for (std::string field; rest >> field;) fields.push_back(field);
  std::istringstream memory(statm);
  std::int64_t size = 0;
  std::int64_t resident = 0;
  if (fields.size() <= kSystemTime || !(memory >> size >> resident)) {
    return absl::InvalidArgumentError("no stat of a process");
  }
  std::int64_t ticks = 0;
  for (const std::size_t at : {kUserTime, kSystemTime}) {
    std::int64_t part = 0;
    if (!(std::istringstream(fields[at]) >> part)) {
      return absl::InvalidArgumentError("no stat of a process");
    }
    ticks += part;
  }
  return Usage{std::chrono::milliseconds(ticks * 1'000 / ticks_per_second),
               resident * page_bytes / 1'024};
}

absl::StatusOr<Usage> UsageOf(int pid) {
  const std::string folder = base::Cat("/proc/", std::to_string(pid));
  const std::string stat = FirstLine(folder + "/stat");
  if (stat.empty()) {
    return absl::NotFoundError(base::Cat("there is no process ", std::to_string(pid)));
  }
  return UsageFrom(stat, FirstLine(folder + "/statm"), sysconf(_SC_CLK_TCK), sysconf(_SC_PAGESIZE));
}

}  // namespace mj::load
