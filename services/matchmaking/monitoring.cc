#include "services/matchmaking/monitoring.h"

#include <array>
#include <string>

namespace mj::matchmaking {
namespace {

// A stuck saga is worth a line of its own from here on.
constexpr std::chrono::seconds kStuck{30};

std::string_view Name(Seated how) {
  switch (how) {
    case Seated::kAssigned:
      return "assigned";
    case Seated::kReleased:
      return "released";
    case Seated::kAbandoned:
      return "abandoned";
  }
  return "";
}

double Seconds(std::chrono::milliseconds time) { return static_cast<double>(time.count()) / 1e3; }

class ObservedMonitor final : public Monitor {
 public:
  ObservedMonitor(obs::Metrics& metrics, obs::Logger log)
      : metrics_(metrics),
        log_(std::move(log)),
        matches_(metrics.Counter("mahjong_matches_total", "Matches made by this process.")),
        expired_(metrics.Counter("mahjong_tickets_expired_total",
                                 "Tickets marked as expired by this process.")),
        freed_(metrics.Counter("mahjong_seats_freed_total",
                               "Seats found to have ended by this process.")),
        queued_(metrics.Gauge("mahjong_tickets_queued", "Tickets that wait, of all replicas.")),
        oldest_ticket_(metrics.Gauge("mahjong_tickets_oldest_age_seconds",
                                     "How long the oldest of them has waited.")),
        unfinished_(metrics.Gauge("mahjong_matches_unfinished",
                                  "Matches whose table does not stand yet, of all replicas.")),
        oldest_match_(metrics.Gauge("mahjong_matches_unfinished_oldest_age_seconds",
                                    "Age of the oldest of them: seconds when all is well.")),
        seats_(metrics.Gauge("mahjong_seats_live", "Players held to sit at a table.")) {
    for (const char* feed : {"rounds", "seats"}) Lag(feed).Set(0);  // there from the start
  }

  void OnMatched(const Match& match) override {
    matches_.Increment();
    log_.Debug("matched", {{"match_id", match.id.value()}, {"variant", match.pool.variant}});
  }

  void OnSeated(const Match& match, Seated how) override {
    metrics_
        .Counter("mahjong_matches_ended_total",
                 "Steps of seating a match, by how they ended; abandoned ones are gone on with.",
                 {{"how", std::string(Name(how))}})
        .Increment();
    const obs::Logger::Fields fields = {
        {"match_id", match.id.value()}, {"how", Name(how)}, {"attempt", match.attempts}};
    if (how == Seated::kAssigned) {
      log_.Info("seated", fields);
    } else {
      log_.Warn("not seated", fields);
    }
  }

  void OnSeatsFreed(std::size_t seats) override { freed_.Increment(static_cast<double>(seats)); }
  void OnTold(std::string_view feed, std::size_t items) override {
    metrics_
        .Counter("mahjong_matchmaking_told_total",
                 "Rounds, and changes of seats, that the table service told of and that were dealt "
                 "with by this process.",
                 {{"feed", std::string(feed)}})
        .Increment(static_cast<double>(items));
  }
  void OnLag(std::string_view feed, std::chrono::milliseconds lag) override {
    Lag(feed).Set(Seconds(lag));
  }
  void OnExpired(std::size_t tickets) override { expired_.Increment(static_cast<double>(tickets)); }

  void OnFailure(std::string_view what, const absl::Status& status) override {
    metrics_
        .Counter("mahjong_matchmaking_failures_total",
                 "What a replica does by itself and could not do this time.",
                 {{"what", std::string(what)}})
        .Increment();
    log_.Warn("could not", {{"what", what}, {"status", status.ToString()}});
  }

  void OnBacklog(const Backlog& backlog) override {
    queued_.Set(static_cast<double>(backlog.queued));
    oldest_ticket_.Set(Seconds(backlog.oldest_queued));
    unfinished_.Set(static_cast<double>(backlog.unfinished));
    oldest_match_.Set(Seconds(backlog.oldest_unfinished));
    seats_.Set(static_cast<double>(backlog.seats));
    if (backlog.oldest_unfinished >= kStuck) {
      log_.Warn("a match is stuck",
                {{"age_ms", backlog.oldest_unfinished.count()}, {"matches", backlog.unfinished}});
    }
  }

 private:
  prometheus::Gauge& Lag(std::string_view feed) {
    return metrics_.Gauge("mahjong_matchmaking_feed_lag_seconds",
                          "How long ago what is dealt with now of what the table service tells was "
                          "written, or for how long it "
                          "could not be asked; 0 in all replicas but the one that follows.",
                          {{"feed", std::string(feed)}});
  }

  obs::Metrics& metrics_;
  const obs::Logger log_;
  prometheus::Counter& matches_;
  prometheus::Counter& expired_;
  prometheus::Counter& freed_;
  prometheus::Gauge& queued_;
  prometheus::Gauge& oldest_ticket_;
  prometheus::Gauge& unfinished_;
  prometheus::Gauge& oldest_match_;
  prometheus::Gauge& seats_;
};

}  // namespace

std::unique_ptr<Monitor> MakeMonitor(obs::Metrics& metrics, const obs::Logger& log) {
  return std::make_unique<ObservedMonitor>(metrics, log);
}

}  // namespace mj::matchmaking
