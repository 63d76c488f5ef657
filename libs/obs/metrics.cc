#include "libs/obs/metrics.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <prometheus/exposer.h>
#include <prometheus/text_serializer.h>
#include <sys/socket.h>
#include <unistd.h>

#include <exception>

#include "libs/base/executor.h"
#include "libs/base/strings.h"

namespace mj::obs {
namespace {

// Opens and closes a connection. Fails silently.
void Touch(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  const auto port = base::ParseInt64(std::string_view(address).substr(colon + 1));
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port.value_or(0)));
  if (inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr) != 1) {
    return;
  }
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0) {
    (void)::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    ::close(fd);
  }
}

}  // namespace

Metrics::Metrics(std::string_view service)
    : registry_(std::make_shared<prometheus::Registry>()), service_(service) {}

Metrics::~Metrics() {
  if (exposer_ == nullptr) {
    return;
  }
  // The HTTP server looks every two seconds whether it is to end, or when somebody connects.
  base::Mutex mutex;
  base::CondVar changed;
  bool ended = false;
  base::Executor waker({.name = "metrics-end", .threads = 1, .queue_max = 1});
  waker.Post([&] {
    base::MutexLock lock(mutex);
    while (!ended) {
      Touch(address_);
      changed.WaitFor(mutex, std::chrono::milliseconds(5));
    }
  });
  exposer_.reset();
  base::MutexLock lock(mutex);
  ended = true;
  changed.NotifyAll();
}

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
  address_ = listen.substr(0, colon + 1) + port;
  return address_;
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
