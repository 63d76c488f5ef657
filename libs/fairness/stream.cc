#include "libs/fairness/stream.h"

#include <sodium.h>

namespace mj::fairness {
namespace {

void AppendU32(Bytes& out, std::size_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<std::uint8_t>(value >> shift));
  }
}

void AppendPrefixed(Bytes& out, std::span<const std::uint8_t> bytes) {
  AppendU32(out, bytes.size());
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void AppendPrefixed(Bytes& out, std::string_view text) {
  AppendU32(out, text.size());
  out.insert(out.end(), text.begin(), text.end());
}

}  // namespace

Digest ContextDigest(const RoundContext& context) {
  Bytes bytes;
  for (const Bytes& nonce : context.nonces) AppendPrefixed(bytes, nonce);
  AppendPrefixed(bytes, context.round_id);
  AppendPrefixed(bytes, context.variant);
  AppendU32(bytes, context.options.size());
  // std::map and std::string compare by unsigned bytes: the order that SPEC.md asks for.
  for (const auto& [key, value] : context.options) {
    AppendPrefixed(bytes, key);
    AppendPrefixed(bytes, value);
  }
  Digest digest;
  crypto_hash_sha256(digest.data(), bytes.data(), bytes.size());
  return digest;
}

std::string_view LabelText(Label label) {
  switch (label) {
    case Label::kWall:
      return "wall";
    case Label::kDice:
      return "dice";
    case Label::kDealer:
      return "dealer";
    case Label::kWinds:
      return "winds";
  }
  return "";
}

Stream::Stream(Label label, const Digest& context, const Seed& seed) {
  static_assert(kBlockBytes == crypto_hash_sha512_BYTES);
  const std::string_view text = LabelText(label);
  input_.reserve(4 + text.size() + 8 + context.size() + seed.size());
  AppendPrefixed(input_, text);
  counter_at_ = input_.size();
  input_.resize(input_.size() + 8);
  input_.insert(input_.end(), context.begin(), context.end());
  input_.insert(input_.end(), seed.begin(), seed.end());
}

void Stream::NextBlock() {
  for (std::size_t i = 0; i < 8; ++i) {
    input_[counter_at_ + i] = static_cast<std::uint8_t>(counter_ >> (56 - 8 * i));
  }
  crypto_hash_sha512(block_.data(), input_.data(), input_.size());
  ++counter_;
  used_ = 0;
}

std::uint16_t Stream::NextWord() {
  if (used_ == kBlockBytes) NextBlock();
  const unsigned high = block_[used_];
  const unsigned low = block_[used_ + 1];
  used_ += 2;
  return static_cast<std::uint16_t>(high << 8 | low);
}

std::uint32_t Stream::Below(std::uint32_t bound) {
  return UniformBelow(bound, [this] { return NextWord(); });
}

}  // namespace mj::fairness
