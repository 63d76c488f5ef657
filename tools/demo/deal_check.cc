#include "tools/demo/deal_check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "libs/base/strings.h"
#include "libs/fairness/commitment.h"
#include "libs/fairness/deal.h"
#include "libs/fairness/stream.h"
#include "libs/fairness/verify.h"
#include "libs/tiles/mpsz.h"

namespace mj::demo {
namespace {

using base::Cat;
using rules::Tile;
using rules::TileCounts;
using table::TableEvent;

template <std::size_t N>
std::optional<std::array<std::uint8_t, N>> BytesOf(const std::string& text) {
  if (text.size() != N) return std::nullopt;
  std::array<std::uint8_t, N> bytes{};
  std::transform(text.begin(), text.end(), bytes.begin(),
                 [](char c) { return static_cast<std::uint8_t>(c); });
  return bytes;
}

// The wall as it is used up from both ends.
class Wall {
 public:
  explicit Wall(fairness::Wall tiles) : tiles_(std::move(tiles)) {}

  std::optional<Tile> Front() {
    return front_ + back_ < tiles_.size() ? std::optional(tiles_[front_++]) : std::nullopt;
  }
  std::optional<Tile> Back() {
    return front_ + back_ < tiles_.size() ? std::optional(tiles_[tiles_.size() - ++back_])
                                          : std::nullopt;
  }
  std::size_t size() const { return tiles_.size(); }

 private:
  fairness::Wall tiles_;
  std::size_t front_ = 0;
  std::size_t back_ = 0;
};

// PLAY-01, without the dealer's fourteenth tile.
PerSeat<TileCounts> Deal(Wall& wall, Seat dealer) {
  PerSeat<TileCounts> hands;
  for (const int tiles : {4, 4, 4, 1}) {
    for (int turn = 0; turn < rules::kSeatCount; ++turn) {
      for (int i = 0; i < tiles; ++i) {
        if (const auto tile = wall.Front()) hands[rules::After(dealer, turn)].Add(*tile);
      }
    }
  }
  return hands;
}

CheckResult Wrong(std::string text) { return {false, std::move(text)}; }

using Nonces = google::protobuf::RepeatedPtrField<table::SeatNonce>;

bool SameNonces(const Nonces& a, const Nonces& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one.SerializeAsString() == other.SerializeAsString();
  });
}

std::optional<fairness::NonceOutcome> OutcomeOf(table::NonceOutcome outcome) {
  switch (outcome) {
    case table::NONCE_OUTCOME_NOT_COMMITTED:
      return fairness::NonceOutcome::kNotCommitted;
    case table::NONCE_OUTCOME_NOT_REVEALED:
      return fairness::NonceOutcome::kNotRevealed;
    case table::NONCE_OUTCOME_BAD_LENGTH:
      return fairness::NonceOutcome::kBadLength;
    case table::NONCE_OUTCOME_MISMATCH:
      return fairness::NonceOutcome::kMismatch;
    case table::NONCE_OUTCOME_REVEALED:
      return fairness::NonceOutcome::kRevealed;
    default:
      return std::nullopt;
  }
}

// What the table promised before the deal, told with it, and published afterwards, but for the game
// and the wall. Nothing where a value cannot be one.
std::optional<fairness::PublishedDeal> Published(const table::RoundBegan& began,
                                                 const table::DealDrawn& drawn,
                                                 const table::RoundSettled& settled,
                                                 const table::DiceRolled& rolled) {
  fairness::PublishedDeal deal;
  const auto seed = BytesOf<fairness::kSeedBytes>(settled.seed());
  const auto promised = BytesOf<32>(began.seed_hash());
  if (!seed || !promised || began.nonce_hashes_size() != rules::kSeatCount ||
      drawn.nonces_size() != rules::kSeatCount || rolled.faces_size() != 2) {
    return std::nullopt;
  }
  deal.seed = *seed;
  deal.commitment = *promised;
  deal.round_id = began.round_id();
  for (int seat = 0; seat < rules::kSeatCount; ++seat) {
    const auto at = static_cast<std::size_t>(seat);
    const table::SeatNonce& nonce = drawn.nonces(seat);
    const auto outcome = OutcomeOf(nonce.outcome());
    if (!outcome) return std::nullopt;
    deal.nonce_outcomes[at] = *outcome;
    if (!began.nonce_hashes(seat).empty()) {
      deal.nonces[at].commitment = BytesOf<32>(began.nonce_hashes(seat));
      if (!deal.nonces[at].commitment) return std::nullopt;
    }
    if (nonce.has_nonce())
      deal.nonces[at].reveal.emplace(nonce.nonce().begin(), nonce.nonce().end());
  }
  deal.dice = fairness::Dice{static_cast<int>(rolled.faces(0)), static_cast<int>(rolled.faces(1))};
  if (!drawn.anew()) return deal;
  if (drawn.seat_winds().empty()) {
    deal.dealer = static_cast<int>(drawn.dealer());
    return deal;
  }
  if (drawn.seat_winds_size() != rules::kSeatCount) return std::nullopt;
  deal.winds.emplace();
  for (int seat = 0; seat < rules::kSeatCount; ++seat) {
    const auto wind = tiles::ParseTile(drawn.seat_winds(seat));
    if (!wind) return std::nullopt;
    (*deal.winds)[static_cast<std::size_t>(seat)] = *wind;
  }
  return deal;
}

std::string WordsFor(const fairness::Verdict& verdict) {
  switch (verdict.misfit) {
    case fairness::Misfit::kSeed:
      return "the seed does not hash to what was shown before the deal";
    case fairness::Misfit::kNonceOutcome:
      return Cat("the nonce of seat ", std::to_string(verdict.at),
                 " was counted, or was not, against the rule");
    case fairness::Misfit::kDice:
      return "the dice are not the seed's";
    default:
      return Cat("the deal is not the seed's: ", fairness::MisfitText(verdict.misfit));
  }
}

std::ptrdiff_t Counted(const fairness::PublishedDeal& deal) {
  return std::count(deal.nonce_outcomes.begin(), deal.nonce_outcomes.end(),
                    fairness::NonceOutcome::kRevealed);
}

// The tile of the seat's own stream for its `index`-th draw.
std::string DrawnBy(const RoundStory& story, Seat seat, int index) {
  for (const TableEvent& event : story.StreamOf(seat)) {
    if (event.event_case() != TableEvent::kTileDrawn) continue;
    if (event.tile_drawn().seat() != static_cast<std::uint32_t>(rules::IndexOf(seat))) continue;
    if (index-- == 0) return event.tile_drawn().tile();
  }
  return {};
}

}  // namespace

CheckResult CheckDeal(const RoundStory& story, const rules::Variant& game,
                      const rules::Options& options) {
  const table::RoundBegan* began = BeganIn(story, Seat::k0);
  const table::DealDrawn* drawn = DrawnIn(story, Seat::k0);
  const table::RoundSettled* settled = SettledIn(story, Seat::k0);
  const table::DiceRolled* rolled = DiceIn(story, Seat::k0);
  if (began == nullptr || drawn == nullptr || settled == nullptr || rolled == nullptr) {
    return Wrong("the round has no beginning or no end");
  }
  if (!SameNonces(drawn->nonces(), settled->nonces())) {
    return Wrong("the nonces are others after the round than before the deal");
  }
  const auto published = Published(*began, *drawn, *settled, *rolled);
  if (!published) return Wrong("a field of the deal has the wrong length or value");
  fairness::PublishedDeal deal = *published;
  deal.variant = std::string(game.info().id);
  deal.options = rules::ToTexts(game.options(), options, true);
  fairness::RoundContext context{{}, deal.round_id, deal.variant, deal.options};
  for (std::size_t seat = 0; seat < fairness::kSeats; ++seat) {
    context.nonces[seat] = fairness::EffectiveNonce(deal.nonces[seat]);
  }
  // What was seen of the wall is compared with it below.
  const TileCounts all_tiles = game.play(options).wall;
  deal.wall = fairness::ShuffleWall(all_tiles, fairness::ContextDigest(context), deal.seed);
  const fairness::Verdict verdict = fairness::VerifyDeal(deal, all_tiles);
  if (!verdict.fits()) return Wrong(WordsFor(verdict));
  const auto dealer = rules::SeatFromIndex(static_cast<int>(drawn->dealer()));
  if (!dealer) return Wrong("there is no such dealer");
  if (deal.winds && (*deal.winds)[static_cast<std::size_t>(*dealer)] != tiles::kEast) {
    return Wrong("the dealer is not East");
  }

  Wall wall(deal.wall);
  const PerSeat<TileCounts> hands = Deal(wall, *dealer);
  for (const Seat seat : rules::kSeats) {
    if (tiles::ParseCounts(DealtTo(story, seat)) != hands[seat]) {
      return Wrong(Cat("seat ", std::to_string(rules::IndexOf(seat)),
                       " was dealt other tiles than the seed gives"));
    }
  }
  int draws = 0;
  PerSeat<int> by_seat;
  for (const TableEvent& event : story.StreamOf(Seat::k0)) {
    if (event.event_case() == TableEvent::kIndicatorTurned) {
      const auto tile = wall.Back();
      if (!tile || tiles::ToText(*tile) != event.indicator_turned().indicator()) {
        return Wrong("the indicator is not the wall's last tile");
      }
    }
    if (event.event_case() != TableEvent::kTileDrawn) continue;
    const bool replacement = event.tile_drawn().source() == table::DRAW_SOURCE_REPLACEMENT;
    const std::optional<Tile> tile = replacement ? wall.Back() : wall.Front();
    const auto seat = rules::SeatFromIndex(static_cast<int>(event.tile_drawn().seat()));
    if (!tile || !seat || DrawnBy(story, *seat, by_seat[*seat]++) != tiles::ToText(*tile)) {
      return Wrong(Cat("draw ", std::to_string(draws + 1), " is not the wall's tile"));
    }
    ++draws;
  }
  return {true,
          Cat("seed matches its hash; nonces of ", std::to_string(Counted(deal)),
              " players are in it; wall of ", std::to_string(wall.size()),
              " tiles dealt again: dice, four hands and ", std::to_string(draws), " draws agree")};
}

}  // namespace mj::demo
