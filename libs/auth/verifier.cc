#include "libs/auth/verifier.h"

#include <cstddef>
#include <utility>

#include "libs/base/status.h"

namespace mj::auth {
namespace {

// Players of one process, with room to spare; all are forgotten when there are more.
constexpr std::size_t kKnownMax = 16'384;

}  // namespace

absl::StatusOr<Caller> Verifier::Whose(std::string_view token, base::WallTime now) {
  const std::shared_ptr<const KeySet> keys = keys_.keys();
  std::string own(token);
  {
    base::MutexLock lock(mutex_);
    if (known_by_ != keys) {
      known_.clear();
      known_by_ = keys;
    }
    const auto found = known_.find(own);
    if (found != known_.end() && now < found->second.expires) return found->second.caller;
  }
  MJ_ASSIGN_OR_RETURN(CheckedToken checked, CheckToken(token, *keys, rules_, now));
  Caller caller = checked.caller;
  base::MutexLock lock(mutex_);
  if (known_by_ == keys) {
    if (known_.size() >= kKnownMax) known_.clear();
    known_.insert_or_assign(std::move(own), std::move(checked));
  }
  return caller;
}

}  // namespace mj::auth
