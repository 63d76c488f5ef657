#include "tools/mahjongctl/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <utility>
#include <vector>

#include "libs/base/strings.h"
#include "libs/credentials/client_flags.h"
#include "libs/variants/registry.h"
#include "tools/mahjongctl/completion.h"
#include "tools/mahjongctl/exit_code.h"
#include "tools/mahjongctl/keys_command_line.h"
#include "tools/mahjongctl/ops_command_line.h"

namespace mj::mahjongctl {
namespace {

constexpr const char* kExitCodes = R"(Exit codes:
  0  done; a malformed case or round has {"id", "error"} in its line
  1  the hand or game that was asked for cannot be, the table cannot be watched; what an operator asked
     for is refused; the books are
     wrong, a proof proves nothing; a record does not fit; not everybody was seated once
  2  wrong command line
  3  the input cannot be read
  4  the service given by --target, or the database, does not answer
  5  standard output cannot be written)";

constexpr const char* kScoreExamples = R"(Examples:
  mahjongctl score --cases tests/cases/cases.json
  mahjongctl score --cases - < cases.jsonl
  mahjongctl score --cases cases.json --target 127.0.0.1:7001
  mahjongctl score --variant chaozhou --hand 111222333m44p55z --tile 4p --how self_draw
  mahjongctl score --variant chaozhou --hand 3335557779s --meld pung:222s:1 --tile 9s \
      --how discard --from 1 --option max_multiplier=0
  mahjongctl score --variant jieyang --hand 112233445566p5z --tile 5z --json)";

constexpr const char* kVariantsExamples = R"(Examples:
  mahjongctl variants
  mahjongctl variants shaoguan
  mahjongctl variants --json | jq -r .id)";

constexpr const char* kCompletionExamples = R"(Examples:
  source <(mahjongctl completion bash)
  mahjongctl completion bash > /etc/bash_completion.d/mahjongctl)";

constexpr const char* kRoundExamples = R"(Examples:
  mahjongctl round --rounds tests/cases/rounds.jsonl
  head -1 tests/cases/rounds.jsonl | mahjongctl round --rounds -)";

constexpr const char* kAuditExamples = R"(Examples:
  mahjongctl audit --database postgresql://wallet_auditor@db/mahjong
  mahjongctl audit --new-key ledger.key
  mahjongctl audit --seal 2026-11-30 --key ledger.key --out 2026-11-30.day
  mahjongctl audit --root 2026-11-30.day --public-key ledger.key.pub
  mahjongctl audit --prove 4711 --root 2026-11-30.day --out 4711.proof
  mahjongctl audit --proof 4711.proof --public-key ledger.key.pub
  mahjongctl audit --statement player-17 --out player-17.csv
  mahjongctl audit --collusion --from 2026-11-01 --keep-apart 30)";

constexpr const char* kWatchExamples = R"(Examples:
  mahjongctl watch TABLE --target 127.0.0.1:7002
  mahjongctl watch TABLE --target 127.0.0.1:7002 --seat 2 --rounds 1 --plain > round.txt
  mahjongctl watch TABLE --target 127.0.0.1:7002 --json | jq -c .tile_discarded)";

constexpr const char* kPracticeExamples =
    R"(On a running suite; with ./dev ctl the addresses are known.

Examples:
  ./dev up -d && ./dev ctl practice --variant guangdong
  ./dev ctl practice --variant chaozhou --rounds 3 --records rounds
  ./dev ctl practice --variant jieyang --json | jq -c .tile_discarded)";

constexpr const char* kPlayExamples =
    R"(On a running suite; with ./dev ctl the addresses are known.
Digits do what stands beside them, letters throw the tile above them; w shows what the hand waits for,
? the keys, q or Ctrl-C leaves, after a question.

Examples:
  ./dev up -d && ./dev ctl play --variant guangdong
  ./dev ctl play --variant chaozhou --ascii --no-color
  ./dev ctl play --variant shaoguan --bots strong)";

constexpr const char* kTournamentExamples =
    R"(Needs no server. Each deal is played four times, everybody one seat on each time, so that nobody has the
better tiles; what stands behind +- holds the true figure with a confidence of 95 %.

Examples:
  mahjongctl tournament --rounds 2000
  mahjongctl tournament --variant shaoguan --seed 7 --json)";

constexpr const char* kVerifyExamples =
    R"(Needs no server. Everything is recomputed from the seed, the nonces, the answers that were given and
the rules: the deal, each event, the score, the settlement and its journal row.

Examples:
  mahjongctl verify round-17.mjr
  mahjongctl verify --brief records/*.mjr)";

constexpr const char* kReplayExamples = R"(Examples:
  mahjongctl replay round-17.mjr
  mahjongctl replay --all round-17.mjr
  mahjongctl replay --html round-17.html round-17.mjr
  mahjongctl replay --json round-17.mjr)";

constexpr const char* kQueueExamples =
    R"(Every player is given an account and coins, waits for a seat, plays one round and leaves. What is
written at one replica is read at the next. A line every half second goes to standard error.

Examples:
  ./dev up -d --replicas matchmaking=2,table=2
  ./dev ctl queue --players 400 --variant chaozhou)";

void AddVerify(CLI::App& verify, VerifyArguments& arguments) {
  verify.footer(std::string(kVerifyExamples) + "\n\n" + kExitCodes);
  verify.add_option("FILE", arguments.files, "Records of rounds (*.mjr); - is standard input")
      ->required();
  CLI::Option* brief = verify.add_flag("--brief", arguments.brief, "A line a file");
  verify.add_flag("--json", arguments.json, "A JSON object a file")->excludes(brief);
}

void AddReplay(CLI::App& replay, ReplayArguments& arguments) {
  replay.footer(std::string(kReplayExamples) + "\n\n" + kExitCodes);
  replay.add_option("FILE", arguments.file, "A round's record (*.mjr); - is standard input")
      ->required();
  CLI::Option* all =
      replay.add_flag("--all", arguments.all, "Everything at once, on a terminal too");
  replay
      .add_option("--html", arguments.html,
                  "Write one web page that needs no network to this file; - is standard output")
      ->excludes(all);
  replay.add_flag("--json", arguments.json, "The record as a JSON object")
      ->excludes(all)
      ->excludes("--html");
}

void AddWatch(CLI::App& watch, WatchArguments& arguments) {
  watch.footer(std::string(kWatchExamples) + "\n\n" + kExitCodes);
  watch.add_option("TABLE", arguments.table, "The table's id")->required();
  watch.add_option("--target", arguments.target, "HOST:PORT of the table service")
      ->envname("MJ_CTL_TABLE_ADDRESS")
      ->required();
  watch.add_option("--seat", arguments.seat, "From which seat, 0 to 3 (default 0)")
      ->check(CLI::Range(0, 3));
  watch.add_option("--as", arguments.player, "Who watches (default mahjongctl)");
  watch.add_option("--rounds", arguments.rounds,
                   "Until so many rounds are over; else until the table closes");
  CLI::Option* plain =
      watch.add_flag("--plain", arguments.plain, "A line an event, on a terminal too");
  watch.add_flag("--json", arguments.json, "A JSON object an event")->excludes(plain);
}

void AddCollusion(CLI::App& audit, bool& wanted, CollusionArguments& arguments) {
  CLI::Option* collusion = audit.add_flag("--collusion", wanted,
                                          "Instead: who may be playing for each other, from --from "
                                          "to --to; reads who sat where and what was played");
  audit
      .add_option("--keep-apart", arguments.keep_apart_days,
                  "Keep the pairs that it names apart in the queue for so many days")
      ->check(CLI::Range(1, 365))
      ->needs(collusion);
  for (const char* other :
       {"--root", "--public-key", "--seal", "--prove", "--proof", "--new-key", "--statement"}) {
    collusion->excludes(audit.get_option(other));
  }
}

std::vector<std::string> StrengthNames() {
  std::vector<std::string> names;
  for (const bots::Strength strength : bots::kStrengths) names.emplace_back(bots::NameOf(strength));
  return names;
}

// What a client of practice tables has to be told. `required`: that it is asked for.
void AddPracticeSeat(CLI::App& command, std::string& variant, std::int64_t& base,
                     std::string& strength, SuiteAddresses& addresses, bool required) {
  command
      .add_option("--variant", variant,
                  required ? "The game; `mahjongctl variants` lists them"
                           : "The game (default: the first that `mahjongctl variants` lists)")
      ->required(required);
  command.add_option("--base", base, "Base stake in practice coins (default 100)");
  command.add_option("--bots", strength, "How well the bots play: weak, medium or strong")
      ->check(CLI::IsMember(StrengthNames()));
  const auto address = [&](const char* flag, std::string& value, const char* variable,
                           const char* help) {
    command.add_option(flag, value, help)->envname(variable)->required(required);
  };
  address("--wallet", addresses.wallet, "MJ_CTL_WALLET_ADDRESS", "HOST:PORT of the wallet");
  address("--matchmaking", addresses.matchmaking, "MJ_CTL_MATCHMAKING_ADDRESS",
          "HOST:PORT of matchmaking; several as A,B");
  address("--target", addresses.table, "MJ_CTL_TABLE_ADDRESS", "HOST:PORT of the table service");
}

void AddPlay(CLI::App& play, PlayArguments& arguments, std::string& no_color) {
  play.footer(std::string(kPlayExamples) + "\n\n" + kExitCodes);
  AddPracticeSeat(play, arguments.variant, arguments.base, arguments.bots, arguments.addresses,
                  false);
  play.add_flag("--ascii", arguments.ascii, "Nothing but ASCII, and English alone");
  play.add_option("--no-color", no_color, "No colours; so does NO_COLOR")
      ->expected(0, 1)
      ->envname("NO_COLOR");
}

void AddTournament(CLI::App& tournament, TournamentArguments& arguments) {
  tournament.footer(std::string(kTournamentExamples) + "\n\n" + kExitCodes);
  tournament.add_option("--variant", arguments.variant, "One game (default: each)");
  tournament.add_option("--rounds", arguments.rounds, "Rounds of each game")
      ->check(CLI::Range(kRoundsMin, std::int64_t{10'000'000}))
      ->capture_default_str();
  tournament.add_option("--seed", arguments.seed, "Decides every deal")->capture_default_str();
  tournament.add_flag("--json", arguments.json, "A JSON object a game");
}

void AddPractice(CLI::App& practice, PracticeArguments& arguments) {
  practice.footer(std::string(kPracticeExamples) + "\n\n" + kExitCodes);
  AddPracticeSeat(practice, arguments.variant, arguments.base, arguments.bots, arguments.addresses,
                  true);
  practice
      .add_option("--rounds", arguments.rounds,
                  "Rounds to play before leaving, 1 to 1000 (default 1)")
      ->check(CLI::Range(1, 1'000));
  practice.add_option("--records", arguments.records,
                      "A folder to write the rounds' records to, for verify and replay");
  practice.add_flag("--json", arguments.json,
                    "A JSON object an event, and one for each round's record");
}

void AddAudit(CLI::App& audit, AuditArguments& arguments) {
  audit.footer(std::string(kAuditExamples) + "\n\n" + kExitCodes);
  audit.add_option("--database", arguments.database, "libpq's URL of the wallet's database")
      ->envname("MJ_CTL_DATABASE");
  audit.add_option("--from", arguments.from,
                   "Only days from this one on (YYYY-MM-DD); the day before it has to be sealed");
  audit.add_option("--to", arguments.to, "Only days up to this one");
  audit
      .add_option("--root", arguments.roots,
                  "An exported day that the books have to make; may be repeated")
      ->expected(1)
      ->take_all();
  audit.add_option("--public-key", arguments.public_key, "Who signed the days, or the proof");
  CLI::Option* seal = audit.add_option(
      "--seal,--export", arguments.seal,
      "Seal this day (and those before it) and write its root, signed with --key, to --out");
  CLI::Option* prove =
      audit.add_option("--prove", arguments.prove,
                       "Write to --out the proof that this journal row is in the day of --root");
  CLI::Option* proof =
      audit.add_option("--proof", arguments.proof, "Check this proof; needs no database");
  CLI::Option* new_key =
      audit.add_option("--new-key", arguments.new_key,
                       "Write a new signing key to this file, its public key to FILE.pub");
  CLI::Option* statement =
      audit.add_option("--statement", arguments.statement,
                       "Write this player's account to --out, as CSV, one line an entry");
  audit
      .add_option("--currency", arguments.currency, "COIN (default) or PRACTICE; of the statement")
      ->check(CLI::IsMember({"COIN", "PRACTICE"}))
      ->needs(statement);
  audit.add_option("--key", arguments.key, "The signing key")->needs(seal);
  audit.add_option("--out", arguments.out, "Where to write; standard output if not given");
  CLI::Option* json = audit.add_flag(
      "--json", arguments.json,
      "What was checked as a JSON object; with --collusion one a finding, then the totals");
  for (CLI::Option* other : {seal, prove, proof, statement, new_key}) json->excludes(other);
  for (CLI::Option* one : {seal, prove, proof, statement, new_key}) {
    for (CLI::Option* other : {seal, prove, proof, statement, new_key}) {
      if (one != other) one->excludes(other);
    }
  }
}

void AddQueue(CLI::App& queue, QueueArguments& arguments) {
  queue.footer(std::string(kQueueExamples) + "\n\n" + kExitCodes);
  const auto address = [&](const char* flag, std::string& value, const char* help,
                           const char* variable) {
    queue.add_option(flag, value, help)->envname(variable)->required();
  };
  address("--wallet-address", arguments.wallet, "HOST:PORT of the wallet", "MJ_CTL_WALLET_ADDRESS");
  address("--table-address", arguments.table, "HOST:PORT of the table service; several as A,B",
          "MJ_CTL_TABLE_ADDRESS");
  address("--matchmaking-address", arguments.matchmaking,
          "HOST:PORT of matchmaking; several, which are asked in turn, as A,B",
          "MJ_CTL_MATCHMAKING_ADDRESS");
  address("--database", arguments.database, "libpq's URL of the wallet's database",
          "MJ_CTL_DATABASE");
  queue.add_option("--variant", arguments.variant, "The game")->required();
  queue.add_option("--players", arguments.players, "How many bots come, a multiple of 4")
      ->check(CLI::Validator(
          [](std::string& text) {
            const auto players = base::ParseInt64(text);
            const bool fits = players && *players >= 4 && *players <= 4'000 && *players % 4 == 0;
            return std::string(fits ? "" : "want a multiple of 4 from 4 to 4000");
          },
          "4 to 4000"))
      ->capture_default_str();
  queue.add_option("--over-seconds", arguments.over_seconds, "In how many seconds they come")
      ->check(CLI::Range(1, 3'600))
      ->capture_default_str();
  queue.add_option("--limit-seconds", arguments.limit_seconds, "After which it has failed")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  queue
      .add_option("--seed", arguments.seed, "Decides who comes when, with whom, and how they play")
      ->capture_default_str();
  queue.add_option("--prefix", arguments.prefix,
                   "Of the players' ids (default: one that nobody had yet)");
  queue.add_flag("--json", arguments.json, "The summary as a JSON object");
}

void AddHand(CLI::App& score, HandArguments& hand) {
  const std::string group = "One hand, for people";
  const auto option = [&](const std::string& name, auto& value, const std::string& help) {
    return score.add_option(name, value, help)->group(group);
  };
  option("--variant", hand.variant, "The game; `mahjongctl variants` lists them");
  option("--hand", hand.hand, "Concealed tiles without the winning one, e.g. 111222333m44p55z");
  option("--tile", hand.tile, "The winning tile, e.g. 4p");
  option("--how", hand.how, "self_draw (default), discard or robbed_kong");
  option("--from", hand.from, "Whose tile it was, 0 to 3; discard and robbed_kong only")
      ->check(CLI::Range(0, 3));
  option("--meld", hand.melds,
         "KIND:TILES[:FROM], e.g. pung:222s:1; kinds chow, pung, discard_kong, added_kong, "
         "concealed_kong; may be repeated")
      ->expected(1)
      ->take_all();
  option("--flag", hand.flags, "last_tile, kong_replacement, heavenly or earthly; may be repeated")
      ->expected(1)
      ->take_all();
  option("--kong-feeder", hand.kong_feeder,
         "Who threw the tile of the discard kong whose replacement won, 0 to 3 (default: the last "
         "kong's)")
      ->check(CLI::Range(0, 3));
  option("--killed", hand.killed, "Who alone pays this winner, where the game has it, 0 to 3")
      ->check(CLI::Range(0, 3));
  option("--option", hand.options, "NAME=VALUE, an option of the game; may be repeated")
      ->expected(1)
      ->take_all();
  option("--base", hand.base, "Base stake in coins, 1 to 10000 (default 100)");
  option("--seat", hand.seat, "The winner's seat, 0 to 3 (default 0)")->check(CLI::Range(0, 3));
  option("--dealer", hand.dealer, "The dealer's seat, 0 to 3 (default 0)")->check(CLI::Range(0, 3));
  option("--wild", hand.wild, "The kind of the wild tile, where there is one");
  option("--round-wind", hand.round_wind, "1z to 4z, where there is one");
  option("--seat-winds", hand.seat_winds, "Four winds by seat, e.g. 1234z, where there are any");
  option("--horses", hand.horses, "The tiles turned after the win, where any are");
  score.add_flag("--json", hand.json, "The hand's `expect` object (of cases it is always that)")
      ->group(group);
}

// What may stand behind a flag, or as an argument; empty: anything.
std::vector<std::string> ValuesOf(const std::string& name) {
  if (name == "--currency") return {"COIN", "PRACTICE"};
  if (name == "--how") return {"self_draw", "discard", "robbed_kong"};
  if (name == "SHELL") return {"bash"};
  if (name == "--bots") return StrengthNames();
  if (name == "WHAT") return {"dev", "token", "rotate", "drop"};
  if (name == "--role") return {"backend", "player", "observer", "operator", "finance"};
  if (name == "--state") return {"waiting", "playing", "settling"};
  if (name != "--variant" && name != "VARIANT") return {};
  std::vector<std::string> ids;
  for (const rules::Variant* game : variants::All()) ids.emplace_back(game->info().id);
  return ids;
}

// What a command takes, each flag once.
void AddWords(const CLI::App& command, std::vector<CompletionWord>& words) {
  const auto known = [&words](const std::string& flag) {
    return std::any_of(words.begin(), words.end(),
                       [&flag](const CompletionWord& word) { return word.flag == flag; });
  };
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      const std::string flag = "--" + name;
      if (!known(flag)) words.push_back({flag, ValuesOf(flag)});
    }
    if (option->get_positional()) words.push_back({"", ValuesOf(option->get_name())});
  }
}

std::vector<CompletionCommand> CommandsOf(CLI::App& app) {
  std::vector<CompletionCommand> commands;
  for (const CLI::App* each : app.get_subcommands([](CLI::App*) { return true; })) {
    CompletionCommand& command = commands.emplace_back();
    command.name = each->get_name();
    AddWords(*each, command.words);
    // Commands of a command: their names, and what any of them takes.
    const auto parts = each->get_subcommands([](const CLI::App*) { return true; });
    if (parts.empty()) continue;
    CompletionWord names;
    for (const CLI::App* part : parts) {
      names.values.push_back(part->get_name());
      AddWords(*part, command.words);
    }
    std::erase_if(command.words, [](const CompletionWord& word) { return word.flag.empty(); });
    command.words.push_back(std::move(names));
  }
  return commands;
}

// "there is no command 'fly'; there are score, …", where that is what is wrong; else nothing.
std::string UnknownCommand(CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  std::string names;
  for (const CLI::App* each : app.get_subcommands([](CLI::App*) { return true; })) {
    if (each->get_name() == argv[1]) return "";
    names += (names.empty() ? "" : ", ") + each->get_name();
  }
  return base::Cat("there is no command '", argv[1], "'; there are ", names, "\n");
}

}  // namespace

Command ParseCommandLine(int argc, const char* const* argv) {
  CLI::App app(
      "Scores hands, plays, verifies and replays rounds, watches tables, sends bots through the "
      "queue, and audits the wallet of the mahjong suite.",
      "mahjongctl");
  app.set_version_flag("--version", std::string("mahjongctl ") + MJ_VERSION);
  app.require_subcommand(1);
  app.footer(kExitCodes);

  ScoreCommand score_args;
  ExplainCommand explain_args;
  bool local = false;
  CLI::App* score =
      app.add_subcommand("score", "What finished rounds are worth: a file of cases, or one hand");
  score->footer(std::string(kScoreExamples) + "\n\n" + kExitCodes);
  CLI::Option* cases = score->add_option(
      "--cases", score_args.cases,
      "A JSON list of cases, or one case a line; - is standard input. Writes one `expect` object "
      "for each, in order");
  score
      ->add_option("--target", score_args.target,
                   "Ask the scoring service at HOST:PORT instead of scoring in this process")
      ->envname("MJ_CTL_SCORING_ADDRESS");
  score->add_flag("--local", local, "Score in this process, whatever --target says");
  AddHand(*score, explain_args.hand);

  RoundCommand round_args;
  CLI::App* round = app.add_subcommand("round", "Plays whole rounds on the round engine");
  round->footer(std::string(kRoundExamples) + "\n\n" + kExitCodes);
  round
      ->add_option("--rounds", round_args.rounds,
                   "One round a line, or a JSON list of them; - is standard input. Writes {\"id\", "
                   "\"steps\", \"result\"} for each, in order")
      ->required();

  VariantsCommand variants_args;
  CLI::App* variants = app.add_subcommand("variants", "Lists the games, their options and tables");
  variants->footer(std::string(kVariantsExamples) + "\n\n" + kExitCodes);
  variants->add_option("VARIANT", variants_args.variant, "One game, with its tables");
  variants->add_flag("--json", variants_args.json, "A JSON object a game, with its tables");

  AuditCommand audit_args;
  CLI::App* audit = app.add_subcommand("audit",
                                       "Whether the wallet's books are right; seals, signs and "
                                       "proves ledger days; looks for collusion");
  AddAudit(*audit, audit_args.arguments);
  CollusionCommand collusion_args;
  bool collusion = false;
  AddCollusion(*audit, collusion, collusion_args.arguments);

  QueueCommand queue_args;
  CLI::App* queue = app.add_subcommand(
      "queue", "Sends bots through the queue to a round each: is everybody seated once?");
  AddQueue(*queue, queue_args.arguments);

  OpsCommand ops_args;
  CLI::App* ops = app.add_subcommand(
      "ops", "What people on duty do: finds and closes tables, voids rounds, freezes accounts");
  AddOps(*ops, ops_args.arguments, kExitCodes);

  WatchCommand watch_args;
  CLI::App* watch = app.add_subcommand(
      "watch", "Shows a live table to one who has no seat there, as the table service lets it");
  AddWatch(*watch, watch_args.arguments);

  PracticeCommand practice_args;
  CLI::App* practice = app.add_subcommand(
      "practice", "Plays rounds of practice against three bots of the house, and tells them");
  AddPractice(*practice, practice_args.arguments);

  PlayCommand play_args;
  std::string no_color;
  CLI::App* play =
      app.add_subcommand("play", "Play at this terminal against three bots of the house");
  AddPlay(*play, play_args.arguments, no_color);

  TournamentCommand tournament_args;
  CLI::App* tournament = app.add_subcommand(
      "tournament", "Lets bots of different strength play each other: who wins how much?");
  AddTournament(*tournament, tournament_args.arguments);

  VerifyCommand verify_args;
  CLI::App* verify = app.add_subcommand(
      "verify", "Whether rounds were what their records say, from the shuffle to the coins");
  AddVerify(*verify, verify_args.arguments);

  ReplayCommand replay_args;
  CLI::App* replay = app.add_subcommand("replay", "Shows a recorded round, event by event");
  AddReplay(*replay, replay_args.arguments);

  KeysCommand keys_args;
  CLI::App* keys = app.add_subcommand(
      "keys", "Makes what proves who calls: an authority, certificates, signing keys, tokens");
  AddKeys(*keys, keys_args.arguments, kExitCodes);

  credentials::ClientFlags client;
  credentials::AddClientFlags(app, "MJ_CTL_", client);

  std::string shell;
  CLI::App* completion =
      app.add_subcommand("completion", "Prints what a shell needs to complete these commands");
  completion->footer(std::string(kCompletionExamples) + "\n\n" + kExitCodes);
  completion->add_option("SHELL", shell, "Which shell: bash")
      ->required()
      ->check(CLI::IsMember({"bash"}));

  try {
    app.parse(argc, argv);
    const bool one_hand = score->count("--hand") + score->count("--variant") > 0;
    if (audit->parsed() && collusion && audit_args.arguments.database.empty()) {
      throw CLI::RequiredError("--database");
    }
    if (score->parsed() && cases->count() == 0 && !one_hand) {
      throw CLI::RequiredError("score: --cases, or --variant with --hand and --tile,");
    }
    if (score->parsed() && cases->count() > 0 && one_hand) {
      throw CLI::ExcludesError("--cases", "--variant and --hand");
    }
    if (score->parsed() && one_hand) {
      for (const char* needed : {"--variant", "--hand", "--tile"}) {
        if (score->count(needed) == 0) throw CLI::RequiredError(needed);
      }
    }
  } catch (const CLI::ParseError& error) {
    std::cerr << UnknownCommand(app, argc, argv);
    return Answered{app.exit(error) == 0 ? kDone : kUsage};
  }
  if (completion->parsed()) {
    WriteBashCompletion(CommandsOf(app), std::cout);
    return Answered{kDone};
  }

  if (keys->parsed()) return keys_args;
  // For as long as the process, as its identity is.
  static base::SystemClock clock;
  const bool signs_its_name = ops->parsed() && !ops_args.arguments.who.empty();
  if (const absl::Status known = credentials::BecomeClient(
          client, signs_its_name ? ops_args.arguments.who : "mahjongctl", clock,
          ops->parsed() ? RoleFor(ops_args.arguments.verb) : "backend");
      !known.ok()) {
    std::cerr << "mahjongctl: " << known.message() << '\n';
    return Answered{kUsage};
  }

  if (round->parsed()) return round_args;
  if (variants->parsed()) return variants_args;
  if (audit->parsed() && collusion) {
    const AuditArguments& given = audit_args.arguments;
    collusion_args.arguments.database = given.database;
    collusion_args.arguments.from = given.from;
    collusion_args.arguments.to = given.to;
    collusion_args.arguments.json = given.json;
    return collusion_args;
  }
  if (audit->parsed()) return audit_args;
  if (queue->parsed()) return queue_args;
  if (ops->parsed()) return ops_args;
  if (watch->parsed()) return watch_args;
  if (play->parsed()) {
    play_args.arguments.colour = play->count("--no-color") == 0;
    return play_args;
  }
  if (practice->parsed()) return practice_args;
  if (tournament->parsed()) return tournament_args;
  if (verify->parsed()) return verify_args;
  if (replay->parsed()) return replay_args;
  if (local) score_args.target.clear();
  if (cases->count() > 0) return score_args;
  return explain_args;
}

}  // namespace mj::mahjongctl
