// Journal rows with all that hangs on them, as columns: one statement a table for a whole group.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "libs/audit/chain.h"
#include "libs/audit/row.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/ledger_store.h"
#include "services/wallet/store/ground_rows.h"
#include "services/wallet/store/settlement_rows.h"

namespace mj::wallet::store {

// A request's content, as it is remembered.
[[nodiscard]] audit::Digest ContentHash(const RequestKey& key);

// Collects what a group of postings writes. Rows go on where a chain head stands: each gets the next
// number, sequence and hash.
class PostingRows {
 public:
  explicit PostingRows(const ChainHead& head) : head_(head), at_{head.sequence, head.hash} {}

  // An event, on accounts as they are in `account_nos`; its number.
  //
  //   account_nos   the posting's players and the house's of its currency
  //   round_no      of the round that it closes; 0: it closes none
  //
  // REQUIRES fewer events so far than the head has numbers.
  [[nodiscard]] JournalNo AddEvent(const Posting& posting, const Event& event,
                                   const AccountNos& account_nos, std::int64_t round_no);

  // The memory of a sticky posting: `outcome` is OK or a reason's name; journal_no 0: none.
  void AddRequest(const RequestKey& key, std::string_view outcome, const Facts& facts,
                  std::int64_t account_no, JournalNo journal_no, Coins balance);

  // A player as the group leaves it; one call for each.
  void AddBalance(const LockedPlayer& player);

  // Nothing was added: there is nothing to write.
  [[nodiscard]] bool empty() const { return journal_.nos.empty() && requests_.keys.empty(); }

  // The statements that write it all.
  [[nodiscard]] std::vector<pg::Statement> Statements() const;

 private:
  using Numbers = std::vector<std::int64_t>;
  using Texts = std::vector<std::string>;
  using Hashes = std::vector<pg::Bytes>;

  struct Journal {
    Numbers nos;
    Texts kinds;
    Texts keys;
    Numbers content_versions;
    Hashes content_hashes;
    Texts actors;
    Texts approvers;  // '': none
    Texts reasons;
    Texts table_ids;          // '': none
    Texts round_ids;          // '': none
    Texts rulebook_versions;  // '': none
    Numbers reverses;         // 0: none
    Numbers happened_at;
    Numbers sequences;
    Hashes previous_hashes;
    Hashes hashes;
  };
  struct Entries {
    Numbers journal_nos;
    Numbers line_nos;
    Numbers account_nos;
    Texts currencies;
    Texts purposes;
    Numbers coins;
    Numbers balances_after;  // -1: none
    Numbers sequences;       // 0: none
  };
  struct Movements {
    Numbers journal_nos;
    Texts flows;
    Texts providers;   // '': none
    Texts references;  // '': none
  };
  struct Closes {
    Numbers round_nos;
    Texts how;
    Numbers journal_nos;
  };
  struct Balances {
    Numbers account_nos;
    Numbers coins;
    Numbers held;
    Numbers sequences;
    Numbers in_round;  // 1: still in its round
    Numbers seated;    // 1: its hold is alive
  };
  struct Requests {
    Texts keys;
    Numbers content_versions;
    Hashes content_hashes;
    Texts outcomes;
    Texts facts;
    Numbers account_nos;
    Numbers journal_nos;  // 0: none
    Numbers balances;
  };

  void AddEntries(const Posting& posting, const Event& event, const AccountNos& account_nos,
                  audit::JournalRow& row);

  const ChainHead head_;
  audit::ChainPlace at_;
  Journal journal_;
  Entries entries_;
  Movements movements_;
  Closes closes_;
  Balances balances_;
  Requests requests_;
  SettlementColumns settlements_;
  PenaltyColumns penalties_;
  ShortfallColumns shortfalls_;
};

}  // namespace mj::wallet::store
