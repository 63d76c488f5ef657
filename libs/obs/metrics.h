// A service's metrics and the port on which Prometheus reads them.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/mutex.h"

namespace prometheus {
class Exposer;
}

namespace mj::obs {

// The metrics of one service. Every series carries the label service. Thread-safe; references that
// it gives out live as long as it does. Asking for the same name and labels again gives the same
// series.
//
// Names are "mahjong_…" with the unit last (_seconds, _total); label values come from a short list
// known beforehand, or through BoundedLabel.
class Metrics {
 public:
  using Labels = std::map<std::string, std::string>;

  explicit Metrics(std::string_view service);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  prometheus::Counter& Counter(const std::string& name, const std::string& help,
                               const Labels& labels = {});
  prometheus::Gauge& Gauge(const std::string& name, const std::string& help,
                           const Labels& labels = {});
  // `bounds` are the buckets' upper bounds, rising.
  prometheus::Histogram& Histogram(const std::string& name, const std::string& help,
                                   const std::vector<double>& bounds, const Labels& labels = {});

  // Serves GET /metrics on `listen` ("127.0.0.1:0"; port 0: a free one) until destroyed. Returns
  // the address it listens on. UNAVAILABLE if it cannot.
  absl::StatusOr<std::string> Listen(const std::string& listen);

  // Everything in Prometheus' text format.
  [[nodiscard]] std::string Text() const;

 private:
  std::shared_ptr<prometheus::Registry> registry_;
  base::Mutex mutex_;
  std::map<std::string, prometheus::Family<prometheus::Counter>*> counters_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, prometheus::Family<prometheus::Gauge>*> gauges_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, prometheus::Family<prometheus::Histogram>*> histograms_
      ABSL_GUARDED_BY(mutex_);
  const std::string service_;
  std::string address_;  // where exposer_ listens
  std::unique_ptr<prometheus::Exposer> exposer_;
};

// Keeps the number of a label's values within a bound: values beyond it, empty ones and overlong
// ones are told as "other". For values that come from outside. Thread-safe.
class BoundedLabel {
 public:
  explicit BoundedLabel(std::size_t values_max) : values_max_(values_max) {}

  [[nodiscard]] std::string Value(std::string_view value);

 private:
  const std::size_t values_max_;
  base::Mutex mutex_;
  std::map<std::string, bool, std::less<>> known_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::obs
