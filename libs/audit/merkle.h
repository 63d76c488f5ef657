// Merkle trees as in RFC 6962: leaves and nodes are hashed apart, so that neither passes for the
// other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libs/audit/digest.h"

namespace mj::audit {

// SHA-256(0x00 ‖ leaf), SHA-256(0x01 ‖ left ‖ right).
[[nodiscard]] Digest LeafHash(std::string_view leaf);
[[nodiscard]] Digest NodeHash(const Digest& left, const Digest& right);

// A root over leaves that come one by one. Keeps one digest for each bit of their number.
class MerkleRoot {
 public:
  void Add(std::string_view leaf);
  [[nodiscard]] std::int64_t size() const { return size_; }
  // Of no leaves: SHA-256 of nothing.
  [[nodiscard]] Digest Root() const;

 private:
  std::vector<Digest> full_;  // roots of full subtrees, the greatest first
  std::int64_t size_ = 0;
};

// The path from one leaf to the root: the siblings, the leaf's own first.
// REQUIRES index < leaf_hashes.size(). `leaf_hashes` are LeafHash of each leaf.
[[nodiscard]] std::vector<Digest> InclusionPath(std::span<const Digest> leaf_hashes,
                                                std::size_t index);

// Whether `path` leads from the leaf at `index` of `size` leaves to `root`. Any input is safe.
[[nodiscard]] bool IncludedIn(const Digest& root, std::int64_t size, std::int64_t index,
                              std::string_view leaf, std::span<const Digest> path);

}  // namespace mj::audit
