// Changes that move no coins: seats, the beginning of rounds, what operators do, tiers.

#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/store/account_rows.h"
#include "services/wallet/store/facts.h"
#include "services/wallet/store/names.h"
#include "services/wallet/store/pg_ledger_store.h"
#include "services/wallet/store/round_rows.h"
#include "services/wallet/store/tier_rows.h"

namespace mj::wallet::store {
namespace {

using base::Cat;

constexpr std::string_view kOk = "OK";

constexpr std::string_view kFindRequest = R"sql(
SELECT content_version = $2 AND content_hash = sha256($3::bytea), outcome, coalesce(balance, 0),
       array_to_string(facts, E'\n')
FROM wallet.requests WHERE request_key = $1
)sql";

constexpr std::string_view kFindRound = R"sql(
SELECT content_version = $2 AND content_hash = sha256($3::bytea)
FROM wallet.rounds WHERE round_id = $1
)sql";

constexpr std::string_view kInsertRequest = R"sql(
INSERT INTO wallet.requests (request_key, content_version, content_hash, outcome, facts, account_no,
                             balance)
VALUES ($1, $2, sha256($3::bytea), $4, $5::text[], $6, $7)
ON CONFLICT (request_key) DO NOTHING
)sql";

absl::Status KeyJustUsed() { return absl::AbortedError("the key was used a moment ago"); }

struct Remembered {
  bool same = false;
  std::string outcome;
  Coins balance;
  Facts facts;
};

absl::StatusOr<std::optional<Remembered>> FindRequest(pg::Transaction& tx, const RequestKey& key) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result found,
      tx.Execute(kFindRequest, key.text, key.content_version, pg::Bytes{key.content}));
  MJ_ASSIGN_OR_RETURN(const auto row,
                      (found.AtMostOne<bool, std::string, std::int64_t, std::string>()));
  if (!row) return std::optional<Remembered>();
  const auto& [same, outcome, balance, facts] = *row;
  const auto coins = Coins::From(balance);
  if (!coins) return absl::InternalError(Cat("the balance that request ", key.text, " was told"));
  return std::optional<Remembered>(Remembered{same, outcome, *coins, FactsFrom(facts)});
}

absl::Status Remember(pg::Transaction& tx, const RequestKey& key, std::string_view outcome,
                      const Facts& facts, std::optional<std::int64_t> account_no,
                      std::optional<std::int64_t> balance) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result kept,
      tx.Execute(kInsertRequest, key.text, key.content_version, pg::Bytes{key.content}, outcome,
                 FactsColumn(facts), account_no, balance));
  return kept.affected() == 0 ? KeyJustUsed() : absl::OkStatus();
}

absl::StatusOr<std::optional<ChangeOutcome>> FindSticky(pg::Transaction& tx,
                                                        const RequestKey& key) {
  MJ_ASSIGN_OR_RETURN(std::optional<Remembered> before, FindRequest(tx, key));
  if (!before) return std::optional<ChangeOutcome>();
  if (!before->same) return std::optional<ChangeOutcome>(KeyTaken{});
  if (before->outcome == kOk) {
    return std::optional<ChangeOutcome>(
        Changed{before->balance, std::nullopt, std::move(before->facts), true});
  }
  const auto reason = base::ReasonByName(before->outcome);
  if (!reason) return absl::InternalError(Cat("a remembered outcome is ", before->outcome));
  return std::optional<ChangeOutcome>(
      Refused{{*reason, std::move(before->facts)}, before->balance, true});
}

absl::StatusOr<std::optional<ChangeOutcome>> FindBegun(pg::Transaction& tx,
                                                       const ChangeRequest& request,
                                                       RulebookCache& rulebooks) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found,
                      tx.Execute(kFindRound, request.round_id, request.key.content_version,
                                 pg::Bytes{request.key.content}));
  MJ_ASSIGN_OR_RETURN(const auto row, found.AtMostOne<bool>());
  if (!row) return std::optional<ChangeOutcome>();
  if (!std::get<0>(*row)) return std::optional<ChangeOutcome>(KeyTaken{});
  MJ_ASSIGN_OR_RETURN(const auto round, ReadRound(tx, request.round_id, rulebooks));
  if (!round) return absl::InternalError("a begun round has gone");
  Changed changed;
  changed.round = *round->begun;
  changed.again = true;
  return std::optional<ChangeOutcome>(std::move(changed));
}

// Writes what was decided.
absl::Status Write(pg::Transaction& tx, const ChangeRequest& request, const LockedAccounts& locked,
                   const Alteration& alteration) {
  std::int64_t round_no = 0;
  if (alteration.round) {
    MJ_ASSIGN_OR_RETURN(const std::optional<std::int64_t> inserted,
                        InsertRound(tx, request.key, *alteration.round, locked.account_nos));
    if (!inserted) return KeyJustUsed();
    round_no = *inserted;
  }
  std::int64_t reservation_no = 0;
  if (alteration.reserved_tier_id) {
    MJ_ASSIGN_OR_RETURN(reservation_no, InsertReservation(tx, locked.account_nos.at(0),
                                                          *alteration.reserved_tier_id,
                                                          *alteration.after.at(0).hold));
  }
  MJ_RETURN_IF_ERROR(UpdateStandings(tx, locked, alteration.after, round_no, reservation_no));
  if (alteration.account_event) {
    MJ_RETURN_IF_ERROR(InsertAccountEvent(tx, locked.account_nos.at(0), alteration));
  }
  if (!request.sticky) return absl::OkStatus();
  return Remember(tx, request.key, kOk, alteration.facts, locked.account_nos.at(0),
                  locked.found.at(0).balance.coins.value());
}

absl::StatusOr<ChangeOutcome> Decide(pg::Transaction& tx, const ChangeRequest& request,
                                     RulebookCache& rulebooks) {
  MJ_ASSIGN_OR_RETURN(const LockedAccounts locked,
                      LockAccounts(tx, request.account_ids, request.currency));
  // Looked up under the locks: of the same request twice at once the second one waits there, and
  // then finds the answer of the first.
  MJ_ASSIGN_OR_RETURN(std::optional<ChangeOutcome> before, request.sticky
                                                               ? FindSticky(tx, request.key)
                                                               : FindBegun(tx, request, rulebooks));
  if (before) return *std::move(before);
  Ground ground;
  ground.now = locked.now;
  ground.accounts = locked.found;
  if (!request.tier_variant.empty()) {
    MJ_ASSIGN_OR_RETURN(const std::vector<Tier> tiers,
                        ReadTiers(tx, request.tier_variant, request.currency));
    ground.variant_known = !tiers.empty();
    for (const Tier& tier : tiers) {
      if (tier.stakes.base.value() == request.tier_base) ground.tier = tier;
    }
  }
  MJ_ASSIGN_OR_RETURN(const auto verdict, request.decide(ground));
  if (const auto* refusal = std::get_if<Refusal>(&verdict)) {
    if (!request.sticky) return absl::InternalError("a refusal of what is not remembered");
    const Coins balance = locked.found.at(0).balance.coins;
    if (!request.validate_only) {
      MJ_RETURN_IF_ERROR(Remember(tx, request.key, base::InfoOf(refusal->reason).name,
                                  refusal->facts, locked.account_nos.at(0), balance.value()));
    }
    return Refused{*refusal, balance, false};
  }
  const Alteration& alteration = std::get<Alteration>(verdict);
  if (!request.validate_only) MJ_RETURN_IF_ERROR(Write(tx, request, locked, alteration));
  Changed changed;
  if (request.sticky) {
    changed.balance = locked.found.at(0).balance.coins;
    changed.facts = alteration.facts;
  }
  changed.round = alteration.round;
  return changed;
}

}  // namespace

absl::StatusOr<ChangeOutcome> PgLedgerStore::Change(const ChangeRequest& request,
                                                    base::MonotonicTime deadline) {
  ChangeOutcome outcome;
  MJ_RETURN_IF_ERROR(pool_.Run({.deadline = deadline}, [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(outcome, Decide(tx, request, rulebooks_));
    return absl::OkStatus();
  }));
  return outcome;
}

absl::StatusOr<std::vector<Tier>> PgLedgerStore::TiersOf(const std::string& variant,
                                                         Currency currency,
                                                         base::MonotonicTime deadline) {
  std::vector<Tier> tiers;
  MJ_RETURN_IF_ERROR(pool_.Run({.deadline = deadline, .read_only = true},
                               [&](pg::Transaction& tx) -> absl::Status {
                                 MJ_ASSIGN_OR_RETURN(tiers, ReadTiers(tx, variant, currency));
                                 return absl::OkStatus();
                               }));
  return tiers;
}

absl::StatusOr<TierOutcome> PgLedgerStore::PutTier(const RequestKey& key, const TierPeriod& period,
                                                   base::MonotonicTime deadline) {
  TierOutcome outcome;
  MJ_RETURN_IF_ERROR(pool_.Run({.deadline = deadline}, [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(const std::optional<Remembered> before, FindRequest(tx, key));
    if (before) {
      if (!before->same) {
        outcome = KeyTaken{};
        return absl::OkStatus();
      }
      MJ_ASSIGN_OR_RETURN(outcome, ReadTierPeriod(tx, before->facts));
      return absl::OkStatus();
    }
    MJ_ASSIGN_OR_RETURN(auto put, InsertTierPeriod(tx, period));
    if (const auto* refused = std::get_if<TierRefused>(&put)) {
      outcome = *refused;
      return absl::OkStatus();
    }
    const Tier& tier = std::get<Tier>(put);
    Facts facts = TierPeriodFacts(tier);
    facts["requested_by"] = period.actor;
    outcome = tier;
    return Remember(tx, key, kOk, facts, std::nullopt, std::nullopt);
  }));
  return outcome;
}

}  // namespace mj::wallet::store
