#include "libs/audit/canonical.h"

#include <charconv>
#include <cstddef>
#include <string_view>

namespace mj::audit {
namespace {

constexpr std::string_view kVersion = "mahjong-ledger-1\n";

// Appends one line after another; fields of a line are parted by '|'.
class Lines {
 public:
  Lines() { text_.reserve(1024); }

  Lines& Key(std::string_view key) {
    text_.append(key).push_back('=');
    first_ = true;
    return *this;
  }
  Lines& Text(std::string_view text) {
    Part();
    for (const char c : text) {
      switch (c) {
        case '\\':
          text_.append("\\\\");
          break;
        case '\n':
          text_.append("\\n");
          break;
        case '|':
          text_.append("\\p");
          break;
        default:
          text_.push_back(c);
      }
    }
    return *this;
  }
  Lines& Number(std::int64_t number) {
    Part();
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text_.append(digits, static_cast<std::size_t>(end - digits));
    return *this;
  }
  Lines& Number(const std::optional<std::int64_t>& number) {
    if (number) return Number(*number);
    Part();
    return *this;
  }
  Lines& Raw(std::string_view text) {
    Part();
    text_.append(text);
    return *this;
  }
  void End() { text_.push_back('\n'); }

  // A whole line, or none.
  void OfText(std::string_view key, const std::optional<std::string>& text) {
    if (text) Key(key).Text(*text).End();
  }

  std::string text_;

 private:
  void Part() {
    if (!first_) text_.push_back('|');
    first_ = false;
  }

  bool first_ = true;
};

void AddEntries(Lines& lines, const std::vector<EntryRow>& entries) {
  std::int64_t line_no = 0;
  for (const EntryRow& entry : entries) {
    lines.Key("entry")
        .Number(++line_no)
        .Number(entry.account_no)
        .Text(entry.account_id)
        .Text(entry.currency)
        .Text(entry.purpose)
        .Number(entry.coins)
        .Number(entry.balance_after)
        .Number(entry.sequence)
        .End();
  }
}

void AddMovement(Lines& lines, const MovementRow& movement) {
  lines.Key("movement").Text(movement.flow);
  if (movement.provider) {
    lines.Text(*movement.provider).Text(movement.external_reference.value_or(""));
  }
  lines.End();
}

void AddSettlement(Lines& lines, const SettlementRow& settlement) {
  lines.Key("settlement")
      .Text(settlement.variant)
      .Number(settlement.base)
      .Text(settlement.currency)
      .Number(settlement.rake)
      .End();
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    lines.Key("seat")
        .Number(static_cast<std::int64_t>(seat))
        .Number(settlement.account_nos[seat])
        .Number(settlement.net[seat])
        .Number(settlement.rake_paid[seat])
        .Number(settlement.balance_after[seat])
        .End();
  }
  std::int64_t line_no = 0;
  for (const TransferRow& transfer : settlement.transfers) {
    lines.Key("transfer")
        .Number(++line_no)
        .Number(transfer.from_seat)
        .Number(transfer.to_seat)
        .Text(transfer.rule_id)
        .Number(transfer.coins)
        .End();
  }
  for (const SetOffRow& set_off : settlement.set_offs) {
    lines.Key("set_off")
        .Number(set_off.from_seat)
        .Number(set_off.to_seat)
        .Number(set_off.coins)
        .End();
  }
}

void AddPenalty(Lines& lines, const PenaltyRow& penalty) {
  lines.Key("penalty")
      .Text(penalty.currency)
      .Number(penalty.escaper)
      .Number(penalty.penalty)
      .Number(penalty.taken)
      .Number(penalty.share)
      .Number(penalty.house)
      .Number(penalty.shortfall)
      .End();
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    lines.Key("penalty_seat")
        .Number(static_cast<std::int64_t>(seat))
        .Number(penalty.account_nos[seat])
        .Number(penalty.balance_after[seat])
        .End();
  }
}

}  // namespace

std::string CanonicalText(const JournalRow& row) {
  Lines lines;
  lines.text_.append(kVersion);
  lines.Key("chain").Number(row.chain_no).End();
  lines.Key("sequence").Number(row.chain_sequence).End();
  lines.Key("previous").Raw(ToHex(row.previous_hash)).End();
  lines.Key("journal").Number(row.journal_no).End();
  lines.Key("kind").Text(row.kind).End();
  lines.Key("key").Text(row.request_key).End();
  lines.Key("content")
      .Raw(std::to_string(row.content_version) + ":" + ToHex(row.content_hash))
      .End();
  lines.Key("actor").Text(row.actor).End();
  lines.OfText("approver", row.approver);
  lines.Key("reason").Text(row.reason).End();
  lines.OfText("table", row.table_id);
  lines.OfText("round", row.round_id);
  lines.OfText("rulebook", row.rulebook_version);
  if (row.reverses_journal_no) lines.Key("reverses").Number(row.reverses_journal_no).End();
  lines.Key("happened").Number(row.happened_at).End();
  lines.Key("written").Number(row.written_at).End();
  AddEntries(lines, row.entries);
  if (row.movement) AddMovement(lines, *row.movement);
  if (row.settlement) AddSettlement(lines, *row.settlement);
  if (row.penalty) AddPenalty(lines, *row.penalty);
  for (const ShortfallRow& shortfall : row.shortfalls) {
    lines.Key("shortfall")
        .Number(shortfall.payer_no)
        .Number(shortfall.payee_no)
        .Number(shortfall.owed)
        .Number(shortfall.coins)
        .End();
  }
  return std::move(lines.text_);
}

Digest RowHash(const JournalRow& row) { return Sha256(CanonicalText(row)); }

}  // namespace mj::audit
