// Reading entries and settlements, page by page, and what is new to a watcher.

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

absl::Status BadPageToken() {
  return base::Error(Reason::kBadPageToken, "page_token: is not of this list",
                     {.field = "page_token"});
}

absl::Status WantOneOf(std::string_view field, std::string_view other) {
  return base::Error(Reason::kFieldRequired,
                     base::Cat(field, ": want it or ", other, ", and not both"),
                     {.field = std::string(field)});
}

// A journal row, named by the round that it closed or by its id.
struct RowName {
  std::string field;         // which of them
  JournalNo journal_no = 0;  // 0: by its round
};

absl::StatusOr<RowName> NamedRow(const std::string& round_id, const std::string& journal_id) {
  if (round_id.empty() == journal_id.empty()) return WantOneOf("round_id", "journal_id");
  if (journal_id.empty()) {
    MJ_RETURN_IF_ERROR(CheckId("round_id", round_id));
    return RowName{"round_id", 0};
  }
  MJ_ASSIGN_OR_RETURN(const JournalNo journal_no, JournalNoFrom("journal_id", journal_id));
  return RowName{"journal_id", journal_no};
}

}  // namespace

absl::StatusOr<ListEntriesAnswer> Wallet::ListEntries(const CallContext& context,
                                                      const ListEntriesRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("account_id", request.account_id));
  MJ_ASSIGN_OR_RETURN(const int size, CheckPageSize(request.page_size));
  const AccountKey account{request.account_id, request.currency};
  std::optional<EntryPosition> before;
  if (!request.page_token.empty()) {
    before = ReadPageToken(account, request.page_token);
    if (!before) return BadPageToken();
  }

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

absl::StatusOr<ListSettlementsAnswer> Wallet::ListSettlements(
    const CallContext& context, const ListSettlementsRequest& request) {
  if (request.account_id.empty() == request.table_id.empty()) {
    return WantOneOf("account_id", "table_id");
  }
  SettlementFilter filter;
  if (request.table_id.empty()) {
    MJ_RETURN_IF_ERROR(CheckId("account_id", request.account_id));
    filter.account = AccountKey{request.account_id, request.currency};
  } else {
    MJ_RETURN_IF_ERROR(CheckId("table_id", request.table_id));
    filter.table_id = request.table_id;
  }
  MJ_ASSIGN_OR_RETURN(const int size, CheckPageSize(request.page_size));
  std::optional<std::int64_t> before;
  if (!request.page_token.empty()) {
    before = ReadPageToken(filter, request.page_token);
    if (!before) return BadPageToken();
  }
  MJ_ASSIGN_OR_RETURN(std::vector<SettledRound> settlements,
                      store_.ListSettlements(filter, before, size + 1, context.deadline));
  if (settlements.empty() && filter.account && !before) {
    MJ_ASSIGN_OR_RETURN(const LedgerStore::Lookup found,
                        store_.FindAccount(*filter.account, context.deadline));
    if (!found.account) return RequirePlayer(WhatIs(found), "account_id", request.account_id);
  }
  ListSettlementsAnswer answer;
  if (settlements.size() > static_cast<std::size_t>(size)) {
    settlements.resize(static_cast<std::size_t>(size));
    answer.next_page_token = MakePageToken(filter, settlements.back().position);
  }
  answer.settlements = std::move(settlements);
  return answer;
}

absl::StatusOr<SettledRound> Wallet::GetSettlement(const CallContext& context,
                                                   const GetSettlementRequest& request) {
  MJ_ASSIGN_OR_RETURN(const RowName row, NamedRow(request.round_id, request.journal_id));
  MJ_ASSIGN_OR_RETURN(std::optional<SettledRound> found,
                      store_.FindSettlement(request.round_id, row.journal_no, context.deadline));
  if (found) return *std::move(found);
  return base::Error(Reason::kJournalNotFound, base::Cat(row.field, ": no settlement of it"),
                     {.field = row.field});
}

absl::StatusOr<HashedRow> Wallet::GetJournalRow(const CallContext& context,
                                                const GetJournalRowRequest& request) {
  MJ_ASSIGN_OR_RETURN(const RowName row, NamedRow(request.round_id, request.journal_id));
  MJ_ASSIGN_OR_RETURN(std::optional<HashedRow> found,
                      store_.FindHashedRow(request.round_id, row.journal_no, context.deadline));
  if (found) return *std::move(found);
  return base::Error(Reason::kJournalNotFound, base::Cat(row.field, ": no journal row of it"),
                     {.field = row.field});
}

absl::StatusOr<std::vector<ListedEntry>> Wallet::EntriesAfter(const CallContext& context,
                                                              const WatchRequest& request,
                                                              int count_max) {
  MJ_RETURN_IF_ERROR(CheckId("account_id", request.account_id));
  const AccountKey account{request.account_id, request.currency};
  if (request.after_sequence >= 0) {
    MJ_ASSIGN_OR_RETURN(
        std::vector<ListedEntry> entries,
        store_.ListEntriesAfter(account, request.after_sequence, count_max, context.deadline));
    if (!entries.empty()) return entries;
  }
  MJ_ASSIGN_OR_RETURN(const LedgerStore::Lookup found,
                      store_.FindAccount(account, context.deadline));
  MJ_RETURN_IF_ERROR(RequirePlayer(WhatIs(found), "account_id", request.account_id));
  if (request.after_sequence < 0 || request.after_sequence > found.account->last_sequence) {
    return base::Error(Reason::kSequenceAhead,
                       base::Cat("after_sequence: got ", std::to_string(request.after_sequence),
                                 ", the latest is ", std::to_string(found.account->last_sequence)),
                       {.field = "after_sequence"});
  }
  return std::vector<ListedEntry>();
}

absl::StatusOr<std::map<AccountKey, std::int64_t>> Wallet::LastSequences(
    const CallContext& context, const std::vector<AccountKey>& accounts) {
  return store_.LastSequences(accounts, context.deadline);
}

}  // namespace mj::wallet
