#include "services/wallet/upkeep.h"

#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "libs/audit/day.h"
#include "libs/base/check.h"
#include "libs/base/files.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/books/days.h"
#include "services/wallet/store/upkeep_rows.h"

namespace mj::wallet {
namespace {

constexpr std::chrono::minutes kRoundTimeMax{5};

std::string ExportName(const std::string& day) { return base::Cat("ledger-", day, ".txt"); }

}  // namespace

absl::StatusOr<Seal> ReadSeal(const std::string& key_file, const std::string& folder) {
  MJ_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(key_file));
  auto key = audit::SigningKey::FromText(text);
  if (!key) return absl::InvalidArgumentError(base::Cat("--seal-key: ", key_file, " holds no key"));
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return absl::InvalidArgumentError(base::Cat("--seal-folder: ", folder, " is no folder"));
  }
  return Seal{*std::move(key), folder};
}

Upkeep::Upkeep(pg::Pool& pool, base::Clock& clock, obs::Metrics& metrics, const obs::Logger& log,
               UpkeepOptions options)
    : pool_(pool),
      clock_(clock),
      metrics_(metrics),
      log_(log),
      options_(std::move(options)),
      misplaced_(metrics.Gauge("mahjong_wallet_misplaced_entries",
                               "Entries in the default partition; 0 is right.")),
      partitions_ahead_(
          metrics.Gauge("mahjong_wallet_partitions_ahead",
                        "How many of the next twelve months have their partition of entries.")),
      unsealed_days_(metrics.Gauge("mahjong_wallet_unsealed_days",
                                   "Ledger days that are over (UTC) and not sealed.")),
      faults_(metrics.Gauge("mahjong_wallet_ledger_faults",
                            "1: the latest audit found something wrong, which the log tells.")),
      steps_(metrics.Counter("mahjong_wallet_audit_steps_total",
                             "Parts of the ledger that were audited, one a round of upkeep.")),
      begun_(metrics.Gauge("mahjong_wallet_audit_begun_timestamp_seconds",
                           "When the running audit of the whole ledger began.")),
      audits_(metrics.Counter("mahjong_wallet_audits_total",
                              "Audits of the whole ledger that found nothing wrong.")),
      failures_(metrics.Counter("mahjong_wallet_upkeep_failures_total",
                                "Rounds of upkeep that failed and were tried again.")),
      rounds_("upkeep", [this] { DoARound(); }) {
  MJ_CHECK(options_.audit_rows >= 1);
  SetBegun();
  metrics
      .Gauge("mahjong_wallet_seals",
             "1: this process seals and signs ledger days; 0: it has no key.")
      .Set(options_.seal ? 1 : 0);
  if (!options_.seal) log_.Warn("ledger days are not sealed by this process: no --seal-key");
}

void Upkeep::SetBegun() {
  begun_.Set(std::chrono::duration<double>(clock_.Now().time_since_epoch()).count());
}

void Upkeep::Start(std::chrono::nanoseconds pause) { rounds_.Start(pause); }

void Upkeep::Stop() { rounds_.Stop(); }

void Upkeep::DoARound() {
  const absl::Status status = DoOnce(clock_.Monotonic() + kRoundTimeMax);
  if (status.ok()) return;
  failures_.Increment();
  log_.Warn("upkeep failed", {{"status", status.ToString()}});
}

absl::Status Upkeep::DoOnce(base::MonotonicTime deadline) {
  base::MutexLock lock(round_);
  // Apart from the look at what is there, which shows what could not be made.
  const absl::Status made = store::MakePartitions(pool_, deadline);
  const auto look = [&]() -> absl::StatusOr<store::UpkeepState> {
    MJ_ASSIGN_OR_RETURN(store::UpkeepState state, store::ReadUpkeepState(pool_, deadline));
    misplaced_.Set(static_cast<double>(state.misplaced_entries));
    partitions_ahead_.Set(static_cast<double>(state.months_ahead));
    unsealed_days_.Set(static_cast<double>(state.days_unsealed));
    return state;
  };
  MJ_ASSIGN_OR_RETURN(const store::UpkeepState state, look());
  if (options_.seal) {
    const std::string unsealed = state.days_unsealed > 0 ? state.yesterday : std::string();
    MJ_RETURN_IF_ERROR(SealDays(*options_.seal, unsealed, deadline));
    MJ_RETURN_IF_ERROR(look().status());
  }
  MJ_RETURN_IF_ERROR(Audit(deadline));
  return made;
}

// Seals all days up to `unsealed`, if any, and writes what is not written yet.
absl::Status Upkeep::SealDays(const Seal& seal, const std::string& unsealed,
                              base::MonotonicTime deadline) {
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
    const std::filesystem::path path = std::filesystem::path(seal.folder) / ExportName(day.day);
    std::error_code error;
    // One that is there is never written over: it may be the only witness of another ledger.
    if (!std::filesystem::exists(path, error)) {
      MJ_RETURN_IF_ERROR(base::WriteFileAtomically(path, audit::Export(day, seal.key)));
    }
    exported_ = day.day;
  }
  return absl::OkStatus();
}

absl::Status Upkeep::Audit(base::MonotonicTime deadline) {
  if (place_ == books::AuditPlace{}) {
    SetBegun();
  }
  MJ_ASSIGN_OR_RETURN(books::AuditStep step,
                      books::AuditFrom(pool_, place_, options_.audit_rows, deadline));
  steps_.Increment();
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
