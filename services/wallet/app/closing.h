// What the three ways to close a round have in common.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/wallet/app/content.h"
#include "services/wallet/app/ledger_store.h"

namespace mj::wallet {

// A round is closed once, whoever closes it and however: its key has no rpc and no caller.
[[nodiscard]] RequestKey ClosingKey(std::string_view round_id, const Content& content);

// ROUND_NOT_FOUND.
[[nodiscard]] absl::Status RoundNotFoundError(std::string_view round_id);

// The four as a list.
[[nodiscard]] std::vector<std::string> PlayersOf(const BegunRound& round);

// OK if all of them were found, which a begun round's are for ever: INTERNAL else.
[[nodiscard]] absl::Status RequireAll(const Ground& ground);

// What every closing row says of its round.
[[nodiscard]] Event ClosingEvent(JournalKind kind, const BegunRound& round);

// What came of the posting of a close: REQUEST_ID_REUSED if the round was closed so with other content,
// ROUND_FINISHED if it was closed in another way.
[[nodiscard]] absl::StatusOr<Posted> ClosedBy(PostOutcome outcome, JournalKind how);

// "settlement", "penalty", "void", "deposit" …: as the ledger names them.
[[nodiscard]] std::string_view NameOf(JournalKind kind);

}  // namespace mj::wallet
