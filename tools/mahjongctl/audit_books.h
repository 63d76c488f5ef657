// `mahjongctl audit`: whether the wallet's books are right, its days sealed and signed, and proofs.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace mj::mahjongctl {

// What to do. Paths are of files; empty: not given.
struct AuditArguments {
  std::string database;  // libpq's URL
  // The audit itself.
  std::string from;                // YYYY-MM-DD
  std::string to;                  // YYYY-MM-DD
  std::vector<std::string> roots;  // exported days to hold the books to
  bool json = false;               // one JSON object instead of lines for people
  std::string public_key;          // whoever signed these, and a proof
  // Instead of it:
  std::string seal;       // seal this day and write its export, signed with `key`, to `out`
  std::string prove;      // a journal row's number: write its proof, by the first of `roots`
  std::string proof;      // check this proof; no database
  std::string statement;  // a player: write the account's entries to `out` as CSV
  std::string currency = "COIN";  // of that account
  std::string new_key;            // write a new key to this file, and its public key to FILE.pub
  std::string key;                // the signing key
  std::string out;                // "-": standard output
};

// kDone, and what was checked on `out`; kFailed, and the first thing that is wrong; kUsage for
// arguments that do not fit together; kNoInput, kNoOutput, kUnavailable with why on `err`.
int AuditBooks(const AuditArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace mj::mahjongctl
