#include "services/wallet/rpc/statements.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "services/wallet/app/statement.h"

namespace mj::wallet::rpc {
namespace {

constexpr int kPart = 500;  // entries
constexpr std::chrono::seconds kTimeMax{10};

}  // namespace

Statements::Statements(Wallet& wallet, const base::Clock& clock)
    : wallet_(wallet), clock_(clock), thread_({.name = "statements"}) {}

absl::Status Statements::Open(const CallContext& context, const WatchRequest& request,
                              const Stream& stream) {
  const auto file = std::make_shared<Export>(Export{context, request, stream});
  // Each part is written once, and only then is the next one read: parts never overlap.
  stream.OnWritten([this, file] {
    if (file->done) return;
    const bool taken = thread_.TryPost([this, file] {
      const absl::Status status = SendNext(*file);
      if (!status.ok()) file->stream.Cut(status);
    });
    if (!taken) file->stream.Cut(base::Error(base::Reason::kOverloaded));
  });
  return SendNext(*file);
}

absl::Status Statements::SendNext(Export& file) {
  file.context.deadline = clock_.Monotonic() + kTimeMax;
  MJ_ASSIGN_OR_RETURN(const std::vector<ListedEntry> entries,
                      wallet_.EntriesAfter(file.context, file.request, kPart));
  ::mahjong::wallet::v1::ExportStatementResponse response;
  std::string& csv = *response.mutable_csv();
  if (file.request.after_sequence == 0) csv = StatementHeader();
  for (const ListedEntry& entry : entries) csv += StatementLine(entry);
  file.done = entries.size() < static_cast<std::size_t>(kPart);
  if (!entries.empty()) file.request.after_sequence = entries.back().sequence;
  // Once it is sent, another thread may be at the next part: what it needs is set, and not touched
  // here any more.
  const Stream stream = file.stream;
  const bool last = file.done;
  if (!csv.empty()) stream.Send(std::move(response));
  if (last) stream.Finish(absl::OkStatus());
  return absl::OkStatus();
}

}  // namespace mj::wallet::rpc
