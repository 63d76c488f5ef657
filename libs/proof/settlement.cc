// What the wallet made of it: the journal row, and what everybody paid and has.
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <tuple>

#include "libs/audit/canonical.h"
#include "libs/audit/parse_canonical.h"
#include "libs/ledger/clearing.h"
#include "libs/ledger/journal.h"
#include "libs/ledger/penalty.h"
#include "libs/proof/checks.h"
#include "libs/proof/content.h"

namespace mj::proof {
namespace {

__extension__ using Wide = __int128;

using ledger::Coins;
using ledger::kParties;
using ledger::Party;
using rules::Seat;

// The house's accounts, as the wallet calls them.
constexpr std::string_view kHouseRake = "house_rake";
constexpr std::string_view kPenalties = "penalties";

constexpr std::string_view kSettlement = "settlement";
constexpr std::string_view kPenalty = "penalty";
constexpr std::string_view kVoid = "void";

Party PartyOf(Seat seat) { return static_cast<Party>(rules::IndexOf(seat)); }
std::int64_t Number(Party party) { return static_cast<std::int64_t>(party); }

std::string Text(std::int64_t number) { return std::to_string(number); }

// What the row of this round is called, and what was asked of the wallet.
std::string_view KindOf(const Case& the) {
  if (the.settled() != nullptr) return kSettlement;
  return the.voided()->voided.escaped ? kPenalty : kVoid;
}

audit::Digest ContentOf(const Case& the, const audit::JournalRow& row) {
  if (the.settled() != nullptr) {
    return SettlementContent(the.record, the.settled()->scored.transfers);
  }
  if (const auto escaped = the.voided()->voided.escaped) {
    return PenaltyContent(*escaped, row.reason);
  }
  return VoidContent(row.reason, row.actor);
}

// Where the row was posted, as what it came of says.
const std::string* JournalIdOf(const Case& the) {
  if (the.settled() != nullptr) return &the.settled()->posted.journal_id;
  const auto& penalty = the.voided()->voided.penalty;
  return penalty ? &penalty->journal_id : nullptr;
}

// The four, as the wallet posted them.
const rules::PerSeat<record::SeatPosted>* PostedOf(const Case& the) {
  if (the.settled() != nullptr) return &the.settled()->posted.seats;
  const auto& penalty = the.voided()->voided.penalty;
  return penalty ? &penalty->seats : nullptr;
}
std::string_view PostedPlace(const Case& the) {
  return the.settled() != nullptr ? "settled.posted" : "voided.voided.penalty";
}

// The balances before it: what they were after it, less what came of it.
std::optional<ledger::PerParty<Coins>> BalancesBefore(
    const rules::PerSeat<record::SeatPosted>& posted) {
  ledger::PerParty<Coins> before;
  for (const Seat seat : rules::kSeats) {
    const auto balance = Coins::From(posted[seat].balance);
    const auto net = Coins::From(posted[seat].net);
    if (!balance || !net) return std::nullopt;
    const auto was = ledger::Subtract(*balance, *net);
    if (!was || was->IsNegative()) return std::nullopt;
    before[PartyOf(seat)] = *was;
  }
  return before;
}

std::string_view WordFor(ledger::Purpose purpose) {
  switch (purpose) {
    case ledger::Purpose::kPayment:
      return "payment";
    case ledger::Purpose::kRake:
      return "rake";
    case ledger::Purpose::kPenalty:
      return "penalty";
    default:
      return "";
  }
}

// The row as it would be written now. What a record cannot know (chain, accounts' numbers, times, who
// asked, the room's rake) is taken from the row itself.
class Rewriter {
 public:
  Rewriter(const Case& the, const audit::JournalRow& row,
           const std::array<std::int64_t, audit::kSeats>& account_nos)
      : the_(the), row_(row), account_nos_(account_nos) {}

  // The entries of `moves`, one after the other, with the balance that each leaves.
  void Write(const std::vector<ledger::Entry>& moves, ledger::PerParty<Coins> balances) {
    std::map<std::string, std::int64_t> sequences = FirstSequences();
    row_.entries.clear();
    for (const ledger::Entry& move : moves) {
      audit::EntryRow entry;
      entry.account_id = move.account.text;
      entry.currency = TextOf(the_.record.currency);
      entry.purpose = WordFor(move.purpose);
      entry.coins = move.coins.value();
      if (const auto party = PlayerOf(entry.account_id)) {
        Coins& balance = balances[*party];
        balance = ledger::Add(balance, move.coins).value_or(Coins());
        entry.account_no = account_nos_[*party];
        entry.balance_after = balance.value();
        entry.sequence = sequences[entry.account_id]++;
      } else {
        entry.account_no = house_no_;
      }
      row_.entries.push_back(std::move(entry));
    }
  }

  void AddShortfall(Party payer, std::optional<Party> payee, Coins owed, Coins coins) {
    if (coins.IsZero()) return;
    row_.shortfalls.push_back({account_nos_[payer], payee ? account_nos_[*payee] : house_no_,
                               owed.value(), coins.value()});
  }
  void BeginShortfalls() { row_.shortfalls.clear(); }
  void EndShortfalls() {
    std::sort(row_.shortfalls.begin(), row_.shortfalls.end(), [](const auto& a, const auto& b) {
      return std::tie(a.payer_no, a.payee_no) < std::tie(b.payer_no, b.payee_no);
    });
  }

  audit::JournalRow& row() { return row_; }

 private:
  using Sequences = std::map<std::string, std::int64_t>;

  std::optional<Party> PlayerOf(const std::string& account_id) const {
    for (const Seat seat : rules::kSeats) {
      if (the_.record.players[seat] == account_id) return PartyOf(seat);
    }
    return std::nullopt;
  }

  // Of each account's first entry in the row; and what the house's account is called inside.
  Sequences FirstSequences() {
    Sequences sequences;
    for (const audit::EntryRow& entry : row_.entries) {
      if (entry.sequence) sequences.emplace(entry.account_id, *entry.sequence);
      if (!entry.sequence) house_no_ = entry.account_no;
    }
    for (const audit::ShortfallRow& shortfall : row_.shortfalls) {
      const bool players = std::find(account_nos_.begin(), account_nos_.end(),
                                     shortfall.payee_no) != account_nos_.end();
      if (!players) house_no_ = shortfall.payee_no;
    }
    return sequences;
  }

  const Case& the_;
  audit::JournalRow row_;
  std::array<std::int64_t, audit::kSeats> account_nos_;
  std::int64_t house_no_ = 0;
};

// Where the recorded text differs from the one that would be written now.
std::optional<Misfit> CompareRows(const Case& the, const audit::JournalRow& now) {
  const std::string_view recorded = the.recorded_row()->canonical;
  const std::string written = audit::CanonicalText(now);
  if (recorded == written) return std::nullopt;
  const auto line_at = [](std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(std::min(at, text.size()));
    const std::string_view line = rest.substr(0, rest.find('\n'));
    return line.empty() ? std::string("nothing more") : Said("\"", line, "\"");
  };
  std::size_t line = 0;  // where the first line that differs begins
  for (std::size_t i = 0; i < recorded.size() && i < written.size(); ++i) {
    if (recorded[i] != written[i]) break;
    if (recorded[i] == '\n') line = i + 1;
  }
  return Misfit{
      Said(the.row_place(), ".canonical"),
      Said("the row says ", line_at(recorded, line), "; recomputed: ", line_at(written, line))};
}

std::optional<Misfit> CompareSeats(const Case& the, const ledger::PerParty<Coins>& before,
                                   const ledger::PerParty<Coins>& after,
                                   const ledger::PerParty<Coins>& rake) {
  for (const Seat seat : rules::kSeats) {
    const Party party = PartyOf(seat);
    const record::SeatPosted& posted = (*PostedOf(the))[seat];
    const std::int64_t net = after[party].value() - before[party].value();
    if (posted.net == net && posted.rake == rake[party].value() &&
        posted.balance == after[party].value()) {
      continue;
    }
    return Misfit{
        Said(PostedPlace(the), ".seats[", Text(rules::IndexOf(seat)), "]"),
        Said("recorded: net ", Text(posted.net), ", rake ", Text(posted.rake), ", balance ",
             Text(posted.balance), "; recomputed: net ", Text(net), ", rake ",
             Text(rake[party].value()), ", balance ", Text(after[party].value()))};
  }
  return std::nullopt;
}

std::optional<Misfit> CompareShortfalls(const Case& the, const ledger::Clearing& clearing) {
  std::vector<record::Shortfall> now;
  for (const Seat from : rules::kSeats) {
    for (const Seat to : rules::kSeats) {
      const Coins coins = clearing.shortfall[PartyOf(from)][PartyOf(to)];
      if (!coins.IsZero()) now.push_back({from, to, coins.value()});
    }
  }
  if (the.settled()->posted.shortfalls == now) return std::nullopt;
  return Misfit{"settled.posted.shortfalls",
                Said("not the ", Count(now.size(), "debt"), " that could not be covered")};
}

Checked CheckSettled(Case& the) {
  audit::JournalRow& row = *the.row;
  const auto before = BalancesBefore(*PostedOf(the));
  if (!before) return Misfit{"settled.posted.seats", "balances that cannot have been"};
  std::vector<ledger::Debt> debts;
  for (const record::SeatTransfer& transfer : the.settled()->scored.transfers) {
    debts.push_back({PartyOf(transfer.from), PartyOf(transfer.to),
                     Coins::From(transfer.coins).value_or(Coins())});
  }
  const auto rake = Coins::From(row.settlement->rake);
  const auto cleared = ledger::Clear(*before, debts, rake.value_or(Coins()));
  if (!rake || !cleared.ok()) return Misfit{"settled.posted", "debts that cannot be cleared"};
  const ledger::Clearing& clearing = cleared.value();
  if (auto misfit = CompareSeats(the, *before, clearing.balance_after, clearing.rake_paid)) {
    return *std::move(misfit);
  }
  if (auto misfit = CompareShortfalls(the, clearing)) return *std::move(misfit);

  audit::SettlementRow now;
  now.variant = the.record.variant;
  now.base = the.record.base;
  now.currency = TextOf(the.record.currency);
  now.rake = rake->value();
  now.account_nos = row.settlement->account_nos;
  ledger::Journal journal;
  const auto account = [&](Party party) {
    return ledger::AccountId{the.record.players[static_cast<Seat>(party)]};
  };
  Rewriter rewriter(the, row, now.account_nos);
  // Every move is one that Clear made: none can be refused.
  for (Party from = 0; from < kParties; ++from) {
    now.net[from] = clearing.balance_after[from].value() - (*before)[from].value();
    now.rake_paid[from] = clearing.rake_paid[from].value();
    now.balance_after[from] = clearing.balance_after[from].value();
    for (Party to = 0; to < kParties; ++to) {
      const Coins paid = clearing.paid[from][to];
      if (!paid.IsZero())
        (void)journal.Move(account(from), account(to), paid, ledger::Purpose::kPayment);
      const Coins set_off = clearing.set_off[from][to];
      if (!set_off.IsZero()) now.set_offs.push_back({Number(from), Number(to), set_off.value()});
    }
  }
  for (Party seat = 0; seat < kParties; ++seat) {
    const Coins paid = clearing.rake_paid[seat];
    if (paid.IsZero()) continue;
    (void)journal.Move(account(seat), {std::string(kHouseRake)}, paid, ledger::Purpose::kRake);
  }
  for (const receipt::CoinTransfer& transfer : the.priced->transfers) {
    now.transfers.push_back({rules::IndexOf(transfer.from), rules::IndexOf(transfer.to),
                             std::string(transfer.rule), transfer.coins.value()});
  }
  rewriter.Write(journal.Entries(), *before);
  rewriter.BeginShortfalls();
  for (Party from = 0; from < kParties; ++from) {
    for (Party to = 0; to < kParties; ++to) {
      rewriter.AddShortfall(from, to, clearing.owed[from][to], clearing.shortfall[from][to]);
    }
    rewriter.AddShortfall(from, std::nullopt, *rake, clearing.rake_shortfall[from]);
  }
  rewriter.EndShortfalls();
  rewriter.row().settlement = std::move(now);
  if (auto misfit = CompareRows(the, rewriter.row())) return *std::move(misfit);
  if (rake->IsPositive()) {
    the.not_provable.push_back(
        Said("that the room's rake is ", Text(rake->value()), " coins a seat"));
  }
  return Proved{"debts cleared anew: what each seat paid, got, could not pay, and has"};
}

Checked CheckPenalty(Case& the) {
  audit::JournalRow& row = *the.row;
  const record::RoundVoided& voided = the.voided()->voided;
  const auto before = BalancesBefore(voided.penalty->seats);
  if (!before) return Misfit{"voided.voided.penalty.seats", "balances that cannot have been"};
  const Party escaper = PartyOf(*voided.escaped);
  const auto penalty = Coins::From(row.penalty->penalty);
  // How much of it the room shares out stands nowhere; a share says at least that much.
  const auto share = Coins::From(row.penalty->share);
  const auto shared =
      share ? Coins::From(share->value() * (std::int64_t{kParties} - 1)) : std::nullopt;
  const auto outcome =
      ledger::SharePenalty((*before)[escaper], penalty.value_or(Coins()), shared.value_or(Coins()));
  if (!penalty || !shared || !outcome.ok()) {
    return Misfit{Said(the.row_place(), ".canonical"), "a penalty that cannot be"};
  }
  const ledger::PenaltyShares& shares = outcome.value();
  ledger::PerParty<Coins> after = *before;
  ledger::Journal journal;
  const ledger::AccountId from{the.record.players[*voided.escaped]};
  for (const Seat seat : rules::kSeats) {
    const Party party = PartyOf(seat);
    const Coins change = party == escaper ? -shares.taken : shares.share;
    after[party] = ledger::Add((*before)[party], change).value_or(Coins());
    if (party == escaper || shares.share.IsZero()) continue;
    (void)journal.Move(from, {the.record.players[seat]}, shares.share, ledger::Purpose::kPenalty);
  }
  if (!shares.house.IsZero()) {
    (void)journal.Move(from, {std::string(kPenalties)}, shares.house, ledger::Purpose::kPenalty);
  }
  if (auto misfit = CompareSeats(the, *before, after, {})) return *std::move(misfit);
  if (voided.penalty->shortfall != shares.shortfall.value()) {
    return Misfit{"voided.voided.penalty.shortfall",
                  Said("recomputed: ", Text(shares.shortfall.value()))};
  }

  audit::PenaltyRow now = *row.penalty;
  now.currency = TextOf(the.record.currency);
  now.escaper = Number(escaper);
  now.taken = shares.taken.value();
  now.share = shares.share.value();
  now.house = shares.house.value();
  now.shortfall = shares.shortfall.value();
  for (Party party = 0; party < kParties; ++party) now.balance_after[party] = after[party].value();
  Rewriter rewriter(the, row, now.account_nos);
  rewriter.Write(journal.Entries(), *before);
  rewriter.BeginShortfalls();
  rewriter.AddShortfall(escaper, std::nullopt, *penalty, shares.shortfall);
  rewriter.EndShortfalls();
  rewriter.row().penalty = now;
  if (auto misfit = CompareRows(the, rewriter.row())) return *std::move(misfit);
  the.not_provable.push_back(Said("that the room's penalty is ", Text(penalty->value()),
                                  " coins, and how much of it goes to those who stayed"));
  return Proved{Said("the escape cost ", Text(shares.taken.value()), " coins, ",
                     Text(shares.share.value()), " to each of the others")};
}

}  // namespace

Checked CheckJournalRow(Case& the) {
  const record::JournalRow* recorded = the.recorded_row();
  if (recorded == nullptr) return Nothing{"nothing was posted"};
  const std::string place(the.row_place());
  if (audit::Sha256(recorded->canonical) != recorded->hash) {
    return Misfit{place + ".hash", "not the SHA-256 of the row's canonical text"};
  }
  the.row = audit::ParseCanonical(recorded->canonical);
  if (!the.row) return Misfit{place + ".canonical", "no row's canonical text"};
  const audit::JournalRow& row = *the.row;
  if (recorded->journal_id != Text(row.journal_no)) {
    return Misfit{place + ".journal_id", Said("the row is ", Text(row.journal_no))};
  }
  if (const std::string* id = JournalIdOf(the); id != nullptr && *id != recorded->journal_id) {
    return Misfit{Said(PostedPlace(the), ".journal_id"), Said("the row is ", Text(row.journal_no))};
  }

  audit::JournalRow now = row;
  now.kind = KindOf(the);
  now.request_key = Said("round/", the.record.round_id);
  now.approver.reset();
  now.table_id = the.record.table_id;
  now.round_id = the.record.round_id;
  now.rulebook_version = the.record.rulebook_version;
  now.reverses_journal_no.reset();
  now.movement.reset();
  now.content_version = kContentVersion;
  now.content_hash = ContentOf(the, row);
  if (auto misfit = CompareRows(the, now)) return *std::move(misfit);
  if (row.settlement.has_value() != (row.kind == kSettlement) ||
      row.penalty.has_value() != (row.kind == kPenalty) ||
      (row.kind == kVoid && !(row.entries.empty() && row.shortfalls.empty()))) {
    return Misfit{place + ".canonical", "not the parts that a row of its kind has"};
  }

  Wide sum = 0;
  for (const audit::EntryRow& entry : row.entries) sum += entry.coins;
  if (sum != 0) return Misfit{place + ".canonical", "its entries do not sum to zero"};
  the.not_provable.push_back(Said(
      "that the wallet's ledger holds row ", recorded->journal_id,
      ": `mahjongctl audit` says so of a database, `mahjongctl audit --proof` of a signed day"));
  return Proved{Said("row ", recorded->journal_id, " is this round's ", row.kind,
                     ", hashes to its hash, and its ",
                     Text(static_cast<std::int64_t>(row.entries.size())), " entries sum to zero")};
}

Checked CheckSettlement(Case& the) {
  if (the.settled() != nullptr) return CheckSettled(the);
  if (the.voided()->voided.penalty) return CheckPenalty(the);
  return Nothing{"nobody pays for it"};
}

}  // namespace mj::proof
