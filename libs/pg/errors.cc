#include "libs/pg/errors.h"

#include "absl/strings/cord.h"
#include "libs/base/reasons.h"
#include "libs/base/strings.h"

namespace mj::pg {
namespace {

using base::Reason;

constexpr absl::string_view kSqlStateUrl = "mahjong/sqlstate";
constexpr std::string_view kConnectionLost = "08006";

absl::Status ByClass(std::string_view sqlstate, std::string_view message) {
  const std::string_view first_two = sqlstate.substr(0, 2);
  const std::string text = base::Cat("database ", sqlstate, ": ", base::Trim(message));
  if (sqlstate == "57014") return base::Error(Reason::kDeadlineExceeded, text);
  if (first_two == "40") return base::Error(Reason::kConflict, text);
  if (first_two == "08" || first_two == "53" || first_two == "57" || first_two == "58" ||
      sqlstate == "25006" || sqlstate == "25P03") {
    return base::Error(Reason::kUnavailable, text);
  }
  if (sqlstate == "23505" || sqlstate == "23P01") {
    return absl::AlreadyExistsError(base::ToAbsl(text));
  }
  if (first_two == "23") return absl::FailedPreconditionError(base::ToAbsl(text));
  if (first_two == "22") return absl::InvalidArgumentError(base::ToAbsl(text));
  return absl::InternalError(base::ToAbsl(text));
}

}  // namespace

absl::Status Refused(std::string_view sqlstate, std::string_view message) {
  absl::Status status = ByClass(sqlstate, message);
  status.SetPayload(kSqlStateUrl, absl::Cord(base::ToAbsl(sqlstate)));
  return status;
}

std::string SqlState(const absl::Status& status) {
  const auto payload = status.GetPayload(kSqlStateUrl);
  return payload ? std::string(*payload) : std::string();
}

absl::Status Away(std::string_view message) { return Refused(kConnectionLost, message); }

bool IsAway(const absl::Status& status) {
  const std::string sqlstate = SqlState(status);
  return sqlstate.compare(0, 2, "08") == 0 || sqlstate.compare(0, 3, "57P") == 0 ||
         sqlstate == "25P03";
}

}  // namespace mj::pg
