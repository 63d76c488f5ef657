// A sealed ledger day, its signed export, and the proof that one row is in it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libs/audit/digest.h"
#include "libs/audit/merkle.h"
#include "libs/audit/signing.h"

namespace mj::audit {

inline constexpr std::size_t kChains = 16;

// The rows of one chain in a day. None: last = first - 1.
struct ChainSpan {
  std::int64_t first = 1;  // chain_sequence
  std::int64_t last = 0;
  Digest last_hash = kNothingBefore;  // of row `last`, be it of this day or an earlier one

  friend bool operator==(const ChainSpan&, const ChainSpan&) = default;
};

// A day of the ledger that is over (UTC, by written_at).
struct Day {
  std::string day;  // YYYY-MM-DD
  std::int64_t rows = 0;
  Digest root{};  // over the hashes of its rows as leaves, by chain, then sequence
  Digest previous_root = kNothingBefore;  // of the sealed day before it
  std::array<ChainSpan, kChains> chains;

  friend bool operator==(const Day&, const Day&) = default;
};

// The day that a moment is in. `micros` since 1970 UTC, of the years 1 to 9999.
[[nodiscard]] std::string DayOf(std::int64_t micros);
// Its first moment; nothing unless it is a day of the calendar written YYYY-MM-DD.
[[nodiscard]] std::optional<std::int64_t> DayBegins(std::string_view day);
// The first moment after it; nothing as in DayBegins.
[[nodiscard]] std::optional<std::int64_t> DayEnds(std::string_view day);
// The day before and after a day. REQUIRES a day that DayBegins can read.
[[nodiscard]] std::string DayBefore(std::string_view day);
[[nodiscard]] std::string DayAfter(std::string_view day);

// Lines of key=value, each ended by LF:
//   mahjong-ledger-day-1  day=  rows=  root=  previous_root=
//   chain=NUMBER|FIRST|LAST|LAST_HASH, sixteen times
[[nodiscard]] std::string ToText(const Day& day);

// A day's text with a last line signature=HEX: Ed25519 over all before that line.
struct SignedDay {
  Day day;
  Signature signature{};
};
[[nodiscard]] std::string Export(const Day& day, const SigningKey& key);
// Nothing unless `text` is an export, byte for byte as Export writes it. Checks no signature.
[[nodiscard]] std::optional<SignedDay> ReadExport(std::string_view text);
[[nodiscard]] bool Signed(const SignedDay& exported, const PublicKey& key);

// Shows that a row was in a day when that was signed, to whoever has the public key and no database.
struct Proof {
  SignedDay day;
  std::int64_t index = 0;  // of the row among the day's
  std::vector<Digest> path;
  std::string row;  // its canonical text
};

// The export, then mahjong-ledger-proof-1, index=, path=HEX once for each, row:, the row's text.
[[nodiscard]] std::string ToText(const Proof& proof);
// Nothing unless `text` is one. Proves nothing yet.
[[nodiscard]] std::optional<Proof> ReadProof(std::string_view text);

enum class ProofFault : std::uint8_t { kNone, kSignature, kPath };
[[nodiscard]] ProofFault Check(const Proof& proof, const PublicKey& key);

}  // namespace mj::audit
