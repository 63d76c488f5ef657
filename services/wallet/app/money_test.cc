#include <limits>

#include "libs/ledger/coins.h"
#include "services/wallet/app/wallet_testing.h"

namespace mj::wallet {
namespace {

using base::Reason;

class MoneyTest : public WalletTestBase {
 protected:
  MoneyTest() { Open("ann", 100); }

  static MoneyRequest Request(std::int64_t coins = 30) {
    return {"r1", "ann", Currency::kCoin, coins, "because"};
  }
};

TEST_F(MoneyTest, DepositsAndWithdrawalsMoveCoins) {
  const auto in = wallet_.Deposit(Context(), Request(30));
  ASSERT_TRUE(in.ok()) << in.status();
  EXPECT_EQ(in->balance.value(), 130);
  const auto out = wallet_.Withdraw(Context(), Request(130));
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(out->balance.value(), 0);
  EXPECT_NE(in->journal_id, out->journal_id);
  EXPECT_EQ(Balance("ann"), 0);
  EXPECT_EQ(Balance("issue"), 0);
}

TEST_F(MoneyTest, ARequestIdIsOneForEachRpcAndCaller) {
  EXPECT_TRUE(wallet_.Deposit(Context("a"), Request()).ok());
  EXPECT_TRUE(wallet_.Deposit(Context("b"), Request()).ok());
  EXPECT_TRUE(wallet_.Withdraw(Context("a"), Request()).ok());
  EXPECT_EQ(Balance("ann"), 130);
}

TEST_F(MoneyTest, TheSameRequestGetsTheFirstAnswer) {
  const auto first = wallet_.Deposit(Context(), Request());
  ASSERT_TRUE(wallet_.Deposit(Context("other"), Request()).ok());
  const auto again = wallet_.Deposit(Context(), Request());
  EXPECT_EQ(again->journal_id, first->journal_id);
  EXPECT_EQ(again->balance, first->balance);
  EXPECT_EQ(Balance("ann"), 160);
}

TEST_F(MoneyTest, APoisonedRetryIsRefused) {
  Open("bob", 100);
  ASSERT_TRUE(wallet_.Withdraw(Context(), Request()).ok());
  MoneyRequest poisoned = Request();
  poisoned.coins = 31;
  EXPECT_THAT(wallet_.Withdraw(Context(), poisoned),
              FailsWith(Reason::kRequestIdReused, "request_id"));
  poisoned = Request();
  poisoned.account_id = "bob";
  EXPECT_THAT(wallet_.Withdraw(Context(), poisoned),
              FailsWith(Reason::kRequestIdReused, "request_id"));
  poisoned = Request();
  poisoned.reason = "";
  EXPECT_THAT(wallet_.Withdraw(Context(), poisoned),
              FailsWith(Reason::kRequestIdReused, "request_id"));
  poisoned = Request();
  poisoned.currency = Currency::kPractice;
  EXPECT_THAT(wallet_.Withdraw(Context(), poisoned),
              FailsWith(Reason::kRequestIdReused, "request_id"));
  EXPECT_EQ(Balance("ann"), 70);
  EXPECT_EQ(Balance("bob"), 100);
}

TEST_F(MoneyTest, InsufficientFundsStaysTheAnswer) {
  const auto refused = wallet_.Withdraw(Context(), Request(101));
  EXPECT_THAT(refused, FailsWith(Reason::kInsufficientFunds, "coins"));
  EXPECT_EQ(base::CarriedBy(refused.status())->details.metadata.at("balance"), "100");
  ASSERT_TRUE(wallet_.Deposit(Context(), {"d", "ann", Currency::kCoin, 1000, ""}).ok());
  const auto again = wallet_.Withdraw(Context(), Request(101));
  EXPECT_EQ(again.status(), refused.status());
  MoneyRequest fresh = Request(101);
  fresh.request_id = "r2";
  EXPECT_TRUE(wallet_.Withdraw(Context(), fresh).ok());
  EXPECT_EQ(Balance("ann"), 999);
}

TEST_F(MoneyTest, AmountsHaveBothEnds) {
  for (const std::int64_t bad :
       {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(),
        ledger::kCoinsMax + 1, std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_THAT(wallet_.Deposit(Context(), Request(bad)), FailsWith(Reason::kBadAmount, "coins"));
    EXPECT_THAT(wallet_.Withdraw(Context(), Request(bad)), FailsWith(Reason::kBadAmount, "coins"));
  }
  EXPECT_EQ(Balance("ann"), 100);
  EXPECT_TRUE(wallet_.Deposit(Context(), Request(ledger::kCoinsMax - 100)).ok());
  EXPECT_EQ(Balance("ann"), ledger::kCoinsMax);
}

TEST_F(MoneyTest, ABalanceDoesNotOverflowAndTheIdStaysFree) {
  EXPECT_THAT(wallet_.Deposit(Context(), Request(ledger::kCoinsMax - 99)),
              FailsWith(Reason::kBalanceOverflow, "coins"));
  ASSERT_TRUE(wallet_.Withdraw(Context("other"), Request(1)).ok());
  EXPECT_TRUE(wallet_.Deposit(Context(), Request(ledger::kCoinsMax - 99)).ok());
  EXPECT_EQ(Balance("ann"), ledger::kCoinsMax);
}

TEST_F(MoneyTest, AccountsAreNamedRight) {
  MoneyRequest request = Request();
  request.account_id = "nobody";
  EXPECT_THAT(wallet_.Deposit(Context(), request),
              FailsWith(Reason::kAccountNotFound, "account_id"));
  request.account_id = "ann";
  request.currency = Currency::kPractice;
  EXPECT_THAT(wallet_.Deposit(Context(), request), FailsWith(Reason::kCurrencyMixed, "account_id"));
  for (const char* const house : {"issue", "house_rake", "penalties", "house_loss"}) {
    request = Request();
    request.account_id = house;
    EXPECT_THAT(wallet_.Deposit(Context(), request),
                FailsWith(Reason::kNotAPlayerAccount, "account_id"));
    EXPECT_THAT(wallet_.Withdraw(Context(), request),
                FailsWith(Reason::kNotAPlayerAccount, "account_id"));
  }
  // None of these has used the id up.
  EXPECT_TRUE(wallet_.Deposit(Context(), Request()).ok());
}

TEST_F(MoneyTest, MalformedRequestsAreRefused) {
  MoneyRequest request = Request();
  request.request_id = "";
  EXPECT_THAT(wallet_.Deposit(Context(), request), FailsWith(Reason::kFieldRequired, "request_id"));
  request.request_id = "a/b";
  EXPECT_THAT(wallet_.Deposit(Context(), request), FailsWith(Reason::kBadId, "request_id"));
  request = Request();
  request.account_id = "";
  EXPECT_THAT(wallet_.Deposit(Context(), request), FailsWith(Reason::kFieldRequired, "account_id"));
  request = Request();
  for (const std::string& bad :
       {std::string(201, 'x'), std::string("\xff"), std::string("a\0b", 3)}) {
    request.reason = bad;
    EXPECT_THAT(wallet_.Deposit(Context(), request), FailsWith(Reason::kBadText, "reason"));
  }
  request.reason = std::string(200, 'x');
  EXPECT_TRUE(wallet_.Deposit(Context(), request).ok());
}

TEST_F(MoneyTest, AFlowGoesInOrOut) {
  MoneyRequest request = Request();
  for (const Flow out : {Flow::kRefund, Flow::kChargeback, Flow::kPayout}) {
    request.flow = out;
    EXPECT_THAT(wallet_.Deposit(Context(), request), FailsWith(Reason::kUnknownEnumValue, "flow"));
  }
  for (const Flow in : {Flow::kPurchase, Flow::kGrant}) {
    request.flow = in;
    EXPECT_THAT(wallet_.Withdraw(Context(), request), FailsWith(Reason::kUnknownEnumValue, "flow"));
  }
  EXPECT_EQ(Balance("ann"), 100);
}

TEST_F(MoneyTest, WhatWasPaidNamesItsPayment) {
  MoneyRequest request = Request();
  request.flow = Flow::kPurchase;
  EXPECT_THAT(wallet_.Deposit(Context(), request), FailsWith(Reason::kFieldRequired, "provider"));
  request.provider = "a pay";
  EXPECT_THAT(wallet_.Deposit(Context(), request), FailsWith(Reason::kBadId, "provider"));
  request.provider = "apay";
  EXPECT_THAT(wallet_.Deposit(Context(), request),
              FailsWith(Reason::kFieldRequired, "external_reference"));
  request.external_reference = std::string(129, 'x');
  EXPECT_THAT(wallet_.Deposit(Context(), request),
              FailsWith(Reason::kBadText, "external_reference"));
  request.external_reference = "order 1";
  EXPECT_TRUE(wallet_.Deposit(Context(), request).ok());
  request = Request();
  request.external_reference = "order 2";
  EXPECT_THAT(wallet_.Deposit(Context("b"), request),
              FailsWith(Reason::kFieldRequired, "provider"));
}

TEST_F(MoneyTest, APaymentIsBookedOnce) {
  Open("bob", 100);
  MoneyRequest request = Request();
  request.flow = Flow::kPurchase;
  request.provider = "apay";
  request.external_reference = "order-1";
  const auto first = wallet_.Deposit(Context(), request);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(wallet_.Deposit(Context(), request)->journal_id, first->journal_id);
  MoneyRequest twice = request;
  twice.request_id = "r2";
  twice.account_id = "bob";
  EXPECT_THAT(wallet_.Deposit(Context(), twice),
              FailsWith(Reason::kExternalReferenceUsed, "external_reference"));
  EXPECT_EQ(Balance("bob"), 100);
  // Another provider's, and the same one's refund, are other events.
  twice.request_id = "r3";
  twice.provider = "bpay";
  EXPECT_TRUE(wallet_.Deposit(Context(), twice).ok());
  request.request_id = "r4";
  request.flow = Flow::kRefund;
  EXPECT_TRUE(wallet_.Withdraw(Context(), request).ok());
  request.request_id = "r5";
  EXPECT_THAT(wallet_.Withdraw(Context(), request),
              FailsWith(Reason::kExternalReferenceUsed, "external_reference"));
  request.request_id = "r6";
  request.flow = Flow::kChargeback;
  EXPECT_TRUE(wallet_.Withdraw(Context(), request).ok());
  EXPECT_EQ(Balance("ann"), 70);
}

}  // namespace
}  // namespace mj::wallet
