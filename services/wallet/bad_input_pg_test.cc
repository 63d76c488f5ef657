// What cannot be, asked of the whole service: refused with status, reason and field, and nothing is
// written for it. Each rpc's own checks are tested beside it; here stands that no row of the database
// is another one afterwards.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/ledger/coins.h"
#include "libs/pg/cluster_testing.h"
#include "services/wallet/running_testing.h"

namespace mj::wallet {
namespace {

namespace common = ::mahjong::common::v1;
using base::FailsWith;
using base::IsOk;
using base::Reason;
using ledger::kCoinsMax;

constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

class BadInputTest : public ::testing::Test {
 protected:
  // a to d sit at table-1; full has as much as anybody can; pat plays for practice coins.
  BadInputTest() {
    auto started = Start(database_.url());
    EXPECT_THAT(started, IsOk());
    service_ = *std::move(started);
    stub_ = StubOf(*service_);
    for (const char* const id : {"a", "b", "c", "d"}) Open(*stub_, id, 1000);
    Open(*stub_, "full", kCoinsMax);
    v1::OpenAccountRequest practice;
    practice.set_request_id("open-pat");
    practice.set_account_id("pat");
    practice.set_currency(common::CURRENCY_PRACTICE);
    EXPECT_THAT(Ask(&Stub::OpenAccount, practice), IsOk());
  }

  template <typename Method, typename Request>
  absl::Status Ask(Method method, const Request& request) {
    return mj::rpc::Invoke(*stub_, method, request, kOptions).status();
  }

  // Every row of every table, a line for each table.
  std::string Rows() const {
    return database_.Execute(
        "SELECT string_agg(relname || ' ' || md5(table_to_xml(oid, true, false, '')::text),"
        "                  E'\n' ORDER BY relname)"
        " FROM pg_class WHERE relnamespace = 'wallet'::regnamespace AND relkind = 'r'");
  }

  // `call` fails so, a second time too, and no row is another one.
  void ExpectRefused(const std::string& what, const std::function<absl::Status()>& call,
                     Reason reason, const std::string& field) {
    SCOPED_TRACE(what);
    const std::string before = Rows();
    EXPECT_THAT(call(), FailsWith(reason, field));
    EXPECT_THAT(call(), FailsWith(reason, field));
    EXPECT_EQ(Rows(), before);
  }

  template <typename Request>
  static Request Money(std::int64_t coins, const std::string& account = "a") {
    Request request;
    request.set_request_id("bad");
    request.set_account_id(account);
    request.set_coins(coins);
    request.set_reason("test");
    return request;
  }
  static v1::AdjustRequest Adjustment(std::int64_t coins, const std::string& account = "a") {
    auto request = Money<v1::AdjustRequest>(coins, account);
    request.set_requested_by("olga");
    request.set_approved_by("otto");
    return request;
  }
  template <typename Request>
  static Request Control(const std::string& account) {
    Request request;
    request.set_request_id("bad");
    request.set_account_id(account);
    request.set_reason("test");
    request.set_requested_by("olga");
    return request;
  }
  static v1::ReserveRequest Seat(const std::string& player, std::int64_t base = 10) {
    return wallet::Seat("bad", player, base);
  }
  static v1::PutStakeTierRequest Room() {
    v1::PutStakeTierRequest request;
    request.set_request_id("bad");
    request.set_tier_id("chaozhou-10");
    request.set_variant("chaozhou");
    request.set_base(10);
    request.set_minimum_balance(160);
    request.set_escape_penalty(640);
    request.set_escape_compensation(640);
    request.set_requested_by("olga");
    return request;
  }
  static v1::SettleRoundRequest Owing(std::uint32_t from, std::uint32_t to, std::int64_t coins) {
    v1::SettleRoundRequest request = Round("round-1");
    request.clear_transfers();
    AddTransfer(request, from, to, coins);
    return request;
  }
  static v1::ApplyPenaltyRequest Penalty(const std::string& round_id, std::uint32_t seat = 0) {
    v1::ApplyPenaltyRequest request;
    request.set_round_id(round_id);
    request.set_escaper_seat(seat);
    request.set_reason("left");
    return request;
  }
  static v1::VoidRoundRequest Void(const std::string& round_id) {
    v1::VoidRoundRequest request;
    request.set_round_id(round_id);
    request.set_reason("all absent");
    request.set_requested_by("olga");
    return request;
  }

  const pg::testing::Database database_{Migrations()};
  std::unique_ptr<mj::rpc::RunningService> service_;
  std::unique_ptr<v1::WalletService::Stub> stub_;
};

TEST_F(BadInputTest, AmountsThatAreNone) {
  for (const std::int64_t coins :
       {std::int64_t{0}, std::int64_t{-1}, kMin64, kCoinsMax + 1, kMax64}) {
    const std::string amount = std::to_string(coins);
    ExpectRefused(
        "deposit " + amount, [&] { return Ask(&Stub::Deposit, Money<v1::DepositRequest>(coins)); },
        Reason::kBadAmount, "coins");
    ExpectRefused(
        "withdraw " + amount,
        [&] { return Ask(&Stub::Withdraw, Money<v1::WithdrawRequest>(coins)); }, Reason::kBadAmount,
        "coins");
  }
  for (const std::int64_t coins :
       {std::int64_t{0}, kMin64, -kCoinsMax - 1, kCoinsMax + 1, kMax64}) {
    ExpectRefused(
        "adjust " + std::to_string(coins), [&] { return Ask(&Stub::Adjust, Adjustment(coins)); },
        Reason::kBadAmount, "coins");
  }
  for (const std::int64_t coins : {std::int64_t{-1}, kMin64, kCoinsMax + 1, kMax64}) {
    const std::string amount = std::to_string(coins);
    v1::PutStakeTierRequest room = Room();
    room.set_rake_per_player(coins);
    ExpectRefused(
        "rake " + amount, [&] { return Ask(&Stub::PutStakeTier, room); }, Reason::kBadAmount,
        "rake_per_player");
    room = Room();
    room.set_minimum_balance(coins);
    ExpectRefused(
        "minimum " + amount, [&] { return Ask(&Stub::PutStakeTier, room); }, Reason::kBadAmount,
        "minimum_balance");
    room = Room();
    room.set_escape_penalty(coins);
    ExpectRefused(
        "penalty " + amount, [&] { return Ask(&Stub::PutStakeTier, room); }, Reason::kBadAmount,
        "escape_penalty");
  }
  for (const std::int64_t base :
       {std::int64_t{0}, std::int64_t{-10}, std::int64_t{10'001}, kMax64}) {
    const std::string amount = std::to_string(base);
    ExpectRefused(
        "seat for " + amount, [&] { return Ask(&Stub::Reserve, Seat("a", base)); },
        Reason::kBadBase, "base");
    ExpectRefused(
        "round for " + amount, [&] { return Ask(&Stub::BeginRound, Beginning("round-1", base)); },
        Reason::kBadBase, "base");
  }
}

TEST_F(BadInputTest, BalancesThatWouldOverflow) {
  ExpectRefused(
      "deposit", [&] { return Ask(&Stub::Deposit, Money<v1::DepositRequest>(1, "full")); },
      Reason::kBalanceOverflow, "coins");
  ExpectRefused(
      "adjustment", [&] { return Ask(&Stub::Adjust, Adjustment(1, "full")); },
      Reason::kBalanceOverflow, "coins");
  // What full paid out comes back to it by a reversal, after it was filled up again.
  const auto paid =
      mj::rpc::Invoke(*stub_, &Stub::Withdraw, Money<v1::WithdrawRequest>(5, "full"), kOptions);
  ASSERT_THAT(paid, IsOk());
  ASSERT_THAT(Ask(&Stub::Deposit, Money<v1::DepositRequest>(5, "full")), IsOk());
  v1::ReverseRequest reverse;
  reverse.set_request_id("bad");
  reverse.set_journal_id(paid->journal_id());
  reverse.set_reason("test");
  reverse.set_requested_by("olga");
  reverse.set_approved_by("otto");
  ExpectRefused(
      "reversal", [&] { return Ask(&Stub::Reverse, reverse); }, Reason::kBalanceOverflow,
      "journal_id");

  // A round that full is in: what would be too much for it is refused, and the round can be closed.
  for (const char* const player : {"full", "b", "c", "d"}) {
    v1::ReserveRequest seat = Seat(player);
    seat.set_request_id(std::string("sit-") + player);
    ASSERT_THAT(Ask(&Stub::Reserve, seat), IsOk());
  }
  v1::BeginRoundRequest begin = Beginning("round-1");
  begin.set_player_ids(0, "full");
  ASSERT_THAT(Ask(&Stub::BeginRound, begin), IsOk());
  v1::SettleRoundRequest round = Owing(1, 0, 1);
  round.set_player_ids(0, "full");
  ExpectRefused(
      "settlement", [&] { return Ask(&Stub::SettleRound, round); }, Reason::kBalanceOverflow,
      "transfers");
  ExpectRefused(
      "penalty", [&] { return Ask(&Stub::ApplyPenalty, Penalty("round-1", 1)); },
      Reason::kBalanceOverflow, "round_id");
  EXPECT_THAT(Ask(&Stub::VoidRound, Void("round-1")), IsOk());
}

TEST_F(BadInputTest, AccountsThatAreNotThere) {
  struct Account {
    std::string id;
    Reason reason;
  };
  for (const auto& [id, reason] :
       {Account{"nobody", Reason::kAccountNotFound}, Account{"pat", Reason::kCurrencyMixed},
        Account{"issue", Reason::kNotAPlayerAccount}}) {
    const std::vector<std::pair<const char*, std::function<absl::Status()>>> by_account = {
        {"deposit", [&] { return Ask(&Stub::Deposit, Money<v1::DepositRequest>(5, id)); }},
        {"withdraw", [&] { return Ask(&Stub::Withdraw, Money<v1::WithdrawRequest>(5, id)); }},
        {"adjust", [&] { return Ask(&Stub::Adjust, Adjustment(5, id)); }},
        {"freeze", [&] { return Ask(&Stub::Freeze, Control<v1::FreezeRequest>(id)); }},
        {"unfreeze", [&] { return Ask(&Stub::Unfreeze, Control<v1::UnfreezeRequest>(id)); }},
        {"close", [&] { return Ask(&Stub::CloseAccount, Control<v1::CloseAccountRequest>(id)); }}};
    for (const auto& [name, call] : by_account) {
      ExpectRefused(name + (" " + id), call, reason, "account_id");
    }
    v1::ReleaseRequest release;
    release.set_request_id("bad");
    release.set_player_id(id);
    release.set_table_id("table-1");
    ExpectRefused(
        "release " + id, [&] { return Ask(&Stub::Release, release); }, reason, "player_id");
    ExpectRefused("seat " + id, [&] { return Ask(&Stub::Reserve, Seat(id)); }, reason, "player_id");
    v1::BeginRoundRequest begin = Beginning("round-1");
    begin.set_player_ids(0, id);
    ExpectRefused(
        "round " + id, [&] { return Ask(&Stub::BeginRound, begin); }, reason, "player_ids[0]");
  }
}

TEST_F(BadInputTest, TransfersThatAreNone) {
  Begin(*stub_, "round-1");
  for (std::uint32_t seat = 0; seat < 4; ++seat) {
    ExpectRefused(
        "to itself", [&] { return Ask(&Stub::SettleRound, Owing(seat, seat, 5)); },
        Reason::kSelfTransfer, "transfers[0].to_seat");
  }
  for (const std::int64_t coins :
       {std::int64_t{0}, std::int64_t{-1}, kMin64, kCoinsMax + 1, kMax64}) {
    ExpectRefused(
        std::to_string(coins), [&] { return Ask(&Stub::SettleRound, Owing(0, 1, coins)); },
        Reason::kBadAmount, "transfers[0].coins");
  }
  v1::SettleRoundRequest together = Owing(0, 1, kCoinsMax);
  AddTransfer(together, 0, 2, 1);
  ExpectRefused(
      "too much together", [&] { return Ask(&Stub::SettleRound, together); }, Reason::kBadAmount,
      "transfers");
  v1::BeginRoundRequest twice = Beginning("round-2");
  twice.set_player_ids(3, "a");
  ExpectRefused(
      "a player twice", [&] { return Ask(&Stub::BeginRound, twice); }, Reason::kDuplicatePlayer,
      "player_ids[3]");
}

TEST_F(BadInputTest, ARoomOutOfItsDates) {
  // Begun while the room was open, closed afterwards, in each way.
  const std::vector<std::pair<std::string, std::function<absl::Status()>>> closes = {
      {"settled-late", [&] { return Ask(&Stub::SettleRound, Round("settled-late")); }},
      {"escaped-late", [&] { return Ask(&Stub::ApplyPenalty, Penalty("escaped-late")); }},
      {"voided-late", [&] { return Ask(&Stub::VoidRound, Void("voided-late")); }}};
  for (const auto& [round_id, close] : closes) {
    Begin(*stub_, round_id);
    // The room has ended just now.
    database_.Execute(
        "INSERT INTO wallet.stake_tiers (tier_id, variant, currency, base, minimum, rake,"
        " escape_penalty, escape_compensation, valid_from, valid_until)"
        " VALUES ('chaozhou-10', 'chaozhou', 'COIN', 10, 160, 0, 640, 640,"
        "         now() - interval '2 microseconds', now() - interval '1 microsecond')");
    ExpectRefused(
        "a seat when it has ended", [&] { return Ask(&Stub::Reserve, Seat("a")); },
        Reason::kTierNotFound, "base");
    ExpectRefused(
        "a round when it has ended",
        [&] { return Ask(&Stub::BeginRound, Beginning("another-round")); }, Reason::kTierNotFound,
        "base");
    EXPECT_THAT(close(), IsOk()) << round_id;
    database_.Execute(
        "INSERT INTO wallet.stake_tiers (tier_id, variant, currency, base, minimum, rake,"
        " escape_penalty, escape_compensation, valid_from)"
        " VALUES ('chaozhou-10', 'chaozhou', 'COIN', 10, 160, 0, 640, 640, now())");
  }
  // One that opens in an hour.
  database_.Execute(
      "INSERT INTO wallet.stake_tiers (tier_id, variant, currency, base, minimum, rake,"
      " escape_penalty, escape_compensation, valid_from)"
      " VALUES ('chaozhou-20', 'chaozhou', 'COIN', 20, 320, 0, 1280, 1280,"
      "         now() + interval '1 hour')");
  ExpectRefused(
      "a seat before it opens", [&] { return Ask(&Stub::Reserve, Seat("a", 20)); },
      Reason::kTierNotFound, "base");
  ExpectRefused(
      "a round before it opens",
      [&] { return Ask(&Stub::BeginRound, Beginning("another-round", 20)); }, Reason::kTierNotFound,
      "base");
}

TEST_F(BadInputTest, ClosesOfRoundsThatWereNotBegunSo) {
  ExpectRefused(
      "settlement of none", [&] { return Ask(&Stub::SettleRound, Round("round-1")); },
      Reason::kRoundNotFound, "round_id");
  ExpectRefused(
      "penalty of none", [&] { return Ask(&Stub::ApplyPenalty, Penalty("round-1")); },
      Reason::kRoundNotFound, "round_id");
  ExpectRefused(
      "void of none", [&] { return Ask(&Stub::VoidRound, Void("round-1")); },
      Reason::kRoundNotFound, "round_id");

  Begin(*stub_, "round-1");
  struct Other {
    const char* name;
    const char* field;
    std::function<void(v1::SettleRoundRequest&)> make;
  };
  for (const auto& [name, field, make] : std::vector<Other>{
           {"players", "player_ids[3]", [](auto& r) { r.set_player_ids(3, "full"); }},
           {"nobody", "player_ids[0]", [](auto& r) { r.set_player_ids(0, "nobody"); }},
           {"seats", "player_ids[0]",
            [](auto& r) {
              r.set_player_ids(0, "b");
              r.set_player_ids(1, "a");
            }},
           {"base", "base", [](auto& r) { r.set_base(100); }},
           {"table", "table_id", [](auto& r) { r.set_table_id("table-2"); }},
           {"game", "variant", [](auto& r) { r.set_variant("shaoguan"); }},
           {"rulebook", "rulebook_version", [](auto& r) { r.set_rulebook_version("another"); }},
           {"currency", "currency", [](auto& r) { r.set_currency(common::CURRENCY_PRACTICE); }},
           {"rule", "transfers[0].rule_id",
            [](auto& r) { r.mutable_transfers(0)->set_rule_id("XX-99"); }}}) {
    v1::SettleRoundRequest other = Round("round-1");
    make(other);
    ExpectRefused(
        name, [&, &other = other] { return Ask(&Stub::SettleRound, other); },
        Reason::kRoundMismatch, field);
  }
  ExpectRefused(
      "the penalty of a fifth seat",
      [&] { return Ask(&Stub::ApplyPenalty, Penalty("round-1", 4)); }, Reason::kBadSeat,
      "escaper_seat");
  ASSERT_THAT(Ask(&Stub::SettleRound, Round("round-1")), IsOk());

  ExpectRefused(
      "a void after it", [&] { return Ask(&Stub::VoidRound, Void("round-1")); },
      Reason::kRoundFinished, "round_id");
  ExpectRefused(
      "a penalty after it", [&] { return Ask(&Stub::ApplyPenalty, Penalty("round-1")); },
      Reason::kRoundFinished, "round_id");
  v1::SettleRoundRequest changed = Round("round-1");
  changed.mutable_transfers(0)->set_coins(21);
  ExpectRefused(
      "another settlement", [&] { return Ask(&Stub::SettleRound, changed); },
      Reason::kRequestIdReused, "round_id");
}

}  // namespace
}  // namespace mj::wallet
