#include "libs/audit/merkle.h"

#include <bit>
#include <string>

namespace mj::audit {
namespace {

// Root of some leaves, by the definition.
Digest RootOf(std::span<const Digest> hashes) {
  if (hashes.empty()) return Sha256({});
  if (hashes.size() == 1) return hashes[0];
  const std::size_t left = std::bit_floor(hashes.size() - 1);
  return NodeHash(RootOf(hashes.first(left)), RootOf(hashes.subspan(left)));
}

}  // namespace

Digest LeafHash(std::string_view leaf) {
  std::string bytes(1, '\0');
  bytes.append(leaf);
  return Sha256(bytes);
}

Digest NodeHash(const Digest& left, const Digest& right) {
  std::string bytes(1, '\1');
  bytes.append(AsBytes(left)).append(AsBytes(right));
  return Sha256(bytes);
}

void MerkleRoot::Add(std::string_view leaf) {
  Digest hash = LeafHash(leaf);
  // Each trailing one bit of the size is a full subtree that this leaf completes to a greater one.
  for (std::int64_t rest = size_; rest % 2 == 1; rest /= 2) {
    hash = NodeHash(full_.back(), hash);
    full_.pop_back();
  }
  full_.push_back(hash);
  ++size_;
}

Digest MerkleRoot::Root() const {
  if (full_.empty()) return Sha256({});
  Digest root = full_.back();
  for (std::size_t i = full_.size() - 1; i > 0; --i) root = NodeHash(full_[i - 1], root);
  return root;
}

std::vector<Digest> InclusionPath(std::span<const Digest> leaf_hashes, std::size_t index) {
  if (leaf_hashes.size() <= 1) return {};
  const std::size_t left = std::bit_floor(leaf_hashes.size() - 1);
  const auto first = leaf_hashes.first(left);
  const auto second = leaf_hashes.subspan(left);
  std::vector<Digest> path =
      index < left ? InclusionPath(first, index) : InclusionPath(second, index - left);
  path.push_back(RootOf(index < left ? second : first));
  return path;
}

// RFC 9162, 2.1.3.2.
bool IncludedIn(const Digest& root, std::int64_t size, std::int64_t index, std::string_view leaf,
                std::span<const Digest> path) {
  if (index < 0 || index >= size) return false;
  std::int64_t node = index;
  std::int64_t last = size - 1;
  Digest hash = LeafHash(leaf);
  for (const Digest& sibling : path) {
    if (last == 0) return false;
    if (node % 2 == 1 || node == last) {
      hash = NodeHash(sibling, hash);
      while (node % 2 == 0 && node != 0) {
        node /= 2;
        last /= 2;
      }
    } else {
      hash = NodeHash(hash, sibling);
    }
    node /= 2;
    last /= 2;
  }
  return last == 0 && hash == root;
}

}  // namespace mj::audit
