#include "libs/ledger/clearing_model_testing.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace mj::ledger {
namespace {

__extension__ using Wide = __int128;
using Pair = std::pair<Party, Party>;
using Book = std::map<Pair, std::int64_t>;  // only what is above zero

std::vector<Pair> Links(const std::vector<Party>& circle) {
  std::vector<Pair> links;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    links.emplace_back(circle[i], circle[(i + 1) % circle.size()]);
  }
  return links;
}

// All circles of `size` whose debts are all there, by the set of their parties, lowest first.
std::vector<std::vector<Party>> Circles(const Book& book, std::size_t size) {
  std::vector<std::vector<Party>> found;
  for (unsigned members = 1; members < (1U << kParties); ++members) {
    std::vector<Party> order;
    for (Party party = 0; party < kParties; ++party) {
      if ((members & (1U << party)) != 0) order.push_back(party);
    }
    if (order.size() != size) continue;
    do {
      const auto links = Links(order);
      if (std::all_of(links.begin(), links.end(),
                      [&](const Pair& link) { return book.count(link); })) {
        found.push_back(order);
      }
    } while (std::next_permutation(order.begin() + 1, order.end()));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    const auto sorted = [](std::vector<Party> circle) {
      std::sort(circle.begin(), circle.end());
      return circle;
    };
    return std::pair(sorted(a), a) < std::pair(sorted(b), b);
  });
  return found;
}

void Take(Book& book, const Pair& link, std::int64_t coins) {
  if ((book[link] -= coins) == 0) book.erase(link);
}

PairTable ToTable(const Book& book) {
  PairTable table{};
  for (const auto& [link, coins] : book) {
    table[link.first][link.second] = Coins::From(coins).value();
  }
  return table;
}

}  // namespace

Clearing ClearSlowly(const PerParty<Coins>& balances, std::span<const Debt> debts, Coins rake) {
  Book open;
  for (const Debt& debt : debts) open[{debt.from, debt.to}] += debt.coins.value();
  Clearing clearing{};
  clearing.owed = ToTable(open);

  Book set_off;
  for (const std::size_t size : {2U, 3U, 4U}) {
    for (auto circles = Circles(open, size); !circles.empty(); circles = Circles(open, size)) {
      const auto links = Links(circles.front());
      std::int64_t smallest = kCoinsMax;
      for (const Pair& link : links) smallest = std::min(smallest, open.at(link));
      for (const Pair& link : links) {
        Take(open, link, smallest);
        set_off[link] += smallest;
      }
    }
  }
  clearing.set_off = ToTable(set_off);

  std::map<Party, std::int64_t> hand;
  for (Party party = 0; party < kParties; ++party) hand[party] = balances[party].value();
  Book paid;
  Book missing;
  std::set<Party> waiting = {0, 1, 2, 3};
  while (!waiting.empty()) {
    const Party payer = *std::find_if(waiting.begin(), waiting.end(), [&](Party party) {
      return std::all_of(waiting.begin(), waiting.end(),
                         [&](Party other) { return !open.count({other, party}); });
    });
    std::map<Party, std::int64_t> owes;
    std::int64_t total = 0;
    for (const auto& [link, coins] : open) {
      if (link.first == payer) total += owes[link.second] = coins;
    }
    const std::int64_t had = hand[payer];
    for (const auto& [payee, coins] : owes) {
      const std::int64_t pays =
          had >= total ? coins : static_cast<std::int64_t>(static_cast<Wide>(had) * coins / total);
      hand[payer] -= pays;
      hand[payee] += pays;
      if (pays > 0) paid[{payer, payee}] = pays;
      if (pays < coins) missing[{payer, payee}] = coins - pays;
      open.erase({payer, payee});
    }
    waiting.erase(payer);
  }
  clearing.paid = ToTable(paid);
  clearing.shortfall = ToTable(missing);

  for (Party party = 0; party < kParties; ++party) {
    const std::int64_t covered = std::min(rake.value(), hand[party]);
    clearing.rake_paid[party] = Coins::From(covered).value();
    clearing.rake_shortfall[party] = Coins::From(rake.value() - covered).value();
    clearing.balance_after[party] = Coins::From(hand[party] - covered).value();
  }
  return clearing;
}

}  // namespace mj::ledger
