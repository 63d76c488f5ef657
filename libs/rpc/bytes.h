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

// Makes `bytes` the buffer's.
inline void Fill(grpc::ByteBuffer& buffer, std::string_view bytes) {
  const grpc::Slice slice(bytes.data(), bytes.size());
  grpc::ByteBuffer made(&slice, 1);
  buffer.Swap(&made);  // a buffer has no move, only copies
}

}  // namespace mj::rpc
