// What people on duty do: `mahjongctl ops`.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

namespace mj::mahjongctl {

enum class OpsVerb : std::uint8_t {
  kTables,
  kInspect,
  kVoid,
  kClose,
  kRemove,
  kStopRounds,
  kResumeRounds,
  kFreeze,
  kUnfreeze,
  kCloseAccount,
  kAdjust,
  kReverse,
  kTrail,
  kAccountsTrail,
  kErase,
};

struct OpsArguments {
  OpsVerb verb = OpsVerb::kTables;
  std::string table_target;        // host:port of the table service
  std::string wallet_target;       // host:port of the wallet
  std::string matchmaking_target;  // host:port of matchmaking
  bool json = false;

  // Of whatever changes something.
  std::string who;
  std::string reason;
  std::string request_id;  // empty: a new one
  bool dry_run = false;    // accounts only: the verdict alone

  std::string table;
  std::string round;
  std::string player;
  bool at_once = false;
  std::string at;  // RFC 3339; empty: in `in_seconds`, or at once
  std::optional<std::int64_t> in_seconds;

  std::string currency = "COIN";
  std::int64_t coins = 0;
  std::string journal;
  std::string approver;
  bool cover = false;

  std::string variant;
  std::string state;
  std::int64_t unsettled = 0;
  std::int64_t quiet = 0;
  bool unheld = false;
  std::string of;           // an operator
  std::int64_t limit = 50;  // lines at most
};

// The role that may do this: "operator" or "finance".
[[nodiscard]] const char* RoleFor(OpsVerb verb);

// Asks, and says what came of it: lines for people, or a JSON object a line. An exit code (exit_code.h):
// failed when it is refused, unavailable when the service does not answer, with why in `err`; of a write
// that was not answered also under which --request-id it can be asked again.
int Operate(const OpsArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace mj::mahjongctl
