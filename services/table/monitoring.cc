#include "services/table/monitoring.h"

#include <string>
#include <utility>

namespace mj::table {
namespace {

class ObservedMonitor final : public Monitor {
 public:
  ObservedMonitor(obs::Metrics& metrics, obs::Logger log)
      : metrics_(metrics),
        log_(std::move(log)),
        commits_(metrics.Counter("mahjong_journal_commits_total",
                                 "Durable steps of the journal, each for one table or many.")),
        events_(metrics.Counter("mahjong_journal_events_total", "Events journalled.")),
        failures_(metrics.Counter("mahjong_journal_failures_total",
                                  "Steps that failed and were tried again.")),
        waiting_(
            metrics.Gauge("mahjong_journal_waiting_tables",
                          "Tables that stand still since the journal is away; 0 when it is not.")),
        held_(metrics.Gauge("mahjong_tables_held", "Tables in this process.")),
        lost_(metrics.Counter("mahjong_tables_lost_total",
                              "Tables let go of since their journal could not be written.")),
        taken_(metrics.Counter("mahjong_tables_taken_total",
                               "Tables taken that nobody held, or whose process was gone.")),
        given_(metrics.Counter("mahjong_tables_given_total",
                               "Tables given to other processes before this one ended.")),
        lease_failures_(metrics.Counter("mahjong_lease_failures_total",
                                        "Steps of keeping the lease that failed.")),
        lapses_(metrics.Counter("mahjong_lease_lapses_total",
                                "Times that the lease had run out before it was prolonged.")),
        replay_failures_(metrics.Counter("mahjong_table_replay_failures_total",
                                         "Journals that could not be read or replayed.")),
        slow_(metrics.Counter("mahjong_streams_too_slow_total",
                              "Subscribers cut off since they did not read.")) {}

  void OnJournalled(std::size_t /*tables*/, std::size_t events) override {
    commits_.Increment();
    events_.Increment(static_cast<double>(events));
    waiting_.Set(0);
  }

  void OnJournalAway(const absl::Status& status, std::size_t waiting) override {
    failures_.Increment();
    waiting_.Set(static_cast<double>(waiting));
    log_.Warn("journal away", {{"status", status.ToString()}, {"tables_waiting", waiting}});
  }

  void OnTableLost(const TableId& table, std::string_view why) override {
    lost_.Increment();
    log_.Error("table lost", {{"table_id", table.value()}, {"why", why}});
  }

  void OnReplayFailed(const TableId& table, const absl::Status& status) override {
    replay_failures_.Increment();
    log_.Error("replay failed", {{"table_id", table.value()}, {"status", status.ToString()}});
  }

  void OnRoundBegun(std::string_view variant) override {
    Rounds("mahjong_rounds_begun_total", "Rounds begun.", variant);
  }

  void OnRoundPaid(std::string_view variant) override {
    Rounds("mahjong_rounds_settled_total", "Rounds scored and posted.", variant);
  }

  void OnRoundVoided(std::string_view variant) override {
    Rounds("mahjong_rounds_void_total", "Rounds that count for nothing.", variant);
  }

  void OnPeerFailed(std::string_view peer, const RoundId& round, const absl::Status& status,
                    bool needs_person) override {
    metrics_
        .Counter("mahjong_round_end_failures_total",
                 "Steps of a round's end that a peer could not do; the round waits and asks again.",
                 {{"peer", std::string(peer)}, {"needs_person", needs_person ? "yes" : "no"}})
        .Increment();
    const obs::Logger::Fields fields = {
        {"peer", peer}, {"round_id", round.value()}, {"status", status.ToString()}};
    if (needs_person) {
      log_.Error("a round cannot be finished", fields);
    } else {
      log_.Warn("a round waits", fields);
    }
  }

  void OnSlowSubscriber(const TableId& table) override {
    slow_.Increment();
    log_.Info("subscriber too slow", {{"table_id", table.value()}});
  }

  void OnLeaseFailed(const absl::Status& status) override {
    lease_failures_.Increment();
    log_.Warn("lease not kept", {{"status", status.ToString()}});
  }

  void OnLeaseLapsed() override {
    lapses_.Increment();
    log_.Warn("the lease had run out: other processes may hold this one's tables");
  }

  void OnTablesTaken(std::size_t tables) override {
    taken_.Increment(static_cast<double>(tables));
    log_.Info("tables taken", {{"tables", tables}});
  }

  void OnTablesGiven(std::size_t tables) override {
    given_.Increment(static_cast<double>(tables));
    log_.Info("tables given away", {{"tables", tables}});
  }

  void OnTablesHeld(std::size_t tables) override { held_.Set(static_cast<double>(tables)); }

 private:
  // Variants come from the registry, so there are few.
  void Rounds(const std::string& name, const std::string& help, std::string_view variant) {
    metrics_.Counter(name, help, {{"variant", std::string(variant)}}).Increment();
  }

  obs::Metrics& metrics_;
  const obs::Logger log_;
  prometheus::Counter& commits_;
  prometheus::Counter& events_;
  prometheus::Counter& failures_;
  prometheus::Gauge& waiting_;
  prometheus::Gauge& held_;
  prometheus::Counter& lost_;
  prometheus::Counter& taken_;
  prometheus::Counter& given_;
  prometheus::Counter& lease_failures_;
  prometheus::Counter& lapses_;
  prometheus::Counter& replay_failures_;
  prometheus::Counter& slow_;
};

}  // namespace

std::unique_ptr<Monitor> MakeMonitor(obs::Metrics& metrics, const obs::Logger& log) {
  return std::make_unique<ObservedMonitor>(metrics, log);
}

}  // namespace mj::table
