#include "libs/packing/packing.h"

#include <zstd.h>

#include <memory>

#include "absl/status/status.h"
#include "libs/base/check.h"

namespace mj::packing {
namespace {

// Records are written once and kept for months; beyond this level they hardly get smaller.
constexpr int kLevel = 9;

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
using Compressor = std::unique_ptr<ZSTD_CCtx, FreeCompressor>;

}  // namespace

std::string Pack(std::string_view bytes) {
  const Compressor context(ZSTD_createCCtx());
  MJ_CHECK(context != nullptr);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), frame.data(), frame.size(), bytes.data(), bytes.size());
  MJ_CHECK(ZSTD_isError(size) == 0U);
  frame.resize(size);
  return frame;
}

absl::StatusOr<std::string> Unpack(std::string_view frame, std::size_t size_max) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > size_max ||
      ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) {
    return absl::DataLossError("packed bytes: no whole frame of a size that is allowed");
  }
  std::string bytes(static_cast<std::size_t>(size), '\0');
  const std::size_t got = ZSTD_decompress(bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(got) != 0U || got != bytes.size()) {
    return absl::DataLossError("packed bytes: the frame was changed");
  }
  return bytes;
}

}  // namespace mj::packing
