#include "libs/obs/metrics.h"

#include <prometheus/exposer.h>
#include <prometheus/text_serializer.h>

#include <exception>

#include "libs/base/strings.h"

namespace mj::obs {

Metrics::Metrics(std::string_view service)
    : registry_(std::make_shared<prometheus::Registry>()), service_(service) {}

Metrics::~Metrics() = default;

prometheus::Counter& Metrics::Counter(const std::string& name, const std::string& help,
                                      const Labels& labels) {
  base::MutexLock lock(mutex_);
  auto& family = counters_[name];
  if (family == nullptr) {
    family = &prometheus::BuildCounter()
                  .Name(name)
                  .Help(help)
                  .Labels({{"service", service_}})
                  .Register(*registry_);
  }
  return family->Add(labels);
}

prometheus::Gauge& Metrics::Gauge(const std::string& name, const std::string& help,
                                  const Labels& labels) {
  base::MutexLock lock(mutex_);
  auto& family = gauges_[name];
  if (family == nullptr) {
    family = &prometheus::BuildGauge()
                  .Name(name)
                  .Help(help)
                  .Labels({{"service", service_}})
                  .Register(*registry_);
  }
  return family->Add(labels);
}

prometheus::Histogram& Metrics::Histogram(const std::string& name, const std::string& help,
                                          const std::vector<double>& bounds, const Labels& labels) {
  base::MutexLock lock(mutex_);
  auto& family = histograms_[name];
  if (family == nullptr) {
    family = &prometheus::BuildHistogram()
                  .Name(name)
                  .Help(help)
                  .Labels({{"service", service_}})
                  .Register(*registry_);
  }
  return family->Add(labels, bounds);
}

absl::StatusOr<std::string> Metrics::Listen(const std::string& listen) {
  const std::size_t colon = listen.rfind(':');
  if (colon == std::string::npos) {
    return absl::InvalidArgumentError(base::Cat("metrics: got '", listen, "', want HOST:PORT"));
  }
  // One thread is enough: nobody but Prometheus reads.
  try {
    exposer_ = std::make_unique<prometheus::Exposer>(listen, 1);
  } catch (const std::exception& error) {
    return absl::UnavailableError(
        base::Cat("metrics: cannot listen on ", listen, ": ", error.what()));
  }
  exposer_->RegisterCollectable(registry_);
  const auto ports = exposer_->GetListeningPorts();
  const std::string port = ports.empty() ? listen.substr(colon + 1) : std::to_string(ports[0]);
  return listen.substr(0, colon + 1) + port;
}

std::string Metrics::Text() const {
  return prometheus::TextSerializer().Serialize(registry_->Collect());
}

std::string BoundedLabel::Value(std::string_view value) {
  constexpr std::size_t kLengthMax = 64;
  if (value.empty() || value.size() > kLengthMax || !base::IsUtf8(value)) {
    return "other";
  }
  base::MutexLock lock(mutex_);
  if (known_.find(value) == known_.end()) {
    if (known_.size() >= values_max_) {
      return "other";
    }
    known_.emplace(value, true);
  }
  return std::string(value);
}

}  // namespace mj::obs
