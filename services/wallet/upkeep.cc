#include "services/wallet/upkeep.h"

#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "libs/audit/day.h"
#include "libs/base/files.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/books/days.h"
#include "services/wallet/store/pg_ledger_store.h"

namespace mj::wallet {
namespace {

// Of a round's audit; a sealed day and a player's account are read whole.
constexpr std::int64_t kRowsInARound = 5'000;
constexpr std::chrono::minutes kRoundTimeMax{5};

constexpr std::string_view kUpkeep = R"sql(
SELECT misplaced, months_ahead, days_unsealed, to_char(yesterday, 'YYYY-MM-DD') FROM wallet.upkeep()
)sql";

std::string ExportName(const std::string& day) { return base::Cat("ledger-", day, ".txt"); }

}  // namespace

absl::StatusOr<std::optional<Seal>> ReadSeal(const std::string& key_file,
                                             const std::string& folder) {
  if (key_file.empty() && folder.empty()) return std::optional<Seal>();
  if (key_file.empty() || folder.empty()) {
    return absl::InvalidArgumentError("--seal-key and --seal-folder: want both, or neither");
  }
  MJ_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(key_file));
  auto key = audit::SigningKey::FromText(text);
  if (!key) return absl::InvalidArgumentError(base::Cat("--seal-key: ", key_file, " holds no key"));
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return absl::InvalidArgumentError(base::Cat("--seal-folder: ", folder, " is no folder"));
  }
  return std::optional<Seal>(Seal{*std::move(key), folder});
}

Upkeep::Upkeep(pg::Pool& pool, base::Clock& clock, obs::Metrics& metrics, const obs::Logger& log,
               std::optional<Seal> seal)
    : pool_(pool),
      clock_(clock),
      metrics_(metrics),
      log_(log),
      seal_(std::move(seal)),
      misplaced_(metrics.Gauge("mahjong_wallet_misplaced_entries",
                               "Entries in the default partition; 0 is right.")),
      partitions_ahead_(
          metrics.Gauge("mahjong_wallet_partitions_ahead",
                        "How many of the next twelve months have their partition of entries.")),
      unsealed_days_(metrics.Gauge("mahjong_wallet_unsealed_days",
                                   "Ledger days that are over (UTC) and not sealed.")),
      faults_(metrics.Gauge("mahjong_wallet_ledger_faults",
                            "1: the latest audit found something wrong, which the log tells.")),
      audits_(metrics.Counter("mahjong_wallet_audits_total",
                              "Audits of the whole ledger that found nothing wrong.")),
      failures_(metrics.Counter("mahjong_wallet_upkeep_failures_total",
                                "Rounds of upkeep that failed and were tried again.")),
      thread_({.name = "upkeep"}) {
  metrics
      .Gauge("mahjong_wallet_seals",
             "1: this process seals and signs ledger days; 0: it has no key.")
      .Set(seal_ ? 1 : 0);
  if (!seal_) log_.Warn("ledger days are not sealed by this process: no --seal-key");
}

Upkeep::~Upkeep() { Stop(); }

void Upkeep::Start(std::chrono::nanoseconds pause) {
  // Refused when it was stopped before.
  static_cast<void>(thread_.TryPost([this, pause] { Run(pause); }));
}

void Upkeep::Stop() {
  {
    base::MutexLock lock(mutex_);
    stopping_ = true;
  }
  stopped_.NotifyAll();
  thread_.Stop();
}

void Upkeep::Run(std::chrono::nanoseconds pause) {
  while (true) {
    const absl::Status status = DoOnce(clock_.Monotonic() + kRoundTimeMax);
    if (!status.ok()) {
      failures_.Increment();
      log_.Warn("upkeep failed", {{"status", status.ToString()}});
    }
    base::MutexLock lock(mutex_);
    if (!stopping_) stopped_.WaitFor(mutex_, pause);
    if (stopping_) return;
  }
}

absl::Status Upkeep::DoOnce(base::MonotonicTime deadline) {
  base::MutexLock lock(round_);
  // Apart from the look at what is there, which shows what could not be made.
  const absl::Status made = store::MakePartitions(pool_, deadline);
  const auto look = [&]() -> absl::StatusOr<std::string> {
    MJ_ASSIGN_OR_RETURN(const pg::Result result,
                        pool_.Execute({.deadline = deadline, .read_only = true}, kUpkeep));
    MJ_ASSIGN_OR_RETURN(const auto row,
                        (result.One<std::int64_t, std::int64_t, std::int64_t, std::string>()));
    const auto& [misplaced, months_ahead, days_unsealed, yesterday] = row;
    misplaced_.Set(static_cast<double>(misplaced));
    partitions_ahead_.Set(static_cast<double>(months_ahead));
    unsealed_days_.Set(static_cast<double>(days_unsealed));
    return days_unsealed > 0 ? yesterday : std::string();
  };
  MJ_ASSIGN_OR_RETURN(const std::string unsealed, look());
  if (seal_) {
    MJ_RETURN_IF_ERROR(SealDays(unsealed, deadline));
    MJ_RETURN_IF_ERROR(look().status());
  }
  MJ_RETURN_IF_ERROR(Audit(deadline));
  return made;
}

// Seals all days up to `unsealed`, if any, and writes what is not written yet.
absl::Status Upkeep::SealDays(const std::string& unsealed, base::MonotonicTime deadline) {
  if (!unsealed.empty()) {
    MJ_ASSIGN_OR_RETURN(const audit::Day day, books::SealDay(pool_, unsealed, deadline));
    log_.Info("ledger day sealed",
              {{"day", day.day}, {"rows", day.rows}, {"root", audit::ToHex(day.root)}});
  } else if (!exported_.empty()) {
    return absl::OkStatus();
  }
  std::vector<audit::Day> days;
  MJ_RETURN_IF_ERROR(pool_.Run({.deadline = deadline, .read_only = true},
                               [&](pg::Transaction& tx) -> absl::Status {
                                 MJ_ASSIGN_OR_RETURN(days, books::ReadDays(tx));
                                 return absl::OkStatus();
                               }));
  for (const audit::Day& day : days) {
    if (day.day <= exported_) continue;
    const std::filesystem::path path = std::filesystem::path(seal_->folder) / ExportName(day.day);
    std::error_code error;
    // One that is there is never written over: it may be the only witness of another ledger.
    if (!std::filesystem::exists(path, error)) {
      MJ_RETURN_IF_ERROR(base::WriteFileAtomically(path, audit::Export(day, seal_->key)));
    }
    exported_ = day.day;
  }
  return absl::OkStatus();
}

absl::Status Upkeep::Audit(base::MonotonicTime deadline) {
  MJ_ASSIGN_OR_RETURN(books::AuditStep step,
                      books::AuditFrom(pool_, place_, kRowsInARound, deadline));
  for (const auto& [chain, sequence] : step.reached) {
    metrics_
        .Gauge("mahjong_wallet_chain_verified",
               "Number of the chain's row up to which the running audit has come.",
               {{"chain", std::to_string(chain)}})
        .Set(static_cast<double>(sequence));
  }
  place_ = std::move(step.next);
  if (step.finding) {
    faults_.Set(1);
    log_.Error("the ledger is wrong", {{"finding", audit::Describe(*step.finding)}});
    place_ = {};
  } else if (place_.part == books::AuditPlace::Part::kOver) {
    faults_.Set(0);
    audits_.Increment();
    place_ = {};
  }
  return absl::OkStatus();
}

}  // namespace mj::wallet
