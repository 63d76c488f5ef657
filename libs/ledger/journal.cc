#include "libs/ledger/journal.h"

#include <algorithm>

namespace mj::ledger {
namespace {

__extension__ using Wide = __int128;

}  // namespace

std::optional<Rejection> CheckBalanced(std::span<const Entry> entries) {
  Wide sum = 0;
  for (const Entry& entry : entries) sum += entry.coins.value();
  if (sum != 0) return Rejection::kUnbalanced;
  return std::nullopt;
}

std::optional<Rejection> Journal::Move(const AccountId& from, const AccountId& to, Coins coins,
                                       Purpose purpose) {
  if (from == to) return Rejection::kSameAccount;
  if (!coins.IsPositive()) return Rejection::kNotPositive;
  const auto net = [&](const AccountId& account) {
    const auto same = [&](const Entry& entry) {
      return entry.account == account && entry.purpose == purpose;
    };
    const auto found = std::find_if(netted_.begin(), netted_.end(), same);
    return found == netted_.end() ? Coins() : found->coins;
  };
  const auto less = Subtract(net(from), coins);
  const auto more = Add(net(to), coins);
  if (!less || !more) return Rejection::kTooLarge;
  const auto put = [&](const AccountId& account, Coins coins_now) {
    for (Entry& entry : netted_) {
      if (entry.account == account && entry.purpose == purpose) {
        entry.coins = coins_now;
        return;
      }
    }
    netted_.push_back({account, coins_now, purpose});
  };
  put(from, *less);
  put(to, *more);
  return std::nullopt;
}

std::vector<Entry> Journal::Entries() const {
  std::vector<Entry> entries;
  std::copy_if(netted_.begin(), netted_.end(), std::back_inserter(entries),
               [](const Entry& entry) { return !entry.coins.IsZero(); });
  return entries;
}

Coins Available(const PlayerBalance& balance) {
  return Subtract(balance.coins, balance.held).value();
}

Outcome<PlayerBalance> Post(const PlayerBalance& balance, Coins coins, Reach reach) {
  const auto after = Add(balance.coins, coins);
  if (!after) return Rejection::kTooLarge;
  const Coins limit = reach == Reach::kAvailable ? Available(balance) : balance.coins;
  if (coins.IsNegative() && -coins > limit) return Rejection::kInsufficientFunds;
  return PlayerBalance{*after, std::min(balance.held, *after), balance.last_sequence + 1};
}

Outcome<PlayerBalance> Hold(const PlayerBalance& balance, Coins coins) {
  if (coins.IsNegative()) return Rejection::kNotPositive;
  if (coins > Available(balance)) return Rejection::kInsufficientFunds;
  return PlayerBalance{balance.coins, Add(balance.held, coins).value(), balance.last_sequence};
}

}  // namespace mj::ledger
