// Assigning matches to their tables.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "libs/base/status.h"
#include "services/matchmaking/store/pg_store.h"

namespace mj::matchmaking::store {
namespace {

using std::int64_t;
using std::string;

struct MatchState {
  string state;
  std::optional<string> table;
};

// What was found of matches that are to be assigned, all of it locked: matches before tickets, each in the
// order of their ids, so that two who assign do not wait for each other.
struct Found {
  std::map<string, MatchState> states;
  std::map<string, bool> waiting;  // whether its tickets all still wait for it
};

absl::StatusOr<Found> Lock(pg::Transaction& tx, const std::vector<string>& ids) {
  const pg::Statement statements[] = {pg::Statement(R"(
      SELECT id, state, table_id FROM matchmaking.matches
       WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE)",
                                                    ids),
                                      pg::Statement(R"(
      SELECT mm.match_id, t.state = 'matched' AND t.match_id = mm.match_id
                          OR t.state = 'queued' AND t.expires_at > now()
        FROM matchmaking.match_members mm JOIN matchmaking.tickets t ON t.id = mm.ticket_id
       WHERE mm.match_id = ANY ($1::text[]) ORDER BY t.id FOR UPDATE OF t)",
                                                    ids)};
  MJ_ASSIGN_OR_RETURN(const auto results, tx.ExecuteTogether(statements));
  Found found;
  MJ_ASSIGN_OR_RETURN(const auto matches,
                      (results[0].Rows<string, string, std::optional<string>>()));
  for (const auto& [id, state, table] : matches) found.states.emplace(id, MatchState{state, table});
  MJ_ASSIGN_OR_RETURN(const auto tickets, (results[1].Rows<string, bool>()));
  for (const auto& [match, waits] : tickets) {
    const auto [all, first] = found.waiting.emplace(match, waits);
    if (!first) all->second = all->second && waits;
  }
  return found;
}

absl::Status Write(pg::Transaction& tx, const std::vector<string>& matches,
                   const std::vector<string>& tables, const std::vector<string>& addresses,
                   Millis check_after) {
  const pg::Statement statements[] = {pg::Statement(R"(
      UPDATE matchmaking.tickets t SET state = 'assigned', match_id = mm.match_id,
                                       changed_at = now()
        FROM matchmaking.match_members mm
       WHERE mm.match_id = ANY ($1::text[]) AND t.id = mm.ticket_id)",
                                                    matches),
                                      pg::Statement(R"(
      UPDATE matchmaking.matches m SET state = 'assigned', table_id = a.table_id,
                                       table_address = a.address, changed_at = now()
        FROM unnest($1::text[], $2::text[], $3::text[]) AS a (id, table_id, address)
       WHERE m.id = a.id)",
                                                    matches, tables, addresses),
                                      pg::Statement(R"(
      UPDATE matchmaking.live_seats
         SET check_after = now() + $2::bigint * interval '1 millisecond'
       WHERE match_id = ANY ($1::text[]))",
                                                    matches, check_after.count()),
                                      pg::Statement(R"(
      UPDATE matchmaking.rooms SET closed_at = now()
       WHERE closed_at IS NULL
         AND id IN (SELECT room_id FROM matchmaking.matches
                     WHERE id = ANY ($1::text[]) AND room_id <> ''))",
                                                    matches)};
  return tx.ExecuteAndCommit(statements).status();
}

}  // namespace

absl::StatusOr<std::vector<Assigned>> PgStore::AssignMatches(std::span<const Standing> matches,
                                                             Millis check_after) {
  std::vector<Assigned> answers;
  MJ_RETURN_IF_ERROR(pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    answers.assign(matches.size(), Assigned::kReleased);
    std::vector<string> ids;
    for (const Standing& standing : matches) ids.push_back(standing.match.value());
    MJ_ASSIGN_OR_RETURN(const Found all, Lock(tx, ids));
    std::vector<string> assigned;
    std::vector<string> tables;
    std::vector<string> addresses;
    for (std::size_t i = 0; i < matches.size(); ++i) {
      const auto found = all.states.find(ids[i]);
      if (found == all.states.end() || found->second.state == "released") continue;
      const TablePlace& place = matches[i].place;
      if (found->second.state == "assigned") {
        if (found->second.table == place.table.value()) answers[i] = Assigned::kDone;
      } else if (!all.waiting.at(ids[i])) {
        answers[i] = Assigned::kMemberGone;
      } else {
        answers[i] = Assigned::kDone;
        assigned.push_back(ids[i]);
        tables.push_back(place.table.value());
        addresses.push_back(place.address);
      }
    }
    return assigned.empty() ? absl::OkStatus()
                            : Write(tx, assigned, tables, addresses, check_after);
  }));
  return answers;
}

}  // namespace mj::matchmaking::store
