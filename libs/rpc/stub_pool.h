// Stubs of one service at several addresses: for calls that have to go where their object is.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "libs/base/mutex.h"

namespace mj::rpc {

// Thread-safe. Each address is connected to once, when it is first asked for.
template <typename Service>
class StubPool {
 public:
  using Stub = typename Service::StubInterface;
  using Connect = std::function<std::unique_ptr<Stub>(const std::string& address)>;

  explicit StubPool(Connect connect) : connect_(std::move(connect)) {}

  // Good for as long as the pool is.
  [[nodiscard]] Stub& At(const std::string& address) {
    base::MutexLock lock(mutex_);
    std::unique_ptr<Stub>& stub = stubs_[address];
    if (stub == nullptr) stub = connect_(address);
    return *stub;
  }

 private:
  const Connect connect_;
  base::Mutex mutex_;
  std::map<std::string, std::unique_ptr<Stub>> stubs_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::rpc
