// The worked examples of D-SET-1 and COM-10, tests/cases/clearing.json, read only here.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libs/ledger/clearing.h"
#include "libs/ledger/penalty.h"

namespace mj::ledger {
namespace {

using nlohmann::json;
using Lines = std::map<std::pair<Party, Party>, std::int64_t>;

Coins C(std::int64_t value) { return Coins::From(value).value(); }

Lines ReadLines(const json& rows) {
  Lines lines;
  for (const json& row : rows) {
    lines[{row.at(0).get<Party>(), row.at(1).get<Party>()}] += row.at(2).get<std::int64_t>();
  }
  return lines;
}

Lines FromTable(const PairTable& table) {
  Lines lines;
  for (Party from = 0; from < kParties; ++from) {
    for (Party to = 0; to < kParties; ++to) {
      if (!table[from][to].IsZero()) lines[{from, to}] = table[from][to].value();
    }
  }
  return lines;
}

PerParty<std::int64_t> BySeat(const json& example, const char* field) {
  return example.value(field, PerParty<std::int64_t>{});
}

PerParty<std::int64_t> Values(const PerParty<Coins>& coins) {
  return {coins[0].value(), coins[1].value(), coins[2].value(), coins[3].value()};
}

// Keys that the two readers below do not know would be examples that nobody checks.
std::optional<std::string> UnknownKey(const json& example, const std::set<std::string>& known) {
  for (const auto& [key, value] : example.items()) {
    if (known.count(key) == 0) return key;
  }
  return std::nullopt;
}

void CheckClearing(const json& example) {
  ASSERT_EQ(UnknownKey(example, {"id", "note", "balances", "owed", "rake", "paid",
                                 "paid_after_set_off", "shortfall", "rake_paid", "rake_shortfall"}),
            std::nullopt);
  PerParty<Coins> balances;
  const auto given = example.at("balances").get<PerParty<std::int64_t>>();
  for (Party party = 0; party < kParties; ++party) balances[party] = C(given[party]);
  std::vector<Debt> debts;
  for (const json& row : example.at("owed")) {
    debts.push_back({row.at(0).get<Party>(), row.at(1).get<Party>(), C(row.at(2))});
  }
  const auto got = Clear(balances, debts, C(example.at("rake")));
  ASSERT_TRUE(got.ok()) << Name(got.rejection());
  const char* const paid = example.contains("paid") ? "paid" : "paid_after_set_off";
  EXPECT_EQ(FromTable(got.value().paid), ReadLines(example.at(paid)));
  EXPECT_EQ(FromTable(got.value().shortfall), ReadLines(example.at("shortfall")));
  EXPECT_EQ(Values(got.value().rake_paid), BySeat(example, "rake_paid"));
  EXPECT_EQ(Values(got.value().rake_shortfall), BySeat(example, "rake_shortfall"));
}

void CheckEscape(const json& example) {
  ASSERT_EQ(UnknownKey(example,
                       {"id", "note", "balances", "escape", "paid", "house", "penalty_shortfall"}),
            std::nullopt);
  const Party escaper = example.at("escape").at("seat");
  const Coins penalty = C(example.at("escape").at("penalty"));
  const auto got = SharePenalty(C(example.at("balances").at(escaper)), penalty, penalty);
  ASSERT_TRUE(got.ok()) << Name(got.rejection());
  Lines paid;
  for (Party other = 0; other < kParties; ++other) {
    if (other != escaper) paid[{escaper, other}] = got.value().share.value();
  }
  EXPECT_EQ(paid, ReadLines(example.at("paid")));
  EXPECT_EQ(got.value().house.value(), example.at("house").get<std::int64_t>());
  EXPECT_EQ(got.value().shortfall.value(), example.at("penalty_shortfall").get<std::int64_t>());
}

TEST(ClearingCasesTest, EveryWorkedExample) {
  std::ifstream file("tests/cases/clearing.json");
  ASSERT_TRUE(file) << "run from the repository's root";
  const json examples = json::parse(file);
  ASSERT_EQ(examples.size(), 7U);
  for (const json& example : examples) {
    SCOPED_TRACE(example.at("id").get<std::string>() + ": " +
                 example.at("note").get<std::string>());
    if (example.contains("escape")) {
      CheckEscape(example);
    } else {
      CheckClearing(example);
    }
  }
}

}  // namespace
}  // namespace mj::ledger
