#include "libs/audit/day.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <utility>

namespace mj::audit {
namespace {

constexpr std::string_view kDayHead = "mahjong-ledger-day-1";
constexpr std::string_view kProofHead = "mahjong-ledger-proof-1";
constexpr std::int64_t kDayMicros = 86'400'000'000;

void AddLine(std::string& text, std::string_view key, std::string_view value) {
  text.append(key).append("=").append(value).push_back('\n');
}

std::optional<std::int64_t> Number(std::string_view digits) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

// Reads a text line by line. Every taker answers nothing at the first line that does not fit.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<std::string_view> Line() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }
  std::optional<std::string_view> Value(std::string_view key) {
    if (!NextIs(key)) return std::nullopt;
    return Line()->substr(key.size() + 1);
  }
  [[nodiscard]] bool NextIs(std::string_view key) const {
    return rest_.starts_with(key) && rest_.substr(key.size()).starts_with("=") &&
           rest_.find('\n') != std::string_view::npos;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

bool Set(std::int64_t& out, std::optional<std::string_view> digits) {
  const auto number = digits ? Number(*digits) : std::nullopt;
  if (number) out = *number;
  return number.has_value();
}

bool Set(Digest& out, std::optional<std::string_view> hex) {
  const auto digest = hex ? DigestFromHex(*hex) : std::nullopt;
  if (digest) out = *digest;
  return digest.has_value();
}

bool ReadSpan(std::string_view value, std::size_t chain_no, ChainSpan& span) {
  std::array<std::string_view, 4> parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t end = i + 1 < parts.size() ? value.find('|') : value.size();
    if (end == std::string_view::npos) return false;
    parts[i] = value.substr(0, end);
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  std::int64_t number = -1;
  return Set(number, parts[0]) && number == static_cast<std::int64_t>(chain_no) &&
         Set(span.first, parts[1]) && Set(span.last, parts[2]) && Set(span.last_hash, parts[3]);
}

bool ReadDay(Reader& reader, Day& day) {
  if (reader.Line() != kDayHead) return false;
  const auto date = reader.Value("day");
  if (!date || !DayBegins(*date)) return false;
  day.day = *date;
  if (!Set(day.rows, reader.Value("rows")) || !Set(day.root, reader.Value("root")) ||
      !Set(day.previous_root, reader.Value("previous_root"))) {
    return false;
  }
  for (std::size_t chain_no = 0; chain_no < kChains; ++chain_no) {
    const auto value = reader.Value("chain");
    if (!value || !ReadSpan(*value, chain_no, day.chains[chain_no])) return false;
  }
  return true;
}

bool ReadSignature(Reader& reader, Signature& signature) {
  const auto hex = reader.Value("signature");
  const auto bytes = hex ? BytesFromHex(*hex) : std::nullopt;
  if (!bytes || bytes->size() != signature.size()) return false;
  std::transform(bytes->begin(), bytes->end(), signature.begin(),
                 [](char c) { return static_cast<std::uint8_t>(c); });
  return true;
}

std::string ToHex(const Signature& signature) {
  return BytesToHex({reinterpret_cast<const char*>(signature.data()), signature.size()});
}

std::string ExportText(const SignedDay& exported) {
  std::string text = ToText(exported.day);
  AddLine(text, "signature", ToHex(exported.signature));
  return text;
}

}  // namespace

std::string DayOf(std::int64_t micros) {
  const std::chrono::sys_time<std::chrono::microseconds> moment{std::chrono::microseconds(micros)};
  const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(moment));
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

std::optional<std::int64_t> DayBegins(std::string_view day) {
  if (day.size() != 10 || day[4] != '-' || day[7] != '-') return std::nullopt;
  const auto year = Number(day.substr(0, 4));
  const auto month = Number(day.substr(5, 2));
  const auto number = Number(day.substr(8, 2));
  if (!year || !month || !number || *year < 1 || *month < 1 || *number < 1) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*number))};
  if (!date.ok()) return std::nullopt;
  return std::int64_t{std::chrono::sys_days(date).time_since_epoch().count()} * kDayMicros;
}

std::optional<std::int64_t> DayEnds(std::string_view day) {
  const auto begin = DayBegins(day);
  return begin ? std::optional<std::int64_t>(*begin + kDayMicros) : std::nullopt;
}

std::string DayBefore(std::string_view day) { return DayOf(DayBegins(day).value() - kDayMicros); }

std::string DayAfter(std::string_view day) { return DayOf(DayEnds(day).value()); }

std::string ToText(const Day& day) {
  std::string text(kDayHead);
  text.push_back('\n');
  AddLine(text, "day", day.day);
  AddLine(text, "rows", std::to_string(day.rows));
  AddLine(text, "root", ToHex(day.root));
  AddLine(text, "previous_root", ToHex(day.previous_root));
  for (std::size_t chain_no = 0; chain_no < kChains; ++chain_no) {
    const ChainSpan& span = day.chains[chain_no];
    AddLine(text, "chain",
            std::to_string(chain_no) + "|" + std::to_string(span.first) + "|" +
                std::to_string(span.last) + "|" + ToHex(span.last_hash));
  }
  return text;
}

std::string Export(const Day& day, const SigningKey& key) {
  return ExportText({day, key.Sign(ToText(day))});
}

std::optional<SignedDay> ReadExport(std::string_view text) {
  Reader reader(text);
  SignedDay exported;
  if (!ReadDay(reader, exported.day) || !ReadSignature(reader, exported.signature)) {
    return std::nullopt;
  }
  // Only one text for each day: numbers with leading zeros and so on are none.
  if (ExportText(exported) != text) return std::nullopt;
  return exported;
}

bool Signed(const SignedDay& exported, const PublicKey& key) {
  return Verify(key, ToText(exported.day), exported.signature);
}

std::string ToText(const Proof& proof) {
  std::string text = ExportText(proof.day);
  text.append(kProofHead).push_back('\n');
  AddLine(text, "index", std::to_string(proof.index));
  for (const Digest& sibling : proof.path) AddLine(text, "path", ToHex(sibling));
  return text.append("row:\n").append(proof.row);
}

std::optional<Proof> ReadProof(std::string_view text) {
  Reader reader(text);
  Proof proof;
  if (!ReadDay(reader, proof.day.day) || !ReadSignature(reader, proof.day.signature) ||
      reader.Line() != kProofHead || !Set(proof.index, reader.Value("index"))) {
    return std::nullopt;
  }
  while (reader.NextIs("path")) {
    if (!Set(proof.path.emplace_back(), reader.Value("path"))) return std::nullopt;
  }
  if (reader.Line() != "row:") return std::nullopt;
  proof.row = reader.rest();
  if (ToText(proof) != text) return std::nullopt;
  return proof;
}

ProofFault Check(const Proof& proof, const PublicKey& key) {
  if (!Signed(proof.day, key)) return ProofFault::kSignature;
  const Digest hash = Sha256(proof.row);
  const Day& day = proof.day.day;
  return IncludedIn(day.root, day.rows, proof.index, AsBytes(hash), proof.path) ? ProofFault::kNone
                                                                                : ProofFault::kPath;
}

}  // namespace mj::audit
