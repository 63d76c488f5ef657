#include "services/table/app/world_testing.h"

#include <algorithm>
#include <variant>

#include "libs/audit/digest.h"
#include "libs/base/check.h"
#include "libs/base/strings.h"

namespace mj::table {
namespace {

// How much a tile helps: copies and neighbours of it in the hand.
int Worth(const tiles::TileCounts& hand, Tile tile) {
  int worth = 4 * (hand[tile] - 1);
  for (int step : {-2, -1, 1, 2}) {
    if (tile.is_honour() || tile.rank() + step < 1 || tile.rank() + step > 9) continue;
    const Tile other = Tile::Of(tile.suit(), tile.rank() + step);
    if (hand.Has(other)) worth += step == 1 || step == -1 ? 2 : 1;
  }
  return worth;
}

round::Choice Choose(const round::Offer& offer, const tiles::TileCounts& hand) {
  if (offer.roll) return round::Choice::Roll();
  if (offer.win) return round::Choice::Win();
  if (offer.discard_kong) return round::Choice::DiscardKong(*offer.tile);
  for (Tile tile : offer.added_kongs) return round::Choice::AddedKong(tile);
  for (Tile tile : offer.concealed_kongs) return round::Choice::ConcealedKong(tile);
  if (offer.pung) return round::Choice::Pung();
  if (!offer.chows.empty() && Worth(hand, *offer.tile) < 4) {
    return round::Choice::Chow(offer.chows[0].low, offer.chows[0].high);
  }
  std::optional<Tile> worst;
  for (Tile tile : offer.discards) {
    if (!worst || Worth(hand, tile) < Worth(hand, *worst)) worst = tile;
  }
  return worst ? round::Choice::Discard(*worst) : round::Choice::Pass();
}

}  // namespace

void TestPlayer::See(const Shown& shown) {
  seen_.push_back(shown);
  if (const auto* play = std::get_if<PlayShown>(shown.event.get())) SeePlay(*play);
  SeeStakes(*shown.event);
  if (std::holds_alternative<RoundOver>(*shown.event) ||
      std::holds_alternative<RoundDropped>(*shown.event)) {
    offer_.reset();
    hand_ = {};
  }
}

void TestPlayer::SeeStakes(const ShownEvent& event) {
  using Kind = StakesAnswer::Kind;
  if (const auto* wanted = std::get_if<StakesWanted>(&event)) {
    stakes_wish_.reset();
    if (wanted->decision == 0) return;
    stakes_wish_ = StakesWish{wanted->decision, {Kind::kPropose, wanted->bases.front(), {}}};
  } else if (const auto* consent = std::get_if<ConsentWanted>(&event)) {
    stakes_wish_ = StakesWish{consent->decision, {Kind::kAccept, 0, {}}};
  } else if (const auto* named = std::get_if<StakesNamed>(&event)) {
    if (named->seat == seat_) stakes_wish_.reset();
  } else if (const auto* given = std::get_if<ConsentGiven>(&event)) {
    if (given->seat == seat_) stakes_wish_.reset();
  }
}

void TestPlayer::SeePlay(const PlayShown& play) {
  if (const auto* dealt = std::get_if<round::HandDealt>(&play.event)) hand_ = *dealt->hand;
  if (const auto* drew = std::get_if<round::SeatDrew>(&play.event)) {
    if (drew->tile) hand_.Add(*drew->tile);
  }
  if (const auto* thrown = std::get_if<round::Discarded>(&play.event)) {
    if (thrown->seat == seat_) hand_.Remove(thrown->tile);
  }
  if (const auto* called = std::get_if<round::Called>(&play.event)) {
    if (called->seat == seat_) {
      tiles::TileCounts meld;
      AddTo(meld, called->meld.meld);
      meld.Remove(called->tile);
      for (Tile tile : tiles::kAllKinds) hand_.Remove(tile, meld[tile]);
    }
  }
  if (const auto* made = std::get_if<round::KongMade>(&play.event)) {
    if (made->kong.seat == seat_) hand_.Remove(made->kong.tile, hand_[made->kong.tile]);
  }
  if (const auto* asked = std::get_if<round::YouAreAsked>(&play.event)) {
    decision_ = RefOf(play.round_number, asked->ask.decision);
    offer_ = asked->ask.offer;
    return;
  }
  // Whatever happens next at the table, an open decision of ours is over.
  offer_.reset();
}

std::optional<TestPlayer::Wish> TestPlayer::wish() const {
  if (!offer_) return std::nullopt;
  return Wish{decision_, Choose(*offer_, hand_)};
}

// ---------------------------------------------------------------------------------------- world

TablesOptions World::NoPauses() {
  TablesOptions options;
  options.settings.claim_pause_ms = 0;
  return options;
}

World::World(std::uint64_t seed, TableLimits limits, TablesOptions options)
    : entropy(seed),
      ids(clock, entropy),
      memory(clock),
      log(memory),
      leases(memory),
      limits_(limits),
      options_(options) {
  processes_.push_back(std::make_unique<Process>());
  Begin(*processes_.front());
  Use(0);
}

World::~World() {
  for (const auto& process : processes_) {
    process->stopped = false;
    End(*process);
  }
  Run();
}

void World::Begin(Process& process) {
  const std::string number = std::to_string(++runs_);
  process.self = {OwnerId("process-" + number), "", "host-" + number + ":1"};
  // One that nobody keeps lives for ever.
  MJ_CHECK(memory.Begin(process.self, std::chrono::hours(1'000)).ok());
  process.journal = std::make_unique<Journal>(log, process.blocking, clock, monitor);
  process.tables = std::make_unique<Tables>(
      Surroundings{log, *process.journal, scorer, wallet, process.runner, process.blocking, clock,
                   entropy, ids, monitor, leases, process.self.id, limits_},
      options_);
  process.keeper = std::make_unique<Keeper>(
      KeeperParts{leases, *process.tables, process.beats, clock, monitor}, process.self.id, "",
      [address = process.self.address] { return address; });
}

void World::End(Process& process) {
  process.keeper.reset();
  process.tables.reset();
  process.journal.reset();
}

void World::Restart() {
  End(process());
  Run();
  MJ_CHECK(memory.End(process().self.id).ok());
  Begin(process());
  Use(using_);
}

void World::AddProcess() {
  processes_.push_back(std::make_unique<Process>());
  Begin(*processes_.back());
  processes_.back()->keeper->Start();
  Run();
}

void World::Use(std::size_t number) {
  using_ = number;
  tables = processes_[number]->tables.get();
}

void World::Kill(std::size_t number) {
  Process& killed = *processes_[number];
  killed.stopped = true;
  End(killed);
}

void World::Run() {
  std::size_t ran = 0;
  do {
    ran = 0;
    for (const auto& process : processes_) {
      if (process->stopped) continue;
      ran += process->runner.RunAll() + process->blocking.RunAll() + process->beats.RunAll();
    }
  } while (ran > 0);
}

void World::Advance(std::chrono::milliseconds time) {
  Run();
  for (std::chrono::milliseconds gone{0}; gone < time; gone += std::chrono::milliseconds(10)) {
    clock.Advance(std::chrono::milliseconds(10));
    Run();
  }
}

std::vector<TableEvent> World::Happened(const TableId& table) const {
  std::vector<TableEvent> events;
  for (const LogEntry& entry : memory.All(table)) {
    if (!std::holds_alternative<ClocksRestarted>(entry.event)) events.push_back(entry.event);
  }
  return events;
}

TableSpec World::Spec(const std::string& variant) {
  TableSpec spec;
  spec.variant = variant;
  spec.base = 100;
  for (Seat seat : rules::kSeats) {
    spec.players[seat] = PlayerId(base::Cat("p", std::to_string(rules::IndexOf(seat))));
  }
  return spec;
}

TableSpec World::EmptySpec(const std::string& variant) {
  TableSpec spec;
  spec.variant = variant;
  return spec;
}

TableId World::MakeTable(const std::string& variant, const std::string& request) {
  const auto made = Create(request, Spec(variant));
  MJ_CHECK(made.ok());
  return made->id;
}

absl::StatusOr<TableInfo> World::Create(const std::string& request, const TableSpec& spec,
                                        const SettingValues& settings) {
  return Call<TableInfo>([&](Done<TableInfo> done) {
    tables->Create(RequestId(request), spec, settings, std::move(done));
  });
}

absl::StatusOr<Table::Seated> World::Join(const TableId& table, const std::string& player,
                                          std::optional<Seat> seat, const std::string& token) {
  std::optional<audit::Digest> hash;
  if (!token.empty()) hash = audit::Sha256(token);
  return Call<Table::Seated>([&](Done<Table::Seated> done) {
    tables->Join(table, PlayerId(player), seat, hash, std::move(done));
  });
}

absl::StatusOr<StreamSeq> World::Ready(const TableId& table, const std::string& player, int round,
                                       const std::optional<fairness::Digest>& nonce_hash) {
  return Call<StreamSeq>([&](Done<StreamSeq> done) {
    tables->Ready(table, PlayerId(player), round, nonce_hash, std::move(done));
  });
}

absl::StatusOr<StreamSeq> World::RevealNonce(const TableId& table, const std::string& player,
                                             int round, const fairness::Bytes& nonce) {
  return Call<StreamSeq>([&](Done<StreamSeq> done) {
    tables->RevealNonce(table, PlayerId(player), round, nonce, std::move(done));
  });
}

absl::StatusOr<StreamSeq> World::Act(const TableId& table, const std::string& player,
                                     DecisionRef decision, const round::Choice& choice) {
  return Call<StreamSeq>([&](Done<StreamSeq> done) {
    tables->Act(table, PlayerId(player), decision, choice, std::move(done));
  });
}

absl::StatusOr<StreamSeq> World::AnswerStakes(const TableId& table, const std::string& player,
                                              DecisionRef decision, const StakesAnswer& answer) {
  return Call<StreamSeq>([&](Done<StreamSeq> done) {
    tables->AnswerStakes(table, PlayerId(player), decision, answer, std::move(done));
  });
}

absl::StatusOr<StreamSeq> World::TakeOver(const TableId& table, const std::string& player) {
  return Call<StreamSeq>(
      [&](Done<StreamSeq> done) { tables->TakeOver(table, PlayerId(player), std::move(done)); });
}

absl::StatusOr<Table::Left> World::Leave(const TableId& table, const std::string& player) {
  return Call<Table::Left>([&](Done<Table::Left> done) {
    tables->Leave(table, PlayerId(player), LeaveReason::kLeft, std::move(done));
  });
}

absl::StatusOr<TableInfo> World::Get(const TableId& table) {
  return Call<TableInfo>([&](Done<TableInfo> done) { tables->Get(table, std::move(done)); });
}

absl::StatusOr<std::shared_ptr<Subscription>> World::Subscribe(const TableId& table,
                                                               const std::string& player,
                                                               StreamSeq after,
                                                               const std::string& token) {
  return Call<std::shared_ptr<Subscription>>([&](Done<std::shared_ptr<Subscription>> done) {
    tables->Subscribe(table, {PlayerId(player), token}, after, std::move(done));
  });
}

absl::StatusOr<Table::Description> World::GetFor(const TableId& table, const std::string& player,
                                                 const std::string& token) {
  return Call<Table::Description>([&](Done<Table::Description> done) {
    tables->GetFor(table, {PlayerId(player), token}, std::move(done));
  });
}

absl::StatusOr<StreamSeq> World::ShowHand(const TableId& table, const std::string& player,
                                          bool show) {
  return Call<StreamSeq>([&](Done<StreamSeq> done) {
    tables->ShowHand(table, PlayerId(player), show, std::move(done));
  });
}

absl::StatusOr<std::shared_ptr<WatchSubscription>> World::Watch(const TableId& table,
                                                                const std::string& player,
                                                                Seat seat, StreamSeq after) {
  using Answer = Done<std::shared_ptr<WatchSubscription>>;
  return Call<std::shared_ptr<WatchSubscription>>(
      [&](Answer done) { tables->Watch(table, PlayerId(player), seat, after, std::move(done)); });
}

std::vector<Shown> World::ReadAll(const TableId& table, const std::string& player,
                                  StreamSeq after) {
  const auto stream = Subscribe(table, player, after);
  MJ_CHECK(stream.ok());
  std::vector<Shown> all;
  while (true) {
    Subscription::Taken taken = (*stream)->Take(7);
    if (taken.events.empty()) break;
    all.insert(all.end(), taken.events.begin(), taken.events.end());
    Run();
  }
  (*stream)->Cancel();
  return all;
}

// -------------------------------------------------------------------------------------- company

Company::Company(World& world, TableId table, const std::string& suffix)
    : world_(world),
      table_(std::move(table)),
      players_{TestPlayer(PlayerId("p0" + suffix), Seat::k0),
               TestPlayer(PlayerId("p1" + suffix), Seat::k1),
               TestPlayer(PlayerId("p2" + suffix), Seat::k2),
               TestPlayer(PlayerId("p3" + suffix), Seat::k3)} {
  Resubscribe();
}

void Company::Resubscribe() {
  for (Seat seat : rules::kSeats) Resume(seat);
}

void Company::Resume(Seat seat) {
  Hang(seat);
  TestPlayer& player = players_[static_cast<std::size_t>(seat)];
  const auto stream = world_.Subscribe(table_, player.id().value(), player.last());
  MJ_CHECK(stream.ok());
  streams_[static_cast<std::size_t>(seat)] = *stream;
  Listen();
}

void Company::Hang(Seat seat) {
  auto& stream = streams_[static_cast<std::size_t>(seat)];
  if (stream != nullptr) stream->Cancel();
  stream = nullptr;
  world_.Run();
}

void Company::Listen() {
  world_.Run();
  for (std::size_t i = 0; i < players_.size(); ++i) {
    while (streams_[i] != nullptr) {
      const Subscription::Taken taken = streams_[i]->Take(50);
      if (taken.events.empty()) break;
      for (const Shown& shown : taken.events) players_[i].See(shown);
      world_.Run();
    }
  }
}

void Company::ReadyAll() {
  for (const TestPlayer& player : players_) {
    MJ_CHECK(world_.Ready(table_, player.id().value()).ok());
  }
  Listen();
}

TestPlayer* Company::asked() {
  for (TestPlayer& player : players_) {
    if (player.offer()) return &player;
  }
  return nullptr;
}

TestPlayer* Company::idle() {
  for (TestPlayer& player : players_) {
    if (!player.offer()) return &player;
  }
  return nullptr;
}

bool Company::Step() {
  Listen();
  return Do(asked());
}

bool Company::StepWithout(Seat but) {
  Listen();
  for (TestPlayer& player : players_) {
    if (player.offer() && player.seat() != but) return Do(&player);
  }
  return false;
}

bool Company::Do(TestPlayer* player) {
  if (player == nullptr) return false;
  const auto wish = player->wish();
  MJ_CHECK(world_.Act(table_, player->id().value(), wish->decision, wish->choice).ok());
  Listen();
  return true;
}

void Company::PlayOn() {
  while (Step()) {
  }
}

void Company::Rejoin(Seat seat) {
  TestPlayer& player = players_[static_cast<std::size_t>(seat)];
  MJ_CHECK(world_.Join(table_, player.id().value(), seat).ok());
  player = TestPlayer(player.id(), seat);
  Resume(seat);
  Agree();
}

void Company::Agree() {
  Listen();
  // Whoever proposes, then whoever accepts.
  for (int round = 0; round < 2; ++round) {
    for (TestPlayer& player : players_) {
      const auto wish = player.stakes_wish();
      if (!wish) continue;
      MJ_CHECK(world_.AnswerStakes(table_, player.id().value(), wish->decision, wish->answer).ok());
      Listen();
    }
  }
}

void Company::PlayRound() {
  ReadyAll();
  PlayOn();
}

}  // namespace mj::table
