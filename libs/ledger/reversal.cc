#include "libs/ledger/reversal.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace mj::ledger {
namespace {

// What each account gains by the reversal, in the order in which the entries name them.
std::optional<std::vector<Entry>> Opposites(std::span<const Entry> entries) {
  std::vector<Entry> opposites;
  for (const Entry& entry : entries) {
    auto found = std::find_if(opposites.begin(), opposites.end(), [&](const Entry& opposite) {
      return opposite.account == entry.account;
    });
    if (found == opposites.end()) {
      found = opposites.insert(opposites.end(), {entry.account, Coins(), Purpose::kReversal});
    }
    const auto sum = Subtract(found->coins, entry.coins);
    if (!sum) return std::nullopt;
    found->coins = *sum;
  }
  return opposites;
}

}  // namespace

Outcome<Reversal> Reverse(std::span<const Entry> entries,
                          const std::map<AccountId, Coins>& balances, const AccountId& house_loss) {
  if (const auto why = CheckBalanced(entries)) return *why;
  auto opposites = Opposites(entries);
  if (!opposites) return Rejection::kTooLarge;

  Reversal reversal;
  for (Entry& entry : *opposites) {
    const auto balance = balances.find(entry.account);
    if (balance == balances.end()) continue;
    const auto after = Add(balance->second, entry.coins);
    if (!after) return Rejection::kTooLarge;
    if (!after->IsNegative()) continue;
    reversal.missing[entry.account] = -*after;
    entry.coins = -balance->second;
    const auto covered = Add(reversal.covered, -*after);
    if (!covered) return Rejection::kTooLarge;
    reversal.covered = *covered;
  }
  std::stable_partition(opposites->begin(), opposites->end(),
                        [](const Entry& entry) { return entry.coins.IsPositive(); });
  std::erase_if(*opposites, [](const Entry& entry) { return entry.coins.IsZero(); });
  if (!reversal.covered.IsZero()) {
    opposites->push_back({house_loss, -reversal.covered, Purpose::kCover});
  }
  reversal.entries = *std::move(opposites);
  return reversal;
}

}  // namespace mj::ledger
