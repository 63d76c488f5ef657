// Ownership of a C library's objects.
#pragma once

#include <memory>

namespace mj::base {

template <auto Free>
struct Freer {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};

// A T that `Free`, a function of its library, ends.
template <typename T, auto Free>
using Owned = std::unique_ptr<T, Freer<Free>>;

}  // namespace mj::base
