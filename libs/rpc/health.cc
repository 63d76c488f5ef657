#include "libs/rpc/health.h"

#include <utility>

#include "libs/base/reasons.h"

namespace mj::rpc {

using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

void HealthService::Add(const std::string& service) {
  base::MutexLock lock(mutex_);
  serving_.emplace(service, false);
}

void HealthService::SetServing(bool serving) {
  std::list<std::pair<ServerStream<Response>, Response>> told;
  {
    base::MutexLock lock(mutex_);
    for (auto& [service, is_serving] : serving_) {
      is_serving = serving;
    }
    watchers_.remove_if([](const Watcher& watcher) { return watcher.stream.ended(); });
    for (const Watcher& watcher : watchers_) {
      Response response;
      response.set_status(StatusOf(watcher.service));
      told.emplace_back(watcher.stream, std::move(response));
    }
  }
  for (auto& [stream, response] : told) {
    stream.Send(std::move(response));
  }
}

grpc::ServerUnaryReactor* HealthService::Check(grpc::CallbackServerContext* context,
                                               const HealthCheckRequest* request,
                                               HealthCheckResponse* response) {
  return front_.Unary(context, "Check", request, response, Front::kNoValidation,
                      [this](Call&, const HealthCheckRequest& in, HealthCheckResponse& out) {
                        base::MutexLock lock(mutex_);
                        out.set_status(StatusOf(in.service()));
                        return out.status() == HealthCheckResponse::SERVICE_UNKNOWN
                                   ? base::Error(base::Reason::kServiceUnknown)
                                   : absl::OkStatus();
                      });
}

grpc::ServerWriteReactor<HealthCheckResponse>* HealthService::Watch(
    grpc::CallbackServerContext* context, const HealthCheckRequest* request) {
  return front_.Stream<HealthCheckResponse>(
      context, "Watch", request, Front::kNoValidation,
      [this](Call&, const HealthCheckRequest& in, const ServerStream<HealthCheckResponse>& stream) {
        HealthCheckResponse::ServingStatus now;
        {
          base::MutexLock lock(mutex_);
          watchers_.remove_if([](const Watcher& watcher) { return watcher.stream.ended(); });
          watchers_.push_back({in.service(), stream});
          now = StatusOf(in.service());
        }
        // A change may overtake the first message: until the last one told is true, tell again.
        while (true) {
          HealthCheckResponse response;
          response.set_status(now);
          if (!stream.Send(std::move(response))) {
            break;
          }
          base::MutexLock lock(mutex_);
          if (std::exchange(now, StatusOf(in.service())) == now) {
            break;
          }
        }
        return absl::OkStatus();
      });
}

HealthCheckResponse::ServingStatus HealthService::StatusOf(const std::string& service) const {
  const auto known = serving_.find(service);
  if (known == serving_.end()) {
    return HealthCheckResponse::SERVICE_UNKNOWN;
  }
  return known->second ? HealthCheckResponse::SERVING : HealthCheckResponse::NOT_SERVING;
}

}  // namespace mj::rpc
