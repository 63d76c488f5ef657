// Every command at every phase by every kind of caller: the answers expected as a table, and each of
// its cells tried.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/bench_testing.h"
#include "services/table/app/world_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using Kind = StakesAnswer::Kind;

// "." is OK; "-" is for who is not there in that phase.
const std::map<std::string, Reason> kReasons = {{"closed", Reason::kTableClosed},
                                                {"full", Reason::kTableFull},
                                                {"taken", Reason::kSeatTaken},
                                                {"nobody", Reason::kNotSeated},
                                                {"round", Reason::kRoundInProgress},
                                                {"none", Reason::kRoundNotInProgress},
                                                {"unasked", Reason::kDecisionNotOffered},
                                                {"stale", Reason::kDecisionStale},
                                                {"unsaid", Reason::kNonceNotCommitted},
                                                {"nonce", Reason::kBadNonce},
                                                {"late", Reason::kNonceTooLate},
                                                {"choice", Reason::kChoiceNotOffered}};

// ------------------------------------------------------------------------------------ the phases

// A table in some phase, and who is who there.
struct Scene {
  Bench bench;
  std::map<std::string, PlayerId> who;
  DecisionRef pending = 0;  // what "asked" is asked; else the latest that anybody was
};

void GoOn(Bench& bench) {
  for (NextStep step = NextStepOf(bench.state);; step = NextStepOf(bench.state)) {
    if (step == NextStep::kAskForStakes) {
      bench.Apply(AskForStakes(bench.state, NextProposer(bench.state, 0), {10, 50}));
    } else if (step == NextStep::kAskConsent) {
      bench.Apply(AskConsent(bench.state));
    } else if (step == NextStep::kAsk) {
      bench.Apply(AskToPlayOn(bench.state));
    } else {
      return;
    }
  }
}

void Sit(Bench& bench, Seat seat) {
  bench.Do(DecideJoin(bench.state, Bench::At(seat), seat));
  GoOn(bench);
}

void Answer(Bench& bench, Seat seat, const StakesAnswer& answer) {
  const DecisionRef decision = StakesRef(bench.state.stakes.prompts[seat]->number);
  bench.Do(DecideStakes(bench.state, Bench::At(seat), decision, answer));
  GoOn(bench);
}

Scene Empty() {
  TableSpec spec = Spec({});
  spec.variant = "guangdong";
  spec.base = 0;
  return {Bench(spec), {}, 0};
}

// p3 has been there, p0 is asked to propose, p1 waits for it.
Scene Proposing() {
  Scene scene = Empty();
  Sit(scene.bench, Seat::k3);
  Sit(scene.bench, Seat::k0);
  scene.bench.Leave(Seat::k3);
  GoOn(scene.bench);
  Sit(scene.bench, Seat::k1);
  scene.who = {{"asked", PlayerId("p0")}, {"waits", PlayerId("p1")}, {"left", PlayerId("p3")}};
  scene.pending = StakesRef(scene.bench.state.stakes.prompts[Seat::k0]->number);
  return scene;
}

// p1 has proposed, p0 is asked to accept.
Scene Consenting() {
  Scene scene = Empty();
  Sit(scene.bench, Seat::k1);
  Answer(scene.bench, Seat::k1, {Kind::kPropose, 50, {}});
  Sit(scene.bench, Seat::k3);
  scene.bench.Leave(Seat::k3);
  Sit(scene.bench, Seat::k0);
  scene.who = {{"asked", PlayerId("p0")}, {"waits", PlayerId("p1")}, {"left", PlayerId("p3")}};
  scene.pending = StakesRef(scene.bench.state.stakes.prompts[Seat::k0]->number);
  return scene;
}

// Four at a Chaozhou table; x was there before p3.
Scene Seated() {
  Scene scene{Bench(Spec({"p0", "p1", "p2", "x"})), {}, 0};
  scene.bench.Do(DecideLeave(scene.bench.state, PlayerId("x"), LeaveReason::kLeft, WallTime{}));
  Sit(scene.bench, Seat::k3);
  scene.who = {{"asked", PlayerId("p0")}, {"waits", PlayerId("p1")}, {"left", PlayerId("x")}};
  return scene;
}

// p1 has said that it plays on.
Scene Asking() {
  Scene scene = Seated();
  scene.bench.Do(DecideReady(scene.bench.state, PlayerId("p1"), 0));
  return scene;
}

const fairness::Bytes kNonce(32, 7);

// Begun, and p0 is waited for: it has a nonce.
Scene Revealing() {
  Scene scene = Seated();
  Bench::Nonces nonces;
  nonces[Seat::k0] = kNonce;
  scene.bench.ReadyAll(nonces);
  scene.bench.Apply(BeginRound(scene.bench.state, RoundId("r1"), {}));
  return scene;
}

// Drawn, and the wallet does not know of it yet.
Scene Begun() {
  Scene scene = Revealing();
  scene.bench.Apply(DecideReveal(scene.bench.state, PlayerId("p0"), 1, kNonce).events);
  scene.bench.Apply(DrawDeal(scene.bench.state));
  return scene;
}

// p0's turn.
Scene Turn() {
  Scene scene = Seated();
  scene.bench.BeginAs(TwoClaims());
  scene.pending = scene.bench.Pending(Seat::k0);
  return scene;
}

// p0 has thrown a tile that p2 and p3 may claim.
Scene Window() {
  Scene scene = Turn();
  scene.bench.Act(Seat::k0, round::Choice::Discard(T("5m")));
  scene.who["asked"] = PlayerId("p2");
  scene.pending = scene.bench.Pending(Seat::k2);
  return scene;
}

// …and says in that window that it leaves.
Scene Leaving() {
  Scene scene = Window();
  scene.bench.Leave(Seat::k0);
  scene.who["leaving"] = PlayerId("p0");
  return scene;
}

Scene Over() {
  Scene scene = Seated();
  scene.bench.Begin();
  scene.bench.PlayToEnd();
  return scene;
}

Scene Scored() {
  Scene scene = Over();
  scene.bench.Score();
  return scene;
}

// p3 has escaped, and the wallet has yet to say what that costs.
Scene Void() {
  Scene scene = Turn();
  scene.bench.Leave(Seat::k3);
  scene.who["leaving"] = PlayerId("p3");
  return scene;
}

Scene Between() {
  Scene scene = Scored();
  scene.bench.Post();
  return scene;
}

Scene Closed() {
  Scene scene = Seated();
  for (Seat seat : rules::kSeats) scene.bench.Leave(seat);
  scene.who["left"] = PlayerId("p0");
  scene.who.erase("asked");
  scene.who.erase("waits");
  return scene;
}

const std::vector<std::pair<std::string, std::function<Scene()>>> kPhases = {
    {"empty", Empty},     {"proposing", Proposing}, {"consenting", Consenting},
    {"asking", Asking},   {"reveal", Revealing},    {"begun", Begun},
    {"turn", Turn},       {"window", Window},       {"leaving", Leaving},
    {"over", Over},       {"scored", Scored},       {"void", Void},
    {"between", Between}, {"closed", Closed}};

// ---------------------------------------------------------------------------------- the commands

using Command = std::function<absl::Status(const Scene&, const PlayerId&)>;

Command Join(std::optional<Seat> seat) {
  return [seat](const Scene& s, const PlayerId& p) {
    return DecideJoin(s.bench.state, p, seat).status();
  };
}
Command Ready(int round) {
  return [round](const Scene& s, const PlayerId& p) {
    return DecideReady(s.bench.state, p, round).status();
  };
}
Command SendNonce(int round, const fairness::Bytes& nonce) {
  return [round, nonce](const Scene& s, const PlayerId& p) {
    return DecideReveal(s.bench.state, p, round, nonce).answer;
  };
}
Command Act(std::optional<DecisionRef> decision, const round::Choice& choice) {
  return [decision, choice](const Scene& s, const PlayerId& p) {
    return DecideAct(s.bench.state, p, decision.value_or(s.pending), choice, s.bench.now).status();
  };
}
Command Stakes(const StakesAnswer& answer) {
  return [answer](const Scene& s, const PlayerId& p) {
    return DecideStakes(s.bench.state, p, s.pending, answer).status();
  };
}

// `discard` throws the tile that the turn of TwoClaims has; `pass` lets a tile go by. Both name what
// "asked" is asked.
const std::map<std::string, Command>& Commands() {
  static const std::map<std::string, Command> commands = {
      {"join", Join(std::nullopt)},
      {"join-seat-1", Join(Seat::k1)},
      {"ready", Ready(0)},
      {"ready-round-1", Ready(1)},
      {"ready-round-9", Ready(9)},
      {"reveal", SendNonce(1, kNonce)},
      {"reveal-wrong", SendNonce(1, fairness::Bytes(32, 8))},
      {"reveal-round-9", SendNonce(9, kNonce)},
      {"reveal-round-0", SendNonce(0, kNonce)},
      {"discard", Act(std::nullopt, round::Choice::Discard(T("5m")))},
      {"pass", Act(std::nullopt, round::Choice::Pass())},
      {"act-unknown", Act(RefOf(1, 77), round::Choice::Pass())},
      {"propose", Stakes({Kind::kPropose, 50, {}})},
      {"accept", Stakes({Kind::kAccept, 0, {}})},
      {"refuse", Stakes({Kind::kRefuse, 0, {}})},
      {"show-hand",
       [](const Scene& s, const PlayerId& p) {
         return DecideShowHand(s.bench.state, p, true).status();
       }},
      {"hide-hand",
       [](const Scene& s, const PlayerId& p) {
         return DecideShowHand(s.bench.state, p, false).status();
       }},
      {"take-over",
       [](const Scene& s, const PlayerId& p) { return DecideTakeOver(s.bench.state, p).status(); }},
      {"leave",
       [](const Scene& s, const PlayerId& p) {
         return DecideLeave(s.bench.state, p, LeaveReason::kLeft, s.bench.now).status();
       }},
  };
  return commands;
}

// ------------------------------------------------------------------------------------- the table

// asked: has something to answer (between rounds: whether it plays on). waits: sits there, and has
// answered or is not asked. leaving: has said in the round that it leaves. left: sat there before.
// stranger: never did; whoever only watches is one.
constexpr const char* kTable = R"(
command        caller   empty  proposing consenting asking  reveal  begun   turn    window  leaving over    scored  void    between closed
join           asked    -      .         .          .       .       .       .       .       .       .       .       .       .       -
join           waits    -      .         .          .       .       .       .       .       .       .       .       .       .       -
join           leaving  -      -         -          -       -       -       -       -       full    -       -       full    -       -
join           left     -      .         .          full    full    full    full    full    full    full    full    full    full    closed
join           stranger .      .         .          full    full    full    full    full    full    full    full    full    full    closed
join-seat-1    asked    -      taken     taken      taken   taken   taken   taken   taken   taken   taken   taken   taken   taken   -
join-seat-1    waits    -      .         .          .       .       .       .       .       .       .       .       .       .       -
join-seat-1    left     -      taken     taken      full    full    full    full    full    full    full    full    full    full    closed
join-seat-1    stranger .      taken     taken      full    full    full    full    full    full    full    full    full    full    closed
ready          asked    -      .         .          .       round   round   round   round   round   round   round   round   .       -
ready          waits    -      .         .          .       round   round   round   round   round   round   round   round   .       -
ready          leaving  -      -         -          -       -       -       -       -       nobody  -       -       nobody  -       -
ready          left     -      nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
ready          stranger nobody nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
ready-round-1  asked    -      .         .          .       .       .       .       .       .       .       .       .       .       -
ready-round-1  stranger nobody nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
ready-round-9  asked    -      round     round      round   round   round   round   round   round   round   round   round   round   -
reveal         asked    -      none      none       none    .       .       unsaid  unsaid  unsaid  unsaid  unsaid  unsaid  unsaid  -
reveal         waits    -      none      none       none    unsaid  unsaid  unsaid  unsaid  unsaid  unsaid  unsaid  unsaid  unsaid  -
reveal         leaving  -      -         -          -       -       -       -       -       nobody  -       -       nobody  -       -
reveal         left     -      nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
reveal         stranger nobody nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
reveal-wrong   asked    -      none      none       none    nonce   late    unsaid  unsaid  unsaid  unsaid  unsaid  unsaid  unsaid  -
reveal-wrong   waits    -      none      none       none    unsaid  unsaid  unsaid  unsaid  unsaid  unsaid  unsaid  unsaid  unsaid  -
reveal-round-9 asked    -      none      none       none    none    none    none    none    none    none    none    none    none    -
reveal-round-0 asked    -      none      none       none    late    late    late    late    late    late    late    late    late    -
discard        asked    -      choice    choice     none    unasked unasked .       choice  choice  none    none    none    none    -
discard        waits    -      none      none       none    unasked unasked unasked unasked unasked none    none    none    none    -
discard        leaving  -      -         -          -       -       -       -       -       nobody  -       -       nobody  -       -
discard        left     -      nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
discard        stranger nobody nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
pass           asked    -      choice    choice     none    unasked unasked choice  .       .       none    none    none    none    -
pass           waits    -      none      none       none    unasked unasked unasked unasked unasked none    none    none    none    -
pass           stranger nobody nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
act-unknown    asked    -      none      none       none    none    none    unasked unasked unasked none    none    none    none    -
act-unknown    waits    -      none      none       none    none    none    unasked unasked unasked none    none    none    none    -
act-unknown    left     -      nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
propose        asked    -      .         choice     unasked unasked unasked unasked unasked unasked unasked unasked unasked unasked -
propose        waits    -      unasked   unasked    unasked unasked unasked unasked unasked unasked unasked unasked unasked unasked -
propose        leaving  -      -         -          -       -       -       -       -       nobody  -       -       nobody  -       -
propose        left     -      nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
propose        stranger nobody nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
accept         asked    -      choice    .          unasked unasked unasked unasked unasked unasked unasked unasked unasked unasked -
accept         waits    -      unasked   unasked    unasked unasked unasked unasked unasked unasked unasked unasked unasked unasked -
accept         left     -      nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
accept         stranger nobody nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
refuse         asked    -      .         .          unasked unasked unasked unasked unasked unasked unasked unasked unasked unasked -
refuse         waits    -      unasked   unasked    unasked unasked unasked unasked unasked unasked unasked unasked unasked unasked -
refuse         stranger nobody nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
take-over      asked    -      none      none       none    .       .       .       .       .       none    none    none    none    -
take-over      waits    -      none      none       none    .       .       .       .       .       none    none    none    none    -
take-over      leaving  -      -         -          -       -       -       -       -       nobody  -       -       nobody  -       -
take-over      left     -      nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
take-over      stranger nobody nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
show-hand      asked    -      .         .          .       .       .       .       .       .       .       .       .       .       -
show-hand      leaving  -      -         -          -       -       -       -       -       nobody  -       -       nobody  -       -
show-hand      left     -      nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
show-hand      stranger nobody nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
hide-hand      asked    -      .         .          .       .       .       .       .       .       .       .       .       .       -
hide-hand      leaving  -      -         -          -       -       -       -       -       .       -       -       .       -       -
hide-hand      stranger nobody nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
leave          asked    -      .         .          .       .       .       .       .       .       .       .       .       .       -
leave          waits    -      .         .          .       .       .       .       .       .       .       .       .       .       -
leave          leaving  -      -         -          -       -       -       -       -       .       -       -       .       -       -
leave          left     -      nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
leave          stranger nobody nobody    nobody     nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  nobody  closed
)";

std::vector<std::string> Words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

TEST(CommandsTest, EachIsAnsweredAsTheTableSays) {
  std::istringstream lines(kTable);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  const std::vector<std::string> head = Words(line);
  ASSERT_EQ(head.size(), kPhases.size() + 2);
  std::vector<Scene> scenes;
  for (std::size_t i = 0; i < kPhases.size(); ++i) {
    EXPECT_EQ(head[i + 2], kPhases[i].first);
    scenes.push_back(kPhases[i].second());
    scenes.back().who["stranger"] = PlayerId("stranger");
  }
  std::set<std::string> tried;
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = Words(line);
    ASSERT_EQ(cells.size(), head.size()) << line;
    const Command& command = Commands().at(cells[0]);
    tried.insert(cells[0]);
    for (std::size_t i = 0; i < scenes.size(); ++i) {
      SCOPED_TRACE(cells[0] + " by " + cells[1] + " when " + head[i + 2]);
      const std::string& answer = cells[i + 2];
      const auto caller = scenes[i].who.find(cells[1]);
      ASSERT_EQ(caller == scenes[i].who.end(), answer == "-");
      if (answer == "-") continue;
      const std::int64_t before = scenes[i].bench.state.last_seq;
      const absl::Status status = command(scenes[i], caller->second);
      EXPECT_EQ(scenes[i].bench.state.last_seq, before) << "deciding changes nothing";
      if (answer == ".") {
        EXPECT_THAT(status, IsOk());
      } else {
        EXPECT_THAT(status, FailsWith(kReasons.at(answer)));
      }
    }
  }
  EXPECT_EQ(tried.size(), Commands().size());
}

// ------------------------------------------------------------------------- who sits elsewhere too

// What only the journal and the wallet know: a player has one seat, wherever it asks for another.
TEST(CommandsTest, WhoSitsElsewhereGetsNoSecondSeatAndIsNobodyHere) {
  World world;
  const TableId elsewhere = world.MakeTable("chaozhou", "elsewhere");
  TableSpec spec = World::EmptySpec("guangdong");
  const auto here = world.Create("here", spec);
  ASSERT_THAT(here, IsOk());
  const auto nobody_here = [&] {
    EXPECT_THAT(world.Ready(here->id, "p1"), FailsWith(Reason::kNotSeated));
    EXPECT_THAT(world.RevealNonce(here->id, "p1", 1, kNonce), FailsWith(Reason::kNotSeated));
    EXPECT_THAT(world.Act(here->id, "p1", 1, round::Choice::Pass()), FailsWith(Reason::kNotSeated));
    EXPECT_THAT(world.AnswerStakes(here->id, "p1", 1, {Kind::kAccept, 0, {}}),
                FailsWith(Reason::kNotSeated));
    EXPECT_THAT(world.TakeOver(here->id, "p1"), FailsWith(Reason::kNotSeated));
    EXPECT_THAT(world.Leave(here->id, "p1"), FailsWith(Reason::kNotSeated));
    EXPECT_THAT(world.Subscribe(here->id, "p1"), FailsWith(Reason::kNotSeated));
    EXPECT_EQ(world.wallet.held_at(PlayerId("p1")), elsewhere);
  };
  // At an empty table, at one where somebody is asked, and at a full one.
  EXPECT_THAT(world.Join(here->id, "p1"), FailsWith(Reason::kPlayerBusy));
  nobody_here();
  ASSERT_THAT(world.Join(here->id, "a"), IsOk());
  EXPECT_THAT(world.Join(here->id, "p1", Seat::k2), FailsWith(Reason::kPlayerBusy));
  nobody_here();
  for (const char* const player : {"b", "c", "d"}) {
    ASSERT_THAT(world.Join(here->id, player), IsOk());
  }
  EXPECT_THAT(world.Join(here->id, "p1"), FailsWith(Reason::kTableFull));
  nobody_here();
  // Made with its players, likewise.
  EXPECT_THAT(world.Create("third", World::Spec()), FailsWith(Reason::kPlayerBusy));
}

TEST(CommandsTest, AnUnknownTableIsSaidSoWhateverIsAsked) {
  World world;
  const TableId table("t-0");
  EXPECT_THAT(world.Join(table, "a"), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(world.Ready(table, "a"), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(world.RevealNonce(table, "a", 1, kNonce), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(world.Act(table, "a", 1, round::Choice::Pass()), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(world.AnswerStakes(table, "a", 1, {Kind::kAccept, 0, {}}),
              FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(world.TakeOver(table, "a"), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(world.Leave(table, "a"), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(world.Get(table), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(world.Subscribe(table, "a"), FailsWith(Reason::kTableNotFound));
}

}  // namespace
}  // namespace mj::table
