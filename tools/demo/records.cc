#include "tools/demo/records.h"

#include <filesystem>
#include <system_error>

#include "libs/base/files.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/player/lobby.h"
#include "libs/rpc/client.h"

namespace mj::demo {
namespace {

namespace table = ::mahjong::table::v1;
using Stub = table::TableService::StubInterface;

const rpc::CallOptions kOptions{.timeout = player::kCallTimeout, .request_id = {}};

absl::Status WriteRecord(Stub& stub, const std::string& round,
                         const std::filesystem::path& folder) {
  table::GetRoundRecordRequest request;
  request.set_round_id(round);
  MJ_ASSIGN_OR_RETURN(const table::GetRoundRecordResponse response,
                      rpc::Invoke(stub, &Stub::GetRoundRecord, request, kOptions));
  return base::WriteFileAtomically(folder / base::Cat(round, ".mjr"), response.record());
}

}  // namespace

absl::StatusOr<std::int64_t> WriteRecords(Stub& stub, const std::vector<std::string>& tables,
                                          const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return absl::UnavailableError(base::ToAbsl(base::Cat(folder, ": ", error.message())));
  }
  std::int64_t written = 0;
  for (const std::string& id : tables) {
    table::ListRoundsRequest request;
    request.set_table_id(id);
    do {
      MJ_ASSIGN_OR_RETURN(const table::ListRoundsResponse page,
                          rpc::Invoke(stub, &Stub::ListRounds, request, kOptions));
      for (const table::RoundListing& round : page.rounds()) {
        MJ_RETURN_IF_ERROR(WriteRecord(stub, round.round_id(), folder));
        ++written;
      }
      request.set_page_token(page.next_page_token());
    } while (!request.page_token().empty());
  }
  return written;
}

}  // namespace mj::demo
