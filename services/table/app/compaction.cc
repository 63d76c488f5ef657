#include "services/table/app/compaction.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::table {
namespace {

absl::Status Lost(const RoundId& round, std::string_view what) {
  return absl::DataLossError(base::ToAbsl(base::Cat("round ", round.value(), ": ", what)));
}

// Takes a journal's entries one by one and keeps what belongs to one round.
class Compactor {
 public:
  explicit Compactor(const RoundId& round) : round_(round) {}

  absl::Status Take(const LogEntry& entry) {
    if (done()) return absl::OkStatus();
    time_ = entry.time;
    return std::visit(*this, entry.event);
  }

  [[nodiscard]] bool done() const { return ended_; }
  record::RoundRecord& record() { return record_; }

  absl::Status operator()(const TableCreated& event) {
    created_ = true;
    record_.table_id = event.table.value();
    record_.variant = event.spec.variant;
    record_.options = event.spec.options;
    record_.currency = event.spec.currency;
    return absl::OkStatus();
  }
  absl::Status operator()(const StakesProposed& event) {
    if (begun_) return Unfit("stakes proposed in it");
    record_.options = event.options;
    return absl::OkStatus();
  }
  absl::Status operator()(const RoundBegun& event) {
    if (begun_) return Unfit("another round in it");
    if (event.round != round_) return absl::OkStatus();
    if (!created_) return Unfit("of a table that was not made");
    begun_ = true;
    record_.round_id = event.round.value();
    record_.number = event.number;
    record_.base = event.base;
    record_.rulebook_version = event.rulebook_version;
    for (const Seat seat : rules::kSeats) record_.players[seat] = event.players[seat].value();
    record_.bots = event.bots;
    record_.began_at = time_;
    record_.seed_hash = SeedHash(event);
    record_.seed = event.seed;
    for (const Seat seat : rules::kSeats) {
      record_.nonces[seat].record.commitment = event.nonce_hashes[seat];
    }
    return absl::OkStatus();
  }
  // What came of it stands in DealDrawn.
  absl::Status operator()(const NonceRevealed&) { return absl::OkStatus(); }
  absl::Status operator()(const DealDrawn& event) {
    if (!begun_) return absl::OkStatus();
    if (record_.dice) return Unfit("dealt twice");
    for (const Seat seat : rules::kSeats) {
      record_.nonces[seat].record.reveal = event.nonces[seat].reveal;
      record_.nonces[seat].outcome = event.nonces[seat].outcome;
    }
    record_.drawn = event.anew;
    record_.wall = event.wall;
    record_.dice = fairness::Dice{event.dice[0], event.dice[1]};
    record_.dealer = event.dealer;
    record_.round_wind = event.round_wind;
    record_.seat_winds = event.seat_winds;
    return absl::OkStatus();
  }
  absl::Status operator()(const RoundPlayed& event) { return Keep(event.event); }
  absl::Status operator()(const AutoPlaySet& event) { return Keep(event); }
  absl::Status operator()(const ClocksRestarted& event) { return Keep(event); }
  absl::Status operator()(const SeatLeaving& event) {
    return Keep(record::Leaving{event.seat, event.player.value(), event.reason});
  }
  absl::Status operator()(const SeatLeft& event) {
    return Keep(record::Left{event.seat, event.player.value(), event.reason, event.why});
  }
  absl::Status operator()(const HandShown& event) {
    return Keep(record::HandShown{event.seat, event.player.value(), event.show});
  }
  absl::Status operator()(const RoundScored& event) {
    if (!begun_) return absl::OkStatus();
    if (scored_) return Unfit("scored twice");
    scored_ = true;
    settled_.scored_at = time_;
    settled_.scored = event;
    return absl::OkStatus();
  }
  absl::Status operator()(const RoundPosted& event) {
    if (!begun_) return absl::OkStatus();
    if (!scored_) return Unfit("posted before it was scored");
    settled_.posted = event;
    return End(std::move(settled_));
  }
  absl::Status operator()(const RoundVoided& event) {
    if (!begun_) return absl::OkStatus();
    if (scored_) return Unfit("void after it was scored");
    return End(record::Voided{event, std::nullopt});
  }
  // What came of it is what the record tells; who asked for it stands in the audit trail.
  absl::Status operator()(const OperatorActed&) { return absl::OkStatus(); }
  absl::Status operator()(const RoundsStopped&) { return absl::OkStatus(); }
  // Everything else happens between rounds.
  template <typename Other>
  absl::Status operator()(const Other&) {
    return begun_ ? Unfit("an event out of place") : absl::OkStatus();
  }

 private:
  absl::Status Keep(record::What what) {
    if (begun_) record_.events.push_back({time_, std::move(what)});
    return absl::OkStatus();
  }
  absl::Status End(std::variant<record::Settled, record::Voided> end) {
    record_.ended_at = time_;
    record_.end = std::move(end);
    ended_ = true;
    return absl::OkStatus();
  }
  absl::Status Unfit(std::string_view what) const { return Lost(round_, what); }

  const RoundId& round_;
  record::RoundRecord record_;
  record::Settled settled_;
  WallTime time_{};
  bool created_ = false;
  bool begun_ = false;
  bool scored_ = false;
  bool ended_ = false;
};

absl::StatusOr<record::RoundRecord> CompactWithoutRow(std::span<const LogEntry> entries,
                                                      const RoundId& round) {
  Compactor compactor(round);
  for (const LogEntry& entry : entries) {
    MJ_RETURN_IF_ERROR(compactor.Take(entry));
    if (compactor.done()) return std::move(compactor.record());
  }
  return Lost(round, "its end is not in the journal");
}

bool WalletClosed(const record::RoundRecord& record) {
  const auto* voided = std::get_if<record::Voided>(&record.end);
  return voided == nullptr || voided->voided.reason != VoidReason::kRefused;
}

// The row that the journal says closed it; empty where it does not say which.
std::string JournalIdOf(const record::RoundRecord& record) {
  if (const auto* settled = std::get_if<record::Settled>(&record.end)) {
    return settled->posted.journal_id;
  }
  const auto& penalty = std::get<record::Voided>(record.end).voided.penalty;
  return penalty ? penalty->journal_id : std::string();
}

}  // namespace

absl::StatusOr<bool> ClosedByWallet(std::span<const LogEntry> entries, const RoundId& round) {
  MJ_ASSIGN_OR_RETURN(const record::RoundRecord record, CompactWithoutRow(entries, round));
  return WalletClosed(record);
}

absl::StatusOr<record::RoundRecord> Compact(std::span<const LogEntry> entries, const RoundId& round,
                                            std::optional<record::JournalRow> row) {
  MJ_ASSIGN_OR_RETURN(record::RoundRecord record, CompactWithoutRow(entries, round));
  if (WalletClosed(record) != row.has_value()) {
    return Lost(round, row ? "a journal row, though it did not begin" : "no journal row");
  }
  if (!row) return record;
  const std::string id = JournalIdOf(record);
  if (!id.empty() && row->journal_id != id) return Lost(round, "the journal row of something else");
  if (auto* settled = std::get_if<record::Settled>(&record.end)) {
    settled->row = *std::move(row);
  } else {
    std::get<record::Voided>(record.end).row = std::move(row);
  }
  return record;
}

}  // namespace mj::table
