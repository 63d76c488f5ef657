#include "tools/mahjongctl/ops_command_line.h"

#include <CLI/CLI.hpp>
#include <cstdint>

namespace mj::mahjongctl {
namespace {

constexpr const char* kOpsExamples =
    R"(On a running suite; with ./dev ctl the addresses are known. Whatever changes something wants --operator (or
MJ_CTL_OPERATOR) and --reason, and is written into a trail that nobody can alter.

Examples:
  mahjongctl ops tables --unsettled 120
  mahjongctl ops inspect TABLE
  mahjongctl ops void TABLE ROUND --operator eve --reason "scoring does not know its rules"
  mahjongctl ops close TABLE --operator eve --reason "reported as broken"
  mahjongctl ops remove TABLE PLAYER --operator eve --reason "insults"
  mahjongctl ops stop-rounds --in 900 --operator eve --reason "upkeep at 23:00"
  mahjongctl ops freeze PLAYER --operator eve --reason "chargeback 17"
  mahjongctl ops adjust --operator eve --approver bob --reason "ticket 42" PLAYER -- -500
  mahjongctl ops erase --player PLAYER --operator eve --reason "asked for it"
  mahjongctl ops trail --table TABLE --json
  mahjongctl ops accounts-trail --player PLAYER)";

}  // namespace

void AddOps(CLI::App& ops, OpsArguments& arguments, const std::string& exit_codes) {
  ops.footer(std::string(kOpsExamples) + "\n\n" + exit_codes);
  ops.require_subcommand(1);
  const auto verb = [&](const char* name, OpsVerb which, const char* help) {
    CLI::App* added = ops.add_subcommand(name, help);
    added->footer(std::string(kOpsExamples) + "\n\n" + exit_codes);
    added->parse_complete_callback([&arguments, which] { arguments.verb = which; });
    added->add_flag("--json", arguments.json, "A JSON object a line");
    return added;
  };
  const auto at_tables = [&](CLI::App* added) {
    added->add_option("--target", arguments.table_target, "HOST:PORT of the table service")
        ->envname("MJ_CTL_TABLE_ADDRESS")
        ->required();
  };
  const auto at_wallet = [&](CLI::App* added) {
    added->add_option("--wallet", arguments.wallet_target, "HOST:PORT of the wallet")
        ->envname("MJ_CTL_WALLET_ADDRESS")
        ->required();
  };
  const auto writes = [&](CLI::App* added) {
    added->add_option("--operator", arguments.who, "Who asks for it")
        ->envname("MJ_CTL_OPERATOR")
        ->required();
    added->add_option("--reason", arguments.reason, "Why, at most 200 bytes")->required();
    added->add_option("--request-id", arguments.request_id,
                      "Of a call that was not answered: asks again, and has it done once");
  };
  const auto limited = [&](CLI::App* added) {
    added->add_option("--limit", arguments.limit, "Lines at most")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000}))
        ->capture_default_str();
  };
  const auto seconds = CLI::Range(std::int64_t{0}, std::int64_t{100'000'000});

  CLI::App* tables = verb("tables", OpsVerb::kTables, "Open tables, whichever process holds them");
  at_tables(tables);
  tables->add_option("--variant", arguments.variant, "Of one game");
  tables->add_option("--state", arguments.state, "waiting, playing or settling")
      ->check(CLI::IsMember({"waiting", "playing", "settling"}));
  tables->add_option("--player", arguments.player, "Where this player sits");
  tables
      ->add_option("--unsettled", arguments.unsettled,
                   "Whose round is over for so many seconds, and neither paid nor void")
      ->check(seconds);
  tables->add_option("--quiet", arguments.quiet, "Where nothing has happened for so many seconds")
      ->check(seconds);
  tables->add_flag("--unheld", arguments.unheld, "That no living process holds");
  limited(tables);

  CLI::App* inspect =
      verb("inspect", OpsVerb::kInspect, "How a table stands; no hidden tile of a live round");
  at_tables(inspect);
  inspect->add_option("TABLE", arguments.table, "The table's id")->required();

  CLI::App* voids = verb("void", OpsVerb::kVoid, "Ends the present round; nobody pays");
  at_tables(voids);
  writes(voids);
  voids->add_option("TABLE", arguments.table, "The table's id")->required();
  voids->add_option("ROUND", arguments.round, "The round's id")->required();

  CLI::App* close = verb("close", OpsVerb::kClose, "Closes a table when its round is over");
  at_tables(close);
  writes(close);
  close->add_option("TABLE", arguments.table, "The table's id")->required();
  close->add_flag("--at-once", arguments.at_once, "The present round is void, unless it is scored");

  CLI::App* remove =
      verb("remove", OpsVerb::kRemove, "Takes a player off a table when the round is over");
  at_tables(remove);
  writes(remove);
  remove->add_option("TABLE", arguments.table, "The table's id")->required();
  remove->add_option("PLAYER", arguments.player, "The player's id")->required();

  CLI::App* stop = verb("stop-rounds", OpsVerb::kStopRounds,
                        "No round begins any more, at any table, and all are told so");
  at_tables(stop);
  writes(stop);
  CLI::Option* at = stop->add_option("--at", arguments.at, "From when on, as 2026-11-30T23:00:00Z");
  stop->add_option("--in", arguments.in_seconds, "From so many seconds from now on")
      ->check(seconds)
      ->excludes(at);
  CLI::App* resume = verb("resume-rounds", OpsVerb::kResumeRounds, "Rounds begin again");
  at_tables(resume);
  writes(resume);

  const auto on_account = [&](const char* name, OpsVerb which, const char* help) {
    CLI::App* added = verb(name, which, help);
    at_wallet(added);
    writes(added);
    added->add_option("PLAYER", arguments.player, "The player's id")->required();
    added->add_option("--currency", arguments.currency, "COIN (default) or PRACTICE")
        ->check(CLI::IsMember({"COIN", "PRACTICE"}));
    added->add_flag("--dry-run", arguments.dry_run, "Gives the verdict, and does nothing");
    return added;
  };
  on_account("freeze", OpsVerb::kFreeze, "No withdrawal, seat or round; a live one is played out");
  on_account("unfreeze", OpsVerb::kUnfreeze, "Lifts a freeze");
  on_account("close-account", OpsVerb::kCloseAccount, "Closes an empty account for ever");
  CLI::App* adjust =
      on_account("adjust", OpsVerb::kAdjust, "Gives or takes coins by hand; it takes two people");
  adjust->add_option("COINS", arguments.coins, "How many; below 0 they are taken (behind --)")
      ->required();
  adjust->add_option("--approver", arguments.approver, "Who approves: somebody else")->required();
  CLI::App* reverse =
      verb("reverse", OpsVerb::kReverse, "Undoes a journal row, once; it takes two people");
  at_wallet(reverse);
  writes(reverse);
  reverse->add_option("JOURNAL", arguments.journal, "The row")->required();
  reverse->add_option("--approver", arguments.approver, "Who approves: somebody else")->required();
  reverse->add_flag("--cover-from-house", arguments.cover,
                    "The house pays what players no longer have");
  reverse->add_flag("--dry-run", arguments.dry_run, "Gives the verdict, and does nothing");

  CLI::App* trail = verb("trail", OpsVerb::kTrail, "What operators did, the newest first");
  at_tables(trail);
  trail->add_option("--table", arguments.table, "About this table");
  trail->add_option("--player", arguments.player, "About this player");
  trail->add_option("--of", arguments.of, "Of this operator");
  limited(trail);

  CLI::App* accounts = verb("accounts-trail", OpsVerb::kAccountsTrail,
                            "What operators did to accounts, the newest first");
  at_wallet(accounts);
  accounts->add_option("--player", arguments.player, "To this account");
  accounts->add_option("--of", arguments.of, "Asked for or approved by this operator");
  limited(accounts);

  CLI::App* erase = verb("erase", OpsVerb::kErase,
                         "Erases what a player's tickets tell of a person; coins stay as they are");
  erase->add_option("--matchmaking", arguments.matchmaking_target, "HOST:PORT of matchmaking")
      ->envname("MJ_CTL_MATCHMAKING_ADDRESS")
      ->required();
  writes(erase);
  erase->add_option("--player", arguments.player, "The player's id")->required();
}

}  // namespace mj::mahjongctl
