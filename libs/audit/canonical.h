// What of a journal row is hashed: its canonical text, version "mahjong-ledger-1".
#pragma once

#include <string>

#include "libs/audit/digest.h"
#include "libs/audit/row.h"

namespace mj::audit {

// Lines of `key=value`, each ended by LF, in this order; a line in brackets is left out where the
// value is NULL, one with * stands once for each:
//
//   mahjong-ledger-1
//   chain=CHAIN_NO  sequence=CHAIN_SEQUENCE  previous=PREVIOUS_HASH  journal=JOURNAL_NO  kind=KIND
//   key=REQUEST_KEY  content=VERSION:CONTENT_HASH  actor=ACTOR  [approver=]  reason=REASON  [table=]
//   [round=]  [rulebook=]  [reverses=JOURNAL_NO]  happened=MICROSECONDS  written=MICROSECONDS
//   *entry=LINE|ACCOUNT_NO|ACCOUNT_ID|CURRENCY|PURPOSE|COINS|BALANCE_AFTER|SEQUENCE
//   [movement=FLOW or FLOW|PROVIDER|EXTERNAL_REFERENCE]
//   [settlement=VARIANT|BASE|CURRENCY|RAKE  *seat=SEAT|ACCOUNT_NO|NET|RAKE_PAID|BALANCE_AFTER
//    *transfer=LINE|FROM|TO|RULE_ID|COINS  *set_off=FROM|TO|COINS]
//   [penalty=CURRENCY|ESCAPER|PENALTY|TAKEN|SHARE|HOUSE|SHORTFALL  *penalty_seat=SEAT|ACCOUNT_NO|
//    BALANCE_AFTER]
//   *shortfall=PAYER_NO|PAYEE_NO|OWED|COINS
//
// Hashes are lower-case hexadecimal, numbers decimal; an entry of the house ends in `||`. In texts
// backslash is written \\, line feed \n, vertical bar \p. Two rows that differ differ in their
// texts. Never changes: another order or field is another version under another first line.
[[nodiscard]] std::string CanonicalText(const JournalRow& row);

// SHA-256 of that text: the row's hash, and the next row's previous_hash.
[[nodiscard]] Digest RowHash(const JournalRow& row);

}  // namespace mj::audit
