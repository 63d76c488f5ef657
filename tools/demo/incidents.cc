#include "tools/demo/incidents.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "libs/base/entropy.h"
#include "libs/base/mutex.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/console/text.h"
#include "libs/player/lobby.h"
#include "libs/player/table_player.h"
#include "libs/rpc/client.h"
#include "tools/demo/fifth.h"
#include "tools/demo/print.h"
#include "tools/demo/together.h"

namespace mj::demo {
namespace {

using base::Cat;
using console::Grouped;
using console::PadLeft;
using console::PadRight;
using ::mahjong::table::v1::TableService;
using table::TableEvent;

constexpr int kAsleep = 3;  // in round 1
constexpr int kLeaver = 0;  // in round 2
constexpr int kLender = 2;  // from whose seat a fifth watches
constexpr std::int64_t kCoins = 1'500;
constexpr std::int64_t kBase = 10;
// Long enough for a bot, short enough for whoever watches.
constexpr std::int64_t kActMs = 1'000;
constexpr std::int64_t kPauseMs = 20;
constexpr std::int64_t kWatchDelayMs = 500;
constexpr int kAttemptsMost = 4;

std::string Number(std::int64_t n) { return std::to_string(n); }

// What the four streams told, gathered on the players' threads.
class Told {
 public:
  void Add(int seat, const TableEvent& event) {
    base::MutexLock lock(mutex_);
    // Late at a claim is a pass, and no overrun (D-COM-6).
    if (event.event_case() == TableEvent::kDecisionAnswered &&
        (event.decision_answered().by() != table::ANSWERED_BY_OVERRUN ||
         !event.decision_answered().choice().has_pass())) {
      ++answers_[{seat, event.decision_answered().by()}];
    }
    // What all are told is taken from one who stays.
    if (seat != kAsleep - 1) return;
    if (event.event_case() == TableEvent::kAutoPlayChanged && event.auto_play_changed().on()) {
      ++played_for_[event.auto_play_changed().seat()];
    }
    if (event.event_case() == TableEvent::kDealDrawn && nonces_.empty()) {
      nonces_ = event.deal_drawn().nonces();
    }
    if (event.event_case() == TableEvent::kRoundSettled) {
      ++settled_;
      last_ = event.round_settled().seats();
    }
    if (event.event_case() == TableEvent::kRoundVoid) {
      void_ = event.round_void();
      last_ = event.round_void().penalty().seats();
    }
  }

  int answers(int seat, table::AnsweredBy by) const {
    base::MutexLock lock(mutex_);
    const auto found = answers_.find({seat, by});
    return found == answers_.end() ? 0 : found->second;
  }
  bool played_for(int seat) const {
    base::MutexLock lock(mutex_);
    return played_for_.count(static_cast<std::uint32_t>(seat)) > 0;
  }
  std::uint32_t settled() const {
    base::MutexLock lock(mutex_);
    return settled_;
  }
  // What became of the nonces of the first round.
  google::protobuf::RepeatedPtrField<table::SeatNonce> nonces() const {
    base::MutexLock lock(mutex_);
    return nonces_;
  }
  // What the last round did to the four seats.
  google::protobuf::RepeatedPtrField<table::SeatResult> last() const {
    base::MutexLock lock(mutex_);
    return last_;
  }
  bool both() const { return played_for(kAsleep) && settled() == 1 && voided().has_value(); }
  std::optional<table::RoundVoid> voided() const {
    base::MutexLock lock(mutex_);
    return void_;
  }

 private:
  mutable base::Mutex mutex_;
  std::map<std::pair<int, table::AnsweredBy>, int> answers_ ABSL_GUARDED_BY(mutex_);
  std::map<std::uint32_t, int> played_for_ ABSL_GUARDED_BY(mutex_);
  std::uint32_t settled_ ABSL_GUARDED_BY(mutex_) = 0;
  google::protobuf::RepeatedPtrField<table::SeatNonce> nonces_ ABSL_GUARDED_BY(mutex_);
  google::protobuf::RepeatedPtrField<table::SeatResult> last_ ABSL_GUARDED_BY(mutex_);
  std::optional<table::RoundVoid> void_ ABSL_GUARDED_BY(mutex_);
};

absl::StatusOr<std::string> Seat4(const Stubs& stubs, const std::vector<std::string>& players) {
  ::mahjong::table::v1::CreateTableRequest request;
  request.set_request_id(Cat("table-", players.front()));
  request.set_variant("chaozhou");
  request.set_base(kBase);
  for (const std::string& player : players) {
    MJ_RETURN_IF_ERROR(player::OpenFunded(*stubs.wallet, player, kCoins));
    request.add_player_ids(player);
  }
  auto& settings = *request.mutable_settings();
  settings["act_ms"] = kActMs;
  settings["claim_ms"] = kActMs;
  settings["reveal_ms"] = kActMs;
  settings["auto_play_ms"] = kPauseMs;
  settings["claim_pause_ms"] = kPauseMs;
  settings["watch_delay_ms"] = kWatchDelayMs;
  MJ_ASSIGN_OR_RETURN(const ::mahjong::table::v1::CreateTableResponse response,
                      rpc::Invoke(*stubs.table, &TableService::StubInterface::CreateTable, request,
                                  {.timeout = player::kCallTimeout}));
  return response.table().table_id();
}

absl::Status Play(const Stubs& stubs, const std::string& table, const std::vector<std::string>& ids,
                  std::uint64_t seed, Told& told) {
  base::SystemEntropy entropy;
  return PlayTogether([&](int seat, player::Halt& halt) {
    return player::PlayAtTable(
        *stubs.table,
        {.table_id = table,
         .player_id = ids[static_cast<std::size_t>(seat)],
         .seed = seed * rules::kSeatCount + static_cast<std::uint64_t>(seat),
         .rounds = 2,
         .idle_round = seat == kAsleep ? 1U : 0U,
         .escape_round = seat == kLeaver ? 2U : 0U,
         .entropy = &entropy},
        [&told, seat](const TableEvent& event) { told.Add(seat, event); }, halt);
  });
}

void TellSleep(const Told& told, std::ostream& out) {
  const auto nonces = told.nonces();
  const auto in_the_deal = std::count_if(nonces.begin(), nonces.end(), [](const auto& nonce) {
    return nonce.outcome() == table::NONCE_OUTCOME_REVEALED;
  });
  out << "round 1 第1局  托管  " << NameOfStranger(kAsleep) << " has fallen asleep\n"
      << "  its nonce is not revealed and counts as empty 随机数作废; those of " << in_the_deal
      << " players are in the deal\n"
      << "  late 超时 " << told.answers(kAsleep, table::ANSWERED_BY_OVERRUN)
      << " times; then the system plays for it 系统托管 and answers "
      << told.answers(kAsleep, table::ANSWERED_BY_AUTO_PLAY) << " decisions\n";
  out << "  the round goes on to its end and is settled 已结算\n";
}

void TellEscape(const table::RoundVoid& voided, std::ostream& out) {
  out << "round 2 第2局  主动逃跑  " << NameOfStranger(kLeaver)
      << " leaves after its first discard\n"
      << "  the round is void 作废, and the escape costs 64 × " << kBase << " (CZ-60)\n";
  std::int64_t house = 0;
  for (const table::SeatResult& seat : voided.penalty().seats()) {
    house -= seat.net();
    out << "  " << PadRight(NameOfStranger(seat.seat()), 6)
        << PadLeft(console::Signed(seat.net()), 12) << PadLeft(Grouped(seat.balance()), 12) << '\n';
  }
  if (house > 0) out << "  " << PadRight("house", 6) << PadLeft(console::Signed(house), 12) << '\n';
  if (voided.penalty().shortfall() > 0) {
    out << "  not covered 不足 " << Grouped(voided.penalty().shortfall()) << '\n';
  }
}

}  // namespace

Incidents ShowIncidents(const Stubs& stubs, const std::string& prefix, std::uint64_t seed,
                        std::ostream& page) {
  Incidents incidents;
  std::ostringstream out;
  out << Heading("what else happens at a table 意外  潮州麻将") << '\n';
  std::optional<table::RoundVoid> voided;
  for (int attempt = 1; attempt <= kAttemptsMost && !voided; ++attempt) {
    const std::vector<std::string> ids = IdsOfStrangers(Cat(prefix, Number(attempt)));
    const auto table = Seat4(stubs, ids);
    if (!table.ok()) {
      incidents.status = table.status();
      return incidents;
    }
    Fifth fifth(*stubs.table, *table, Cat(prefix, Number(attempt), "-fifth"), kLender,
                std::chrono::milliseconds(kWatchDelayMs));
    incidents.status = fifth.Begin(ids[kLender]);
    if (!incidents.status.ok()) return incidents;
    Told told;
    incidents.status = Play(stubs, *table, ids, seed, told);
    incidents.tables.push_back(*table);
    incidents.players.insert(incidents.players.end(), ids.begin(), ids.end());
    for (const table::SeatResult& seat : told.last()) incidents.balances.push_back(seat.balance());
    incidents.settled += told.settled();
    if (!incidents.status.ok()) return incidents;
    if (!told.both()) continue;
    out << "table 牌桌 " << *table << "; " << Number(kActMs)
        << " ms to act 出牌时间, 20,000 at other tables\n";
    TellSleep(told, out);
    voided = told.voided();
    TellEscape(*voided, out);
    fifth.Finish();
    fifth.Tell(out);
    incidents.problems += fifth.problems();
  }
  if (!voided || voided->nonces_size() != rules::kSeatCount ||
      voided->reason() != table::VOID_REASON_ESCAPE || voided->escaped_seat() != kLeaver ||
      voided->penalty().seats_size() != rules::kSeatCount) {
    ++incidents.problems;
    out << "PROBLEM: no round was played for who is late, or none was void by an escape\n";
  }
  out << '\n';
  Emit(out.str(), page);
  return incidents;
}

}  // namespace mj::demo
