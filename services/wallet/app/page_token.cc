#include "services/wallet/app/page_token.h"

#include <cstdint>
#include <vector>

#include "libs/base/page_token.h"
#include "libs/base/strings.h"

namespace mj::wallet {
namespace {

std::string_view Word(Currency currency) {
  return currency == Currency::kCoin ? "coin" : "practice";
}

}  // namespace

std::string MakePageToken(const AccountKey& account, EntryPosition position) {
  return base::MakePageToken(
      "e1", {account.id, Word(account.currency)},
      base::Cat(std::to_string(position.major), "-", std::to_string(position.minor)));
}

std::optional<EntryPosition> ReadPageToken(const AccountKey& account, std::string_view token) {
  const auto position = base::ReadPageToken("e1", {account.id, Word(account.currency)}, token);
  if (!position) return std::nullopt;
  const std::vector<std::string_view> parts = base::Split(*position, '-');
  if (parts.size() != 2) return std::nullopt;
  const auto major = base::ParseInt64(parts[0]);
  const auto minor = base::ParseInt64(parts[1]);
  if (!major || !minor) return std::nullopt;
  return EntryPosition{*major, *minor};
}

std::string MakePageToken(const SettlementFilter& filter, std::int64_t position) {
  const std::string at = std::to_string(position);
  if (!filter.account) return base::MakePageToken("s1", {"table", filter.table_id}, at);
  return base::MakePageToken("s1", {"account", filter.account->id, Word(filter.account->currency)},
                             at);
}

std::optional<std::int64_t> ReadPageToken(const SettlementFilter& filter, std::string_view token) {
  const auto position =
      filter.account
          ? base::ReadPageToken(
                "s1", {"account", filter.account->id, Word(filter.account->currency)}, token)
          : base::ReadPageToken("s1", {"table", filter.table_id}, token);
  return position ? base::ParseInt64(*position) : std::nullopt;
}

}  // namespace mj::wallet
