// Settlements and penalties as rows: written as columns, one statement a table for a whole group.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/audit/row.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/types.h"

namespace mj::wallet::store {

// In all three: `seats` are the four players' account numbers, `row` is the journal row, which gets
// what is added as a part of it.

// What settlements did to their seats, who owed whom by which rule, and what cancelled.
class SettlementColumns {
 public:
  void Add(Currency currency, const Settlement& settlement, std::span<const std::int64_t> seats,
           audit::JournalRow& row);
  void AddTo(std::vector<pg::Statement>& statements) const;

 private:
  using Numbers = std::vector<std::int64_t>;
  using Texts = std::vector<std::string>;

  Numbers journal_nos_;
  Texts variants_;
  Numbers bases_;
  Texts currencies_;
  Numbers rakes_;
  // Four numbers a settlement, by seat.
  Numbers account_nos_;
  Numbers net_;
  Numbers rake_paid_;
  Numbers balance_after_;
  struct {
    Numbers journal_nos;
    Numbers line_nos;
    Numbers from;
    Numbers to;
    Texts rule_ids;
    Numbers coins;
  } transfers_;
  struct {
    Numbers journal_nos;
    Numbers from;
    Numbers to;
    Numbers coins;
  } set_offs_;
};

// What escapes cost.
class PenaltyColumns {
 public:
  void Add(Currency currency, const PenaltyTaken& penalty, std::span<const std::int64_t> seats,
           audit::JournalRow& row);
  void AddTo(std::vector<pg::Statement>& statements) const;

 private:
  using Numbers = std::vector<std::int64_t>;

  Numbers journal_nos_;
  std::vector<std::string> currencies_;
  Numbers escapers_;
  Numbers penalties_;
  Numbers taken_;
  Numbers shares_;
  Numbers house_;
  Numbers shortfalls_;
  // Four numbers a penalty, by seat.
  Numbers account_nos_;
  Numbers balance_after_;
};

// What payers could not cover.
class ShortfallColumns {
 public:
  // `house_no`: who is owed rake.
  void Add(const Settlement& settlement, std::span<const std::int64_t> seats, std::int64_t house_no,
           audit::JournalRow& row);
  // `house_no`: who is owed penalties.
  void Add(const PenaltyTaken& penalty, std::span<const std::int64_t> seats, std::int64_t house_no,
           audit::JournalRow& row);
  void AddTo(std::vector<pg::Statement>& statements) const;

 private:
  using Numbers = std::vector<std::int64_t>;

  void Add(const std::vector<audit::ShortfallRow>& missing, audit::JournalRow& row);

  Numbers journal_nos_;
  Numbers payers_;
  Numbers payees_;
  Numbers owed_;
  Numbers coins_;
};

// Read back, the same in every field. ReadSettlements: one round trip for all; numbers of which there
// is no settlement are left out.
[[nodiscard]] absl::StatusOr<std::map<JournalNo, Settlement>> ReadSettlements(
    pg::Transaction& tx, const std::vector<JournalNo>& journal_nos);
[[nodiscard]] absl::StatusOr<Settlement> ReadSettlement(pg::Transaction& tx, JournalNo journal_no);
[[nodiscard]] absl::StatusOr<PenaltyTaken> ReadPenalty(pg::Transaction& tx, JournalNo journal_no);

}  // namespace mj::wallet::store
