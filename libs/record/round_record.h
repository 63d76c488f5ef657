// One round as it is kept: mahjong.record.v1.RoundRecord without protobuf. What its fields mean is
// said there. Nothing here says that a record is right: whoever made it is not trusted (libs/proof).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libs/fairness/commitment.h"
#include "libs/fairness/deal.h"
#include "libs/fairness/verify.h"
#include "libs/record/events.h"
#include "libs/round/event.h"
#include "libs/tiles/tile.h"

namespace mj::record {

using Time = std::chrono::sys_time<std::chrono::microseconds>;  // UTC, by the table owner's clock

struct Nonce {
  fairness::NonceRecord record;
  fairness::NonceOutcome outcome = fairness::NonceOutcome::kNotCommitted;  // as it was recorded
  bool operator==(const Nonce& other) const {
    return record.commitment == other.record.commitment && record.reveal == other.record.reveal &&
           outcome == other.outcome;
  }
};

struct Leaving {  // it goes with the round's end
  Seat seat = Seat::k0;
  std::string player;
  LeaveReason reason = LeaveReason::kLeft;
  bool operator==(const Leaving&) const = default;
};

struct Left {
  Seat seat = Seat::k0;
  std::string player;
  LeaveReason reason = LeaveReason::kLeft;
  std::string why;  // kBelowMinimum and kRefused: the name of the wallet's reason
  bool operator==(const Left&) const = default;
};

struct HandShown {
  Seat seat = Seat::k0;
  std::string player;
  bool show = false;
  bool operator==(const HandShown&) const = default;
};

using What = std::variant<round::Event, AutoPlaySet, Leaving, Left, ClocksRestarted, HandShown>;

struct RecordedEvent {
  Time time{};
  What what;
  bool operator==(const RecordedEvent&) const = default;
};

// A row of the wallet's journal as it is hashed (libs/audit/canonical.h).
struct JournalRow {
  std::string journal_id;
  std::string canonical;
  fairness::Digest hash{};  // as recorded
  bool operator==(const JournalRow&) const = default;
};

struct Settled {
  Time scored_at{};
  RoundScored scored;
  RoundPosted posted;
  JournalRow row;
  bool operator==(const Settled&) const = default;
};

struct Voided {
  RoundVoided voided;
  std::optional<JournalRow> row;  // none with kRefused
  bool operator==(const Voided&) const = default;
};

struct RoundRecord {
  std::string round_id;
  std::string table_id;
  int number = 0;  // counts the table's rounds from 1
  std::string variant;
  std::map<std::string, std::string> options;  // complete
  Coins base = 0;
  Currency currency = Currency::kCoin;
  std::string rulebook_version;
  PerSeat<std::string> players;
  PerSeat<bool> bots;  // of the house
  Time began_at{};
  Time ended_at{};
  fairness::Digest seed_hash{};  // as shown before the deal
  fairness::Seed seed{};
  PerSeat<Nonce> nonces;          // of a table that asked for none: kNotCommitted
  bool drawn = false;             // dealer and winds; else they follow from the round before
  std::vector<tiles::Tile> wall;  // in drawing order; empty: void before the deal was drawn
  std::optional<fairness::Dice> dice;
  Seat dealer = Seat::k0;
  std::optional<tiles::Tile> round_wind;           // games with winds
  std::optional<PerSeat<tiles::Tile>> seat_winds;  // games with winds
  std::vector<RecordedEvent> events;
  std::variant<Settled, Voided> end;
};

// What fairness::VerifyDeal asks for. Dealer and winds only where this round drew them.
[[nodiscard]] fairness::PublishedDeal PublishedDealOf(const RoundRecord& record);

}  // namespace mj::record
