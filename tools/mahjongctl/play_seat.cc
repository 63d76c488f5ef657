#include "tools/mahjongctl/play_seat.h"

#include <chrono>
#include <deque>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/entropy.h"
#include "libs/base/executor.h"
#include "libs/base/mutex.h"
#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "libs/player/seat_calls.h"
#include "libs/player/seat_stream.h"
#include "libs/variants/registry.h"
#include "libs/wire/choice.h"
#include "tools/mahjongctl/exit_code.h"
#include "tools/mahjongctl/no_answer.h"
#include "tools/mahjongctl/seat_keys.h"
#include "tools/mahjongctl/seat_screen.h"
#include "tools/mahjongctl/seat_table.h"
#include "tools/mahjongctl/terminal.h"

namespace mj::mahjongctl {
namespace {

namespace table = ::mahjong::table::v1;
using base::Cat;
using narration::Sentence;
using narration::Words;

constexpr Words kNoSuchKey = {"现在不能用，可用的键见下行",
                              "does nothing now: the line below has the keys"};
constexpr Words kRefused = {"未被接受", "not accepted"};
constexpr Words kLeaving = {"正在离开", "leaving"};
// At least so often the clock is drawn anew.
constexpr std::chrono::milliseconds kTick{500};

// What other threads have to say to the one that draws.
class Inbox {
 public:
  struct Letter {
    std::optional<table::TableEvent> event;
    bool broke = false;                   // the stream did, and is taken up again
    std::optional<absl::Status> refused;  // a call
    std::optional<absl::Status> ended;    // the stream
    bool left = false;                    // the table
  };

  explicit Inbox(Terminal& terminal) : terminal_(terminal) {}

  void Put(Letter letter) {
    {
      base::MutexLock lock(mutex_);
      letters_.push_back(std::move(letter));
    }
    terminal_.Wake();
  }
  std::deque<Letter> Take() {
    base::MutexLock lock(mutex_);
    return std::exchange(letters_, {});
  }

 private:
  Terminal& terminal_;
  base::Mutex mutex_;
  std::deque<Letter> letters_ ABSL_GUARDED_BY(mutex_);
};

// The calls of the seat, one after the other, on a thread of their own: the screen waits for none.
class Voice {
 public:
  Voice(const PracticeSeat& seat, player::Halt& halt, Inbox& inbox)
      : route_(*seat.tables, seat.table_id, halt),
        calls_(route_, seat.table_id, seat.player_id, &entropy_),
        inbox_(inbox) {}

  void SayReady(std::uint32_t round) {
    Post([this, round] { return calls_.SayReady(round); });
  }
  void Reveal(const table::RoundBegan& began, std::uint32_t own) {
    Post([this, began, own] { return calls_.Reveal(began, own); });
  }
  void Act(std::uint64_t decision, const table::Choice& choice) {
    Post([this, decision, choice] { return calls_.Act(decision, choice); });
  }
  void Leave() {
    Post([this] {
      const absl::Status left = calls_.Leave();
      Inbox::Letter letter;
      letter.left = true;
      inbox_.Put(std::move(letter));
      return left;
    });
  }

 private:
  template <typename Call>
  void Post(Call call) {
    (void)thread_.Post([this, call] {
      const absl::Status done = call();
      if (done.ok()) return;
      Inbox::Letter letter;
      letter.refused = done;
      inbox_.Put(std::move(letter));
    });
  }

  base::SystemEntropy entropy_;
  player::TableRoute route_;
  player::SeatCalls calls_;
  Inbox& inbox_;
  base::Executor thread_{{.name = "calls", .threads = 1}};
};

std::string TextOf(const absl::Status& status) {
  const auto carried = base::CarriedBy(status);
  return Cat(carried ? carried->reason + ": " : "", base::ToStd(status.message()));
}

class Game {
 public:
  Game(const PlayArguments& arguments, const PracticeSeat& seat)
      : arguments_(arguments), seat_(seat), inbox_(terminal_), voice_(seat, halt_, inbox_) {}

  // OK after the player left, or is no longer seated and has seen it.
  absl::Status Play() {
    (void)reader_.Post([this] { Read(); });
    while (!done_) {
      for (Inbox::Letter& letter : inbox_.Take()) Open(std::move(letter));
      if (done_) break;
      Draw();
      const Terminal::Heard heard = terminal_.Wait(kTick);
      if (heard.over) Leave();
      for (const char key : heard.keys) Press(key);
    }
    halt_.Now();
    return *done_;
  }

 private:
  void Read() {
    player::TableRoute route(*seat_.tables, seat_.table_id, halt_);
    const auto take = [this](const table::TableEvent& event) -> absl::StatusOr<bool> {
      Inbox::Letter letter;
      letter.event = event;
      inbox_.Put(std::move(letter));
      return event.event_case() != table::TableEvent::kTableClosed;
    };
    const auto broke = [this] {
      Inbox::Letter letter;
      letter.broke = true;
      inbox_.Put(std::move(letter));
    };
    Inbox::Letter letter;
    letter.ended = player::ReadSeat(route,
                                    {.table_id = seat_.table_id,
                                     .player_id = seat_.player_id,
                                     .join_token = seat_.join_token,
                                     .take = take,
                                     .broke = broke},
                                    halt_);
    inbox_.Put(std::move(letter));
  }

  void Open(Inbox::Letter letter) {
    if (letter.event) {
      notes_.reconnecting = false;
      if (!table_.Take(*letter.event, clock_.Now())) {
        done_ = absl::InternalError("the table says what this program does not understand");
        return;
      }
      Answer(*letter.event);
    }
    if (letter.broke) notes_.reconnecting = true;
    if (letter.refused) {
      notes_.notice = Sentence().Say(kRefused).Say(":").Say(TextOf(*letter.refused));
    }
    if (letter.left) done_ = absl::OkStatus();
    // Who is no longer seated is shown why, until a key is pressed.
    if (letter.ended && !table_.over() && !leaving_) done_ = *letter.ended;
  }

  // What needs no person: ready for the first round, the stakes as the command line has them, the nonce.
  void Answer(const table::TableEvent& event) {
    switch (event.event_case()) {
      case table::TableEvent::kTableFormed:
      case table::TableEvent::kStakesProposed:
      case table::TableEvent::kBaseChanged:
        if (table_.round() == 0) voice_.SayReady(1);
        return;
      case table::TableEvent::kStakesAsked: {
        if (!event.stakes_asked().has_decision()) return;
        const table::Decision& decision = event.stakes_asked().decision();
        table::Choice choice;
        choice.mutable_propose()->set_base(arguments_.base);
        return voice_.Act(decision.decision_id(), choice);
      }
      case table::TableEvent::kConsentAsked: {
        table::Choice choice;
        choice.mutable_accept();
        return voice_.Act(event.consent_asked().decision().decision_id(), choice);
      }
      case table::TableEvent::kRoundBegan:
        return voice_.Reveal(event.round_began(),
                             static_cast<std::uint32_t>(rules::IndexOf(table_.own())));
      default:
        return;
    }
  }

  void Press(char key) {
    if (leaving_) return;
    if (table_.over()) {  // any key will do
      done_ = absl::OkStatus();
      return;
    }
    if (std::exchange(notes_.leaving, false)) {
      if (key == 'y' || key == 'Y') return Leave();
      if (key != 'n' && key != 'N' && key != '\033') notes_.leaving = true;
      return;
    }
    notes_.notice.reset();
    if (!table_.formed()) {
      notes_.leaving = key == 'q' || key == '\x03';
      return;
    }
    const auto meaning = MeaningOf(table_, key);
    if (!meaning) {
      const bool shown = key > ' ' && key <= '~';
      notes_.notice =
          Sentence().Say(shown ? Cat("'", std::string(1, key), "'") : "?").Say(kNoSuchKey);
      return;
    }
    std::visit([this](const auto& pressed) { Do(pressed); }, *meaning);
  }

  [[nodiscard]] Words Keys() {
    keys_ = LegalKeys(table_);
    return {keys_.zh(), keys_.en()};
  }

  void Do(const ActKey& act) {
    table::Choice choice;
    wire::ToProto(act.choice, choice);
    voice_.Act(table_.asked()->decision, choice);
    table_.Answered();
  }
  void Do(const PlayOnKey&) {
    voice_.SayReady(table_.play_on()->round);
    table_.SaidReady();
  }
  void Do(const WaitsKey&) { notes_.waits = !notes_.waits; }
  void Do(const HelpKey&) { notes_.notice = Sentence().Say(Keys()); }
  void Do(const LeaveKey&) { notes_.leaving = true; }

  void Leave() {
    if (std::exchange(leaving_, true)) return;
    notes_.notice = Sentence().Say(kLeaving);
    voice_.Leave();
  }

  void Draw() {
    notes_.clock.reset();
    std::optional<base::WallTime> deadline;
    if (table_.asked()) deadline = table_.asked()->deadline;
    if (!deadline && table_.play_on()) deadline = table_.play_on()->deadline;
    if (deadline) notes_.clock = table_.Left(*deadline, clock_.Now());
    const Terminal::Size size = terminal_.size();
    std::vector<std::string> lines;
    for (const Line& line : mahjongctl::Draw(
             table_, notes_,
             {.ascii = arguments_.ascii, .columns = size.columns, .rows = size.rows})) {
      lines.push_back(mahjongctl::TextOf(line, arguments_.colour));
    }
    terminal_.Show(lines);
  }

  const PlayArguments& arguments_;
  const PracticeSeat& seat_;
  base::SystemClock clock_;
  SeatTable table_;
  ScreenNotes notes_;
  Sentence keys_;
  bool leaving_ = false;
  std::optional<absl::Status> done_;
  player::Halt halt_;
  Terminal terminal_;
  Inbox inbox_;
  Voice voice_;
  base::Executor reader_{{.name = "stream", .threads = 1}};
};

int Failed(const absl::Status& status, std::ostream& err) {
  err << "mahjongctl: play: " << TextOf(status) << (IsNoAnswer(status) ? CureOf(status) : "")
      << '\n';
  return IsNoAnswer(status) ? kUnavailable : kFailed;
}

}  // namespace

int PlaySeat(const PlayArguments& arguments, bool terminal, std::ostream& err) {
  const SuiteAddresses& addresses = arguments.addresses;
  if (addresses.wallet.empty() || addresses.matchmaking.empty() || addresses.table.empty()) {
    err << "mahjongctl: play: there is no stack to play on. `./dev up -d` starts one; then "
           "`./dev ctl play`, which knows its addresses, or name them by --wallet, --matchmaking "
           "and --target.\n";
    return kUsage;
  }
  if (!terminal) {
    err << "mahjongctl: play: this is for a person at a terminal; `mahjongctl practice` lets a bot "
           "play and tells what happens\n";
    return kUsage;
  }
  const std::string variant = arguments.variant.empty()
                                  ? std::string(variants::All().front()->info().id)
                                  : arguments.variant;
  const auto seat = TakePracticeSeat(addresses, variant, arguments.base, arguments.bots);
  if (!seat.ok()) return Failed(seat.status(), err);
  const absl::Status played = Game(arguments, *seat).Play();
  return played.ok() ? kDone : Failed(played, err);
}

}  // namespace mj::mahjongctl
