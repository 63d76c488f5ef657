#include "libs/audit/merkle.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::audit {
namespace {

// The leaves and roots of the reference implementation's tests (certificate-transparency).
const std::vector<std::string>& Leaves() {
  static const std::vector<std::string> leaves = [] {
    std::vector<std::string> decoded;
    for (const char* const hex : {"", "00", "10", "2021", "3031", "40414243", "5051525354555657",
                                  "606162636465666768696a6b6c6d6e6f"}) {
      decoded.push_back(*BytesFromHex(hex));
    }
    return decoded;
  }();
  return leaves;
}

constexpr std::array kRoots = {
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
};

TEST(MerkleTest, HasTheRootsOfTheReferenceImplementation) {
  MerkleRoot tree;
  EXPECT_EQ(ToHex(tree.Root()), kRoots[0]);
  for (std::size_t size = 1; size < kRoots.size(); ++size) {
    tree.Add(Leaves()[size - 1]);
    EXPECT_EQ(ToHex(tree.Root()), kRoots[size]) << size;
  }
}

TEST(MerkleTest, HasThePathsOfTheReferenceImplementation) {
  std::vector<Digest> hashes;
  for (const std::string& leaf : Leaves()) hashes.push_back(LeafHash(leaf));
  const auto hex = [](const std::vector<Digest>& path) {
    std::vector<std::string> text;
    for (const Digest& digest : path) text.push_back(ToHex(digest));
    return text;
  };
  EXPECT_EQ(hex(InclusionPath(hashes, 0)),
            (std::vector<std::string>{
                "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"}));
  EXPECT_EQ(hex(InclusionPath(std::span(hashes).first(3), 2)),
            (std::vector<std::string>{
                "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"}));
}

TEST(MerkleTest, EveryLeafIsProvedAndNothingElse) {
  mj::testing::Random random(1);
  const std::int64_t sizes = mj::testing::Count(12'000);
  for (std::int64_t size = 1; size <= sizes; size += 1 + size / 8) {
    std::vector<std::string> leaves;
    std::vector<Digest> hashes;
    MerkleRoot tree;
    for (std::int64_t i = 0; i < size; ++i) {
      leaves.push_back("leaf " + std::to_string(i));
      hashes.push_back(LeafHash(leaves.back()));
      tree.Add(leaves.back());
    }
    const Digest root = tree.Root();
    for (int draw = 0; draw < 8; ++draw) {
      const std::int64_t index = random.Below(static_cast<int>(size));
      const std::string& leaf = leaves[static_cast<std::size_t>(index)];
      std::vector<Digest> path = InclusionPath(hashes, static_cast<std::size_t>(index));
      EXPECT_TRUE(IncludedIn(root, size, index, leaf, path)) << index << " of " << size;
      EXPECT_FALSE(IncludedIn(root, size, index, leaf + "x", path));
      EXPECT_FALSE(IncludedIn(root, size, (index + 1) % (size + 1), leaf, path));
      EXPECT_FALSE(IncludedIn(root, size, -1, leaf, path));
      EXPECT_FALSE(IncludedIn(root, size, size, leaf, path));
      path.push_back(root);
      EXPECT_FALSE(IncludedIn(root, size, index, leaf, path));
      path.pop_back();
      if (path.empty()) continue;
      path[static_cast<std::size_t>(random.Below(static_cast<int>(path.size())))][5] ^= 1;
      EXPECT_FALSE(IncludedIn(root, size, index, leaf, path));
      path.pop_back();
      EXPECT_FALSE(IncludedIn(root, size, index, leaf, path));
    }
  }
}

TEST(MerkleTest, ANodeDoesNotPassForALeaf) {
  const Digest left = LeafHash("a");
  const Digest right = LeafHash("b");
  std::string both(AsBytes(left));
  both.append(AsBytes(right));
  EXPECT_NE(LeafHash(both), NodeHash(left, right));
}

}  // namespace
}  // namespace mj::audit
