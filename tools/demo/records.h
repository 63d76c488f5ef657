// The records of what was played, as files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"

namespace mj::demo {

// Writes the record of every round of these tables that is over as FOLDER/<round id>.mjr, and makes the
// folder where it is not there. How many; the failure of the call or the file that could not be had.
absl::StatusOr<std::int64_t> WriteRecords(::mahjong::table::v1::TableService::StubInterface& stub,
                                          const std::vector<std::string>& tables,
                                          const std::string& folder);

}  // namespace mj::demo
