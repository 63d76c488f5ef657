#include "services/wallet/store/account_rows.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/store/names.h"

namespace mj::wallet::store {
namespace {

using base::Cat;
using Numbers = std::vector<std::int64_t>;

// No join with the rounds in here: a row that was waited for is read anew, but what it is joined
// with is not.
constexpr std::string_view kLock = R"sql(
SELECT a.account_id, a.account_no, b.coins, b.held, b.last_sequence, b.frozen, b.closed,
       coalesce(b.held_table, ''), (extract(epoch FROM b.held_until) * 1000000)::bigint,
       b.held_table IS NOT NULL
         AND (b.round_no IS NOT NULL OR b.held_until > transaction_timestamp()),
       coalesce(b.round_no, 0)
FROM wallet.accounts a JOIN wallet.balances b ON b.account_no = a.account_no
WHERE a.account_id = ANY ($1::text[]) AND a.currency = $2
ORDER BY a.account_no FOR UPDATE OF b
)sql";

constexpr std::string_view kNow = R"sql(
SELECT (extract(epoch FROM transaction_timestamp()) * 1000000)::bigint
)sql";

constexpr std::string_view kWhatElse = R"sql(
SELECT account_id, kind <> 'player' FROM wallet.accounts WHERE account_id = ANY ($1::text[])
)sql";

constexpr std::string_view kRoundIds = R"sql(
SELECT round_no, round_id FROM wallet.rounds WHERE round_no = ANY ($1::bigint[])
)sql";

constexpr std::string_view kUpdate = R"sql(
UPDATE wallet.balances b
SET held = s.held, held_table = nullif(s.held_table, ''),
    held_until = CASE WHEN s.held_table <> '' THEN s.held_until END,
    reservation_no = CASE WHEN s.held_table = '' THEN NULL
                          ELSE coalesce(nullif(s.reservation_no, 0), b.reservation_no) END,
    frozen = s.frozen = 1, closed = s.closed = 1, round_no = nullif(s.round_no, 0)
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[], $5::bigint[], $6::bigint[],
            $7::bigint[], $8::bigint[])
     s (account_no, held, held_table, held_until, frozen, closed, round_no, reservation_no)
WHERE b.account_no = s.account_no
)sql";

constexpr std::string_view kInsertReservation = R"sql(
INSERT INTO wallet.reservations (account_no, table_id, tier_id, coins, held_until)
VALUES ($1, $2, $3, $4, $5::timestamptz) RETURNING reservation_no
)sql";

constexpr std::string_view kInsertEvent = R"sql(
INSERT INTO wallet.account_events (account_no, kind, actor, approver, reason)
VALUES ($1, $2, $3, nullif($4, ''), $5)
)sql";

constexpr std::string_view kReadStanding = R"sql(
SELECT b.held, b.frozen, b.closed, coalesce(b.held_table, ''),
       (extract(epoch FROM b.held_until) * 1000000)::bigint,
       b.held_table IS NOT NULL
         AND (b.round_no IS NOT NULL OR b.held_until > transaction_timestamp()),
       coalesce(r.round_id, '')
FROM wallet.accounts a JOIN wallet.balances b ON b.account_no = a.account_no
LEFT JOIN wallet.rounds r ON r.round_no = b.round_no
WHERE a.account_id = $1 AND a.currency = $2
)sql";

using LockRow =
    std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t, std::int64_t, bool, bool,
               std::string, std::optional<base::WallTime>, bool, std::int64_t>;

absl::StatusOr<Found> FoundFrom(const LockRow& row) {
  const auto& [id, account_no, coins, held, last_sequence, frozen, closed, held_table, held_until,
               alive, round_no] = row;
  const auto balance = Coins::From(coins);
  const auto held_coins = Coins::From(alive ? held : 0);
  if (!balance || !held_coins) return absl::InternalError(Cat("the balance of ", id));
  Found found;
  found.what = Found::What::kPlayer;
  found.balance = {*balance, *held_coins, last_sequence};
  found.standing.frozen = frozen;
  found.standing.closed = closed;
  if (alive && held_until) found.standing.hold = Hold{held_table, *held_coins, *held_until};
  return found;
}

absl::Status ReadRoundIds(pg::Transaction& tx, LockedAccounts& locked) {
  Numbers begun;
  std::copy_if(locked.round_nos.begin(), locked.round_nos.end(), std::back_inserter(begun),
               [](std::int64_t round_no) { return round_no != 0; });
  if (begun.empty()) return absl::OkStatus();
  MJ_ASSIGN_OR_RETURN(const pg::Result result, tx.Execute(kRoundIds, begun));
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<std::int64_t, std::string>()));
  std::map<std::int64_t, std::string> ids;
  for (const auto& [round_no, round_id] : rows) ids[round_no] = round_id;
  for (std::size_t at = 0; at < locked.found.size(); ++at) {
    if (locked.round_nos[at] != 0) locked.found[at].standing.round_id = ids[locked.round_nos[at]];
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LockedAccounts> LockAccounts(pg::Transaction& tx,
                                            const std::vector<std::string>& account_ids,
                                            Currency currency) {
  LockedAccounts locked;
  locked.found.assign(account_ids.size(), Found{});
  locked.account_nos.assign(account_ids.size(), 0);
  locked.round_nos.assign(account_ids.size(), 0);
  MJ_ASSIGN_OR_RETURN(const pg::Result now, tx.Execute(kNow));
  MJ_ASSIGN_OR_RETURN(const auto now_row, now.One<base::WallTime>());
  locked.now = std::get<0>(now_row);
  const auto place_of = [&](std::string_view id) {
    const auto at = std::find(account_ids.begin(), account_ids.end(), id);
    return static_cast<std::size_t>(at - account_ids.begin());
  };
  MJ_ASSIGN_OR_RETURN(const pg::Result result, tx.Execute(kLock, account_ids, ToSql(currency)));
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (result.Rows<std::string, std::int64_t, std::int64_t, std::int64_t, std::int64_t, bool, bool,
                   std::string, std::optional<base::WallTime>, bool, std::int64_t>()));
  for (const LockRow& row : rows) {
    const std::size_t place = place_of(std::get<0>(row));
    MJ_ASSIGN_OR_RETURN(locked.found[place], FoundFrom(row));
    locked.account_nos[place] = std::get<1>(row);
    locked.round_nos[place] = std::get<10>(row);
  }
  MJ_RETURN_IF_ERROR(ReadRoundIds(tx, locked));
  if (rows.size() == account_ids.size()) return locked;

  MJ_ASSIGN_OR_RETURN(const pg::Result others, tx.Execute(kWhatElse, account_ids));
  MJ_ASSIGN_OR_RETURN(const auto other_rows, (others.Rows<std::string, bool>()));
  for (const auto& [id, is_house] : other_rows) {
    Found& found = locked.found[place_of(id)];
    if (found.what == Found::What::kPlayer) continue;
    found.what = is_house ? Found::What::kHouse : Found::What::kOtherCurrency;
  }
  return locked;
}

absl::Status UpdateStandings(pg::Transaction& tx, const LockedAccounts& locked,
                             const std::vector<Standing>& after, std::int64_t round_no,
                             std::int64_t reservation_no) {
  if (after.size() != locked.found.size()) return absl::InternalError("not one standing each");
  Numbers held;
  std::vector<std::string> tables;
  std::vector<std::string> until;
  Numbers frozen;
  Numbers closed;
  Numbers round_nos;
  Numbers reservation_nos(after.size(), 0);
  reservation_nos[0] = reservation_no;
  for (std::size_t at = 0; at < after.size(); ++at) {
    const Standing& standing = after[at];
    if (locked.found[at].what != Found::What::kPlayer) {
      return absl::InternalError("a change of what is no player's account");
    }
    held.push_back(standing.hold ? standing.hold->coins.value() : 0);
    tables.push_back(standing.hold ? standing.hold->table_id : "");
    until.push_back(base::FormatUtc(standing.hold ? standing.hold->until : base::WallTime{}));
    frozen.push_back(standing.frozen ? 1 : 0);
    closed.push_back(standing.closed ? 1 : 0);
    const bool stays = standing.round_id == locked.found[at].standing.round_id;
    round_nos.push_back(stays ? locked.round_nos[at] : round_no);
  }
  return tx
      .Execute(kUpdate, locked.account_nos, held, tables, until, frozen, closed, round_nos,
               reservation_nos)
      .status();
}

absl::StatusOr<std::int64_t> InsertReservation(pg::Transaction& tx, std::int64_t account_no,
                                               const std::string& tier_id, const Hold& hold) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result,
                      tx.Execute(kInsertReservation, account_no, hold.table_id, tier_id,
                                 hold.coins.value(), hold.until));
  MJ_ASSIGN_OR_RETURN(const auto row, result.One<std::int64_t>());
  return std::get<0>(row);
}

absl::Status InsertAccountEvent(pg::Transaction& tx, std::int64_t account_no,
                                const Alteration& alteration) {
  return tx
      .Execute(kInsertEvent, account_no, ToSql(*alteration.account_event), alteration.actor,
               alteration.approver, alteration.reason)
      .status();
}

absl::StatusOr<Standing> ReadStanding(pg::Transaction& tx, const AccountKey& account) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result,
                      tx.Execute(kReadStanding, account.id, ToSql(account.currency)));
  MJ_ASSIGN_OR_RETURN(const auto row,
                      (result.AtMostOne<std::int64_t, bool, bool, std::string,
                                        std::optional<base::WallTime>, bool, std::string>()));
  Standing standing;
  if (!row) return standing;
  const auto& [held, frozen, closed, held_table, held_until, alive, round_id] = *row;
  standing.frozen = frozen;
  standing.closed = closed;
  standing.round_id = round_id;
  const auto coins = Coins::From(held);
  if (!coins) return absl::InternalError(Cat("what is held of ", account.id));
  if (alive && held_until) standing.hold = Hold{held_table, *coins, *held_until};
  return standing;
}

}  // namespace mj::wallet::store
