#include "libs/rpc/grpc_status.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"

namespace mj::rpc {
namespace {

using base::Error;
using base::Language;
using base::Reason;

template <typename Detail>
std::optional<Detail> DetailOf(const grpc::Status& status) {
  google::rpc::Status all;
  EXPECT_TRUE(all.ParseFromString(status.error_details()));
  Detail detail;
  for (const auto& any : all.details()) {
    if (any.UnpackTo(&detail)) {
      return detail;
    }
  }
  return std::nullopt;
}

TEST(GrpcStatusTest, EveryReasonSurvivesTheWireInEveryLanguage) {
  for (const base::ReasonInfo& info : base::AllReasons()) {
    for (const Language language : base::kLanguages) {
      const auto sent = ToGrpc(
          Error(info.reason, "got x", {.field = "a.b[1]", .metadata = {{"limit", "4"}}}), language);
      EXPECT_EQ(static_cast<int>(sent.error_code()), static_cast<int>(info.code)) << info.name;
      EXPECT_EQ(sent.error_message(), "got x");
      const auto error = DetailOf<google::rpc::ErrorInfo>(sent);
      ASSERT_TRUE(error.has_value());
      EXPECT_EQ(error->domain(), "mahjong");
      EXPECT_EQ(error->reason(), info.name);
      const auto words = DetailOf<google::rpc::LocalizedMessage>(sent);
      ASSERT_TRUE(words.has_value());
      EXPECT_EQ(words->locale(), base::LanguageTag(language));
      EXPECT_EQ(words->message(), info.Words(language));
      const auto bad = DetailOf<google::rpc::BadRequest>(sent);
      ASSERT_TRUE(bad.has_value());
      EXPECT_EQ(bad->field_violations(0).field(), "a.b[1]");
      EXPECT_EQ(DetailOf<google::rpc::RetryInfo>(sent).has_value(), info.transient) << info.name;

      const absl::Status received = FromGrpc(sent);
      EXPECT_THAT(received, base::FailsWith(info.reason, "a.b[1]"));
      EXPECT_EQ(base::CarriedBy(received)->details.metadata.at("limit"), "4");
    }
  }
}

TEST(GrpcStatusTest, OkIsOk) {
  EXPECT_TRUE(ToGrpc(absl::OkStatus(), Language::kEn).ok());
  EXPECT_THAT(FromGrpc(grpc::Status::OK), base::IsOk());
}

TEST(GrpcStatusTest, WhatCarriesNoReasonStaysInside) {
  const auto sent =
      ToGrpc(absl::NotFoundError("relation \"wallet.entries\" does not exist"), Language::kZhHans);
  EXPECT_EQ(sent.error_code(), grpc::StatusCode::INTERNAL);
  EXPECT_EQ(sent.error_message(), base::InfoOf(Reason::kInternal).en);
  EXPECT_EQ(sent.error_details().find("wallet.entries"), std::string::npos);
  EXPECT_EQ(DetailOf<google::rpc::ErrorInfo>(sent)->reason(), "INTERNAL");
  EXPECT_FALSE(DetailOf<google::rpc::BadRequest>(sent).has_value());

  EXPECT_EQ(ToGrpc(absl::UnavailableError("10.0.0.7:5432 refused"), Language::kEn).error_code(),
            grpc::StatusCode::UNAVAILABLE);
}

TEST(GrpcStatusTest, ARetryTimeOfTheHandlersOwnIsSent) {
  const auto sent =
      ToGrpc(Error(Reason::kOverloaded, "", {.retry_after = std::chrono::milliseconds(2500)}),
             Language::kEn);
  const auto retry = DetailOf<google::rpc::RetryInfo>(sent);
  ASSERT_TRUE(retry.has_value());
  EXPECT_EQ(retry->retry_delay().seconds(), 2);
  EXPECT_EQ(retry->retry_delay().nanos(), 500'000'000);
  EXPECT_EQ(base::CarriedBy(FromGrpc(sent))->details.retry_after, std::chrono::milliseconds(2500));
}

TEST(GrpcStatusTest, AReasonThatOnlyANewerPeerKnowsIsCarriedOn) {
  google::rpc::ErrorInfo error;
  error.set_domain("mahjong");
  error.set_reason("SOMETHING_NEW");
  google::rpc::Status details;
  details.add_details()->PackFrom(error);
  const absl::Status received =
      FromGrpc({grpc::StatusCode::FAILED_PRECONDITION, "new", details.SerializeAsString()});
  EXPECT_EQ(base::CarriedBy(received)->reason, "SOMETHING_NEW");
  const auto sent = ToGrpc(received, Language::kEn);
  EXPECT_EQ(sent.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(DetailOf<google::rpc::ErrorInfo>(sent)->reason(), "SOMETHING_NEW");
}

TEST(GrpcStatusTest, ForeignAndBrokenDetailsAreIgnored) {
  google::rpc::ErrorInfo error;
  error.set_domain("example.com");
  error.set_reason("TABLE_FULL");
  google::rpc::Status details;
  details.add_details()->PackFrom(error);
  for (const std::string& bytes :
       {details.SerializeAsString(), std::string("\xFF\xFF\xFF"), std::string()}) {
    const absl::Status received = FromGrpc({grpc::StatusCode::UNAVAILABLE, "gone", bytes});
    EXPECT_THAT(received, base::HasCode(absl::StatusCode::kUnavailable));
    EXPECT_EQ(base::CarriedBy(received), std::nullopt);
  }
}

TEST(GrpcStatusTest, ARefusalWithoutDetailsCarriesTheReasonThatItsMessageBeginsWith) {
  EXPECT_THAT(FromGrpc({grpc::StatusCode::UNAUTHENTICATED, "TOKEN_EXPIRED: since noon"}),
              base::FailsWith(base::Reason::kTokenExpired));
  EXPECT_THAT(FromGrpc({grpc::StatusCode::PERMISSION_DENIED, "ROLE_NOT_ALLOWED"}),
              base::FailsWith(base::Reason::kRoleNotAllowed));
  // Only there, and only one that fits.
  for (const grpc::Status& other :
       {grpc::Status(grpc::StatusCode::PERMISSION_DENIED, "TOKEN_EXPIRED: since noon"),
        grpc::Status(grpc::StatusCode::UNAUTHENTICATED, "who are you?"),
        grpc::Status(grpc::StatusCode::UNAUTHENTICATED, ""),
        grpc::Status(grpc::StatusCode::UNAVAILABLE, "UNAVAILABLE: gone")}) {
    EXPECT_FALSE(base::CarriedBy(FromGrpc(other)).has_value()) << other.error_message();
  }
}

}  // namespace
}  // namespace mj::rpc
