#include "libs/auth/base64url.h"

#include <sodium.h>

#include <cstddef>

namespace mj::auth {
namespace {

constexpr int kUrl = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

}  // namespace

std::string EncodeBase64Url(std::string_view bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), kUrl), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), kUrl);
  text.pop_back();  // its zero
  return text;
}

std::optional<std::string> DecodeBase64Url(std::string_view text) {
  std::string bytes(text.size() / 4 * 3 + 3, '\0');
  std::size_t size = 0;
  const char* end = nullptr;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                        text.size(), nullptr, &size, &end, kUrl) != 0 ||
      end != text.data() + text.size()) {
    return std::nullopt;
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace mj::auth
