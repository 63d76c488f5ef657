// grpc.health.v1, for load balancers and probes. Our own rather than gRPC's default, so that its
// Watch streams end when the service drains.
#pragma once

#include <list>
#include <map>
#include <string>
#include <string_view>

#include "grpc/health/v1/health.grpc.pb.h"
#include "libs/base/mutex.h"
#include "libs/rpc/front.h"

namespace mj::rpc {

// Knows the whole server ("") and each of its services by full name. Thread-safe.
class HealthService final : public grpc::health::v1::Health::CallbackService {
 public:
  // `front` should run its work on the calling thread: health must answer when all is busy.
  explicit HealthService(Front& front) : front_(front) {}

  // Adds a service, or the whole server; not serving at first.
  void Add(const std::string& service);

  // For all of them, and tells those that watch.
  void SetServing(bool serving);

  // An unknown service is NOT_FOUND, SERVICE_UNKNOWN.
  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context,
                                  const grpc::health::v1::HealthCheckRequest* request,
                                  grpc::health::v1::HealthCheckResponse* response) override;

  // The present state, then each change. An unknown service is a state, not a failure.
  grpc::ServerWriteReactor<grpc::health::v1::HealthCheckResponse>* Watch(
      grpc::CallbackServerContext* context,
      const grpc::health::v1::HealthCheckRequest* request) override;

 private:
  using Response = grpc::health::v1::HealthCheckResponse;
  struct Watcher {
    std::string service;
    ServerStream<Response> stream;
  };

  Response::ServingStatus StatusOf(const std::string& service) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Front& front_;
  mutable base::Mutex mutex_;
  std::map<std::string, bool> serving_ ABSL_GUARDED_BY(mutex_);
  std::list<Watcher> watchers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::rpc
