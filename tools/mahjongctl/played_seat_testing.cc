#include "tools/mahjongctl/played_seat_testing.h"

#include <gtest/gtest.h>

#include <string>

#include "libs/bots/bot.h"
#include "libs/receipt/price.h"
#include "libs/round/random_testing.h"
#include "libs/round/result.h"
#include "libs/wire/finished_round.h"
#include "libs/wire/flat_writer.h"
#include "libs/wire/score_writer.h"
#include "libs/wire/seat_events.h"

namespace mj::mahjongctl {
namespace {

namespace table = ::mahjong::table::v1;
using rules::Seat;

constexpr int kThinkSeconds = 20;

class Stream {
 public:
  Stream(SeatTable& table, const std::function<bool(const SeatTable&)>& stop)
      : table_(table), stop_(stop) {}

  void Send(table::TableEvent event) {
    if (stopped_) return;
    ++sequence_;
    event.set_sequence(sequence_);
    event.mutable_time()->set_seconds(Now());
    ASSERT_TRUE(table_.Take(event, base::WallTime(std::chrono::seconds(Now()))))
        << event.ShortDebugString();
    stopped_ = stop_ && stop_(table_);
  }

  [[nodiscard]] std::int64_t Now() const {
    return std::chrono::duration_cast<std::chrono::seconds>(kStreamBegins.time_since_epoch())
               .count() +
           static_cast<std::int64_t>(sequence_);
  }

 private:
  SeatTable& table_;
  const std::function<bool(const SeatTable&)>& stop_;
  std::uint64_t sequence_ = 0;
  bool stopped_ = false;
};

table::TableEvent Formed(const rules::Variant& game) {
  table::TableEvent event;
  table::TableFormed& formed = *event.mutable_table_formed();
  formed.set_own_seat(0);
  formed.mutable_table()->set_table_id("table-1");
  formed.mutable_table()->set_variant(std::string(game.info().id));
  formed.mutable_table()->set_base(kShownBase);
  for (std::uint32_t i = 0; i < rules::kSeatCount; ++i) {
    table::Seat& seat = *formed.mutable_table()->add_seats();
    seat.set_seat(i);
    seat.set_player_id("player");
    seat.set_bot(i != 0);
  }
  return event;
}

void Began(const rules::Deal& deal, Stream& stream) {
  table::TableEvent began;
  began.mutable_round_began()->set_round_number(1);
  began.mutable_round_began()->set_base(kShownBase);
  stream.Send(began);
  table::TableEvent event;
  table::DealDrawn& drawn = *event.mutable_deal_drawn();
  drawn.set_dealer(static_cast<std::uint32_t>(rules::IndexOf(deal.dealer)));
  if (deal.round_wind) drawn.set_round_wind(tiles::ToText(*deal.round_wind));
  if (deal.seat_winds) {
    for (const tiles::Tile wind : *deal.seat_winds) drawn.add_seat_winds(tiles::ToText(wind));
  }
  stream.Send(event);
}

void Ended(const round::Setup& setup, const round::State& state, Stream& stream) {
  const auto finished = round::Finished(state);
  ASSERT_TRUE(finished);
  table::TableEvent ended;
  wire::ToProto(*finished, *ended.mutable_round_ended()->mutable_outcome());
  for (const Seat seat : rules::kSeats) {
    ended.mutable_round_ended()->add_hands(tiles::ToText(state.seats[seat].hand.concealed));
  }
  stream.Send(ended);

  const auto priced = receipt::PriceRound(setup.variant(), setup.options(), kShownBase, *finished);
  ASSERT_TRUE(priced.ok());
  wire::FlatWriter score;
  wire::WriteRound(setup.variant(), "version", *finished, priced.value(), score);
  table::TableEvent event;
  table::RoundSettled& settled = *event.mutable_round_settled();
  settled.set_round_id("round-1");
  ASSERT_TRUE(settled.mutable_score()->ParseFromString(std::string(score.bytes())));
  for (const Seat seat : rules::kSeats) {
    table::SeatResult& result = *settled.add_seats();
    result.set_seat(static_cast<std::uint32_t>(rules::IndexOf(seat)));
    result.set_net(priced.value().net[seat].value());
    result.set_balance(1'000'000 + priced.value().net[seat].value());
  }
  stream.Send(event);
  table::TableEvent asked;
  asked.mutable_play_on_asked()->set_round_number(2);
  asked.mutable_play_on_asked()->mutable_deadline()->set_seconds(stream.Now() + kThinkSeconds);
  stream.Send(asked);
}

}  // namespace

void FollowRound(const rules::Variant& game, std::uint64_t seed, SeatTable& table,
                 const std::function<bool(const SeatTable&)>& stop) {
  testing::Random random(seed);
  const rules::Options options = rules::DefaultOptions(game.options());
  const round::Setup setup = round::RandomSetup(game, options, random);
  bots::Distances distances;
  bots::Bot bot(game, options, seed, distances);
  Stream stream(table, stop);
  stream.Send(Formed(game));
  Began(setup.deal(), stream);
  std::uint64_t decision = 0;
  const auto choose = [&](const round::State& now, Seat seat, const round::Offer&) {
    return bot.Choose(Project(setup, now, seat));
  };
  const auto seen = [&](const round::State&, const round::Event& event) {
    const auto shown = round::Filter(event, round::Viewer::Player(Seat::k0));
    if (!shown) return;
    if (std::holds_alternative<round::YouAreAsked>(*shown)) ++decision;
    table::TableEvent message;
    if (!wire::ToProto(*shown, decision, message)) return;
    if (message.has_decision_offered()) {
      table::Decision& asked = *message.mutable_decision_offered()->mutable_decision();
      asked.mutable_deadline()->set_seconds(stream.Now() + kThinkSeconds);
      if (asked.offers().has_win()) asked.mutable_offers()->mutable_win()->set_coins(600);
    }
    stream.Send(message);
  };
  round::State state;
  ASSERT_TRUE(round::PlayOut(setup, state, random, choose, seen, 1000));
  Ended(setup, state, stream);
}

}  // namespace mj::mahjongctl
