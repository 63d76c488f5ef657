#include "libs/auth/access.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include "libs/base/reasons.h"
#include "libs/base/strings.h"

namespace mj::auth {
namespace {

using base::Error;
using base::Reason;
using enum Role;
using enum Effect;
using enum About;

// Rules are public.
constexpr Roles kAnybody{kBackend, kPlayer, kObserver, kOperator,   kFinance,
                         kScoring, kWallet, kTable,    kMatchmaking};

#define MJ_SCORING "/mahjong.scoring.v1.ScoringService/"
#define MJ_WALLET "/mahjong.wallet.v1.WalletService/"
#define MJ_WALLET_OPERATOR "/mahjong.wallet.v1.WalletOperatorService/"
#define MJ_TABLE "/mahjong.table.v1.TableService/"
#define MJ_TABLE_OPERATOR "/mahjong.table.v1.TableOperatorService/"
#define MJ_MATCHMAKING "/mahjong.matchmaking.v1.MatchmakingService/"
#define MJ_MATCHMAKING_OPERATOR "/mahjong.matchmaking.v1.MatchmakingOperatorService/"

// A player's own device asks for what is its own; what it could lie about to its profit (device and
// address in a ticket, a deposit) its backend says. Of a ticket or a record that is asked for by its id
// alone nobody can tell whose it is, so players ask their backend.
constexpr auto kRows = std::to_array<Access>({
    {MJ_SCORING "ScoreRound", {kTable, kBackend, kOperator}},
    {MJ_SCORING "BatchScoreRounds", {kBackend, kOperator, kFinance}},
    {MJ_SCORING "EvaluateHand", kAnybody},
    {MJ_SCORING "ListWaits", kAnybody},
    {MJ_SCORING "ListVariants", kAnybody},
    {MJ_SCORING "GetRulebook", kAnybody},

    {MJ_WALLET "OpenAccount", {kBackend, kTable}, kWrites, kAccountId},
    {MJ_WALLET "GetAccount", {kBackend, kPlayer, kOperator, kFinance}, kReads, kAccountId},
    {MJ_WALLET "Deposit", {kBackend, kTable}, kWrites, kAccountId},
    {MJ_WALLET "Withdraw", {kBackend}, kWrites, kAccountId},
    {MJ_WALLET "Adjust", {kFinance}, kWrites, kAccountId},
    {MJ_WALLET "Reverse", {kFinance}, kWrites},
    {MJ_WALLET "Freeze", {kOperator}, kWrites, kAccountId},
    {MJ_WALLET "Unfreeze", {kOperator}, kWrites, kAccountId},
    {MJ_WALLET "CloseAccount", {kOperator}, kWrites, kAccountId},
    {MJ_WALLET "ListStakeTiers", kAnybody},
    {MJ_WALLET "GetStakeTier",
     {kBackend, kPlayer, kOperator, kFinance, kTable, kMatchmaking},
     kReads,
     kPlayerId},
    {MJ_WALLET "PutStakeTier", {kOperator}, kWrites},
    {MJ_WALLET "Reserve", {kTable}, kWrites, kPlayerId},
    {MJ_WALLET "Release", {kTable}, kWrites, kPlayerId},
    {MJ_WALLET "BeginRound", {kTable}, kWrites},
    {MJ_WALLET "SettleRound", {kTable}, kWrites},
    {MJ_WALLET "ApplyPenalty", {kTable}, kWrites},
    {MJ_WALLET "VoidRound", {kTable}, kWrites},
    {MJ_WALLET "ListEntries", {kBackend, kPlayer, kOperator, kFinance}, kReads, kAccountId},
    {MJ_WALLET "ListSettlements", {kBackend, kPlayer, kOperator, kFinance}, kReads, kAccountId},
    {MJ_WALLET "GetSettlement", {kBackend, kOperator, kFinance}},
    {MJ_WALLET "GetJournalRow", {kBackend, kOperator, kFinance, kTable}},
    {MJ_WALLET "WatchAccount", {kBackend, kPlayer}, kReads, kAccountId},
    {MJ_WALLET "ExportStatement", {kBackend, kPlayer, kFinance}, kReads, kAccountId},
    {MJ_WALLET "VerifyLedger", {kOperator, kFinance}},

    {MJ_WALLET_OPERATOR "ListOperations", {kOperator, kFinance}, kReads, kAccountId},

    {MJ_TABLE "CreateTable", {kBackend, kMatchmaking}, kWrites},
    {MJ_TABLE "ListRooms", {kBackend, kPlayer, kObserver, kOperator, kMatchmaking}},
    {MJ_TABLE "ListTables", {kBackend, kPlayer, kObserver, kOperator}},
    {MJ_TABLE "JoinTable", {kBackend, kPlayer, kMatchmaking}, kWrites, kPlayerId},
    {MJ_TABLE "Ready", {kPlayer}, kWrites, kPlayerId},
    {MJ_TABLE "RevealNonce", {kPlayer}, kWrites, kPlayerId},
    {MJ_TABLE "Act", {kPlayer}, kWrites, kPlayerId},
    {MJ_TABLE "Subscribe", {kPlayer}, kReads, kPlayerId},
    {MJ_TABLE "TakeOver", {kPlayer}, kWrites, kPlayerId},
    {MJ_TABLE "LeaveTable", {kBackend, kPlayer, kMatchmaking}, kWrites, kPlayerId},
    {MJ_TABLE "ShowHand", {kPlayer}, kWrites, kPlayerId},
    {MJ_TABLE "Watch", {kPlayer, kObserver}, kReads, kPlayerId},
    {MJ_TABLE "GetTable",
     {kBackend, kPlayer, kObserver, kOperator, kMatchmaking},
     kReads,
     kPlayerIdOrNone},
    {MJ_TABLE "GetRoundRecord", {kBackend, kOperator, kFinance}},
    {MJ_TABLE "ListRounds", {kBackend, kPlayer, kOperator, kFinance}, kReads, kPlayerId},
    {MJ_TABLE "WatchRounds", {kBackend, kMatchmaking}},
    {MJ_TABLE "WatchOpenSeats", {kBackend, kMatchmaking}},

    {MJ_TABLE_OPERATOR "FindTables", {kOperator}, kReads, kPlayerIdOrNone},
    {MJ_TABLE_OPERATOR "InspectTable", {kOperator}},
    {MJ_TABLE_OPERATOR "VoidRound", {kOperator}, kWrites},
    {MJ_TABLE_OPERATOR "CloseTable", {kOperator}, kWrites},
    {MJ_TABLE_OPERATOR "RemovePlayer", {kOperator}, kWrites, kPlayerId},
    {MJ_TABLE_OPERATOR "StopNewRounds", {kOperator}, kWrites},
    {MJ_TABLE_OPERATOR "ResumeNewRounds", {kOperator}, kWrites},
    {MJ_TABLE_OPERATOR "ListOperations", {kOperator, kFinance}, kReads, kPlayerIdOrNone},

    {MJ_MATCHMAKING "CreateTicket", {kBackend}, kWrites, kPlayerId},
    {MJ_MATCHMAKING "GetTicket", {kBackend, kOperator}},
    {MJ_MATCHMAKING "WatchTicket", {kBackend}},
    {MJ_MATCHMAKING "CancelTicket", {kBackend}, kWrites},
    {MJ_MATCHMAKING "LocatePlayer", {kBackend, kPlayer, kOperator}, kReads, kPlayerId},
    {MJ_MATCHMAKING "OpenRoom", {kBackend}, kWrites, kPlayerId},
    {MJ_MATCHMAKING "EnterRoom", {kBackend}, kWrites, kPlayerId},
    {MJ_MATCHMAKING "GetRoom", {kBackend, kPlayer, kOperator}},

    {MJ_MATCHMAKING_OPERATOR "ErasePlayer", {kOperator}, kWrites, kPlayerId},

    // Only where it is switched on (--reflection).
    {"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", {kBackend, kOperator}},
    {"/grpc.health.v1.Health/Check", kAnybody, kReads, kNothing, true},
    {"/grpc.health.v1.Health/Watch", kAnybody, kReads, kNothing, true},
});

#undef MJ_SCORING
#undef MJ_WALLET
#undef MJ_WALLET_OPERATOR
#undef MJ_TABLE
#undef MJ_TABLE_OPERATOR
#undef MJ_MATCHMAKING
#undef MJ_MATCHMAKING_OPERATOR

absl::Status Mine(std::string_view field, std::optional<std::string_view> named,
                  std::string_view subject, bool may_be_empty) {
  if (named && (*named == subject || (may_be_empty && named->empty()))) return absl::OkStatus();
  return Error(Reason::kNotYourPlayer, base::Cat(field, ": want the token's own"),
               {.field = std::string(field)});
}

std::string_view AboutText(About about) {
  switch (about) {
    case kNothing:
      return "";
    case kPlayerId:
      return "`player_id`";
    case kPlayerIdOrNone:
      return "`player_id`, or none";
    case kAccountId:
      return "`account_id`";
  }
  return "";
}

}  // namespace

std::span<const Access> AccessTable() { return kRows; }

const Access* FindAccess(std::string_view path) {
  static const std::map<std::string_view, const Access*> rows = [] {
    std::map<std::string_view, const Access*> made;
    for (const Access& row : kRows) made.emplace(row.path, &row);
    return made;
  }();
  const auto found = rows.find(path);
  return found == rows.end() ? nullptr : found->second;
}

const Access* FindAccessOf(std::string_view request) {
  static const std::map<std::string, const Access*, std::less<>> rows = [] {
    std::map<std::string, const Access*, std::less<>> made;
    for (const Access& row : kRows) made.emplace(RequestOf(row.path), &row);
    return made;
  }();
  const auto found = rows.find(request);
  return found == rows.end() ? nullptr : found->second;
}

std::string RequestOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view service = path.substr(1, slash - 1);
  return base::Cat(service.substr(0, service.rfind('.')), ".", path.substr(slash + 1), "Request");
}

absl::Status MayCall(std::string_view path, const Caller* caller) {
  const Access* access = FindAccess(path);
  if (access != nullptr && access->open) return absl::OkStatus();
  if (caller == nullptr) {
    return Error(Reason::kUnauthenticatedCaller, "want a token or a service's certificate");
  }
  if (access != nullptr && access->roles.Has(caller->role)) return absl::OkStatus();
  return Error(Reason::kRoleNotAllowed, base::Cat(RoleName(caller->role), " may not call this"));
}

absl::Status MaySpeakOf(const Access& access, const Caller& caller, const Named& named) {
  if (access.effect == kWrites && IsOnDuty(caller.role) && !named.asker.value_or("").empty() &&
      *named.asker != caller.subject) {
    return Error(Reason::kNotYourName, base::Cat(named.asker_field, ": want the token's own"),
                 {.field = std::string(named.asker_field)});
  }
  if (!IsPerson(caller.role)) return absl::OkStatus();
  switch (access.about) {
    case kNothing:
      return absl::OkStatus();
    case kPlayerId:
      return Mine("player_id", named.player, caller.subject, false);
    case kPlayerIdOrNone:
      return Mine("player_id", named.player, caller.subject, true);
    case kAccountId:
      return Mine("account_id", named.account, caller.subject, false);
  }
  return Error(Reason::kNotYourPlayer);
}

std::string AccessAsMarkdown() {
  std::string text = "| rpc |";
  for (const Role role : kRoles) text += base::Cat(" ", RoleName(role), " |");
  text += " changes | a person's own |\n| --- |";
  for (std::size_t i = 0; i < kRoles.size(); ++i) text += " --- |";
  text += " --- | --- |\n";
  for (const Access& row : kRows) {
    std::string_view shown = row.path.substr(1);
    if (shown.starts_with("mahjong.")) {
      // "wallet.v1.WalletService/Deposit" says the service twice.
      shown = shown.substr(shown.find("v1.") + 3);
    }
    text += base::Cat("| `", shown, "` |");
    for (const Role role : kRoles) text += row.roles.Has(role) ? " yes |" : " |";
    text += base::Cat(row.effect == kWrites ? " yes |" : " |");
    const std::string_view about = AboutText(row.about);
    const bool persons = row.roles.Has(Role::kPlayer) || row.roles.Has(Role::kObserver);
    text += persons && !about.empty() ? base::Cat(" ", about, " |\n") : std::string(" |\n");
  }
  return text;
}

}  // namespace mj::auth
