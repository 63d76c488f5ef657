#include "tools/demo/deal_check.h"

#include <algorithm>
#include <optional>

#include "libs/base/strings.h"
#include "libs/fairness/commitment.h"
#include "libs/fairness/deal.h"
#include "libs/fairness/stream.h"
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
  const table::RoundSettled* settled = SettledIn(story, Seat::k0);
  const table::DiceRolled* rolled = DiceIn(story, Seat::k0);
  if (began == nullptr || settled == nullptr || rolled == nullptr) {
    return Wrong("the round has no beginning or no end");
  }
  const auto seed = BytesOf<fairness::kSeedBytes>(settled->seed());
  const auto promised = BytesOf<32>(began->seed_hash());
  if (!seed || !promised) return Wrong("the seed or its hash has the wrong length");
  if (fairness::CommitSeed(*seed) != *promised) {
    return Wrong("the seed does not hash to what was shown before the deal");
  }

  fairness::RoundContext context;
  context.round_id = began->round_id();
  context.variant = std::string(game.info().id);
  context.options = rules::ToTexts(game.options(), options, true);
  const fairness::Digest digest = fairness::ContextDigest(context);
  const fairness::Dice dice = fairness::RollDice(digest, *seed);
  if (rolled->faces_size() != 2 || static_cast<int>(rolled->faces(0)) != dice.first ||
      static_cast<int>(rolled->faces(1)) != dice.second) {
    return Wrong("the dice are not the seed's");
  }

  Wall wall(fairness::ShuffleWall(game.play(options).wall, digest, *seed));
  const auto dealer = rules::SeatFromIndex(static_cast<int>(began->dealer()));
  if (!dealer) return Wrong("there is no such dealer");
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
          Cat("seed matches its hash; wall of ", std::to_string(wall.size()),
              " tiles dealt again: dice, four hands and ", std::to_string(draws), " draws agree")};
}

}  // namespace mj::demo
