#include "libs/credentials/minter.h"

#include <cstddef>
#include <utility>

namespace mj::credentials {
namespace {

// Players whose tokens are kept; all are signed anew when there are more.
constexpr std::size_t kKeptMax = 65'536;

}  // namespace

Minter::Minter(issuer::SigningKey key, MinterOptions options, const base::Clock& clock)
    : key_(std::move(key)), options_(std::move(options)), clock_(clock) {}

std::string Minter::TokenFor(std::string_view player) {
  const base::WallTime now = clock_.Now();
  std::string subject(player);
  {
    base::MutexLock lock(mutex_);
    const auto found = minted_.find(subject);
    if (found != minted_.end() && now < found->second.renew) return found->second.token;
  }
  std::string token = issuer::SignToken(key_, {.role = subject.empty() ? options_.role : "player",
                                               .subject = subject.empty() ? options_.name : subject,
                                               .now = now,
                                               .life = options_.life,
                                               .issuer = options_.issuer,
                                               .audience = options_.audience});
  base::MutexLock lock(mutex_);
  if (minted_.size() >= kKeptMax) minted_.clear();
  minted_.insert_or_assign(std::move(subject), Minted{token, now + options_.life / 2});
  return token;
}

}  // namespace mj::credentials
