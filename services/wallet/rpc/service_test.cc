// Every answer, and every refusal by its name.
#include "services/wallet/rpc/service_fixture_testing.h"

#include "libs/audit/digest.h"

namespace mj::wallet::rpc {
namespace {

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
  v1::GetJournalRowRequest hashed;
  hashed.set_round_id("round-1");
  const auto row = Call(hashed);
  ASSERT_THAT(row, IsOk());
  EXPECT_EQ(row->journal_id(), settled->journal_id());
  EXPECT_EQ(row->hash(), audit::AsBytes(audit::Sha256(row->canonical())));
  hashed.set_journal_id(settled->journal_id());
  EXPECT_THAT(Call(hashed), FailsWith(Reason::kFieldRequired, "round_id"));
  hashed.clear_round_id();
  EXPECT_TRUE(MessageDifferencer::Equals(*Call(hashed), *row));
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
              FailsWith(Reason::kBalanceOverflow, "coins"));
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

}  // namespace
}  // namespace mj::wallet::rpc
