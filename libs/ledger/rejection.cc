#include "libs/ledger/rejection.h"

namespace mj::ledger {

std::string_view Name(Rejection rejection) {
  switch (rejection) {
    case Rejection::kUnknownParty:
      return "kUnknownParty";
    case Rejection::kSameAccount:
      return "kSameAccount";
    case Rejection::kNotPositive:
      return "kNotPositive";
    case Rejection::kTooLarge:
      return "kTooLarge";
    case Rejection::kBaseNotWhole:
      return "kBaseNotWhole";
    case Rejection::kUnbalanced:
      return "kUnbalanced";
    case Rejection::kInsufficientFunds:
      return "kInsufficientFunds";
  }
  return "?";
}

}  // namespace mj::ledger
