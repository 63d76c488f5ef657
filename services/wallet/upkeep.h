// What the wallet does by itself: partitions ahead of time, finished days sealed and signed, and an
// audit that never ends.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/audit/signing.h"
#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "libs/base/periodic.h"
#include "libs/books/steps.h"
#include "libs/obs/log.h"
#include "libs/obs/metrics.h"
#include "libs/pg/pool.h"

namespace mj::wallet {

// How days that are over are signed, and where their exports are written.
struct Seal {
  audit::SigningKey key;
  std::string folder;
};

// Reads the key. NOT_FOUND if there is no such file; INVALID_ARGUMENT if it holds no key, or if the
// folder is none.
[[nodiscard]] absl::StatusOr<Seal> ReadSeal(const std::string& key_file, const std::string& folder);

struct UpkeepOptions {
  // What a round's audit checks: journal rows (with all on them), then accounts' entries. A sealed
  // day and a player's account are read whole.
  std::int64_t audit_rows = 0;  // 1 or more
  std::optional<Seal> seal;     // none: this process seals no days
};

// Metrics; docs/finance.md says what to be alarmed by:
//   mahjong_wallet_misplaced_entries   entries in the default partition; 0 is right
//   mahjong_wallet_partitions_ahead    of the next twelve months, how many have their partition
//   mahjong_wallet_unsealed_days       days that are over and not sealed; 0 or, after midnight, 1
//   mahjong_wallet_seals               1: this process seals and signs days; 0: it was given no key
//   mahjong_wallet_chain_verified{chain}   chain_sequence up to which the running audit has come
//   mahjong_wallet_audit_steps_total   parts of the ledger that were audited, one a round: does not
//                                      rise only if the audit stands still, however large the ledger
//   mahjong_wallet_audit_begun_timestamp_seconds   when the running audit of everything began; this
//                                      process, before the first
//   mahjong_wallet_audits_total        audits of everything that ended without a finding
//   mahjong_wallet_ledger_faults       1: the last audit found something, which the log tells; 0: not
//   mahjong_wallet_upkeep_failures_total   rounds of this that failed
//
// Any number of replicas may do all of it at once: a day is sealed once, under the locks of all chain
// heads, and its export is the same bytes whoever signs it. Thread-safe.
class Upkeep {
 public:
  // All must outlive it, which stops with its end. Nothing happens before Start.
  Upkeep(pg::Pool& pool, base::Clock& clock, obs::Metrics& metrics, const obs::Logger& log,
         UpkeepOptions options);
  // Does a round now and then, with so much time in between, until Stop.
  void Start(std::chrono::nanoseconds pause);
  // Returns when the round that is on its way is over.
  void Stop();

  // One round. The first failure ends it, but for partitions that cannot be made: that is told after
  // all else is done. The next audit goes on where the last one that did not fail ended.
  [[nodiscard]] absl::Status DoOnce(base::MonotonicTime deadline);

 private:
  void DoARound();
  void SetBegun();
  [[nodiscard]] absl::Status SealDays(const Seal& seal, const std::string& unsealed,
                                      base::MonotonicTime deadline);
  [[nodiscard]] absl::Status Audit(base::MonotonicTime deadline);

  pg::Pool& pool_;
  base::Clock& clock_;
  obs::Metrics& metrics_;
  const obs::Logger log_;
  const UpkeepOptions options_;
  prometheus::Gauge& misplaced_;
  prometheus::Gauge& partitions_ahead_;
  prometheus::Gauge& unsealed_days_;
  prometheus::Gauge& faults_;
  prometheus::Counter& steps_;
  prometheus::Gauge& begun_;
  prometheus::Counter& audits_;
  prometheus::Counter& failures_;

  base::Mutex round_;  // one round at a time
  books::AuditPlace place_ ABSL_GUARDED_BY(round_);
  std::string exported_ ABSL_GUARDED_BY(round_);  // the last day whose export was written here

  base::Periodic rounds_;  // last: ends before what it uses
};

}  // namespace mj::wallet
