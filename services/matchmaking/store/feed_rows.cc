// What the table service tells: how far it has been followed, and what came of it.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/status.h"
#include "libs/rating/rating.h"
#include "services/matchmaking/app/rate.h"
#include "services/matchmaking/store/pg_feed_store.h"

namespace mj::matchmaking::store {
namespace {

using std::int64_t;
using std::string;

std::string_view ToText(Feed feed) { return feed == Feed::kEndedRounds ? "rounds" : "seats"; }

// Moves the feed on; false if it is not at `from`. Whoever else wants to move it waits until this
// transaction is over, and then finds it somewhere else.
absl::StatusOr<bool> Move(pg::Transaction& tx, Feed feed, std::string_view from,
                          std::string_view to) {
  MJ_ASSIGN_OR_RETURN(const pg::Result moved, tx.Execute(R"(
      UPDATE matchmaking.feeds SET position = $3, changed_at = now()
       WHERE feed = $1 AND position = $2)",
                                                         ToText(feed), from, to));
  return moved.affected() == 1;
}

// A player in a game.
using Who = std::pair<string, string>;

struct RatingRow {
  rating::Rating rating;
  int64_t rounds = 0;
};

absl::StatusOr<std::set<string>> RatedBefore(pg::Transaction& tx,
                                             const std::vector<string>& rounds) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result found,
      tx.Execute("SELECT round_id FROM matchmaking.rated_rounds WHERE round_id = ANY ($1::text[])",
                 rounds));
  MJ_ASSIGN_OR_RETURN(const auto rows, found.Rows<string>());
  std::set<string> rated;
  for (const auto& [round] : rows) rated.insert(round);
  return rated;
}

absl::StatusOr<std::map<Who, RatingRow>> ReadRatings(pg::Transaction& tx,
                                                     const std::vector<EndedRound>& rounds) {
  std::vector<string> players;
  std::vector<string> games;
  for (const EndedRound& round : rounds) {
    for (const PlayerId& player : round.players) {
      players.push_back(player.value());
      games.push_back(round.variant);
    }
  }
  MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(R"(
      SELECT player_id, variant, mean, spread, rounds FROM matchmaking.ratings
       WHERE (player_id, variant) IN (SELECT * FROM unnest($1::text[], $2::text[])))",
                                                         players, games));
  MJ_ASSIGN_OR_RETURN(const auto rows, (found.Rows<string, string, int64_t, int64_t, int64_t>()));
  std::map<Who, RatingRow> ratings;
  for (const auto& [player, game, mean, spread, count] : rows) {
    ratings[{player, game}] = {{mean, spread}, count};
  }
  return ratings;
}

// What rounds change, as parallel arrays, for unnest.
struct Changes {
  std::vector<string> rounds;
  std::vector<string> variants;
  // One for each player of each round:
  std::vector<string> of_rounds;
  std::vector<string> players;
  std::vector<int64_t> coins;
  std::vector<int64_t> means_before;
  std::vector<int64_t> spreads_before;
  std::vector<int64_t> means_after;
  std::vector<int64_t> spreads_after;
};

// Counts the rounds one after the other, which `ratings` follows.
Changes Count(const std::vector<EndedRound>& rounds, std::map<Who, RatingRow>& ratings) {
  Changes changes;
  for (const EndedRound& round : rounds) {
    changes.rounds.push_back(round.round);
    changes.variants.push_back(round.variant);
    std::array<rating::Rating, kSeats> before;
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      before[seat] = ratings[{round.players[seat].value(), round.variant}].rating;
    }
    const std::array<rating::Rating, kSeats> after = RatingsAfter(round, before);
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      RatingRow& row = ratings[{round.players[seat].value(), round.variant}];
      row.rating = after[seat];
      ++row.rounds;
      changes.of_rounds.push_back(round.round);
      changes.players.push_back(round.players[seat].value());
      changes.coins.push_back(round.coins[seat]);
      changes.means_before.push_back(before[seat].mean);
      changes.spreads_before.push_back(before[seat].spread);
      changes.means_after.push_back(after[seat].mean);
      changes.spreads_after.push_back(after[seat].spread);
    }
  }
  return changes;
}

absl::Status WriteRatings(pg::Transaction& tx, const Changes& changes,
                          const std::map<Who, RatingRow>& ratings) {
  std::vector<string> players;
  std::vector<string> games;
  std::vector<int64_t> means;
  std::vector<int64_t> spreads;
  std::vector<int64_t> rounds;
  for (const auto& [who, row] : ratings) {
    players.push_back(who.first);
    games.push_back(who.second);
    means.push_back(row.rating.mean);
    spreads.push_back(row.rating.spread);
    rounds.push_back(row.rounds);
  }
  const pg::Statement statements[] = {
      pg::Statement(R"(
      INSERT INTO matchmaking.rated_rounds (round_id, variant, rated_at)
      SELECT r.*, now() FROM unnest($1::text[], $2::text[]) AS r)",
                    changes.rounds, changes.variants),
      pg::Statement(R"(
      INSERT INTO matchmaking.rating_changes (round_id, player_id, coins, mean_before, spread_before,
                                              mean_after, spread_after)
      SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[],
                           $6::bigint[], $7::bigint[]))",
                    changes.of_rounds, changes.players, changes.coins, changes.means_before,
                    changes.spreads_before, changes.means_after, changes.spreads_after),
      pg::Statement(R"(
      INSERT INTO matchmaking.ratings AS r (player_id, variant, mean, spread, rounds, changed_at)
      SELECT w.*, now()
        FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) AS w
      ON CONFLICT (player_id, variant) DO UPDATE
         SET mean = excluded.mean, spread = excluded.spread, rounds = excluded.rounds,
             changed_at = excluded.changed_at)",
                    players, games, means, spreads, rounds)};
  return tx.ExecuteTogether(statements).status();
}

absl::Status Rate(pg::Transaction& tx, const std::vector<EndedRound>& told) {
  std::vector<string> ids;
  for (const EndedRound& round : told) {
    if (Counts(round)) ids.push_back(round.round);
  }
  if (ids.empty()) return absl::OkStatus();
  MJ_ASSIGN_OR_RETURN(std::set<string> rated, RatedBefore(tx, ids));
  std::vector<EndedRound> rounds;
  for (const EndedRound& round : told) {
    if (Counts(round) && rated.insert(round.round).second) rounds.push_back(round);
  }
  if (rounds.empty()) return absl::OkStatus();
  MJ_ASSIGN_OR_RETURN(auto ratings, ReadRatings(tx, rounds));
  const Changes changes = Count(rounds, ratings);
  return WriteRatings(tx, changes, ratings);
}

absl::Status Meet(pg::Transaction& tx, const std::vector<EndedRound>& told) {
  std::map<std::pair<string, string>, base::WallTime> met;
  for (const EndedRound& round : told) {
    for (std::size_t i = 0; IsMeeting(round) && i < kSeats; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        base::WallTime& at = met[std::minmax(round.players[i].value(), round.players[j].value())];
        at = std::max(at, round.ended_at);
      }
    }
  }
  if (met.empty()) return absl::OkStatus();
  std::vector<string> ones;
  std::vector<string> others;
  std::vector<int64_t> times;
  for (const auto& [pair, at] : met) {
    ones.push_back(pair.first);
    others.push_back(pair.second);
    times.push_back(
        std::chrono::duration_cast<std::chrono::microseconds>(at.time_since_epoch()).count());
  }
  return tx
      .Execute(R"(
      INSERT INTO matchmaking.meetings AS m (player_id, other_id, met_at)
      SELECT w.one, w.other, 'epoch'::timestamptz + w.at * interval '1 microsecond'
        FROM unnest($1::text[], $2::text[], $3::bigint[]) AS w (one, other, at)
      ON CONFLICT (player_id, other_id) DO UPDATE SET met_at = greatest(m.met_at, excluded.met_at))",
               ones, others, times)
      .status();
}

// Which of the tables are open, as the latest of each says. Only those made for a match of the open queue
// are refilled: in a private room nobody sits who has not come by its code, and at practice tables bots do.
absl::Status WriteOpen(pg::Transaction& tx, const std::vector<SeatChange>& told) {
  std::map<string, const SeatChange*> latest;
  for (const SeatChange& change : told) latest[change.place.table.value()] = &change;
  std::vector<string> all;
  std::vector<string> tables;
  std::vector<string> matches;
  std::vector<string> addresses;
  std::vector<string> players;
  for (const auto& [table, change] : latest) {
    all.push_back(table);
    if (!change->open) continue;
    tables.push_back(table);
    matches.push_back(change->match.value());
    addresses.push_back(change->place.address);
    string seated;
    for (const PlayerId& player : change->seated) seated += player.value() + ",";
    seated.pop_back();
    players.push_back(std::move(seated));
  }
  const pg::Statement statements[] = {
      pg::Statement("DELETE FROM matchmaking.open_tables WHERE table_id = ANY ($1::text[])", all),
      pg::Statement(R"(
      INSERT INTO matchmaking.open_tables (table_id, match_id, address, player_ids, changed_at)
      SELECT w.table_id, m.id, w.address, string_to_array(w.players, ','), now()
        FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
             AS w (table_id, match_id, address, players)
        JOIN matchmaking.matches m ON m.id = w.match_id
       WHERE m.state = 'assigned' AND m.table_id = w.table_id AND m.room_id = ''
         AND m.currency <> 'PRACTICE'
         AND m.refill_table IS NULL)",
                    tables, matches, addresses, players)};
  return tx.ExecuteTogether(statements).status();
}

}  // namespace

pg::RunOptions PgFeedStore::Deadline() const {
  return {.deadline = clock_.Monotonic() + options_.timeout};
}

absl::StatusOr<std::optional<string>> PgFeedStore::ClaimFeed(Feed feed, std::string_view holder,
                                                             Millis lease) {
  MJ_ASSIGN_OR_RETURN(const pg::Result claimed, pool_.Execute(Deadline(), R"(
      UPDATE matchmaking.feeds
         SET holder = $2, held_until = now() + $3::bigint * interval '1 millisecond'
       WHERE feed = $1 AND (holder = $2 OR held_until <= now())
      RETURNING position)",
                                                              ToText(feed), holder, lease.count()));
  MJ_ASSIGN_OR_RETURN(const auto row, claimed.AtMostOne<string>());
  return row ? std::optional(std::get<0>(*row)) : std::nullopt;
}

absl::StatusOr<bool> PgFeedStore::ApplyRounds(std::string_view from,
                                              const FeedBatch<EndedRound>& batch) {
  bool mine = false;
  const absl::Status written = pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(mine, Move(tx, Feed::kEndedRounds, from, batch.position));
    if (!mine) return absl::OkStatus();
    MJ_RETURN_IF_ERROR(Meet(tx, batch.items));
    return Rate(tx, batch.items);
  });
  MJ_RETURN_IF_ERROR(written);
  return mine;
}

absl::StatusOr<std::optional<std::size_t>> PgFeedStore::ApplySeats(
    std::string_view from, const FeedBatch<SeatChange>& batch) {
  std::vector<string> tables;
  std::vector<string> players;
  for (const SeatChange& change : batch.items) {
    for (const PlayerId& player : change.left) {
      tables.push_back(change.place.table.value());
      players.push_back(player.value());
    }
  }
  std::optional<std::size_t> freed;
  const absl::Status written = pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    freed.reset();
    MJ_ASSIGN_OR_RETURN(const bool mine, Move(tx, Feed::kSeatChanges, from, batch.position));
    if (!mine) return absl::OkStatus();
    freed = 0;
    if (batch.items.empty()) return absl::OkStatus();
    MJ_ASSIGN_OR_RETURN(const pg::Result gone, tx.Execute(R"(
        DELETE FROM matchmaking.live_seats s
         USING unnest($1::text[], $2::text[]) AS l (table_id, player_id), matchmaking.matches m
         WHERE s.player_id = l.player_id AND m.id = s.match_id AND m.table_id = l.table_id
           AND m.state = 'assigned')",
                                                          tables, players));
    freed = static_cast<std::size_t>(gone.affected());
    return WriteOpen(tx, batch.items);
  });
  MJ_RETURN_IF_ERROR(written);
  return freed;
}

absl::StatusOr<std::size_t> PgFeedStore::ForgetMeetings(Millis age, std::size_t limit) {
  MJ_ASSIGN_OR_RETURN(const pg::Result forgotten, pool_.Execute(Deadline(), R"(
      DELETE FROM matchmaking.meetings WHERE (player_id, other_id) IN
        (SELECT player_id, other_id FROM matchmaking.meetings
          WHERE met_at <= now() - $1::bigint * interval '1 millisecond'
          ORDER BY met_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
                                                                age.count(), limit));
  return static_cast<std::size_t>(forgotten.affected());
}

}  // namespace mj::matchmaking::store
