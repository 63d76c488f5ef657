#include "tools/load/run.h"

#include <cstdint>
#include <iomanip>
#include <map>
#include <sstream>
#include <utility>

#include "libs/base/mutex.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "tools/load/usage.h"

namespace mj::load {
namespace {

using base::Cat;
using std::chrono::microseconds;
using std::chrono::milliseconds;

struct Process {
  std::string name;
  int pid = 0;
  Usage before_tables;
  Usage begin;
  Usage end;
};

absl::StatusOr<Process> ProcessOf(const std::string& text) {
  const std::size_t equals = text.find('=');
  Process process;
  if (equals == std::string::npos ||
      !(std::istringstream(text.substr(equals + 1)) >> process.pid)) {
    return absl::InvalidArgumentError(Cat("--process: want NAME=PID, got ", text));
  }
  process.name = text.substr(0, equals);
  MJ_ASSIGN_OR_RETURN(process.before_tables, UsageOf(process.pid));
  return process;
}

void Wait(base::Clock& clock, std::chrono::seconds time) {
  base::Mutex mutex;
  base::CondVar rung;
  bool over = false;
  clock.CallAfter(time, [&] {
    base::MutexLock lock(mutex);
    over = true;
    rung.NotifyAll();
  });
  base::MutexLock lock(mutex);
  while (!over) rung.Wait(mutex);
}

std::int64_t SumOf(const Failures& failures) {
  std::int64_t sum = 0;
  for (const auto& [reason, count] : failures.by_reason()) sum += count;
  return sum;
}

// What is told, by name, in whole numbers.
using Figures = std::vector<std::pair<std::string, std::int64_t>>;

Figures FiguresOf(const RunOptions& options, Counts& counts, std::uint64_t decisions,
                  std::uint64_t events, std::uint64_t rounds,
                  const std::vector<Process>& processes) {
  const std::int64_t seconds = options.measured.count();
  Figures figures{{"tables", options.hall.tables},
                  {"pace_ms", options.hall.pace.count()},
                  {"seconds", seconds},
                  {"decisions_per_second", static_cast<std::int64_t>(decisions) / seconds},
                  {"events_per_second", static_cast<std::int64_t>(events) / seconds},
                  {"rounds", static_cast<std::int64_t>(rounds)},
                  {"heard_by_others_p50_us", counts.heard.Percentile(50).count()},
                  {"heard_by_others_p99_us", counts.heard.Percentile(99).count()},
                  {"answered_p50_us", counts.acted.Percentile(50).count()},
                  {"answered_p99_us", counts.acted.Percentile(99).count()},
                  {"streams_resumed", static_cast<std::int64_t>(counts.resumed.load())},
                  {"failures", SumOf(counts.failures)}};
  for (const auto& [reason, count] : counts.failures.by_reason()) {
    figures.emplace_back("failed_" + base::ToLowerAscii(reason), count);
  }
  for (const Process& process : processes) {
    const milliseconds used = process.end.processor - process.begin.processor;
    figures.emplace_back(process.name + "_core_permille", used.count() / seconds);
    if (used.count() > 0) {
      figures.emplace_back(process.name + "_tables_per_core",
                           options.hall.tables * seconds * 1'000 / used.count());
    }
    figures.emplace_back(process.name + "_resident_kib", process.end.resident_kib);
    figures.emplace_back(
        process.name + "_kib_per_table",
        (process.end.resident_kib - process.before_tables.resident_kib) / options.hall.tables);
  }
  return figures;
}

void Tell(const Figures& figures, bool json, std::ostream& out) {
  if (json) out << "{";
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const auto& [name, value] = figures[i];
    if (json) {
      out << (i > 0 ? ", " : "") << '"' << name << "\": " << value;
    } else {
      out << std::left << std::setw(28) << name << std::right << std::setw(12) << value << '\n';
    }
  }
  if (json) out << "}\n";
}

}  // namespace

absl::Status Run(const RunOptions& options, base::Clock& clock, std::ostream& out) {
  std::vector<Process> processes;
  for (const std::string& text : options.processes) {
    MJ_ASSIGN_OR_RETURN(Process process, ProcessOf(text));
    processes.push_back(std::move(process));
  }
  Counts counts;
  Hall hall(options.hall, clock, counts);
  MJ_RETURN_IF_ERROR(hall.Open());
  Wait(clock, options.warm_up);
  counts.heard.Clear();
  counts.acted.Clear();
  const std::uint64_t decisions = counts.decisions;
  const std::uint64_t events = counts.events;
  const std::uint64_t rounds = counts.rounds;
  for (Process& process : processes) {
    MJ_ASSIGN_OR_RETURN(process.begin, UsageOf(process.pid));
  }
  Wait(clock, options.measured);
  for (Process& process : processes) {
    MJ_ASSIGN_OR_RETURN(process.end, UsageOf(process.pid));
  }
  const std::uint64_t decided = counts.decisions - decisions;
  Tell(FiguresOf(options, counts, decided, counts.events - events, counts.rounds - rounds,
                 processes),
       options.json, out);
  hall.Close();
  const std::int64_t failed = SumOf(counts.failures);
  if (failed * 100 > static_cast<std::int64_t>(counts.decisions)) {
    return absl::UnknownError(Cat(std::to_string(failed), " calls failed"));
  }
  return absl::OkStatus();
}

}  // namespace mj::load
