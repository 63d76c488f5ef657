#include "libs/audit/parse_canonical.h"

#include <charconv>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "libs/audit/canonical.h"

namespace mj::audit {
namespace {

constexpr std::string_view kVersion = "mahjong-ledger-1";

// One line: its key, and its fields as they stand there.
struct TextLine {
  std::string_view key;
  std::vector<std::string_view> fields;
};

std::optional<TextLine> SplitLine(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  TextLine split{line.substr(0, equals), {}};
  std::string_view rest = line.substr(equals + 1);
  for (;;) {
    const std::size_t bar = rest.find('|');
    split.fields.push_back(rest.substr(0, bar));
    if (bar == std::string_view::npos) return split;
    rest.remove_prefix(bar + 1);
  }
}

// Reads fields in turn. What cannot be read leaves `good` false; the values do not matter then.
class Fields {
 public:
  explicit Fields(const TextLine& line) : fields_(line.fields) {}

  Fields& operator>>(std::int64_t& number) {
    if (const auto text = Next()) good_ &= ToNumber(*text, number);
    return *this;
  }
  Fields& operator>>(std::optional<std::int64_t>& number) {
    const auto text = Next();
    if (!text || text->empty()) return *this;
    number.emplace();
    good_ &= ToNumber(*text, *number);
    return *this;
  }
  Fields& operator>>(std::string& out) {
    if (const auto text = Next()) Unescape(*text, out);
    return *this;
  }
  Fields& operator>>(std::optional<std::string>& out) { return *this >> out.emplace(); }
  Fields& operator>>(Digest& out) {
    const auto text = Next();
    const auto digest = text ? DigestFromHex(*text) : std::nullopt;
    good_ &= digest.has_value();
    if (digest) out = *digest;
    return *this;
  }

  std::size_t left() const { return fields_.size() - at_; }
  // Whether everything was read, and nothing is left.
  bool done() const { return good_ && left() == 0; }

 private:
  std::optional<std::string_view> Next() {
    if (at_ < fields_.size()) return fields_[at_++];
    good_ = false;
    return std::nullopt;
  }
  static bool ToNumber(std::string_view text, std::int64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
  }
  void Unescape(std::string_view text, std::string& out) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        out += text[i];
        continue;
      }
      const char next = i + 1 < text.size() ? text[++i] : '\0';
      good_ &= next == '\\' || next == 'n' || next == 'p';
      out += next == 'n' ? '\n' : next == 'p' ? '|' : next;
    }
  }

  const std::vector<std::string_view>& fields_;
  std::size_t at_ = 0;
  bool good_ = true;
};

// The seat of a line that stands once for each seat.
struct SeatLine {
  std::int64_t seat = -1;
  bool known() const { return seat >= 0 && seat < static_cast<std::int64_t>(kSeats); }
  std::size_t index() const { return static_cast<std::size_t>(seat); }
};

bool ReadSettlementPart(const TextLine& line, SettlementRow& row) {
  Fields fields(line);
  if (line.key == "seat") {
    SeatLine at;
    fields >> at.seat;
    if (!at.known()) return false;
    fields >> row.account_nos[at.index()] >> row.net[at.index()] >> row.rake_paid[at.index()] >>
        row.balance_after[at.index()];
  } else if (line.key == "transfer") {
    std::int64_t line_no = 0;
    TransferRow& transfer = row.transfers.emplace_back();
    fields >> line_no >> transfer.from_seat >> transfer.to_seat >> transfer.rule_id >>
        transfer.coins;
  } else if (line.key == "set_off") {
    SetOffRow& set_off = row.set_offs.emplace_back();
    fields >> set_off.from_seat >> set_off.to_seat >> set_off.coins;
  } else {
    return false;
  }
  return fields.done();
}

bool ReadPenaltySeat(const TextLine& line, PenaltyRow& row) {
  Fields fields(line);
  SeatLine at;
  fields >> at.seat;
  if (!at.known()) return false;
  fields >> row.account_nos[at.index()] >> row.balance_after[at.index()];
  return fields.done();
}

bool ReadContent(const TextLine& line, JournalRow& row) {
  if (line.fields.size() != 1) return false;
  const std::size_t colon = line.fields[0].find(':');
  if (colon == std::string_view::npos) return false;
  const TextLine parts{line.key,
                       {line.fields[0].substr(0, colon), line.fields[0].substr(colon + 1)}};
  Fields fields(parts);
  fields >> row.content_version >> row.content_hash;
  return fields.done();
}

bool ReadLine(const TextLine& line, JournalRow& row) {
  if (line.key == "content") return ReadContent(line, row);
  if (line.key == "penalty_seat") return row.penalty && ReadPenaltySeat(line, *row.penalty);
  if (line.key == "seat" || line.key == "transfer" || line.key == "set_off") {
    return row.settlement && ReadSettlementPart(line, *row.settlement);
  }
  Fields fields(line);
  const std::pair<std::string_view, std::int64_t*> numbers[] = {{"chain", &row.chain_no},
                                                                {"sequence", &row.chain_sequence},
                                                                {"journal", &row.journal_no},
                                                                {"happened", &row.happened_at},
                                                                {"written", &row.written_at}};
  const std::pair<std::string_view, std::string*> texts[] = {{"kind", &row.kind},
                                                             {"key", &row.request_key},
                                                             {"actor", &row.actor},
                                                             {"reason", &row.reason}};
  const std::pair<std::string_view, std::optional<std::string>*> optional_texts[] = {
      {"approver", &row.approver},
      {"table", &row.table_id},
      {"round", &row.round_id},
      {"rulebook", &row.rulebook_version}};
  for (const auto& [key, number] : numbers) {
    if (line.key == key) fields >> *number;
  }
  for (const auto& [key, text] : texts) {
    if (line.key == key) fields >> text->assign("");
  }
  for (const auto& [key, text] : optional_texts) {
    if (line.key == key) fields >> *text;
  }
  if (line.key == "previous") fields >> row.previous_hash;
  if (line.key == "reverses") fields >> row.reverses_journal_no.emplace();
  if (line.key == "entry") {
    std::int64_t line_no = 0;
    EntryRow& entry = row.entries.emplace_back();
    fields >> line_no >> entry.account_no >> entry.account_id >> entry.currency >> entry.purpose >>
        entry.coins >> entry.balance_after >> entry.sequence;
  }
  if (line.key == "movement") {
    MovementRow& movement = row.movement.emplace();
    fields >> movement.flow;
    if (fields.left() > 0) fields >> movement.provider >> movement.external_reference;
  }
  if (line.key == "settlement") {
    SettlementRow& settlement = row.settlement.emplace();
    fields >> settlement.variant >> settlement.base >> settlement.currency >> settlement.rake;
  }
  if (line.key == "penalty") {
    PenaltyRow& penalty = row.penalty.emplace();
    fields >> penalty.currency >> penalty.escaper >> penalty.penalty >> penalty.taken >>
        penalty.share >> penalty.house >> penalty.shortfall;
  }
  if (line.key == "shortfall") {
    ShortfallRow& shortfall = row.shortfalls.emplace_back();
    fields >> shortfall.payer_no >> shortfall.payee_no >> shortfall.owed >> shortfall.coins;
  }
  return fields.done();
}

}  // namespace

std::optional<JournalRow> ParseCanonical(std::string_view text) {
  JournalRow row;
  bool first = true;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (std::exchange(first, false)) {
      if (line != kVersion) return std::nullopt;
      continue;
    }
    const auto split = SplitLine(line);
    if (!split || !ReadLine(*split, row)) return std::nullopt;
  }
  // Order, missing and repeated lines, numbers written otherwise: whatever is not said the one way.
  if (CanonicalText(row) != text) return std::nullopt;
  return row;
}

}  // namespace mj::audit
