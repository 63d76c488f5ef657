// One incoming call, as far as a handler may know it.
#pragma once

#include <grpcpp/server_context.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/auth/caller.h"
#include "libs/base/clock.h"
#include "libs/base/language.h"
#include "libs/base/mutex.h"
#include "libs/base/uuid.h"
#include "libs/rpc/trace.h"

namespace mj::rpc {

// Metadata that carries the call's id from service to service, and back to the client (trailing).
inline constexpr char kRequestIdKey[] = "x-request-id";
inline constexpr char kLanguageKey[] = "accept-language";

// Thread-safe.
class Call {
 public:
  // Reads the metadata and tells the client the call's id: the one that came if it is an id, else a
  // new one.
  Call(std::string_view method, grpc::CallbackServerContext& context, const base::Clock& clock,
       base::UuidGenerator& ids);

  // The rpc's name without its service, e.g. "Deposit".
  [[nodiscard]] const std::string& method() const { return method_; }
  [[nodiscard]] const std::string& request_id() const { return request_id_; }
  // This call in its trace: the client's (traceparent), else that of its id, else one of its own.
  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] const std::string& peer() const { return peer_; }
  // Who calls; null where nobody is asked who it is (a server without Security).
  [[nodiscard]] const auth::Caller* caller() const { return caller_ ? &*caller_ : nullptr; }
  // The guard's, before the handler runs.
  void SetCaller(auth::Caller caller) { caller_ = std::move(caller); }
  // In which the client wants to read failures.
  [[nodiscard]] base::Language language() const { return language_; }
  [[nodiscard]] base::MonotonicTime started() const { return started_; }

  // What is left until the client's deadline, never negative; nullopt if it set none.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> Remaining() const;

  // Whether the client has gone or its deadline has passed: nobody waits for the answer.
  [[nodiscard]] bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  void MarkCancelled() { cancelled_.store(true, std::memory_order_relaxed); }

  // Adds a field to the call's log line ("table_id", "round_id", …), cut after 128 bytes.
  void Note(std::string_view key, std::string_view value);
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> notes() const;

 private:
  const base::Clock& clock_;
  const std::string method_;
  std::string request_id_;
  Trace trace_;
  std::string peer_;
  base::Language language_;
  std::optional<auth::Caller> caller_;
  const base::MonotonicTime started_;
  std::optional<base::MonotonicTime> deadline_;
  std::atomic<bool> cancelled_ = false;
  mutable base::Mutex mutex_;
  std::vector<std::pair<std::string, std::string>> notes_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::rpc
