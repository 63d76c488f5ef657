#include "services/table/store/pg_leases.h"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::table::store {
namespace {

using base::Cat;

// Whether nobody alive holds t. A lease that is gone is over.
constexpr std::string_view kNobodys =
    "NOT EXISTS (SELECT FROM tables.owners o WHERE o.id = t.owner_id"
    "             AND o.alive_until > clock_timestamp())";

absl::StatusOr<std::vector<HeldTable>> HeldIn(const pg::Result& found) {
  MJ_ASSIGN_OR_RETURN(const auto rows, (found.Rows<std::string, std::int64_t>()));
  std::vector<HeldTable> held;
  held.reserve(rows.size());
  for (const auto& [id, epoch] : rows) held.push_back({TableId(id), epoch});
  return held;
}

absl::StatusOr<std::variant<HeldTable, Elsewhere>> TakeOne(pg::Transaction& tx,
                                                           const TableId& table,
                                                           const OwnerId& self) {
  // Waits for an append that is under way; none of the epoch before comes after it.
  MJ_ASSIGN_OR_RETURN(
      const pg::Result taken,
      tx.Execute(Cat("UPDATE tables.tables t SET owner_id = $2, taken = true, epoch = t.epoch + 1"
                     " WHERE t.id = $1 AND t.state <> 'closed' AND (t.owner_id = $2 OR ",
                     kNobodys, ") RETURNING t.epoch"),
                 table.value(), self.value()));
  MJ_ASSIGN_OR_RETURN(const auto epoch, taken.AtMostOne<std::int64_t>());
  if (epoch) return HeldTable{table, std::get<0>(*epoch)};
  MJ_ASSIGN_OR_RETURN(
      const pg::Result found,
      tx.Execute("SELECT t.epoch, (t.state = 'closed')::int::bigint, coalesce(o.address, '')"
                 "  FROM tables.tables t LEFT JOIN tables.owners o ON o.id = t.owner_id"
                 " WHERE t.id = $1",
                 table.value()));
  MJ_ASSIGN_OR_RETURN(const auto row, (found.AtMostOne<std::int64_t, std::int64_t, std::string>()));
  if (!row) return base::Error(base::Reason::kTableNotFound);
  if (std::get<1>(*row) != 0) return HeldTable{table, std::get<0>(*row)};
  return Elsewhere{std::get<2>(*row)};
}

}  // namespace

pg::RunOptions PgLeases::Options() const {
  return {.deadline = clock_.Monotonic() + options_.timeout};
}

absl::Status PgLeases::Begin(const Owner& self, std::chrono::milliseconds time) {
  // Leases that ended long ago are of nobody's interest any more.
  MJ_RETURN_IF_ERROR(pool_
                         .Execute(Options(),
                                  "DELETE FROM tables.owners"
                                  " WHERE (instance = $1 AND instance <> '')"
                                  "    OR alive_until < clock_timestamp() - interval '1 hour'",
                                  self.instance)
                         .status());
  return Renew(self, time).status();
}

absl::StatusOr<bool> PgLeases::Renew(const Owner& self, std::chrono::milliseconds time) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result renewed,
      pool_.Execute(
          Options(),
          "WITH before AS (SELECT alive_until > clock_timestamp() AS alive FROM tables.owners"
          "                 WHERE id = $1)"
          " INSERT INTO tables.owners (id, instance, address, alive_until)"
          " VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond')"
          " ON CONFLICT (id) DO UPDATE"
          "   SET address = excluded.address, alive_until = excluded.alive_until"
          " RETURNING coalesce((SELECT alive FROM before), false)::int::bigint",
          self.id.value(), self.instance, self.address, time.count()));
  MJ_ASSIGN_OR_RETURN(const auto lasted, renewed.One<std::int64_t>());
  return std::get<0>(lasted) != 0;
}

absl::Status PgLeases::End(const OwnerId& self) {
  return pool_.Execute(Options(), "DELETE FROM tables.owners WHERE id = $1", self.value()).status();
}

absl::StatusOr<std::variant<HeldTable, Elsewhere>> PgLeases::Take(const TableId& table,
                                                                  const OwnerId& self) {
  std::variant<HeldTable, Elsewhere> held;
  MJ_RETURN_IF_ERROR(pool_.Run(Options(), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(held, TakeOne(tx, table, self));
    return absl::OkStatus();
  }));
  return held;
}

absl::StatusOr<std::vector<HeldTable>> PgLeases::TakeSome(const OwnerId& self, std::int64_t limit) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result taken,
      pool_.Execute(
          Options(),
          Cat("WITH free AS (SELECT t.opened_on, t.id FROM tables.tables t"
              "               WHERE t.state <> 'closed'"
              "                 AND CASE WHEN t.owner_id = $1 THEN NOT t.taken ELSE ",
              kNobodys,
              " END ORDER BY t.id LIMIT $2 FOR UPDATE SKIP LOCKED)"
              " UPDATE tables.tables t SET owner_id = $1, taken = true, epoch = t.epoch + 1"
              "   FROM free WHERE t.opened_on = free.opened_on AND t.id = free.id"
              " RETURNING t.id, t.epoch"),
          self.value(), limit));
  return HeldIn(taken);
}

absl::StatusOr<std::vector<HeldTable>> PgLeases::ListHeld(const OwnerId& self) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found,
                      pool_.Execute(Options(),
                                    "SELECT id, epoch FROM tables.tables"
                                    " WHERE owner_id = $1 AND taken AND state <> 'closed'"
                                    " ORDER BY id",
                                    self.value()));
  return HeldIn(found);
}

absl::Status PgLeases::Retire(const OwnerId& self) {
  return pool_
      .Execute(Options(), "UPDATE tables.owners SET retired = true WHERE id = $1", self.value())
      .status();
}

absl::StatusOr<std::vector<std::string>> PgLeases::GiveAway(const OwnerId& self,
                                                            std::span<const HeldTable> tables) {
  std::vector<std::string> ids;
  std::vector<std::int64_t> epochs;
  for (const HeldTable& held : tables) {
    ids.push_back(held.table.value());
    epochs.push_back(held.epoch);
  }
  MJ_ASSIGN_OR_RETURN(
      const pg::Result given,
      pool_.Execute(
          Options(),
          "WITH heirs AS (SELECT id, address, row_number() OVER (ORDER BY id) - 1 AS place,"
          "                      count(*) OVER () AS count"
          "                 FROM tables.owners"
          "                WHERE id <> $1 AND NOT retired AND alive_until > clock_timestamp()),"
          " gifts AS (SELECT g.id, g.epoch, h.id AS heir, coalesce(h.address, '') AS address"
          "             FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY g(id, epoch, number)"
          "             LEFT JOIN heirs h ON h.place = g.number % h.count)"
          " UPDATE tables.tables t"
          "    SET owner_id = gifts.heir, taken = false, epoch = t.epoch + 1"
          "   FROM gifts"
          "  WHERE t.id = gifts.id AND t.owner_id = $1 AND t.epoch = gifts.epoch"
          " RETURNING t.id, gifts.address",
          self.value(), ids, epochs));
  MJ_ASSIGN_OR_RETURN(const auto rows, (given.Rows<std::string, std::string>()));
  std::unordered_map<std::string, std::string> addresses(rows.size());
  for (const auto& [id, address] : rows) addresses[id] = address;
  std::vector<std::string> in_order;
  in_order.reserve(tables.size());
  for (const std::string& id : ids) in_order.push_back(addresses[id]);
  return in_order;
}

}  // namespace mj::table::store
