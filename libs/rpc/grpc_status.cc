#include "libs/rpc/grpc_status.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "google/rpc/error_details.pb.h"
#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "libs/rpc/time.h"

namespace mj::rpc {
namespace {

using base::ToAbsl;
using base::ToStd;

constexpr std::chrono::milliseconds kRetryAfter{200};

void SetDuration(std::chrono::milliseconds from, google::protobuf::Duration& to) {
  to.set_seconds(from.count() / 1000);
  to.set_nanos(static_cast<std::int32_t>(from.count() % 1000) * 1'000'000);
}

}  // namespace

google::rpc::Status ToProto(const absl::Status& status, base::Language language) {
  const base::ReasonInfo& info = base::InfoOf(base::ReasonToTell(status));
  const auto carried = base::CarriedBy(status);

  google::rpc::Status out;
  out.set_code(static_cast<int>(carried ? status.code() : info.code));
  out.set_message(carried ? std::string(ToStd(status.message())) : std::string(info.en));

  google::rpc::ErrorInfo error;
  error.set_domain(std::string(base::kErrorDomain));
  error.set_reason(carried ? carried->reason : std::string(info.name));
  if (carried) {
    for (const auto& [key, value] : carried->details.metadata) {
      (*error.mutable_metadata())[key] = value;
    }
  }
  out.add_details()->PackFrom(error);

  google::rpc::LocalizedMessage words;
  words.set_locale(std::string(base::LanguageTag(language)));
  words.set_message(std::string(info.Words(language)));
  out.add_details()->PackFrom(words);

  if (carried && !carried->details.field.empty()) {
    google::rpc::BadRequest bad;
    auto* violation = bad.add_field_violations();
    violation->set_field(carried->details.field);
    violation->set_description(out.message());
    out.add_details()->PackFrom(bad);
  }

  const auto retry_after = carried ? carried->details.retry_after : std::nullopt;
  if (retry_after || info.transient) {
    google::rpc::RetryInfo retry;
    SetDuration(retry_after.value_or(kRetryAfter), *retry.mutable_retry_delay());
    out.add_details()->PackFrom(retry);
  }
  return out;
}

grpc::Status ToGrpc(const absl::Status& status, base::Language language) {
  if (status.ok()) {
    return grpc::Status::OK;
  }
  const google::rpc::Status out = ToProto(status, language);
  return {static_cast<grpc::StatusCode>(out.code()), out.message(), out.SerializeAsString()};
}

namespace {

// The reason with which the message of a refusal by the guard's processor begins.
std::optional<base::Reason> ReasonInMessage(const grpc::Status& status) {
  if (status.error_code() != grpc::StatusCode::UNAUTHENTICATED &&
      status.error_code() != grpc::StatusCode::PERMISSION_DENIED) {
    return std::nullopt;
  }
  const std::string message = status.error_message();  // gRPC gives a copy
  const auto reason = base::ReasonByName(message.substr(0, message.find(':')));
  if (!reason || static_cast<int>(base::InfoOf(*reason).code) != status.error_code()) {
    return std::nullopt;
  }
  return reason;
}

}  // namespace

absl::Status FromGrpc(const grpc::Status& status) {
  if (status.ok()) {
    return absl::OkStatus();
  }
  absl::Status out(static_cast<absl::StatusCode>(status.error_code()),
                   ToAbsl(status.error_message()));
  google::rpc::Status in;
  if (status.error_details().empty() || !in.ParseFromString(status.error_details())) {
    if (const auto reason = ReasonInMessage(status)) {
      base::Carry(out, {.reason = std::string(base::InfoOf(*reason).name), .details = {}});
    }
    return out;
  }
  base::CarriedError carried;
  for (const google::protobuf::Any& detail : in.details()) {
    google::rpc::ErrorInfo error;
    google::rpc::BadRequest bad;
    google::rpc::RetryInfo retry;
    if (detail.UnpackTo(&error) && error.domain() == base::kErrorDomain) {
      carried.reason = error.reason();
      for (const auto& [key, value] : error.metadata()) {
        carried.details.metadata.emplace(key, value);
      }
    } else if (detail.UnpackTo(&bad) && bad.field_violations_size() > 0) {
      carried.details.field = bad.field_violations(0).field();
    } else if (detail.UnpackTo(&retry)) {
      carried.details.retry_after = FromProto(retry.retry_delay());
    }
  }
  if (!carried.reason.empty()) {
    base::Carry(out, carried);
  }
  return out;
}

}  // namespace mj::rpc
