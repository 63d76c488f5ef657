#include "libs/base/moved.h"

#include "libs/base/reasons.h"

namespace mj::base {
namespace {

constexpr const char* kAddress = "address";

}  // namespace

absl::Status Moved(const std::string& address) {
  ErrorDetails details;
  if (!address.empty()) details.metadata = {{kAddress, address}};
  return Error(Reason::kTableMoved, {}, details);
}

std::optional<std::string> MovedTo(const absl::Status& status) {
  if (!HasReason(status, Reason::kTableMoved)) return std::nullopt;
  const auto carried = CarriedBy(status);
  const auto address = carried->details.metadata.find(kAddress);
  return address == carried->details.metadata.end() ? std::string() : address->second;
}

}  // namespace mj::base
