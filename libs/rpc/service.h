// A service from its start to its drained end. main.cc is one call:
//
//   int main(int argc, char** argv) {
//     const auto config = mj::wallet::ConfigFromFlags(argc, argv);
//     if (!config.ok()) return mj::rpc::FailStartup(config.status());
//     return mj::rpc::RunService("wallet", config->server, [&](mj::rpc::Bindings& bindings) {
//       return mj::wallet::Bind(*config, bindings);
//     });
//   }
//
// The same Bind serves production and tests, where several services run in one process.
#pragma once

#include <grpcpp/impl/codegen/service_type.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "libs/base/entropy.h"
#include "libs/base/executor.h"
#include "libs/base/uuid.h"
#include "libs/obs/log.h"
#include "libs/obs/metrics.h"
#include "libs/rpc/front.h"
#include "libs/rpc/security.h"

namespace mj::rpc {

// What every service is configured with.
struct ServerConfig {
  std::string listen = "127.0.0.1:0";     // HOST:PORT; port 0: a free one
  std::string address_file = {};          // written with the address once serving; empty: none
  std::string metrics_listen = {};        // HOST:PORT of /metrics; empty: none
  std::string metrics_address_file = {};  // likewise
  obs::LogLevel log_level = obs::LogLevel::kInfo;
  bool reflection = false;             // grpc.reflection, for buf curl
  std::chrono::seconds drain{10};      // longest time from SIGTERM to the end
  std::chrono::seconds connection{0};  // after which clients are to connect anew; 0: never
  int workers = 8;                     // threads for work that may block
  std::size_t queue_max = 1024;        // calls that wait for a worker; more are OVERLOADED
  std::size_t outbox_max = 256;        // messages that wait for one stream's client
  Security security = {};              // who may call; off: whoever reaches it
};

// What a service is given while it is bound together, and what it gives back. Everything that it
// hands out lives until the service has stopped.
class Bindings {
 public:
  virtual ~Bindings() = default;

  [[nodiscard]] virtual const ServerConfig& config() const = 0;
  [[nodiscard]] virtual base::Clock& clock() = 0;
  [[nodiscard]] virtual base::Entropy& entropy() = 0;
  [[nodiscard]] virtual base::UuidGenerator& ids() = 0;
  [[nodiscard]] virtual base::Executor& executor() = 0;
  [[nodiscard]] virtual const obs::Logger& log() = 0;
  [[nodiscard]] virtual obs::Metrics& metrics() = 0;
  [[nodiscard]] virtual Front& front() = 0;

  // host:port where this service serves, as this machine reaches it; for handlers, on any thread. Empty
  // before it is known, when no client can know it either.
  [[nodiscard]] virtual std::string ServedAt() const = 0;

  // Keeps an object until the service has stopped; objects go in reverse order.
  template <typename T>
  T& Own(std::unique_ptr<T> object) {
    T& kept = *object;
    Keep(std::shared_ptr<T>(std::move(object)));
    return kept;
  }

  // Serves a gRPC service, and keeps it. `Proto` is the generated class around it:
  //   bindings.AddService<WalletService>(std::make_unique<WalletHandlers>(bindings.front(), app));
  template <typename Proto, typename Handlers>
  Handlers& AddService(std::unique_ptr<Handlers> handlers) {
    Handlers& kept = Own(std::move(handlers));
    Register(kept, Proto::service_full_name());
    return kept;
  }

  // Runs `closer` when the service is told to stop, in reverse order, before it ends streams and waits
  // for calls to end: let go of calls that wait for something which may never come.
  virtual void OnDrain(std::string what, std::function<void()> closer) = 0;

  // Runs `closer` when the service stops, in reverse order, after the last call has ended and
  // before the executor stops: end timers and whatever else starts work by itself.
  virtual void OnStop(std::string what, std::function<void()> closer) = 0;

 protected:
  virtual void Keep(std::shared_ptr<void> object) = 0;
  virtual void Register(grpc::Service& service, const char* full_name) = 0;
};

// Builds a service into the bindings. A failure ends the start.
using BindFunction = std::function<absl::Status(Bindings&)>;

// What a test may put in place of the machine's own. Referenced objects must outlive the service.
struct Environment {
  base::Clock* clock = nullptr;                         // null: the system's
  base::Entropy* entropy = nullptr;                     // null: the system's
  std::function<void(std::string_view)> log_line = {};  // empty: stderr
};

// A service that is running. Its destructor stops it.
class RunningService {
 public:
  virtual ~RunningService() = default;

  // host:port where it serves, and where its metrics are (empty if nowhere).
  [[nodiscard]] virtual const std::string& address() const = 0;
  [[nodiscard]] virtual const std::string& metrics_address() const = 0;
  // Where health alone is served in plaintext; empty if nowhere.
  [[nodiscard]] virtual const std::string& health_address() const = 0;
  [[nodiscard]] virtual obs::Metrics& metrics() = 0;

  // Health says NOT_SERVING; OnDrain's closers run; open streams end with SHUTTING_DOWN; calls in
  // progress have until the drain time is over, then are cancelled; OnStop's closers run; the executor
  // finishes its queue. Again: no effect.
  virtual void Stop() = 0;
};

// Binds and starts a service. Nothing is listened on before `bind` succeeded; health is SERVING and
// the address file is written when this returns. UNAVAILABLE if it cannot listen or write; bind's
// own failure otherwise.
[[nodiscard]] absl::StatusOr<std::unique_ptr<RunningService>> StartService(
    std::string_view name, const ServerConfig& config, const BindFunction& bind,
    const Environment& environment = {});

// Runs a service until SIGTERM or SIGINT (a second one kills), then stops it. The process's own client
// identity is what config.security says. Returns the process's exit code: 0, or 1 if it could not start. Call it from main, before any other thread exists.
[[nodiscard]] int RunService(std::string_view name, const ServerConfig& config,
                             const BindFunction& bind);

// Tells on stderr why the process cannot start, and returns its exit code, 2; 0 for OK (a status of
// --help), without a word.
[[nodiscard]] int FailStartup(const absl::Status& status);

}  // namespace mj::rpc
