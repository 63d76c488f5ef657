// SHA-256, and digests as text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mj::audit {

using Digest = std::array<std::uint8_t, 32>;

// 32 zero bytes: what stands before the first row of a chain, and before the first day.
inline constexpr Digest kNothingBefore{};

[[nodiscard]] Digest Sha256(std::string_view bytes);

// Lower-case hexadecimal.
[[nodiscard]] std::string ToHex(const Digest& digest);
[[nodiscard]] std::string BytesToHex(std::string_view bytes);

// Nothing unless `hex` is an even number of hexadecimal digits; either case is read.
[[nodiscard]] std::optional<std::string> BytesFromHex(std::string_view hex);
// Nothing unless it is 64 of them.
[[nodiscard]] std::optional<Digest> DigestFromHex(std::string_view hex);

// Nothing unless `bytes` are 32.
[[nodiscard]] std::optional<Digest> DigestFromBytes(std::string_view bytes);
[[nodiscard]] std::string_view AsBytes(const Digest& digest);

}  // namespace mj::audit
