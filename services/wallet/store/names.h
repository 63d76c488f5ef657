// The words by which the schema calls what the application has enums for.
#pragma once

#include <optional>
#include <string_view>

#include "services/wallet/app/types.h"

namespace mj::wallet::store {

[[nodiscard]] std::string_view ToSql(Currency currency);
[[nodiscard]] std::string_view ToSql(JournalKind kind);
[[nodiscard]] std::string_view ToSql(ledger::Purpose purpose);
[[nodiscard]] std::string_view ToSql(Flow flow);
[[nodiscard]] std::string_view ToSql(AccountEventKind kind);

// nullopt for a word that this program does not know: a newer schema's.
[[nodiscard]] std::optional<AccountKind> AccountKindFromSql(std::string_view word);
[[nodiscard]] std::optional<JournalKind> JournalKindFromSql(std::string_view word);
[[nodiscard]] std::optional<ledger::Purpose> PurposeFromSql(std::string_view word);
[[nodiscard]] std::optional<Flow> FlowFromSql(std::string_view word);

[[nodiscard]] std::optional<Currency> CurrencyFromSql(std::string_view word);

}  // namespace mj::wallet::store
