#include "services/wallet/store/ground_rows.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/store/facts.h"
#include "services/wallet/store/names.h"

namespace mj::wallet::store {
namespace {

using base::Cat;
using Numbers = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

constexpr std::string_view kHouse = R"sql(
SELECT account_id, account_no FROM wallet.accounts WHERE kind <> 'player' AND currency = $1
)sql";

constexpr std::string_view kFindRequests = R"sql(
SELECT request_key, content_version, content_hash, outcome, coalesce(journal_no, 0),
       coalesce(balance, 0), array_to_string(facts, E'\n')
FROM wallet.requests WHERE request_key = ANY ($1::text[])
)sql";

constexpr std::string_view kFindRows = R"sql(
SELECT request_key, content_version, content_hash, kind, journal_no, 0, ''
FROM wallet.journal WHERE request_key = ANY ($1::text[])
)sql";

constexpr std::string_view kTakeChain = R"sql(
SELECT (extract(epoch FROM transaction_timestamp()) * 1000000)::bigint, chain_no, head_sequence,
       head_hash, (extract(epoch FROM written_at) * 1000000)::bigint, journal_nos
FROM wallet.take_chain($1)
)sql";

constexpr std::string_view kFindReferences = R"sql(
SELECT m.flow, m.provider, m.external_reference
FROM unnest($1::text[], $2::text[], $3::text[]) asked (flow, provider, external_reference)
JOIN wallet.money_movements m USING (flow, provider, external_reference)
)sql";

constexpr std::string_view kFindReversals = R"sql(
SELECT reverses_journal_no, journal_no FROM wallet.journal
WHERE reverses_journal_no = ANY ($1::bigint[])
)sql";

// What the postings name, each once.
struct Asked {
  std::set<AccountKey> accounts;
  std::set<std::string> requests;
  std::set<std::string> rows;
  std::set<std::string> rounds;
  std::set<MovementKey> movements;
  std::set<JournalNo> reversed;
};

Asked AskedBy(std::span<const Posting* const> postings) {
  Asked asked;
  for (const Posting* posting : postings) {
    for (const std::string& id : posting->account_ids) {
      asked.accounts.insert({id, posting->currency});
    }
    (posting->sticky ? asked.requests : asked.rows).insert(posting->key.text);
    if (!posting->round_id.empty()) asked.rounds.insert(posting->round_id);
    if (posting->movement && !posting->movement->provider.empty()) {
      asked.movements.insert(KeyOf(*posting->movement));
    }
    if (posting->reverses != 0) asked.reversed.insert(posting->reverses);
  }
  return asked;
}

Texts ToList(const std::set<std::string>& texts) { return {texts.begin(), texts.end()}; }

absl::Status Corrupt(std::string_view what) {
  return absl::InternalError(Cat("the wallet's rows hold what they cannot: ", what));
}

absl::Status TakeAnswers(const pg::Result& result, GroundRows& ground) {
  MJ_ASSIGN_OR_RETURN(const auto rows,
                      (result.Rows<std::string, std::int64_t, pg::Bytes, std::string, std::int64_t,
                                   std::int64_t, std::string>()));
  for (const auto& [key, version, hash, outcome, journal_no, balance, facts] : rows) {
    const auto digest = audit::DigestFromBytes(hash.data);
    const auto coins = Coins::From(balance);
    if (!digest || !coins) return Corrupt(key);
    ground.answers[key] = {version, *digest, outcome, journal_no, *coins, FactsFrom(facts)};
  }
  return absl::OkStatus();
}

absl::Status TakeHead(const pg::Result& result, GroundRows& ground) {
  MJ_ASSIGN_OR_RETURN(
      const auto row,
      (result.One<base::WallTime, std::int64_t, std::int64_t, pg::Bytes, std::int64_t, Numbers>()));
  const auto& [now, chain_no, sequence, hash, written_at, journal_nos] = row;
  const auto digest = audit::DigestFromBytes(hash.data);
  if (!digest) return Corrupt("the head of a chain");
  ground.now = now;
  ground.head = {chain_no, sequence, *digest, written_at, journal_nos};
  return absl::OkStatus();
}

absl::Status TakeReferences(const pg::Result& result, GroundRows& ground) {
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<std::string, std::string, std::string>()));
  for (const auto& [flow_word, provider, reference] : rows) {
    const auto flow = FlowFromSql(flow_word);
    if (!flow) return Corrupt(flow_word);
    ground.references.insert({*flow, provider, reference});
  }
  return absl::OkStatus();
}

absl::Status TakeReversals(const pg::Result& result, GroundRows& ground) {
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<std::int64_t, std::int64_t>()));
  for (const auto& [reversed, by] : rows) ground.reversed[reversed] = by;
  return absl::OkStatus();
}

absl::Status TakeRounds(const pg::Result& result, RulebookCache& rulebooks, GroundRows& ground) {
  MJ_ASSIGN_OR_RETURN(std::vector<RoundRow> rounds, RoundsFrom(result, rulebooks));
  for (RoundRow& round : rounds) {
    const std::string id = round.begun->round_id;
    ground.rounds[id] = std::move(round);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<AccountNos> ReadHouse(pg::Transaction& tx, Currency currency) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result, tx.Execute(kHouse, ToSql(currency)));
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<std::string, std::int64_t>()));
  AccountNos house;
  for (const auto& [id, account_no] : rows) house[id] = account_no;
  if (house.empty()) return absl::InternalError("the house has no accounts: schema not migrated");
  return house;
}

absl::StatusOr<GroundRows> ReadGround(pg::Transaction& tx, std::span<const Posting* const> postings,
                                      RulebookCache& rulebooks) {
  const Asked asked = AskedBy(postings);
  GroundRows ground;
  std::vector<pg::Statement> statements;
  std::vector<std::function<absl::Status(const pg::Result&)>> takers;
  const auto ask = [&](pg::Statement statement, auto taker) {
    statements.push_back(std::move(statement));
    takers.emplace_back(std::move(taker));
  };
  Texts ids;
  Texts currencies;
  for (const AccountKey& account : asked.accounts) {
    ids.push_back(account.id);
    currencies.emplace_back(ToSql(account.currency));
  }
  ask(pg::Statement(kLockPlayers, ids, currencies), [&](const pg::Result& r) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(ground.players, PlayersFrom(r));
    return absl::OkStatus();
  });
  ask(pg::Statement(kTakeChain, postings.size()),
      [&](const pg::Result& r) { return TakeHead(r, ground); });

  // After the locks, so that they see what was written by whoever held them before.
  const auto take_answers = [&](const pg::Result& r) { return TakeAnswers(r, ground); };
  if (!asked.requests.empty()) {
    ask(pg::Statement(kFindRequests, ToList(asked.requests)), take_answers);
  }
  if (!asked.rows.empty()) ask(pg::Statement(kFindRows, ToList(asked.rows)), take_answers);
  if (!asked.rounds.empty()) {
    ask(pg::Statement(kReadRounds, ToList(asked.rounds), rulebooks.Known()),
        [&](const pg::Result& r) { return TakeRounds(r, rulebooks, ground); });
  }
  if (!asked.movements.empty()) {
    Texts flows;
    Texts providers;
    Texts references;
    for (const auto& [flow, provider, reference] : asked.movements) {
      flows.emplace_back(ToSql(flow));
      providers.push_back(provider);
      references.push_back(reference);
    }
    ask(pg::Statement(kFindReferences, flows, providers, references),
        [&](const pg::Result& r) { return TakeReferences(r, ground); });
  }
  if (!asked.reversed.empty()) {
    ask(pg::Statement(kFindReversals, Numbers(asked.reversed.begin(), asked.reversed.end())),
        [&](const pg::Result& r) { return TakeReversals(r, ground); });
  }

  MJ_ASSIGN_OR_RETURN(const std::vector<pg::Result> results, tx.ExecuteTogether(statements));
  for (std::size_t at = 0; at < results.size(); ++at) {
    MJ_RETURN_IF_ERROR(takers[at](results[at]));
  }
  MJ_ASSIGN_OR_RETURN(ground.others, FindOthers(tx, asked.accounts, ground.players));
  std::map<std::int64_t, std::string> closing;
  for (const auto& [id, round] : ground.rounds) closing[round.round_no] = id;
  MJ_RETURN_IF_ERROR(FillRoundIds(tx, std::move(closing), ground.players));
  return ground;
}

}  // namespace mj::wallet::store
