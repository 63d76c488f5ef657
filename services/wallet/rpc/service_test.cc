// The wallet over real gRPC, on a ledger in memory: every answer, and every refusal by its name.
#include "services/wallet/rpc/service.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/status_testing.h"
#include "libs/ledger/coins.h"
#include "libs/rpc/client.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/grpc_status.h"
#include "libs/rpc/service.h"
#include "services/wallet/app/memory_ledger_store_testing.h"

namespace mj::wallet::rpc {
namespace {

namespace v1 = ::mahjong::wallet::v1;
namespace common = ::mahjong::common::v1;
using base::FailsWith;
using base::IsOk;
using base::Reason;
using google::protobuf::util::MessageDifferencer;
using Stub = v1::WalletService::StubInterface;

const mj::rpc::CallOptions kOptions{.timeout = std::chrono::seconds(20), .request_id = {}};
constexpr std::int64_t kTooMuch = ledger::kCoinsMax + 1;
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();

class WalletRpcTest : public ::testing::Test {
 protected:
  WalletRpcTest() {
    auto started = mj::rpc::StartService(
        "wallet", {},
        [this](mj::rpc::Bindings& bindings) {
          auto& wallet =
              bindings.Own(std::make_unique<Wallet>(store_, bindings.clock(), SomeRuleIds()));
          bindings.AddService<v1::WalletService>(
              std::make_unique<WalletService>(bindings.front(), wallet, bindings.clock()));
          return absl::OkStatus();
        },
        {.log_line = [](std::string_view) {}});
    EXPECT_THAT(started, IsOk());
    service_ = *std::move(started);
    stub_ = v1::WalletService::NewStub(
        mj::rpc::ConnectedChannel({.target = service_->address(), .retry_safe = {}}));
  }

  auto Call(const v1::OpenAccountRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::OpenAccount, in, kOptions);
  }
  auto Call(const v1::GetAccountRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::GetAccount, in, kOptions);
  }
  auto Call(const v1::DepositRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Deposit, in, kOptions);
  }
  auto Call(const v1::WithdrawRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Withdraw, in, kOptions);
  }
  auto Call(const v1::GetStakeTierRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::GetStakeTier, in, kOptions);
  }
  auto Call(const v1::SettleRoundRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::SettleRound, in, kOptions);
  }
  auto Call(const v1::AdjustRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Adjust, in, kOptions);
  }
  auto Call(const v1::ReverseRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Reverse, in, kOptions);
  }
  auto Call(const v1::FreezeRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Freeze, in, kOptions);
  }
  auto Call(const v1::UnfreezeRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Unfreeze, in, kOptions);
  }
  auto Call(const v1::CloseAccountRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::CloseAccount, in, kOptions);
  }
  auto Call(const v1::ListStakeTiersRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::ListStakeTiers, in, kOptions);
  }
  auto Call(const v1::PutStakeTierRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::PutStakeTier, in, kOptions);
  }
  auto Call(const v1::ReserveRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Reserve, in, kOptions);
  }
  auto Call(const v1::ReleaseRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Release, in, kOptions);
  }
  auto Call(const v1::BeginRoundRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::BeginRound, in, kOptions);
  }
  auto Call(const v1::ApplyPenaltyRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::ApplyPenalty, in, kOptions);
  }
  auto Call(const v1::VoidRoundRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::VoidRound, in, kOptions);
  }
  auto Call(const v1::ListSettlementsRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::ListSettlements, in, kOptions);
  }
  auto Call(const v1::GetSettlementRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::GetSettlement, in, kOptions);
  }
  auto Call(const v1::ListEntriesRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::ListEntries, in, kOptions);
  }

  void Open(const std::string& id, std::int64_t coins = 0,
            common::Currency currency = common::CURRENCY_COIN) {
    v1::OpenAccountRequest open;
    open.set_request_id("open-" + id);
    open.set_account_id(id);
    open.set_currency(currency);
    EXPECT_THAT(Call(open), IsOk());
    if (coins == 0) return;
    v1::DepositRequest deposit = Money<v1::DepositRequest>(coins, id);
    deposit.set_request_id("give-" + id);
    deposit.set_currency(currency);
    EXPECT_THAT(Call(deposit), IsOk());
  }

  std::int64_t Balance(const std::string& id) {
    v1::GetAccountRequest request;
    request.set_account_id(id);
    const auto response = Call(request);
    EXPECT_THAT(response, IsOk());
    return response.ok() ? response->account().balance() : -1;
  }

  template <typename Request>
  static Request Money(std::int64_t coins, const std::string& id = "ann") {
    Request request;
    request.set_request_id("r1");
    request.set_account_id(id);
    request.set_coins(coins);
    request.set_reason("because");
    return request;
  }

  static void AddTransfer(v1::SettleRoundRequest& round, std::uint32_t from, std::uint32_t to,
                          std::int64_t coins, const std::string& rule = "CZ-11") {
    common::Transfer& transfer = *round.add_transfers();
    transfer.set_from_seat(from);
    transfer.set_to_seat(to);
    transfer.set_coins(coins);
    transfer.set_rule_id(rule);
  }

  // A seat at table-1, and the beginning of round-1 there with four who have enough for it.
  void Sit(const std::string& id, const std::string& variant = "chaozhou") {
    v1::ReserveRequest reserve;
    reserve.set_request_id("sit-" + id);
    reserve.set_player_id(id);
    reserve.set_table_id("table-1");
    reserve.set_variant(variant);
    reserve.set_base(10);
    EXPECT_THAT(Call(reserve), IsOk());
  }
  static v1::BeginRoundRequest Beginning(const std::string& variant = "chaozhou") {
    v1::BeginRoundRequest begin;
    begin.set_round_id("round-1");
    begin.set_table_id("table-1");
    begin.set_variant(variant);
    begin.set_rulebook_version("v1");
    begin.set_base(10);
    for (const char* const id : {"a", "b", "c", "d"}) begin.add_player_ids(id);
    return begin;
  }
  void Begin(const std::string& variant = "chaozhou") {
    for (const char* const id : {"a", "b", "c", "d"}) Sit(id, variant);
    EXPECT_THAT(Call(Beginning(variant)), IsOk());
  }

  static v1::SettleRoundRequest Round() {
    v1::SettleRoundRequest round;
    round.set_round_id("round-1");
    round.set_table_id("table-1");
    round.set_variant("chaozhou");
    round.set_rulebook_version("v1");
    round.set_base(10);
    for (const char* const id : {"a", "b", "c", "d"}) round.add_player_ids(id);
    return round;
  }

  base::SystemClock clock_;
  MemoryLedgerStore store_{clock_, SomeTiers()};
  std::unique_ptr<mj::rpc::RunningService> service_;
  std::unique_ptr<v1::WalletService::Stub> stub_;
};

// ------------------------------------------------------------------------------ what it does

TEST_F(WalletRpcTest, AnAccountFromItsOpeningOn) {
  v1::OpenAccountRequest open;
  open.set_request_id("r1");
  open.set_account_id("ann");
  const auto opened = Call(open);
  ASSERT_THAT(opened, IsOk());
  EXPECT_EQ(opened->account().account_id(), "ann");
  EXPECT_EQ(opened->account().kind(), v1::ACCOUNT_KIND_PLAYER);
  EXPECT_EQ(opened->account().currency(), common::CURRENCY_COIN);
  EXPECT_EQ(opened->account().balance(), 0);
  EXPECT_GT(opened->account().create_time().seconds(), 1'700'000'000);

  const auto deposit = Call(Money<v1::DepositRequest>(100));
  ASSERT_THAT(deposit, IsOk());
  EXPECT_EQ(deposit->balance(), 100);
  const auto withdraw = Call(Money<v1::WithdrawRequest>(30));
  ASSERT_THAT(withdraw, IsOk());
  EXPECT_EQ(withdraw->balance(), 70);

  v1::ListEntriesRequest list;
  list.set_account_id("ann");
  list.set_page_size(1);
  const auto first = Call(list);
  ASSERT_THAT(first, IsOk());
  ASSERT_EQ(first->entries_size(), 1);
  EXPECT_EQ(first->entries(0).sequence(), 2);
  EXPECT_EQ(first->entries(0).coins(), -30);
  EXPECT_EQ(first->entries(0).balance_after(), 70);
  EXPECT_EQ(first->entries(0).kind(), v1::JOURNAL_KIND_WITHDRAWAL);
  EXPECT_EQ(first->entries(0).journal_id(), withdraw->journal_id());
  EXPECT_EQ(first->entries(0).reason(), "because");
  list.set_page_token(first->next_page_token());
  const auto second = Call(list);
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(second->entries(0).kind(), v1::JOURNAL_KIND_DEPOSIT);
  EXPECT_EQ(second->next_page_token(), "");

  v1::GetAccountRequest get;
  get.set_account_id("ann");
  EXPECT_EQ(Call(get)->account().sequence(), 2);
  get.set_account_id("issue");
  EXPECT_EQ(Call(get)->account().kind(), v1::ACCOUNT_KIND_ISSUE);
  EXPECT_EQ(Call(get)->account().balance(), -70);
}

TEST_F(WalletRpcTest, ATierIsTold) {
  Open("ann", 2000);
  v1::GetStakeTierRequest request;
  request.set_player_id("ann");
  request.set_variant("chaozhou");
  const auto own = Call(request);
  ASSERT_THAT(own, IsOk());
  EXPECT_EQ(own->tier().tier_id(), "chaozhou-100");
  EXPECT_EQ(own->tier().base(), 100);
  EXPECT_EQ(own->tier().minimum_balance(), 1600);
  EXPECT_EQ(own->tier().rake_per_player(), 0);
  EXPECT_EQ(own->tier().escape_penalty(), 6400);
  EXPECT_EQ(own->balance(), 2000);
}

TEST_F(WalletRpcTest, ARoundIsSettledOnceWithAllItsParts) {
  for (const char* const id : {"a", "b", "c", "d"}) Open(id, 640);
  Begin("shaoguan");
  v1::SettleRoundRequest round = Round();
  round.set_variant("shaoguan");
  AddTransfer(round, 0, 1, 300, "SG-30");
  AddTransfer(round, 1, 2, 2000, "SG-30");
  AddTransfer(round, 2, 0, 200, "SG-30");
  AddTransfer(round, 1, 3, 100, "SG-30");
  const auto settled = Call(round);
  ASSERT_THAT(settled, IsOk());
  // 200 is set off; a pays b the other 100; b has 740 for the 1,800 and the 100 that it owes.
  ASSERT_EQ(settled->set_off_size(), 3);
  EXPECT_EQ(settled->set_off(0).coins(), 200);
  ASSERT_EQ(settled->paid_size(), 3);
  EXPECT_EQ(settled->paid(1).from_seat(), 1U);
  EXPECT_EQ(settled->paid(1).to_seat(), 2U);
  EXPECT_EQ(settled->paid(1).coins(), 701);
  EXPECT_EQ(settled->paid(2).coins(), 38);
  ASSERT_EQ(settled->shortfalls_size(), 2);
  EXPECT_EQ(settled->shortfalls(0).coins(), 1099);
  ASSERT_EQ(settled->seats_size(), 4);
  EXPECT_EQ(settled->seats(1).net(), -640);
  EXPECT_EQ(settled->seats(1).rake(), 1);
  EXPECT_EQ(settled->seats(1).rake_shortfall(), 3);
  EXPECT_EQ(settled->seats(3).net(), 34);
  EXPECT_EQ(settled->seats(3).rake(), 4);
  EXPECT_EQ(settled->seats(3).balance(), 674);
  EXPECT_EQ(Balance("house_rake"), 13);

  v1::GetSettlementRequest get;
  get.set_round_id("round-1");
  const auto read = Call(get);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->settlement().journal_id(), settled->journal_id());
  EXPECT_EQ(read->settlement().transfers_size(), 4);
  EXPECT_EQ(read->settlement().transfers(0).rule_id(), "SG-30");
  EXPECT_EQ(read->settlement().player_ids(3), "d");
  EXPECT_EQ(read->settlement().shortfalls_size(), 2);
  EXPECT_EQ(read->settlement().reversed_by(), "");
  v1::ListSettlementsRequest list;
  list.set_account_id("c");
  const auto listed = Call(list);
  ASSERT_THAT(listed, IsOk());
  ASSERT_EQ(listed->settlements_size(), 1);
  EXPECT_TRUE(MessageDifferencer::Equals(listed->settlements(0), read->settlement()));
  EXPECT_EQ(listed->next_page_token(), "");
  const auto again = Call(round);
  ASSERT_THAT(again, IsOk());
  EXPECT_TRUE(MessageDifferencer::Equals(*again, *settled));
  EXPECT_EQ(Balance("d"), 674);
}

// --------------------------------------------------------------------------------- bad input

TEST_F(WalletRpcTest, RequestIdsAreUsedOnce) {
  Open("ann", 100);
  Open("bob", 100);
  const auto first = Call(Money<v1::DepositRequest>(5));
  ASSERT_THAT(first, IsOk());
  EXPECT_TRUE(MessageDifferencer::Equals(*Call(Money<v1::DepositRequest>(5)), *first));
  EXPECT_THAT(Call(Money<v1::DepositRequest>(6)),
              FailsWith(Reason::kRequestIdReused, "request_id"));
  EXPECT_THAT(Call(Money<v1::DepositRequest>(5, "bob")),
              FailsWith(Reason::kRequestIdReused, "request_id"));
  v1::OpenAccountRequest open;
  open.set_request_id("open-ann");
  open.set_account_id("eve");
  EXPECT_THAT(Call(open), FailsWith(Reason::kRequestIdReused, "request_id"));
  EXPECT_EQ(Balance("ann"), 105);
  EXPECT_EQ(Balance("bob"), 100);
}

TEST_F(WalletRpcTest, AmountsAreChecked) {
  Open("ann", 100);
  for (const std::int64_t coins : {std::int64_t{0}, std::int64_t{-1}, kMin64, kTooMuch, kMax64}) {
    EXPECT_THAT(Call(Money<v1::DepositRequest>(coins)), FailsWith(Reason::kBadAmount, "coins"));
    EXPECT_THAT(Call(Money<v1::WithdrawRequest>(coins)), FailsWith(Reason::kBadAmount, "coins"));
  }
  EXPECT_THAT(Call(Money<v1::DepositRequest>(ledger::kCoinsMax)),
              FailsWith(Reason::kBalanceOverflow));
  EXPECT_EQ(Balance("ann"), 100);
}

TEST_F(WalletRpcTest, InsufficientFundsStays) {
  Open("ann", 100);
  const auto refused = Call(Money<v1::WithdrawRequest>(101));
  EXPECT_THAT(refused, FailsWith(Reason::kInsufficientFunds, "coins"));
  EXPECT_EQ(base::CarriedBy(refused.status())->details.metadata.at("balance"), "100");
  ASSERT_THAT(Call(Money<v1::DepositRequest>(1000)), IsOk());
  EXPECT_THAT(Call(Money<v1::WithdrawRequest>(101)),
              FailsWith(Reason::kInsufficientFunds, "coins"));
  EXPECT_EQ(Balance("ann"), 1100);
}

TEST_F(WalletRpcTest, AccountsThatAreNotThere) {
  Open("pat", 100, common::CURRENCY_PRACTICE);
  v1::GetAccountRequest get;
  get.set_account_id("nobody");
  EXPECT_THAT(Call(get), FailsWith(Reason::kAccountNotFound, "account_id"));
  get.set_account_id("pat");
  EXPECT_THAT(Call(get), FailsWith(Reason::kCurrencyMixed, "account_id"));
  get.set_currency(common::CURRENCY_PRACTICE);
  EXPECT_EQ(Call(get)->account().balance(), 100);
  EXPECT_THAT(Call(Money<v1::DepositRequest>(5, "nobody")),
              FailsWith(Reason::kAccountNotFound, "account_id"));
  EXPECT_THAT(Call(Money<v1::DepositRequest>(5, "pat")),
              FailsWith(Reason::kCurrencyMixed, "account_id"));
  EXPECT_THAT(Call(Money<v1::WithdrawRequest>(5, "house_rake")),
              FailsWith(Reason::kNotAPlayerAccount, "account_id"));
}

TEST_F(WalletRpcTest, IdsEnumsAndTextsAreChecked) {
  v1::OpenAccountRequest open;
  EXPECT_THAT(Call(open), FailsWith(Reason::kFieldRequired, "request_id"));
  open.set_request_id("r 1");
  EXPECT_THAT(Call(open), FailsWith(Reason::kBadId, "request_id"));
  open.set_request_id("r1");
  EXPECT_THAT(Call(open), FailsWith(Reason::kFieldRequired, "account_id"));
  open.set_account_id(std::string(65, 'a'));
  EXPECT_THAT(Call(open), FailsWith(Reason::kBadId, "account_id"));
  open.set_account_id("ann");
  open.set_kind(v1::ACCOUNT_KIND_ISSUE);
  EXPECT_THAT(Call(open), FailsWith(Reason::kUnknownEnumValue, "kind"));
  open.set_kind(static_cast<v1::AccountKind>(99));
  EXPECT_THAT(Call(open), FailsWith(Reason::kUnknownEnumValue, "kind"));
  open.set_kind(v1::ACCOUNT_KIND_PLAYER);
  open.set_currency(static_cast<common::Currency>(99));
  EXPECT_THAT(Call(open), FailsWith(Reason::kUnknownEnumValue, "currency"));
  open.set_currency(common::CURRENCY_COIN);
  ASSERT_THAT(Call(open), IsOk());
  open.set_request_id("r2");
  EXPECT_THAT(Call(open), FailsWith(Reason::kAccountExists, "account_id"));

  v1::DepositRequest deposit = Money<v1::DepositRequest>(5);
  deposit.set_reason(std::string(201, 'x'));
  EXPECT_THAT(Call(deposit), FailsWith(Reason::kBadText, "reason"));
  deposit.set_reason(std::string("a\0b", 3));
  EXPECT_THAT(Call(deposit), FailsWith(Reason::kBadText, "reason"));
  deposit = Money<v1::DepositRequest>(5);
  deposit.set_currency(static_cast<common::Currency>(-1));
  EXPECT_THAT(Call(deposit), FailsWith(Reason::kUnknownEnumValue, "currency"));
  v1::WithdrawRequest withdraw = Money<v1::WithdrawRequest>(5);
  withdraw.set_currency(static_cast<common::Currency>(3));
  EXPECT_THAT(Call(withdraw), FailsWith(Reason::kUnknownEnumValue, "currency"));
  EXPECT_EQ(Balance("ann"), 0);
}

TEST_F(WalletRpcTest, TiersThatAreNotOpen) {
  Open("ann", 159);
  v1::GetStakeTierRequest request;
  EXPECT_THAT(Call(request), FailsWith(Reason::kFieldRequired, "player_id"));
  request.set_player_id("ann");
  EXPECT_THAT(Call(request), FailsWith(Reason::kFieldRequired, "variant"));
  request.set_variant("no-such-game");
  EXPECT_THAT(Call(request), FailsWith(Reason::kUnknownVariant, "variant"));
  request.set_variant("chaozhou");
  request.set_base(11);
  EXPECT_THAT(Call(request), FailsWith(Reason::kTierNotFound, "base"));
  request.set_base(kMin64);
  EXPECT_THAT(Call(request), FailsWith(Reason::kTierNotFound, "base"));
  request.set_base(0);
  const auto refused = Call(request);
  EXPECT_THAT(refused, FailsWith(Reason::kBelowMinimum, "player_id"));
  const auto metadata = base::CarriedBy(refused.status())->details.metadata;
  EXPECT_EQ(metadata.at("balance"), "159");
  EXPECT_EQ(metadata.at("minimum"), "160");
  request.set_player_id("nobody");
  EXPECT_THAT(Call(request), FailsWith(Reason::kAccountNotFound, "player_id"));
  request.set_currency(static_cast<common::Currency>(99));
  EXPECT_THAT(Call(request), FailsWith(Reason::kUnknownEnumValue, "currency"));
}

TEST_F(WalletRpcTest, ListsAreChecked) {
  Open("ann", 5);
  Open("bob", 5);
  v1::ListEntriesRequest list;
  EXPECT_THAT(Call(list), FailsWith(Reason::kFieldRequired, "account_id"));
  list.set_account_id("ann");
  list.set_page_size(-1);
  EXPECT_THAT(Call(list), FailsWith(Reason::kBadPageSize, "page_size"));
  list.set_page_size(1001);
  EXPECT_THAT(Call(list), FailsWith(Reason::kBadPageSize, "page_size"));
  list.set_page_size(1);
  list.set_page_token("nonsense");
  EXPECT_THAT(Call(list), FailsWith(Reason::kBadPageToken, "page_token"));
  list.clear_page_token();
  ASSERT_THAT(Call(Money<v1::DepositRequest>(5)), IsOk());
  list.set_page_token(Call(list)->next_page_token());
  list.set_account_id("bob");
  EXPECT_THAT(Call(list), FailsWith(Reason::kBadPageToken, "page_token"));
  list.clear_page_token();
  list.set_account_id("nobody");
  EXPECT_THAT(Call(list), FailsWith(Reason::kAccountNotFound, "account_id"));
}

TEST_F(WalletRpcTest, RoundsThatDoNotFit) {
  for (const char* const id : {"a", "b", "c", "d"}) Open(id, 1000);
  Begin();
  struct Fault {
    const char* name;
    Reason reason;
    const char* field;
    void (*make)(v1::SettleRoundRequest&);
  };
  const std::vector<Fault> faults = {
      {"no round", Reason::kFieldRequired, "round_id", [](auto& r) { r.clear_round_id(); }},
      {"bad round", Reason::kBadId, "round_id", [](auto& r) { r.set_round_id("a/b"); }},
      {"no table", Reason::kFieldRequired, "table_id", [](auto& r) { r.clear_table_id(); }},
      {"no game", Reason::kFieldRequired, "variant", [](auto& r) { r.clear_variant(); }},
      {"other game", Reason::kRoundMismatch, "variant", [](auto& r) { r.set_variant("go"); }},
      {"no rulebook", Reason::kFieldRequired, "rulebook_version",
       [](auto& r) { r.clear_rulebook_version(); }},
      {"no base", Reason::kBadBase, "base", [](auto& r) { r.set_base(0); }},
      {"negative base", Reason::kBadBase, "base", [](auto& r) { r.set_base(kMin64); }},
      {"great base", Reason::kBadBase, "base", [](auto& r) { r.set_base(10'001); }},
      {"another room", Reason::kRoundMismatch, "base", [](auto& r) { r.set_base(11); }},
      {"no players", Reason::kBadSeat, "player_ids", [](auto& r) { r.clear_player_ids(); }},
      {"five players", Reason::kBadSeat, "player_ids", [](auto& r) { r.add_player_ids("e"); }},
      {"twice", Reason::kDuplicatePlayer, "player_ids[2]",
       [](auto& r) { r.set_player_ids(2, "a"); }},
      {"another round", Reason::kRoundNotFound, "round_id",
       [](auto& r) { r.set_round_id("round-2"); }},
      {"another player", Reason::kRoundMismatch, "player_ids[1]",
       [](auto& r) { r.set_player_ids(1, "nobody"); }},
      {"another currency", Reason::kRoundMismatch, "currency",
       [](auto& r) { r.set_currency(common::CURRENCY_PRACTICE); }},
      {"another rule", Reason::kRoundMismatch, "transfers[0].rule_id",
       [](auto& r) { AddTransfer(r, 0, 1, 5, "CZ-999"); }},
      {"no currency", Reason::kUnknownEnumValue, "currency",
       [](auto& r) { r.set_currency(static_cast<common::Currency>(99)); }},
      {"from no seat", Reason::kBadSeat, "transfers[0].from_seat",
       [](auto& r) { AddTransfer(r, 4, 0, 5); }},
      {"to no seat", Reason::kBadSeat, "transfers[0].to_seat",
       [](auto& r) { AddTransfer(r, 0, 4, 5); }},
      {"to itself", Reason::kSelfTransfer, "transfers[0].to_seat",
       [](auto& r) { AddTransfer(r, 2, 2, 5); }},
      {"nothing", Reason::kBadAmount, "transfers[0].coins",
       [](auto& r) { AddTransfer(r, 0, 1, 0); }},
      {"less", Reason::kBadAmount, "transfers[0].coins", [](auto& r) { AddTransfer(r, 0, 1, -1); }},
      {"too much", Reason::kBadAmount, "transfers[0].coins",
       [](auto& r) { AddTransfer(r, 0, 1, kTooMuch); }},
      {"most", Reason::kBadAmount, "transfers[0].coins",
       [](auto& r) { AddTransfer(r, 0, 1, kMax64); }},
      {"too much together", Reason::kBadAmount, "transfers",
       [](auto& r) {
         AddTransfer(r, 0, 1, ledger::kCoinsMax);
         AddTransfer(r, 0, 2, 1);
       }},
      {"no rule", Reason::kFieldRequired, "transfers[0].rule_id",
       [](auto& r) { AddTransfer(r, 0, 1, 5, ""); }},
      {"twice the same", Reason::kBadTransfer, "transfers[1]",
       [](auto& r) {
         AddTransfer(r, 0, 1, 5);
         AddTransfer(r, 0, 1, 5);
       }},
      {"too many", Reason::kBadTransfer, "transfers",
       [](auto& r) {
         for (int i = 0; i < 65; ++i) AddTransfer(r, 0, 1, 1, "R-" + std::to_string(i));
       }},
  };
  for (const Fault& fault : faults) {
    SCOPED_TRACE(fault.name);
    v1::SettleRoundRequest round = Round();
    fault.make(round);
    EXPECT_THAT(Call(round), FailsWith(fault.reason, fault.field));
  }
  for (const char* const id : {"a", "b", "c", "d"}) EXPECT_EQ(Balance(id), 1000);
  // None of them has closed the round; once it is closed, other content is refused.
  v1::SettleRoundRequest round = Round();
  AddTransfer(round, 0, 1, 5);
  ASSERT_THAT(Call(round), IsOk());
  round.mutable_transfers(0)->set_coins(6);
  EXPECT_THAT(Call(round), FailsWith(Reason::kRequestIdReused, "round_id"));
  EXPECT_EQ(Balance("b"), 1005);
}

// ------------------------------------------------------------------- seats, rounds, operators

TEST_F(WalletRpcTest, ASeatFromItsReservationToItsRelease) {
  for (const char* const id : {"a", "b", "c", "d"}) Open(id, 1000);
  v1::ReserveRequest reserve;
  reserve.set_request_id("sit");
  reserve.set_player_id("a");
  reserve.set_table_id("table-1");
  reserve.set_variant("chaozhou");
  reserve.set_base(10);
  const auto seat = Call(reserve);
  ASSERT_THAT(seat, IsOk());
  EXPECT_EQ(seat->reservation().table_id(), "table-1");
  EXPECT_EQ(seat->reservation().coins(), 160);
  EXPECT_EQ(seat->balance(), 1000);
  v1::GetAccountRequest get;
  get.set_account_id("a");
  EXPECT_TRUE(MessageDifferencer::Equals(Call(get)->account().reservation(), seat->reservation()));
  reserve.set_request_id("sit-elsewhere");
  reserve.set_table_id("table-2");
  EXPECT_THAT(Call(reserve), FailsWith(Reason::kPlayerBusy, "player_id"));

  Begin();
  EXPECT_EQ(Call(get)->account().round_id(), "round-1");
  EXPECT_THAT(Call(Money<v1::WithdrawRequest>(1, "a")),
              FailsWith(Reason::kRoundInProgress, "account_id"));
  v1::ReleaseRequest release;
  release.set_request_id("leave");
  release.set_player_id("a");
  release.set_table_id("table-1");
  EXPECT_THAT(Call(release), FailsWith(Reason::kRoundInProgress, "player_id"));
  v1::ApplyPenaltyRequest penalty;
  penalty.set_round_id("round-1");
  penalty.set_escaper_seat(1);
  const auto paid = Call(penalty);
  ASSERT_THAT(paid, IsOk());
  EXPECT_EQ(paid->penalty(), 640);
  EXPECT_EQ(paid->taken(), 640);
  EXPECT_EQ(paid->share(), 213);
  EXPECT_EQ(paid->house(), 1);
  EXPECT_EQ(paid->shortfall(), 0);
  ASSERT_EQ(paid->balances_size(), 4);
  EXPECT_EQ(paid->balances(1), 360);
  v1::VoidRoundRequest nobody;
  nobody.set_round_id("round-1");
  nobody.set_reason("all absent");
  nobody.set_requested_by("ops");
  const auto late = Call(nobody);
  EXPECT_THAT(late, FailsWith(Reason::kRoundFinished, "round_id"));
  EXPECT_EQ(base::CarriedBy(late.status())->details.metadata.at("closed_by"), "penalty");
  EXPECT_TRUE(Call(release)->released());
}

TEST_F(WalletRpcTest, ARoundThatCannotBegin) {
  for (const char* const id : {"a", "b", "c", "d"}) Open(id, 1000);
  EXPECT_THAT(Call(Beginning()), FailsWith(Reason::kReservationNotFound, "player_ids[0]"));
  Begin();
  v1::VoidRoundRequest nobody;
  nobody.set_round_id("round-2");
  nobody.set_reason("x");
  nobody.set_requested_by("ops");
  EXPECT_THAT(Call(nobody), FailsWith(Reason::kRoundNotFound, "round_id"));
  v1::BeginRoundRequest other = Beginning();
  other.set_table_id("table-2");
  EXPECT_THAT(Call(other), FailsWith(Reason::kRequestIdReused, "round_id"));
  other.set_currency(static_cast<common::Currency>(99));
  EXPECT_THAT(Call(other), FailsWith(Reason::kUnknownEnumValue, "currency"));
}

TEST_F(WalletRpcTest, OperatorsCorrectFreezeAndClose) {
  Open("ann", 100);
  v1::AdjustRequest adjust;
  adjust.set_request_id("adjust");
  adjust.set_account_id("ann");
  adjust.set_coins(-30);
  adjust.set_reason("a mistake");
  adjust.set_requested_by("op-1");
  adjust.set_approved_by("op-1");
  EXPECT_THAT(Call(adjust), FailsWith(Reason::kSameApprover, "approved_by"));
  adjust.set_approved_by("op-2");
  const auto adjusted = Call(adjust);
  ASSERT_THAT(adjusted, IsOk());
  EXPECT_EQ(adjusted->balance(), 70);

  v1::ReverseRequest reverse;
  reverse.set_request_id("reverse");
  reverse.set_journal_id(adjusted->journal_id());
  reverse.set_reason("no mistake");
  reverse.set_requested_by("op-1");
  reverse.set_approved_by("op-2");
  reverse.set_validate_only(true);
  EXPECT_EQ(Call(reverse)->journal_id(), "");
  reverse.set_validate_only(false);
  EXPECT_NE(Call(reverse)->journal_id(), "");
  EXPECT_EQ(Balance("ann"), 100);
  reverse.set_request_id("reverse-2");
  EXPECT_THAT(Call(reverse), FailsWith(Reason::kAlreadyReversed, "journal_id"));

  v1::FreezeRequest freeze;
  freeze.set_request_id("freeze");
  freeze.set_account_id("ann");
  freeze.set_reason("fraud");
  freeze.set_requested_by("op-1");
  EXPECT_TRUE(Call(freeze)->account().frozen());
  EXPECT_THAT(Call(Money<v1::WithdrawRequest>(1)), FailsWith(Reason::kAccountFrozen, "account_id"));
  v1::UnfreezeRequest unfreeze;
  unfreeze.set_request_id("unfreeze");
  unfreeze.set_account_id("ann");
  unfreeze.set_reason("none");
  unfreeze.set_requested_by("op-1");
  EXPECT_FALSE(Call(unfreeze)->account().frozen());
  v1::CloseAccountRequest close;
  close.set_request_id("close");
  close.set_account_id("ann");
  close.set_reason("asked for");
  close.set_requested_by("op-1");
  EXPECT_THAT(Call(close), FailsWith(Reason::kAccountNotEmpty, "account_id"));
  v1::WithdrawRequest all = Money<v1::WithdrawRequest>(100);
  all.set_request_id("all");
  ASSERT_THAT(Call(all), IsOk());
  close.set_request_id("close-2");
  EXPECT_TRUE(Call(close)->account().closed());
}

TEST_F(WalletRpcTest, APaymentIsBookedOnce) {
  Open("ann", 100);
  v1::DepositRequest deposit = Money<v1::DepositRequest>(5);
  deposit.set_flow(v1::MONEY_FLOW_PURCHASE);
  EXPECT_THAT(Call(deposit), FailsWith(Reason::kFieldRequired, "provider"));
  deposit.set_provider("apay");
  deposit.set_external_reference("order-1");
  ASSERT_THAT(Call(deposit), IsOk());
  deposit.set_request_id("r2");
  EXPECT_THAT(Call(deposit), FailsWith(Reason::kExternalReferenceUsed, "external_reference"));
  deposit.set_flow(static_cast<v1::MoneyFlow>(99));
  EXPECT_THAT(Call(deposit), FailsWith(Reason::kUnknownEnumValue, "flow"));
  deposit.set_flow(v1::MONEY_FLOW_PAYOUT);
  EXPECT_THAT(Call(deposit), FailsWith(Reason::kUnknownEnumValue, "flow"));
}

TEST_F(WalletRpcTest, TiersAreListedAndPut) {
  v1::ListStakeTiersRequest list;
  list.set_variant("chaozhou");
  const auto tiers = Call(list);
  ASSERT_THAT(tiers, IsOk());
  ASSERT_EQ(tiers->tiers_size(), 4);
  EXPECT_EQ(tiers->tiers(3).base(), 10'000);
  list.set_variant("no-such-game");
  EXPECT_THAT(Call(list), FailsWith(Reason::kUnknownVariant, "variant"));

  v1::PutStakeTierRequest put;
  put.set_request_id("put");
  put.set_tier_id("chaozhou-10");
  put.set_variant("chaozhou");
  put.set_base(10);
  put.set_minimum_multiple(20);
  put.set_rake_per_player(2);
  put.set_escape_penalty(640);
  put.set_escape_compensation(600);
  put.set_requested_by("op-1");
  put.mutable_valid_until()->set_seconds(-1);
  EXPECT_THAT(Call(put), FailsWith(Reason::kBadPeriod, "valid_until"));
  put.clear_valid_until();
  put.set_minimum_balance(5);
  EXPECT_THAT(Call(put), FailsWith(Reason::kBadAmount, "minimum_multiple"));
  put.clear_minimum_balance();
  const auto tier = Call(put);
  ASSERT_THAT(tier, IsOk());
  EXPECT_EQ(tier->tier().minimum_balance(), 200);
  EXPECT_EQ(tier->tier().escape_compensation(), 600);
  EXPECT_TRUE(MessageDifferencer::Equals(*Call(put), *tier));
  list.set_variant("chaozhou");
  EXPECT_TRUE(MessageDifferencer::Equals(Call(list)->tiers(0), tier->tier()));
  put.set_request_id("put-2");
  put.set_tier_id("chaozhou-100");
  EXPECT_THAT(Call(put), FailsWith(Reason::kTierConflict, "tier_id"));
}

// ------------------------------------------------------------------------------------ watching

TEST_F(WalletRpcTest, AWatcherSeesEveryEntryOnceAndGoesOnAfterABreak) {
  Open("ann", 100);
  v1::WatchAccountRequest watch;
  watch.set_account_id("ann");
  v1::WatchAccountResponse response;
  {
    grpc::ClientContext context;
    const auto reader = stub_->WatchAccount(&context, watch);
    ASSERT_TRUE(reader->Read(&response));
    EXPECT_EQ(response.entry().sequence(), 1);
    EXPECT_EQ(response.entry().coins(), 100);
    ASSERT_THAT(Call(Money<v1::DepositRequest>(5)), IsOk());
    ASSERT_TRUE(reader->Read(&response));
    EXPECT_EQ(response.entry().sequence(), 2);
    EXPECT_EQ(response.entry().balance_after(), 105);
    context.TryCancel();
    while (reader->Read(&response)) {
    }
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  ASSERT_THAT(Call(Money<v1::WithdrawRequest>(7)), IsOk());
  grpc::ClientContext context;
  watch.set_after_sequence(2);
  const auto reader = stub_->WatchAccount(&context, watch);
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_EQ(response.entry().sequence(), 3);
  context.TryCancel();
  while (reader->Read(&response)) {
  }
  (void)reader->Finish();
}

TEST_F(WalletRpcTest, AWatcherFarBehindCatchesUp) {
  Open("ann", 100);
  for (int i = 0; i < 200; ++i) {
    v1::DepositRequest deposit = Money<v1::DepositRequest>(1);
    deposit.set_request_id("d" + std::to_string(i));
    ASSERT_THAT(Call(deposit), IsOk());
  }
  v1::WatchAccountRequest watch;
  watch.set_account_id("ann");
  grpc::ClientContext context;
  const auto reader = stub_->WatchAccount(&context, watch);
  v1::WatchAccountResponse response;
  for (int sequence = 1; sequence <= 201; ++sequence) {
    ASSERT_TRUE(reader->Read(&response));
    ASSERT_EQ(response.entry().sequence(), sequence);
  }
  context.TryCancel();
  while (reader->Read(&response)) {
  }
  (void)reader->Finish();
}

TEST_F(WalletRpcTest, WhatCannotBeWatched) {
  Open("ann", 100);
  const auto refused = [this](const std::string& id, std::int64_t after) {
    v1::WatchAccountRequest watch;
    watch.set_account_id(id);
    watch.set_after_sequence(after);
    grpc::ClientContext context;
    const auto reader = stub_->WatchAccount(&context, watch);
    v1::WatchAccountResponse response;
    EXPECT_FALSE(reader->Read(&response));
    return mj::rpc::FromGrpc(reader->Finish());
  };
  EXPECT_THAT(refused("", 0), FailsWith(Reason::kFieldRequired, "account_id"));
  EXPECT_THAT(refused("nobody", 0), FailsWith(Reason::kAccountNotFound, "account_id"));
  EXPECT_THAT(refused("issue", 0), FailsWith(Reason::kNotAPlayerAccount, "account_id"));
  EXPECT_THAT(refused("ann", 2), FailsWith(Reason::kSequenceAhead, "after_sequence"));
  EXPECT_THAT(refused("ann", -1), FailsWith(Reason::kSequenceAhead, "after_sequence"));
}

}  // namespace
}  // namespace mj::wallet::rpc
