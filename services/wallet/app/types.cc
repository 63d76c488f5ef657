#include "services/wallet/app/types.h"

namespace mj::wallet {

std::string_view HouseAccountId(AccountKind kind) {
  switch (kind) {
    case AccountKind::kHouseRake:
      return "house_rake";
    case AccountKind::kPenalties:
      return "penalties";
    case AccountKind::kIssue:
      return "issue";
    case AccountKind::kHouseLoss:
      return "house_loss";
    case AccountKind::kPlayer:
      break;
  }
  return "";
}

}  // namespace mj::wallet
