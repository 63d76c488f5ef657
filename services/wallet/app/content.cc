#include "services/wallet/app/content.h"

namespace mj::wallet {
namespace {

void AppendBigEndian(std::string& out, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>((value >> shift) & 0xff));
  }
}

}  // namespace

Content& Content::Text(std::string_view text) {
  AppendBigEndian(bytes_, text.size());
  bytes_.append(text);
  return *this;
}

Content& Content::Number(std::int64_t number) {
  AppendBigEndian(bytes_, 8);
  AppendBigEndian(bytes_, static_cast<std::uint64_t>(number));
  return *this;
}

}  // namespace mj::wallet
