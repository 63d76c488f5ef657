#include "libs/rpc/service.h"

#include <grpc/support/log.h>
#include <grpc/support/time.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <mutex>

#include "libs/base/check.h"
#include "libs/base/files.h"
#include "libs/base/mutex.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/obs/rpc_metrics.h"
#include "libs/rpc/guard.h"
#include "libs/rpc/health.h"
#include "libs/rpc/identity.h"
#include "libs/rpc/keepalive.h"

namespace mj::rpc {
namespace {

// Whoever watches health needs no identity: all of them together are bounded.
constexpr std::size_t kHealthStreamsMax = 1'024;

// Runs every task at once, where it is posted. For work that never blocks.
class InlineRunner final : public base::TaskRunner {
 public:
  [[nodiscard]] bool TryPost(base::Task task) override { return Post(std::move(task)); }
  bool Post(base::Task task) override {
    task();
    return true;
  }
};

// Linking the reflection library may or may not add it to every server of the process, depending on
// what the linker kept. This decides for one server.
class ReflectionOption final : public grpc::ServerBuilderOption {
 public:
  explicit ReflectionOption(bool on) : on_(on) {}

  void UpdateArguments(grpc::ChannelArguments* /*arguments*/) override {}
  void UpdatePlugins(std::vector<std::unique_ptr<grpc::ServerBuilderPlugin>>* plugins) override {
    auto reflection = std::make_unique<grpc::reflection::ProtoServerReflectionPlugin>();
    std::erase_if(*plugins,
                  [&](const auto& plugin) { return plugin->name() == reflection->name(); });
    if (on_) {
      plugins->push_back(std::move(reflection));
    }
  }

 private:
  const bool on_;
};

class HostedService final : public RunningService, public Bindings {
 public:
  HostedService(std::string_view name, const ServerConfig& config, const Environment& environment)
      : config_(config),
        clock_(environment.clock != nullptr ? *environment.clock : system_clock_),
        entropy_(environment.entropy != nullptr ? *environment.entropy : system_entropy_),
        log_(environment.log_line
                 ? obs::Logger(name, config.log_level, clock_, environment.log_line)
                 : obs::Logger(name, config.log_level, clock_)),
        metrics_(name),
        rpc_metrics_(metrics_),
        ids_(clock_, entropy_),
        guard_(config.security.on()
                   ? std::make_unique<Guard>(config.security, clock_, log_, metrics_)
                   : nullptr),
        executor_(
            {.name = std::string(name), .threads = config.workers, .queue_max = config.queue_max}),
        front_(Parts(executor_, guard_.get(), 0)),
        health_front_(Parts(inline_runner_, nullptr, kHealthStreamsMax)),
        health_(health_front_),
        plain_health_(health_front_) {
    AddHealth("");
  }

  ~HostedService() override { Stop(); }

  absl::Status Start(const BindFunction& bind) {
    if (guard_ != nullptr) MJ_RETURN_IF_ERROR(guard_->Start());
    MJ_RETURN_IF_ERROR(bind(*this));
    MJ_RETURN_IF_ERROR(Listen());
    MJ_RETURN_IF_ERROR(ListenForProbes());
    if (!config_.metrics_listen.empty()) {
      MJ_ASSIGN_OR_RETURN(metrics_address_, metrics_.Listen(config_.metrics_listen));
    }
    SetServing(true);
    MJ_RETURN_IF_ERROR(WriteAddress(config_.metrics_address_file, metrics_address_));
    MJ_RETURN_IF_ERROR(WriteAddress(config_.address_file, address_));
    log_.Info("serving", {{"address", address_}, {"metrics_address", metrics_address_}});
    return absl::OkStatus();
  }

  // RunningService
  const std::string& address() const override { return address_; }
  const std::string& metrics_address() const override { return metrics_address_; }
  const std::string& health_address() const override { return health_address_; }
  void Stop() override {
    std::call_once(stopped_, [this] { StopOnce(); });
  }

  // Bindings
  const ServerConfig& config() const override { return config_; }
  base::Clock& clock() override { return clock_; }
  base::Entropy& entropy() override { return entropy_; }
  base::UuidGenerator& ids() override { return ids_; }
  base::Executor& executor() override { return executor_; }
  const obs::Logger& log() override { return log_; }
  obs::Metrics& metrics() override { return metrics_; }
  Front& front() override { return front_; }
  std::string ServedAt() const override {
    base::MutexLock lock(mutex_);
    return served_at_;
  }
  void OnDrain(std::string what, std::function<void()> closer) override {
    drainers_.push_back({std::move(what), std::move(closer)});
  }
  void OnStop(std::string what, std::function<void()> closer) override {
    closers_.push_back({std::move(what), std::move(closer)});
  }

 protected:
  void Keep(std::shared_ptr<void> object) override { owned_.push_back(std::move(object)); }
  void Register(grpc::Service& service, const char* full_name) override {
    services_.push_back(&service);
    AddHealth(full_name);
  }

 private:
  struct Closer {
    std::string what;
    std::function<void()> close;
  };

  void AddHealth(const std::string& name) {
    health_.Add(name);
    plain_health_.Add(name);
  }

  void SetServing(bool serving) {
    health_.SetServing(serving);
    plain_health_.SetServing(serving);
  }

  FrontParts Parts(base::TaskRunner& runner, Guard* guard, std::size_t streams_max) {
    return {.clock = clock_,
            .ids = ids_,
            .runner = runner,
            .log = log_,
            .metrics = rpc_metrics_,
            .outbox_max = config_.outbox_max,
            .guard = guard,
            .streams_max = streams_max};
  }

  absl::Status Listen() {
    // With a given port clients may call before BuildAndStart has returned.
    const std::size_t port_at = config_.listen.rfind(':') + 1;
    if (port_at > 0 && config_.listen.substr(port_at) != "0") {
      SetServedAt(base::Cat(ReachableHost(config_.listen), ":", config_.listen.substr(port_at)));
    }
    grpc::EnableDefaultHealthCheckService(false);
    grpc::ServerBuilder builder;
    ApplyServerSettings(builder, config_.connection);
    builder.SetOption(std::make_unique<ReflectionOption>(config_.reflection));
    int port = 0;
    builder.AddListeningPort(
        config_.listen,
        guard_ == nullptr ? grpc::InsecureServerCredentials() : guard_->Credentials(), &port);
    for (grpc::Service* service : services_) {
      builder.RegisterService(service);
    }
    builder.RegisterService(&health_);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr || port == 0) {
      return absl::UnavailableError(base::Cat("cannot listen on ", config_.listen));
    }
    address_ = base::Cat(ReachableHost(config_.listen), ":", std::to_string(port));
    SetServedAt(address_);
    return absl::OkStatus();
  }

  // A server of its own: a plain port of the same one would serve every rpc.
  absl::Status ListenForProbes() {
    const std::string& listen = config_.security.health_listen;
    if (listen.empty()) return absl::OkStatus();
    grpc::ServerBuilder builder;
    ApplyServerSettings(builder);
    builder.SetOption(std::make_unique<ReflectionOption>(false));
    int port = 0;
    builder.AddListeningPort(listen, grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&plain_health_);
    health_server_ = builder.BuildAndStart();
    if (health_server_ == nullptr || port == 0) {
      return absl::UnavailableError(base::Cat("cannot listen on ", listen));
    }
    health_address_ = base::Cat(ReachableHost(listen), ":", std::to_string(port));
    return absl::OkStatus();
  }

  void SetServedAt(std::string address) {
    base::MutexLock lock(mutex_);
    served_at_ = std::move(address);
  }

  // The host under which this machine itself reaches what listens on `listen`.
  static std::string ReachableHost(const std::string& listen) {
    const std::string host = listen.substr(0, listen.rfind(':'));
    return host == "0.0.0.0" || host == "[::]" ? "127.0.0.1" : host;
  }

  static absl::Status WriteAddress(const std::string& file, const std::string& address) {
    return file.empty() ? absl::OkStatus()
                        : base::WriteFileAtomically(file, base::Cat(address, "\n"));
  }

  void Run(std::vector<Closer>& closers) {
    while (!closers.empty()) {
      log_.Debug("closing", {{"what", closers.back().what}});
      closers.back().close();
      closers.pop_back();
    }
  }

  void StopOnce() {
    SetServing(false);
    health_front_.EndStreams();
    // First, so that a stream can end with better advice than that this process ends.
    Run(drainers_);
    front_.EndStreams();
    if (server_ != nullptr) {
      log_.Info("draining");
      server_->Shutdown(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                     gpr_time_from_seconds(config_.drain.count(), GPR_TIMESPAN)));
      server_->Wait();
      server_ = nullptr;
    }
    if (health_server_ != nullptr) {
      health_server_->Shutdown();
      health_server_->Wait();
      health_server_ = nullptr;
    }
    Run(closers_);
    executor_.Stop();
    while (!owned_.empty()) {
      owned_.pop_back();
    }
    log_.Info("stopped");
  }

  const ServerConfig config_;
  base::SystemClock system_clock_;
  base::SystemEntropy system_entropy_;
  base::Clock& clock_;
  base::Entropy& entropy_;
  const obs::Logger log_;
  obs::Metrics metrics_;
  obs::RpcMetrics rpc_metrics_;
  base::UuidGenerator ids_;
  const std::unique_ptr<Guard> guard_;
  InlineRunner inline_runner_;
  base::Executor executor_;
  Front front_;
  Front health_front_;
  HealthService health_;
  HealthService plain_health_;
  std::vector<grpc::Service*> services_;
  std::vector<std::shared_ptr<void>> owned_;
  std::vector<Closer> drainers_;
  std::vector<Closer> closers_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<grpc::Server> health_server_;
  std::string address_;
  std::string metrics_address_;
  std::string health_address_;
  std::once_flag stopped_;
  mutable base::Mutex mutex_;
  std::string served_at_ ABSL_GUARDED_BY(mutex_);
};

// Calls to other services show what the server itself shows.
void SetIdentity(const Security& security) {
  if (!security.on()) return;
  ClientIdentity identity{.tls = security.tls, .token = {}, .reload = security.reload};
  if (!security.token_file.empty()) {
    // For as long as the process is there, as the identity is.
    static base::SystemClock clock;
    const auto file = std::make_shared<TokenFile>(security.token_file, security.reload, clock);
    identity.token = [file](std::string_view /*player*/) { return file->Token(); };
  }
  SetClientIdentity(std::move(identity));
}

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

}  // namespace

absl::StatusOr<std::unique_ptr<RunningService>> StartService(std::string_view name,
                                                             const ServerConfig& config,
                                                             const BindFunction& bind,
                                                             const Environment& environment) {
  auto service = std::make_unique<HostedService>(name, config, environment);
  MJ_RETURN_IF_ERROR(service->Start(bind));
  return service;
}

namespace {

// Of the process, and for as long; null until RunService.
const obs::Logger* process_log = nullptr;

// What gRPC says becomes lines of our log. Whoever connects can make it complain, so that it is never an
// error of ours.
void LogForGrpc(gpr_log_func_args* said) {
  constexpr std::size_t kBytesMax = 400;
  const obs::LogLevel level =
      said->severity == GPR_LOG_SEVERITY_ERROR ? obs::LogLevel::kWarn : obs::LogLevel::kDebug;
  process_log->Write(level, "grpc",
                     {{"detail", std::string_view(said->message).substr(0, kBytesMax)}});
}

}  // namespace

int RunService(std::string_view name, const ServerConfig& config, const BindFunction& bind) {
  // Never destroyed: gRPC's threads may outlive main.
  process_log = new obs::Logger(name, config.log_level, *new base::SystemClock);
  gpr_set_log_function(LogForGrpc);

  // Blocked here and so in every thread that starts later; sigwait takes them.
  const sigset_t signals = StopSignals();
  MJ_CHECK(pthread_sigmask(SIG_BLOCK, &signals, nullptr) == 0);
  std::signal(SIGPIPE, SIG_IGN);
  SetIdentity(config.security);
  auto service = StartService(name, config, bind);
  if (!service.ok()) {
    std::fprintf(stderr, "mj-%.*s: cannot start: %s\n", static_cast<int>(name.size()), name.data(),
                 std::string(service.status().message()).c_str());
    return 1;
  }
  int signal = 0;
  MJ_CHECK(sigwait(&signals, &signal) == 0);
  // From here on a second signal has its usual effect.
  MJ_CHECK(pthread_sigmask(SIG_UNBLOCK, &signals, nullptr) == 0);
  (*service)->Stop();
  return 0;
}

int FailStartup(const absl::Status& status) {
  if (status.ok()) {
    return 0;
  }
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return 2;
}

}  // namespace mj::rpc
