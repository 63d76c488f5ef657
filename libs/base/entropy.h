// Unpredictable bytes, handed in like time.
#pragma once

#include <cstddef>
#include <span>

namespace mj::base {

// Thread-safe.
class Entropy {
 public:
  virtual ~Entropy() = default;

  // Fills all of `out`.
  virtual void Fill(std::span<std::byte> out) = 0;
};

// The kernel's generator. Aborts the process if it refuses, which a running Linux does not.
class SystemEntropy final : public Entropy {
 public:
  void Fill(std::span<std::byte> out) override;
};

}  // namespace mj::base
