// Matchers for absl::Status and absl::StatusOr, which Abseil 20220623 has none of.
//
//   EXPECT_THAT(store.Open(id), IsOk());
//   EXPECT_THAT(store.Load(id), IsOkAndHolds(Field(&Account::balance, 5)));
//   EXPECT_THAT(store.Withdraw(id, 6), FailsWith(Reason::kInsufficientFunds));
#pragma once

#include <gmock/gmock.h>

#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/base/reasons.h"

namespace mj::base {

inline const absl::Status& StatusOf(const absl::Status& status) { return status; }
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& status_or) {
  return status_or.status();
}

// Writes code, message, reason and field; nothing to a null stream.
void Describe(const absl::Status& status, std::ostream* out);

MATCHER(IsOk, "is OK") {
  const absl::Status& status = StatusOf(arg);
  Describe(status, result_listener->stream());
  return status.ok();
}

// Of this canonical code, whatever the reason.
MATCHER_P(HasCode, code, "has the code " + absl::StatusCodeToString(code)) {
  const absl::Status& status = StatusOf(arg);
  Describe(status, result_listener->stream());
  return status.code() == code;
}

// Carries this reason, with the table's code.
MATCHER_P(FailsWith, reason, "fails with " + std::string(InfoOf(reason).name)) {
  const absl::Status& status = StatusOf(arg);
  Describe(status, result_listener->stream());
  return HasReason(status, reason) && status.code() == InfoOf(reason).code;
}

// Carries this reason and blames this field.
MATCHER_P2(FailsWith, reason, field,
           "fails with " + std::string(InfoOf(reason).name) + " at " + std::string(field)) {
  const absl::Status& status = StatusOf(arg);
  Describe(status, result_listener->stream());
  const auto carried = CarriedBy(status);
  return HasReason(status, reason) && status.code() == InfoOf(reason).code &&
         carried->details.field == field;
}

// Is OK with a value that `inner` matches.
MATCHER_P(IsOkAndHolds, inner,
          "is OK and holds a value that " +
              ::testing::DescribeMatcher<typename std::decay_t<arg_type>::value_type>(inner,
                                                                                      negation)) {
  if (!arg.ok()) {
    Describe(arg.status(), result_listener->stream());
    return false;
  }
  return ::testing::ExplainMatchResult(inner, *arg, result_listener);
}

}  // namespace mj::base
