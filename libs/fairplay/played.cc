#include "libs/fairplay/played.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/collusion/of_record.h"
#include "libs/packing/packing.h"
#include "libs/wire/kept_round.h"

namespace mj::fairplay {
namespace {

using std::int64_t;
using std::string;

constexpr int64_t kMatchesMax = 1'000;  // of a page
constexpr int64_t kRecordsMax = 100;
constexpr std::size_t kRecordBytesMax = 16U << 20U;
constexpr std::size_t kNamed = 20;

// Ids of matches rise with the time at which they were made. Who was drawn from one pool within an hour could have met.
constexpr char kSittings[] = R"(
  SELECT m.id,
         concat_ws('|', m.variant, m.base, m.media, m.options, date_trunc('hour', m.made_at)),
         mm.player_id, t.request_id, t.device_id, t.network
    FROM (SELECT * FROM matchmaking.matches
           WHERE id > $1 AND state = 'assigned' AND currency = 'COIN' AND room_id = ''
             AND made_at >= coalesce(nullif($2, '')::date, '-infinity'::date)::timestamp AT TIME ZONE 'UTC'
             AND made_at < (coalesce(nullif($3, '')::date, 'infinity'::date) + 1)::timestamp AT TIME ZONE 'UTC'
           ORDER BY id LIMIT $4) m
    JOIN matchmaking.match_members mm ON mm.match_id = m.id
    JOIN matchmaking.tickets t ON t.id = mm.ticket_id
   ORDER BY m.id, mm.seat)";

constexpr char kRecords[] = R"(
  SELECT ended_on::text, round_id, payload FROM tables.records
   WHERE (ended_on, round_id) > ($1::date, $2) AND state = 'settled' AND currency = 'COIN'
     AND ended_on >= coalesce(nullif($3, '')::date, '-infinity'::date)
     AND ended_on <= coalesce(nullif($4, '')::date, 'infinity'::date)
   ORDER BY ended_on, round_id LIMIT $5)";

absl::Status ReadSittings(pg::Transaction& tx, const Days& days, collusion::Examiner& examiner) {
  string after;
  while (true) {
    MJ_ASSIGN_OR_RETURN(const pg::Result found,
                        tx.Execute(kSittings, after, days.from, days.to, kMatchesMax));
    MJ_ASSIGN_OR_RETURN(const auto rows,
                        (found.Rows<string, string, string, string, string, string>()));
    if (rows.empty()) return absl::OkStatus();
    for (std::size_t at = 0; at + collusion::kSeats <= rows.size(); at += collusion::kSeats) {
      collusion::Sitting sitting;
      for (std::size_t seat = 0; seat < collusion::kSeats; ++seat) {
        const auto& [match, draw, player, request, device, network] = rows[at + seat];
        sitting.draw = draw;
        sitting.places[seat] = {player, request, device, network};
        after = match;
      }
      examiner.Add(sitting);
    }
  }
}

absl::Status ReadRecords(pg::Transaction& tx, const Days& days, collusion::Examiner& examiner,
                         Played& played) {
  string day = "-infinity";
  string after;
  while (true) {
    MJ_ASSIGN_OR_RETURN(const pg::Result found,
                        tx.Execute(kRecords, day, after, days.from, days.to, kRecordsMax));
    MJ_ASSIGN_OR_RETURN(const auto rows, (found.Rows<string, string, pg::Bytes>()));
    if (rows.empty()) return absl::OkStatus();
    for (const auto& [ended_on, round_id, payload] : rows) {
      day = ended_on;
      after = round_id;
      const auto bytes = packing::Unpack(payload.data, kRecordBytesMax);
      const auto record = bytes.ok() ? wire::ParseRoundRecord(*bytes) : bytes.status();
      if (!record.ok()) {
        if (++played.unreadable <= static_cast<int64_t>(kNamed)) {
          played.unreadable_rounds.push_back(round_id);
        }
        continue;
      }
      if (const auto round = collusion::OfRecord(*record)) examiner.Add(*round);
    }
  }
}

// Whether PostgreSQL takes it for a day, or it is none at all.
bool IsDay(const string& text) {
  constexpr std::size_t kLength = 10;
  if (text.empty()) return true;
  if (text.size() != kLength) return false;
  for (std::size_t i = 0; i < kLength; ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  }
  const auto number = [&](std::size_t from, std::size_t length) {
    return static_cast<int>(*base::ParseInt64(std::string_view(text).substr(from, length)));
  };
  return std::chrono::year_month_day(std::chrono::year(number(0, 4)),
                                     std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                     std::chrono::day(static_cast<unsigned>(number(8, 2))))
      .ok();
}

}  // namespace

absl::StatusOr<Played> Examine(pg::Pool& pool, const Days& days,
                               const collusion::ReportOptions& options,
                               base::MonotonicTime deadline) {
  for (const string& day : {days.from, days.to}) {
    if (!IsDay(day)) {
      return absl::InvalidArgumentError(
          base::ToAbsl(base::Cat("no day: ", base::Quoted(day), "; want YYYY-MM-DD")));
    }
  }
  Played played;
  const absl::Status read = pool.Run({.deadline = deadline,
                                      .isolation = pg::RunOptions::Isolation::kRepeatableRead,
                                      .read_only = true},
                                     [&](pg::Transaction& tx) -> absl::Status {
                                       played = {};
                                       collusion::Examiner examiner(options);
                                       MJ_RETURN_IF_ERROR(ReadSittings(tx, days, examiner));
                                       MJ_RETURN_IF_ERROR(ReadRecords(tx, days, examiner, played));
                                       played.report = examiner.Examine();
                                       return absl::OkStatus();
                                     });
  if (!read.ok()) return read;
  return played;
}

absl::StatusOr<int64_t> KeepApart(pg::Pool& pool, const std::vector<collusion::Finding>& findings,
                                  std::chrono::hours time, base::MonotonicTime deadline) {
  struct Why {
    std::set<string> kinds;
    std::set<string> rounds;
  };
  std::map<std::pair<string, string>, Why> pairs;
  for (const collusion::Finding& finding : findings) {
    Why& why = pairs[std::minmax(finding.one, finding.other)];
    why.kinds.emplace(collusion::NameOf(finding.kind));
    why.rounds.insert(finding.rounds.begin(), finding.rounds.end());
  }
  const absl::Status written = pool.Run({.deadline = deadline}, [&](pg::Transaction& tx) {
    for (const auto& [pair, why] : pairs) {
      const absl::Status kept =
          tx.Execute(R"(
          INSERT INTO matchmaking.kept_apart AS k (player_id, other_id, kinds, round_ids, ends_at)
          VALUES ($1, $2, $3::text[], $4::text[], now() + $5::bigint * interval '1 hour')
          ON CONFLICT (player_id, other_id) DO UPDATE
            SET kinds = excluded.kinds, round_ids = excluded.round_ids, found_at = now(),
                ends_at = greatest(k.ends_at, excluded.ends_at))",
                     pair.first, pair.second,
                     std::vector<string>(why.kinds.begin(), why.kinds.end()),
                     std::vector<string>(why.rounds.begin(), why.rounds.end()), time.count())
              .status();
      if (!kept.ok()) return kept;
    }
    return absl::OkStatus();
  });
  if (!written.ok()) return written;
  return static_cast<int64_t>(pairs.size());
}

}  // namespace mj::fairplay
