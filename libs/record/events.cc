#include "libs/record/events.h"

namespace mj::record {

VoidReason ReasonOf(round::VoidReason reason) {
  switch (reason) {
    case round::VoidReason::kEscape:
      return VoidReason::kEscape;
    case round::VoidReason::kConnectionLost:
      return VoidReason::kConnectionLost;
    case round::VoidReason::kAllAbsent:
      return VoidReason::kAllAbsent;
    case round::VoidReason::kOperator:
      return VoidReason::kOperator;
  }
  return VoidReason::kOperator;
}

}  // namespace mj::record
