// Switches rules off, one at a time, and sees their tests fail: all of them in the long run, in the
// short one a fiftieth that changes with the code.
#include "tests/coverage/mutants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "libs/base/files.h"
#include "tests/coverage/coverage_testing.h"
#include "tests/support/counts.h"

namespace mj::coverage {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShortPart = 50;

struct Numbered {
  std::string rule;
  std::size_t number = 0;  // in the table
  Mutant mutant;
};

std::vector<Numbered> AllMutants() {
  std::vector<Numbered> all;
  for (const Section& section : Sections()) {
    for (const Rule& rule : section.rules) {
      for (const Mutant& mutant : rule.mutants) all.push_back({rule.id, all.size(), mutant});
    }
  }
  return all;
}

// FNV-1a.
std::uint64_t Hash(std::uint64_t hash, const std::string& text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// In an order that hangs on the text of all mutated files: another state of the code has another
// first fiftieth, the same state the same.
void Shuffle(std::vector<Numbered>& mutants) {
  std::set<std::string> files;
  for (const Numbered& mutant : mutants) files.insert(mutant.mutant.file);
  std::uint64_t seed = 0xcbf29ce484222325u;
  for (const std::string& file : files) {
    seed = Hash(seed, base::ReadFile(file).value());
  }
  std::sort(mutants.begin(), mutants.end(), [&](const Numbered& a, const Numbered& b) {
    return Hash(seed, std::to_string(a.number)) < Hash(seed, std::to_string(b.number));
  });
}

// MJ_MUTANTS="CZ-10 D-COM-2" takes the mutants of these rules alone; "all" every one.
std::vector<Numbered> Chosen() {
  std::vector<Numbered> mutants = AllMutants();
  if (const char* wanted = std::getenv("MJ_MUTANTS"); wanted != nullptr) {
    const std::vector<std::string> ids = IdsIn(wanted);
    if (ids.empty()) return mutants;
    std::erase_if(mutants, [&](const Numbered& mutant) {
      return std::find(ids.begin(), ids.end(), mutant.rule) == ids.end();
    });
    return mutants;
  }
  if (testing::LongRun()) return mutants;
  Shuffle(mutants);
  mutants.resize(std::min(mutants.size(), mutants.size() / kShortPart + 1));
  return mutants;
}

// Several parts, so that ctest runs them beside each other.
constexpr std::size_t kParts = 4;
class MutantsTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(MutantsTest, ARuleThatIsSwitchedOffIsMissed) {
  Build build(fs::current_path(), MJ_BUILD_FOLDER);
  ASSERT_EQ(build.fault(), "");
  const std::vector<Numbered> mutants = Chosen();
  for (std::size_t i = GetParam(); i < mutants.size(); i += kParts) {
    const auto& [rule, number, mutant] = mutants[i];
    const std::string work =
        std::string(MJ_BUILD_FOLDER) + "/coverage/" + rule + "-" + std::to_string(number);
    EXPECT_EQ(build.Try(mutant, work), "") << rule << " (table line " << mutant.line << ", "
                                           << mutant.file << "): " << mutant.test.shown;
  }
}

// What a row that proves nothing is told.
TEST(TryTest, AMutantThatProvesNothingIsFoundOut) {
  Build build(fs::current_path(), MJ_BUILD_FOLDER);
  ASSERT_EQ(build.fault(), "");
  const std::string work = std::string(MJ_BUILD_FOLDER) + "/coverage/try";
  Mutant mutant;
  mutant.file = "libs/ledger/stake_tier.cc";
  mutant.from = "const StakeTier* best = nullptr;";
  mutant.test = {"ledger", "TierOfTest.NoTiersNoTier", ""};
  const auto tried = [&](const std::string& to) {
    mutant.to = to;
    return build.Try(mutant, work);
  };
  EXPECT_EQ(tried(mutant.from + " // the same"), "passes although the rule is switched off");
  EXPECT_TRUE(tried("const StakeTier* best = ;").starts_with("does not compile"));
  EXPECT_TRUE(tried("extern const StakeTier* beyond;\n  const StakeTier* best = beyond;")
                  .starts_with("does not link"));
#ifndef MJ_SANITIZED
  EXPECT_TRUE(tried(mutant.from + " __builtin_trap();").starts_with("dies instead of failing"));
#endif
  mutant.from = "no such text";
  EXPECT_EQ(tried(""), mutant.file + " does not hold the mutant's text any more");
  mutant.test.filter = "TierOfTest.NoSuchTest";
  EXPECT_EQ(tried(""), "there is no such test");
  mutant.test.room = "no_such_room";
  EXPECT_EQ(tried(""), "there is no test program of no_such_room");
  fs::remove_all(work);
}

INSTANTIATE_TEST_SUITE_P(Part, MutantsTest, ::testing::Range<std::size_t>(0, kParts));

}  // namespace
}  // namespace mj::coverage
