// Requests and responses as bytes, for methods that are served without message objects (the
// generated WithRawCallbackMethod_…).
#pragma once

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>

#include <string_view>

namespace mj::rpc {

// A buffer's bytes in one piece, none of one that cannot be read; a copy only where they lie in several.
class WholeOf {
 public:
  explicit WholeOf(const grpc::ByteBuffer& buffer) {
    if (!buffer.TrySingleSlice(&slice_).ok()) (void)buffer.DumpToSingleSlice(&slice_);
  }

  [[nodiscard]] std::string_view bytes() const {
    return {reinterpret_cast<const char*>(slice_.begin()), slice_.size()};
  }

 private:
  grpc::Slice slice_;
};

inline grpc::ByteBuffer BufferOf(std::string_view bytes) {
  const grpc::Slice slice(bytes.data(), bytes.size());
  return {&slice, 1};
}

}  // namespace mj::rpc
