// Reading an account's entries, page by page.

#include <optional>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/app/checks.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/page_token.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {
namespace {

using base::Reason;

constexpr std::int64_t kPageSizeDefault = 100;
constexpr std::int64_t kPageSizeMax = 1000;

}  // namespace

absl::StatusOr<ListEntriesAnswer> Wallet::ListEntries(const CallContext& context,
                                                      const ListEntriesRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("account_id", request.account_id));
  if (request.page_size < 0 || request.page_size > kPageSizeMax) {
    return base::Error(
        Reason::kBadPageSize,
        base::Cat("page_size: got ", std::to_string(request.page_size), ", want 0 to 1000"),
        {.field = "page_size"});
  }
  const AccountKey account{request.account_id, request.currency};
  std::optional<EntryPosition> before;
  if (!request.page_token.empty()) {
    before = ReadPageToken(account, request.page_token);
    if (!before) {
      return base::Error(Reason::kBadPageToken, "page_token: is not of this list",
                         {.field = "page_token"});
    }
  }

  const auto size = static_cast<int>(request.page_size == 0 ? kPageSizeDefault : request.page_size);
  // One more than asked for tells whether there is a next page.
  MJ_ASSIGN_OR_RETURN(std::vector<ListedEntry> entries,
                      store_.ListEntries(account, before, size + 1, context.deadline));
  if (entries.empty() && !before) {
    // No entries yet, or no account?
    MJ_ASSIGN_OR_RETURN(const LedgerStore::Lookup found,
                        store_.FindAccount(account, context.deadline));
    if (!found.account) return RequirePlayer(WhatIs(found), "account_id", account.id);
  }
  ListEntriesAnswer answer;
  if (entries.size() > static_cast<std::size_t>(size)) {
    entries.resize(static_cast<std::size_t>(size));
    answer.next_page_token = MakePageToken(account, entries.back().position);
  }
  answer.entries = std::move(entries);
  return answer;
}

}  // namespace mj::wallet
