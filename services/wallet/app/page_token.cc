#include "services/wallet/app/page_token.h"

#include <cstdint>
#include <cstdio>
#include <vector>

#include "libs/base/strings.h"

namespace mj::wallet {
namespace {

// Not a secret: a token is no permission, it only must not be mixed up.
std::string FilterMark(const AccountKey& account) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto mix = [&hash](unsigned char byte) { hash = (hash ^ byte) * 1099511628211ULL; };
  for (const char c : account.id) mix(static_cast<unsigned char>(c));
  mix(0);
  mix(static_cast<unsigned char>(account.currency));
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
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

}  // namespace mj::wallet
