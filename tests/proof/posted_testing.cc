#include "tests/proof/posted_testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "libs/audit/canonical.h"
#include "libs/ledger/clearing.h"
#include "libs/ledger/journal.h"
#include "libs/ledger/penalty.h"
#include "libs/proof/content.h"

namespace mj::proof {
namespace {

using ledger::Coins;
using ledger::kParties;
using ledger::Party;
using rules::Seat;
using testing::Random;

constexpr std::int64_t kHouseNo = 3;

Party PartyOf(Seat seat) { return static_cast<Party>(rules::IndexOf(seat)); }
Coins Of(std::int64_t coins) { return Coins::From(coins).value(); }

class Wallet {
 public:
  Wallet(const record::RoundRecord& record, Random& random) : record_(record), random_(random) {
    for (Party party = 0; party < kParties; ++party) {
      balances_[party] = Of(random.Below(random.OneIn(3) ? 1'000 : 1'000'000));
      account_nos_[party] = 100 + static_cast<std::int64_t>(party) * 7 + random.Below(7);
      sequences_[party] = 1 + random.Below(100);
    }
    row_.chain_no = random.Below(16);
    row_.chain_sequence = 1 + random.Below(1'000);
    row_.previous_hash = audit::Sha256(std::to_string(random.Next()));
    row_.journal_no = 1 + random.Below(1'000'000);
    row_.request_key = "round/" + record.round_id;
    row_.content_version = kContentVersion;
    row_.actor = "table";
    row_.table_id = record.table_id;
    row_.round_id = record.round_id;
    row_.rulebook_version = record.rulebook_version;
    row_.happened_at = record.ended_at.time_since_epoch().count();
    row_.written_at = row_.happened_at + random.Below(1'000);
  }

  const ledger::PerParty<Coins>& balances() const { return balances_; }
  const std::array<std::int64_t, kParties>& account_nos() const { return account_nos_; }
  audit::JournalRow& row() { return row_; }
  std::string Currency() const {
    return record_.currency == record::Currency::kCoin ? "COIN" : "PRACTICE";
  }

  ledger::AccountId Account(Party party) const {
    return {record_.players[static_cast<Seat>(party)]};
  }

  void Post(const ledger::Journal& journal) {
    const auto word = [](ledger::Purpose purpose) -> std::string {
      return purpose == ledger::Purpose::kPayment ? "payment"
             : purpose == ledger::Purpose::kRake  ? "rake"
                                                  : "penalty";
    };
    ledger::PerParty<Coins> balances = balances_;
    for (const ledger::Entry& move : journal.Entries()) {
      audit::EntryRow entry;
      entry.account_no = kHouseNo;
      entry.account_id = move.account.text;
      entry.currency = Currency();
      entry.purpose = word(move.purpose);
      entry.coins = move.coins.value();
      for (Party party = 0; party < kParties; ++party) {
        if (Account(party).text != entry.account_id) continue;
        balances[party] = ledger::Add(balances[party], move.coins).value();
        entry.account_no = account_nos_[party];
        entry.balance_after = balances[party].value();
        entry.sequence = sequences_[party]++;
      }
      row_.entries.push_back(std::move(entry));
    }
  }

  void AddShortfall(Party payer, std::int64_t payee_no, Coins owed, Coins coins) {
    if (!coins.IsZero()) {
      row_.shortfalls.push_back({account_nos_[payer], payee_no, owed.value(), coins.value()});
    }
  }

  record::JournalRow Written() {
    std::sort(row_.shortfalls.begin(), row_.shortfalls.end(), [](const auto& a, const auto& b) {
      return std::tie(a.payer_no, a.payee_no) < std::tie(b.payer_no, b.payee_no);
    });
    return {std::to_string(row_.journal_no), audit::CanonicalText(row_), audit::RowHash(row_)};
  }

 private:
  const record::RoundRecord& record_;
  Random& random_;
  ledger::PerParty<Coins> balances_;
  std::array<std::int64_t, kParties> account_nos_{};
  std::array<std::int64_t, kParties> sequences_{};
  audit::JournalRow row_;
};

}  // namespace

void PostSettlement(const record::RoundRecord& record, Random& random, record::Settled& settled) {
  Wallet wallet(record, random);
  std::vector<ledger::Debt> debts;
  for (const record::SeatTransfer& transfer : settled.scored.transfers) {
    debts.push_back({PartyOf(transfer.from), PartyOf(transfer.to), Of(transfer.coins)});
  }
  const Coins rake = Of(random.OneIn(3) ? 0 : random.Below(50));
  const auto cleared = ledger::Clear(wallet.balances(), debts, rake);
  ASSERT_TRUE(cleared.ok());
  const ledger::Clearing& clearing = cleared.value();
  audit::SettlementRow part;
  part.variant = record.variant;
  part.base = record.base;
  part.currency = wallet.Currency();
  part.rake = rake.value();
  part.account_nos = wallet.account_nos();
  ledger::Journal journal;
  for (Party from = 0; from < kParties; ++from) {
    for (Party to = 0; to < kParties; ++to) {
      const Coins paid = clearing.paid[from][to];
      if (!paid.IsZero()) {
        EXPECT_FALSE(journal.Move(wallet.Account(from), wallet.Account(to), paid,
                                  ledger::Purpose::kPayment));
      }
      const Coins set_off = clearing.set_off[from][to];
      if (!set_off.IsZero()) {
        part.set_offs.push_back(
            {static_cast<std::int64_t>(from), static_cast<std::int64_t>(to), set_off.value()});
      }
      const Coins missing = clearing.shortfall[from][to];
      wallet.AddShortfall(from, wallet.account_nos()[to], clearing.owed[from][to], missing);
      if (!missing.IsZero()) {
        settled.posted.shortfalls.push_back(
            {static_cast<Seat>(from), static_cast<Seat>(to), missing.value()});
      }
    }
    wallet.AddShortfall(from, kHouseNo, rake, clearing.rake_shortfall[from]);
  }
  for (Party party = 0; party < kParties; ++party) {
    const Coins paid = clearing.rake_paid[party];
    if (!paid.IsZero()) {
      EXPECT_FALSE(
          journal.Move(wallet.Account(party), {"house_rake"}, paid, ledger::Purpose::kRake));
    }
    const std::int64_t after = clearing.balance_after[party].value();
    part.net[party] = after - wallet.balances()[party].value();
    part.rake_paid[party] = paid.value();
    part.balance_after[party] = after;
    settled.posted.seats[static_cast<Seat>(party)] = {part.net[party], paid.value(), after};
  }
  for (const record::SeatTransfer& transfer : settled.scored.transfers) {
    part.transfers.push_back({rules::IndexOf(transfer.from), rules::IndexOf(transfer.to),
                              transfer.rule, transfer.coins});
  }
  wallet.Post(journal);
  wallet.row().kind = "settlement";
  wallet.row().content_hash = SettlementContent(record, settled.scored.transfers);
  wallet.row().settlement = std::move(part);
  settled.row = wallet.Written();
  settled.posted.journal_id = settled.row.journal_id;
}

void PostVoid(const record::RoundRecord& record, Random& random, record::Voided& voided) {
  Wallet wallet(record, random);
  if (!voided.voided.escaped) {
    wallet.row().kind = "void";
    wallet.row().reason = "ended by the operator";
    wallet.row().content_hash = VoidContent(wallet.row().reason, wallet.row().actor);
    voided.row = wallet.Written();
    return;
  }
  const Party escaper = PartyOf(*voided.voided.escaped);
  const Coins penalty = Of(64 * record.base);
  const auto shared = ledger::SharePenalty(wallet.balances()[escaper], penalty,
                                           random.OneIn(2) ? penalty : Of(100));
  ASSERT_TRUE(shared.ok());
  const ledger::PenaltyShares& shares = shared.value();
  record::PenaltyPosted posted;
  audit::PenaltyRow part;
  part.currency = wallet.Currency();
  part.escaper = static_cast<std::int64_t>(escaper);
  part.penalty = penalty.value();
  part.taken = shares.taken.value();
  part.share = shares.share.value();
  part.house = shares.house.value();
  part.shortfall = shares.shortfall.value();
  part.account_nos = wallet.account_nos();
  ledger::Journal journal;
  for (Party party = 0; party < kParties; ++party) {
    const std::int64_t change = party == escaper ? -part.taken : part.share;
    part.balance_after[party] = wallet.balances()[party].value() + change;
    posted.seats[static_cast<Seat>(party)] = {change, 0, part.balance_after[party]};
    if (party == escaper || shares.share.IsZero()) continue;
    EXPECT_FALSE(journal.Move(wallet.Account(escaper), wallet.Account(party), shares.share,
                              ledger::Purpose::kPenalty));
  }
  if (!shares.house.IsZero()) {
    EXPECT_FALSE(journal.Move(wallet.Account(escaper), {"penalties"}, shares.house,
                              ledger::Purpose::kPenalty));
  }
  wallet.AddShortfall(escaper, kHouseNo, penalty, shares.shortfall);
  wallet.Post(journal);
  wallet.row().kind = "penalty";
  wallet.row().reason = "left while the round was played";
  wallet.row().content_hash = PenaltyContent(*voided.voided.escaped, wallet.row().reason);
  wallet.row().penalty = part;
  voided.row = wallet.Written();
  posted.journal_id = voided.row->journal_id;
  posted.shortfall = part.shortfall;
  voided.voided.penalty = posted;
}

}  // namespace mj::proof
