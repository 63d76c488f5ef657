// What operators ask, read from messages, and what they are told.
//
// A field that cannot be is refused with its reason and path: FIELD_REQUIRED, BAD_ID, BAD_TEXT,
// NOT_A_PLAYER_ACCOUNT, UNKNOWN_ENUM_VALUE.
#pragma once

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mahjong/table/v1/operator_service.pb.h"
#include "services/table/app/inspect.h"
#include "services/table/app/operations.h"

namespace mj::table::rpc {

namespace proto = ::mahjong::table::v1;

[[nodiscard]] absl::StatusOr<OperatorActed> Read(const proto::VoidRoundRequest& request);
[[nodiscard]] absl::StatusOr<OperatorActed> Read(const proto::CloseTableRequest& request);
[[nodiscard]] absl::StatusOr<OperatorActed> Read(const proto::RemovePlayerRequest& request);
[[nodiscard]] absl::StatusOr<Operation> Read(const proto::StopNewRoundsRequest& request);
[[nodiscard]] absl::StatusOr<Operation> Read(const proto::ResumeNewRoundsRequest& request);
[[nodiscard]] absl::StatusOr<TableFilter> Read(const proto::FindTablesRequest& request);
[[nodiscard]] absl::StatusOr<OperationFilter> Read(const proto::ListOperationsRequest& request);

// The same as yes or no, for the door. Those of one table want that, too.
[[nodiscard]] absl::Status Validate(const proto::VoidRoundRequest& request);
[[nodiscard]] absl::Status Validate(const proto::CloseTableRequest& request);
[[nodiscard]] absl::Status Validate(const proto::RemovePlayerRequest& request);
[[nodiscard]] absl::Status Validate(const proto::InspectTableRequest& request);
[[nodiscard]] absl::Status Validate(const proto::StopNewRoundsRequest& request);
[[nodiscard]] absl::Status Validate(const proto::ResumeNewRoundsRequest& request);
[[nodiscard]] absl::Status Validate(const proto::FindTablesRequest& request);
[[nodiscard]] absl::Status Validate(const proto::ListOperationsRequest& request);

//   address   of the process that holds it.
void ToProto(const Inspection& seen, std::string_view address,
             const std::vector<JournalledEvent>& latest, proto::InspectTableResponse& out);
void ToProto(const FoundPage& page, proto::FindTablesResponse& out);
void ToProto(const OperationPage& page, proto::ListOperationsResponse& out);

}  // namespace mj::table::rpc
