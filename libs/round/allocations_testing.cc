#include "libs/round/allocations_testing.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

thread_local constinit std::uint64_t allocations = 0;

void* Take(void* memory) {
  ++allocations;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The array forms call these.
void* operator new(std::size_t size) { return Take(std::malloc(size == 0 ? 1 : size)); }
void* operator new(std::size_t size, std::align_val_t align) {
  const auto to = static_cast<std::size_t>(align);
  return Take(std::aligned_alloc(to, (size + to - 1) / to * to));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace mj::round {

std::uint64_t Allocations() { return allocations; }

}  // namespace mj::round
