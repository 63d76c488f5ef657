#include "services/wallet/app/page_token.h"

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <vector>

#include "libs/base/strings.h"

namespace mj::wallet {
namespace {

// Of everything that a list is filtered by, each preceded by its length.
std::string FilterMark(std::initializer_list<std::string_view> parts) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto mix = [&hash](unsigned char byte) { hash = (hash ^ byte) * 1099511628211ULL; };
  for (const std::string_view part : parts) {
    mix(static_cast<unsigned char>(part.size()));
    for (const char c : part) mix(static_cast<unsigned char>(c));
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string_view Word(Currency currency) {
  return currency == Currency::kCoin ? "coin" : "practice";
}

std::string FilterMark(const AccountKey& account) {
  return FilterMark({account.id, Word(account.currency)});
}

std::string FilterMark(const SettlementFilter& filter) {
  if (!filter.account) return FilterMark({"table", filter.table_id});
  return FilterMark({"account", filter.account->id, Word(filter.account->currency)});
}

}  // namespace

std::string MakePageToken(const AccountKey& account, EntryPosition position) {
  return base::Cat("e1-", FilterMark(account), "-", std::to_string(position.major), "-",
                   std::to_string(position.minor));
}

std::optional<EntryPosition> ReadPageToken(const AccountKey& account, std::string_view token) {
  const std::vector<std::string_view> parts = base::Split(token, '-');
  if (parts.size() != 4 || parts[0] != "e1" || parts[1] != FilterMark(account)) return std::nullopt;
  const auto major = base::ParseInt64(parts[2]);
  const auto minor = base::ParseInt64(parts[3]);
  if (!major || !minor) return std::nullopt;
  return EntryPosition{*major, *minor};
}

std::string MakePageToken(const SettlementFilter& filter, std::int64_t position) {
  return base::Cat("s1-", FilterMark(filter), "-", std::to_string(position));
}

std::optional<std::int64_t> ReadPageToken(const SettlementFilter& filter, std::string_view token) {
  const std::vector<std::string_view> parts = base::Split(token, '-');
  if (parts.size() != 3 || parts[0] != "s1" || parts[1] != FilterMark(filter)) return std::nullopt;
  return base::ParseInt64(parts[2]);
}

}  // namespace mj::wallet
