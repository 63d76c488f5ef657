// Seats, rounds, operators and watchers over gRPC.
#include "services/wallet/rpc/service_fixture_testing.h"

namespace mj::wallet::rpc {
namespace {

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
