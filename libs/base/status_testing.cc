#include "libs/base/status_testing.h"

namespace mj::base {

void Describe(const absl::Status& status, std::ostream* out) {
  if (out == nullptr) {
    return;
  }
  *out << "which is " << status.ToString(absl::StatusToStringMode::kWithNoExtraData);
  if (const auto carried = CarriedBy(status)) {
    *out << " (reason " << carried->reason << ", field '" << carried->details.field << "')";
  }
}

}  // namespace mj::base
