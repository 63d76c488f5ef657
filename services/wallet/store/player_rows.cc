#include "services/wallet/store/player_rows.h"

#include <optional>
#include <utility>
#include <vector>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/store/names.h"

namespace mj::wallet::store {
namespace {

constexpr std::string_view kWhatElse = R"sql(
SELECT account_id, currency, kind <> 'player' FROM wallet.accounts
WHERE account_id = ANY ($1::text[])
)sql";

constexpr std::string_view kRoundIds = R"sql(
SELECT round_no, round_id FROM wallet.rounds WHERE round_no = ANY ($1::bigint[])
)sql";

}  // namespace

absl::StatusOr<std::map<AccountKey, LockedPlayer>> PlayersFrom(const pg::Result& result) {
  std::map<AccountKey, LockedPlayer> players;
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (result.Rows<std::string, std::string, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                   bool, bool, std::string, std::optional<base::WallTime>, bool, std::int64_t>()));
  for (const auto& [id, currency_word, account_no, coins, held, last_sequence, frozen, closed,
                    held_table, held_until, alive, round_no] : rows) {
    const auto currency = CurrencyFromSql(currency_word);
    const auto balance = Coins::From(coins);
    const auto held_coins = Coins::From(alive ? held : 0);
    if (!currency || !balance || !held_coins)
      return absl::InternalError(base::Cat("the balance of ", id, " holds what it cannot"));
    LockedPlayer player;
    player.account_no = account_no;
    player.round_no = round_no;
    player.found.what = Found::What::kPlayer;
    player.found.balance = {*balance, *held_coins, last_sequence};
    player.found.standing.frozen = frozen;
    player.found.standing.closed = closed;
    if (alive && held_until) {
      player.found.standing.hold = Hold{held_table, *held_coins, *held_until};
    }
    players[{id, *currency}] = std::move(player);
  }
  return players;
}

absl::StatusOr<std::map<AccountKey, Found::What>> FindOthers(
    pg::Transaction& tx, const std::set<AccountKey>& asked,
    const std::map<AccountKey, LockedPlayer>& players) {
  std::map<AccountKey, Found::What> others;
  std::vector<std::string> ids;
  for (const AccountKey& account : asked) {
    if (players.count(account) > 0) continue;
    others[account] = Found::What::kNothing;
    ids.push_back(account.id);
  }
  if (ids.empty()) return others;
  MJ_ASSIGN_OR_RETURN(const pg::Result result, tx.Execute(kWhatElse, ids));
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<std::string, std::string, bool>()));
  for (const auto& [id, currency, is_house] : rows) {
    for (const Currency named : {Currency::kCoin, Currency::kPractice}) {
      const auto other = others.find({id, named});
      if (other == others.end()) continue;
      if (is_house && currency == ToSql(named)) other->second = Found::What::kHouse;
      if (!is_house && currency != ToSql(named)) other->second = Found::What::kOtherCurrency;
    }
  }
  return others;
}

absl::Status FillRoundIds(pg::Transaction& tx, std::map<std::int64_t, std::string> known,
                          std::map<AccountKey, LockedPlayer>& players) {
  std::set<std::int64_t> unknown;
  for (const auto& [account, player] : players) {
    if (player.round_no != 0 && known.count(player.round_no) == 0) unknown.insert(player.round_no);
  }
  if (!unknown.empty()) {
    MJ_ASSIGN_OR_RETURN(
        const pg::Result result,
        tx.Execute(kRoundIds, std::vector<std::int64_t>(unknown.begin(), unknown.end())));
    MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<std::int64_t, std::string>()));
    for (const auto& [round_no, round_id] : rows) known[round_no] = round_id;
  }
  for (auto& [account, player] : players) {
    if (player.round_no != 0) player.found.standing.round_id = known[player.round_no];
  }
  return absl::OkStatus();
}

}  // namespace mj::wallet::store
