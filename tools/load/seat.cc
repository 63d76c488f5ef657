#include "tools/load/seat.h"

#include <algorithm>
#include <array>
#include <utility>

#include "libs/base/bytes.h"
#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "libs/fairness/commitment.h"
#include "libs/player/halt.h"
#include "libs/rpc/client.h"
#include "libs/tiles/mpsz.h"

namespace mj::load {
namespace {

using std::chrono::milliseconds;
using table::TableEvent;
using table::TableService;

constexpr milliseconds kCallTimeout{10'000};
constexpr milliseconds kResumeAfter{200};
constexpr std::size_t kNonceBytes = 32;

// What it would throw: what it drew, if that may be thrown, or else the first of what may be.
std::string TileToThrow(const std::string& discards, const std::string& drawn) {
  const auto allowed = tiles::ParseTiles(discards);
  if (!allowed || allowed->empty()) return {};
  const auto own = tiles::ParseTile(drawn);
  const bool may = own && std::find(allowed->begin(), allowed->end(), *own) != allowed->end();
  return may ? drawn : tiles::ToText(allowed->front());
}

}  // namespace

bool Choose(const table::Decision& decision, const std::string& drawn, table::Choice& choice) {
  const table::Offers& offers = decision.offers();
  if (offers.roll()) {
    choice.mutable_roll();
  } else if (offers.has_win()) {
    choice.mutable_win();
  } else if (!offers.discards().empty()) {
    choice.mutable_discard()->set_tile(TileToThrow(offers.discards(), drawn));
  } else if (!offers.bases().empty()) {
    choice.mutable_propose()->set_base(offers.bases(0));
  } else if (offers.accept()) {
    choice.mutable_accept();
  } else if (offers.pass()) {
    choice.mutable_pass();
  } else {
    return false;
  }
  return true;
}

class Seat::Core : public grpc::ClientReadReactor<table::SubscribeResponse>,
                   public std::enable_shared_from_this<Core> {
 public:
  Core(Stub& stub, base::Clock& clock, Counts& counts, Throws throws, SeatOptions options,
       std::function<void()> ended)
      : stub_(stub),
        clock_(clock),
        counts_(counts),
        throws_(std::move(throws)),
        options_(std::move(options)),
        random_(options_.seed * 0x9e3779b97f4a7c15ULL + 1),
        ended_(std::move(ended)) {}

  void Open() {
    auto context = std::make_unique<grpc::ClientContext>();
    rpc::Prepare(*context, {.timeout = milliseconds(0), .player = options_.player_id});
    {
      base::MutexLock lock(mutex_);
      if (!stopped_) {
        self_ = shared_from_this();  // until the stream has ended
        context_ = std::move(context);
        request_.set_table_id(options_.table_id);
        request_.set_player_id(options_.player_id);
        request_.set_after_sequence(last_);
      }
    }
    if (context != nullptr) return Finish();
    stub_.async()->Subscribe(context_.get(), &request_, this);
    StartRead(&response_);
    StartCall();
  }

  void Stop() {
    base::MutexLock lock(mutex_);
    stopped_ = true;
    if (context_ != nullptr) context_->TryCancel();
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    for (const TableEvent& event : response_.events()) See(event);
    StartRead(&response_);
  }

  void OnDone(const grpc::Status& status) override {
    std::shared_ptr<Core> self;
    bool over = false;
    {
      base::MutexLock lock(mutex_);
      self = std::move(self_);
      context_ = nullptr;
      over = stopped_;
    }
    if (over) return Finish();
    const absl::Status ended = rpc::FromGrpc(status);
    if (!player::IsResumable(ended) && !base::HasReason(ended, base::Reason::kTableMoved)) {
      Note(ended.ok() ? absl::CancelledError("the table closed") : ended);
      return Finish();
    }
    counts_.resumed.fetch_add(1, std::memory_order_relaxed);
    clock_.CallAfter(kResumeAfter, [self] { self->Open(); });
  }

 private:
  void Finish() {
    if (const auto ended = std::exchange(ended_, nullptr)) ended();
  }

  void See(const TableEvent& event) {
    counts_.events.fetch_add(1, std::memory_order_relaxed);
    last_ = event.sequence();
    switch (event.event_case()) {
      case TableEvent::kTableFormed:
      case TableEvent::kBaseChanged:
        return Ready();
      case TableEvent::kRoundBegan:
        return Reveal(event.round_began());
      case TableEvent::kTileDrawn:
        if (event.tile_drawn().seat() == options_.seat) drawn_ = event.tile_drawn().tile();
        return;
      case TableEvent::kTileDiscarded:
        return Hear(event.tile_discarded().seat());
      case TableEvent::kDecisionOffered:
        return Answer(event.decision_offered().decision());
      case TableEvent::kStakesAsked:
        if (event.stakes_asked().has_decision()) Answer(event.stakes_asked().decision());
        return;
      case TableEvent::kConsentAsked:
        return Answer(event.consent_asked().decision());
      case TableEvent::kRoundSettled:
      case TableEvent::kRoundVoid:
        ++round_;
        if (options_.seat == 0) counts_.rounds.fetch_add(1, std::memory_order_relaxed);
        return Ready();
      default:
        return;
    }
  }

  void Hear(std::uint32_t thrower) {
    if (thrower == options_.seat || thrower >= throws_->size()) return;
    const std::int64_t at = (*throws_)[thrower].at_ns.load(std::memory_order_relaxed);
    if (at == 0) return;  // the system threw it
    const std::chrono::nanoseconds took =
        clock_.Monotonic().since_start - std::chrono::nanoseconds(at);
    counts_.heard.Add(std::chrono::duration_cast<std::chrono::microseconds>(took));
  }

  void Answer(const table::Decision& decision) {
    table::ActRequest request;
    if (!Choose(decision, drawn_, *request.mutable_choice())) return;
    request.set_table_id(options_.table_id);
    request.set_player_id(options_.player_id);
    request.set_decision_id(decision.decision_id());
    const auto half = static_cast<std::uint64_t>(options_.pace.count()) / 2;
    const milliseconds after(static_cast<std::int64_t>(half + Next() % (2 * half + 1)));
    clock_.CallAfter(after, [self = shared_from_this(), request] { self->Act(request); });
  }

  void Act(const table::ActRequest& request) {
    {
      base::MutexLock lock(mutex_);
      if (stopped_) return;
    }
    const base::MonotonicTime began = clock_.Monotonic();
    if (request.choice().has_discard()) {
      (*throws_)[options_.seat].at_ns.store(began.since_start.count(), std::memory_order_relaxed);
    }
    counts_.decisions.fetch_add(1, std::memory_order_relaxed);
    rpc::InvokeAsync(
        *stub_.async(), &Stub::async_interface::Act, request,
        {.timeout = kCallTimeout, .player = options_.player_id},
        [self = shared_from_this(), began](const absl::StatusOr<table::ActResponse>& answer) {
          self->counts_.acted.Add(std::chrono::duration_cast<std::chrono::microseconds>(
              self->clock_.Monotonic() - began));
          self->Note(answer.status());
        });
  }

  void Ready() {
    table::ReadyRequest request;
    request.set_table_id(options_.table_id);
    request.set_player_id(options_.player_id);
    request.set_round_number(round_);
    request.set_nonce_hash(base::TextOf(fairness::CommitNonce(Nonce())));
    rpc::InvokeAsync(
        *stub_.async(), &Stub::async_interface::Ready, request,
        {.timeout = kCallTimeout, .player = options_.player_id},
        [self = shared_from_this()](const absl::StatusOr<table::ReadyResponse>& answer) {
          self->Note(answer.status());
        });
  }

  void Reveal(const table::RoundBegan& began) {
    const int seat = static_cast<int>(options_.seat);
    if (seat >= began.nonce_hashes_size() || began.nonce_hashes(seat).empty()) return;
    table::RevealNonceRequest request;
    request.set_table_id(options_.table_id);
    request.set_player_id(options_.player_id);
    request.set_round_number(began.round_number());
    request.set_nonce(base::TextOf(Nonce()));
    rpc::InvokeAsync(
        *stub_.async(), &Stub::async_interface::RevealNonce, request,
        {.timeout = kCallTimeout, .player = options_.player_id},
        [self = shared_from_this()](const absl::StatusOr<table::RevealNonceResponse>& answer) {
          self->Note(answer.status());
        });
  }

  // The round's, the same however often it is asked: nobody has to be kept from guessing a bot's.
  fairness::Bytes Nonce() const {
    const std::string text = base::Cat(std::to_string(round_), ":", options_.player_id);
    fairness::Bytes nonce(text.begin(), text.end());
    nonce.resize(kNonceBytes);
    return nonce;
  }

  void Note(const absl::Status& status) {
    if (status.ok() || player::IsTooLate(status)) return;
    base::MutexLock lock(mutex_);
    if (!stopped_) counts_.failures.Add(status);
  }

  // xorshift: only spreads the answers.
  std::uint64_t Next() {
    random_ ^= random_ << 13U;
    random_ ^= random_ >> 7U;
    random_ ^= random_ << 17U;
    return random_;
  }

  Stub& stub_;
  base::Clock& clock_;
  Counts& counts_;
  const Throws throws_;
  const SeatOptions options_;

  // The stream's own.
  table::SubscribeRequest request_;
  table::SubscribeResponse response_;
  std::uint64_t last_ = 0;
  std::uint32_t round_ = 1;
  std::string drawn_;
  std::uint64_t random_;
  std::function<void()> ended_;

  base::Mutex mutex_;
  std::unique_ptr<grpc::ClientContext> context_;  // changed under the mutex, and between streams
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::shared_ptr<Core> self_ ABSL_GUARDED_BY(mutex_);
};

Seat::Seat(Stub& stub, base::Clock& clock, Counts& counts, Throws throws, SeatOptions options,
           std::function<void()> ended)
    : core_(std::make_shared<Core>(stub, clock, counts, std::move(throws), std::move(options),
                                   std::move(ended))) {}

Seat::~Seat() = default;

void Seat::Start() { core_->Open(); }

void Seat::Stop() { core_->Stop(); }

}  // namespace mj::load
