// The audit of the ledger: libs/books, as the wallet's port asks for it.

#include <optional>
#include <utility>

#include "libs/base/status.h"
#include "libs/books/steps.h"
#include "services/wallet/store/pg_ledger_store.h"

namespace mj::wallet::store {

absl::StatusOr<LedgerStore::Verified> PgLedgerStore::Verify(const std::string& place,
                                                            std::int64_t rows_max,
                                                            base::MonotonicTime deadline) {
  const auto from =
      place.empty() ? std::optional(books::AuditPlace()) : books::PlaceFromText(place);
  if (!from) return absl::InvalidArgumentError("no place of an audit");
  MJ_ASSIGN_OR_RETURN(books::AuditStep step, books::AuditFrom(pool_, *from, rows_max, deadline));
  Verified verified;
  const bool over = step.finding || step.next.part == books::AuditPlace::Part::kOver;
  if (!over) verified.place = books::ToText(step.next);
  verified.checked = {.finding = std::move(step.finding),
                      .rows = step.rows,
                      .entries = step.entries,
                      .accounts = step.accounts,
                      .days = step.days};
  return verified;
}

}  // namespace mj::wallet::store
