#include "services/scoring/rpc/requests.h"

#include <map>

#include "libs/base/reasons.h"

namespace mj::scoring::rpc {

absl::StatusOr<Game> GameOf(const std::string& variant, const OptionMap& options,
                            const std::string& version) {
  return FindGame(variant, std::map<std::string, std::string>(options.begin(), options.end()),
                  version);
}

absl::Status Missing(const std::string& field) {
  return base::Error(base::Reason::kFieldRequired, field + ": absent", {.field = field});
}

}  // namespace mj::scoring::rpc
