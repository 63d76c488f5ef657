#include <algorithm>

#include "libs/ledger/coins.h"
#include "services/wallet/app/settle_testing.h"
#include "services/wallet/app/wallet_testing.h"

namespace mj::wallet {
namespace {

using base::Reason;
using ledger::PerParty;

class SettleRoundTest : public WalletTestBase {
 protected:
  // Four players who have so many coins when round-1 of the game is begun with them. No room lets
  // anybody in with nothing: for these tests this one does.
  void Seat(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d,
            const BeginRoundRequest& round = Beginning()) {
    Open("a", a);
    Open("b", b);
    Open("c", c);
    Open("d", d);
    EXPECT_TRUE(
        wallet_
            .PutStakeTier(Context(), {.request_id = "free",
                                      .tier_id = round.variant + "-" + std::to_string(round.base),
                                      .variant = round.variant,
                                      .base = round.base,
                                      .rake_per_player = round.variant == "shaoguan" ? 250 : 0,
                                      .escape_penalty = 64 * round.base,
                                      .escape_compensation = 64 * round.base,
                                      .valid_from = {},
                                      .valid_until = {},
                                      .requested_by = "operator"})
            .ok());
    Begin(round);
  }

  static SettleRoundRequest Round(std::vector<TransferRequest> transfers) {
    return {.round_id = "round-1",
            .table_id = "table-1",
            .variant = "chaozhou",
            .rulebook_version = "v1",
            .base = 10,
            .player_ids = {"a", "b", "c", "d"},
            .transfers = std::move(transfers)};
  }

  PerParty<std::int64_t> Balances() {
    return {Balance("a"), Balance("b"), Balance("c"), Balance("d")};
  }

  static PerParty<std::int64_t> Values(const PerParty<Coins>& coins) {
    return {coins[0].value(), coins[1].value(), coins[2].value(), coins[3].value()};
  }

  void ExpectRefused(const SettleRoundRequest& request, Reason reason, std::string_view field) {
    const auto before = Balances();
    EXPECT_THAT(SettleAndWait(wallet_, Context(), request), FailsWith(reason, field));
    EXPECT_EQ(Balances(), before);
  }
};

TEST_F(SettleRoundTest, ASelfDrawIsPaidByThree) {
  Seat(1000, 1000, 1000, 1000);
  const auto answer =
      SettleAndWait(wallet_, Context(),
                    Round({{0, 2, 120, "CZ-11"}, {1, 2, 120, "CZ-11"}, {3, 2, 120, "CZ-11"}}));
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(Values(answer->settlement.net), (PerParty<std::int64_t>{-120, -120, 360, -120}));
  EXPECT_EQ(Values(answer->settlement.balance_after),
            (PerParty<std::int64_t>{880, 880, 1360, 880}));
  EXPECT_EQ(Balances(), (PerParty<std::int64_t>{880, 880, 1360, 880}));
  EXPECT_EQ(Balance("house_rake"), 0);
}

// Shaoguan's own example (002): N 600, A 250, X 4: the winner gets 7200 - 250, each loser pays
// 2400 + 250.
TEST_F(SettleRoundTest, TheTiersRakeIsTaken) {
  BeginRoundRequest begin = Beginning();
  begin.variant = "shaoguan";
  begin.base = 600;
  Seat(50000, 50000, 50000, 50000, begin);
  SettleRoundRequest round =
      Round({{1, 0, 2400, "SG-40"}, {2, 0, 2400, "SG-40"}, {3, 0, 2400, "SG-40"}});
  round.variant = "shaoguan";
  round.base = 600;
  const auto answer = SettleAndWait(wallet_, Context(), round);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(Values(answer->settlement.net), (PerParty<std::int64_t>{6950, -2650, -2650, -2650}));
  EXPECT_EQ(Balance("house_rake"), 1000);
  EXPECT_EQ(answer->settlement.rake.value(), 250);
}

TEST_F(SettleRoundTest, ALoserWithNothingOwesTheShortfall) {
  Seat(0, 500, 40, 1000);
  const auto answer = SettleAndWait(
      wallet_, Context(), Round({{0, 1, 60, "CZ-11"}, {2, 1, 60, "CZ-11"}, {3, 1, 60, "CZ-11"}}));
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->settlement.shortfall[0][1].value(), 60);
  EXPECT_EQ(answer->settlement.shortfall[2][1].value(), 20);
  EXPECT_EQ(answer->settlement.paid[2][1].value(), 40);
  EXPECT_EQ(Balances(), (PerParty<std::int64_t>{0, 600, 0, 940}));
}

TEST_F(SettleRoundTest, DebtsInACircleAreSetOff) {
  Seat(0, 50, 0, 0);
  const auto answer = SettleAndWait(wallet_, Context(),
                                    Round({{0, 1, 300, "CZ-40"},
                                           {1, 2, 300, "CZ-40"},
                                           {2, 0, 200, "CZ-40"},
                                           {1, 3, 100, "CZ-40"}}));
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->settlement.set_off[0][1].value(), 200);
  EXPECT_EQ(Balances(), (PerParty<std::int64_t>{0, 0, 25, 25}));
}

TEST_F(SettleRoundTest, NobodyOwingAnythingIsARoundToo) {
  Seat(1, 2, 3, 4);
  const auto answer = SettleAndWait(wallet_, Context(), Round({}));
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_NE(answer->journal_id, "");
  EXPECT_EQ(Balances(), (PerParty<std::int64_t>{1, 2, 3, 4}));
}

TEST_F(SettleRoundTest, TheSameRoundIsSettledOnce) {
  Seat(1000, 1000, 1000, 1000);
  SettleRoundRequest round = Round({{0, 2, 120, "CZ-11"}, {0, 2, 30, "CZ-40"}, {1, 3, 5, "CZ-40"}});
  const auto first = SettleAndWait(wallet_, Context(), round);
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(wallet_.Withdraw(Context(), {"w", "a", Currency::kCoin, 850, ""}).ok());
  // The order of transfers means nothing, nor who asks.
  std::reverse(round.transfers.begin(), round.transfers.end());
  const auto again = SettleAndWait(wallet_, Context("another replica"), round);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->journal_id, first->journal_id);
  EXPECT_EQ(again->settlement, first->settlement);
  EXPECT_EQ(Balances(), (PerParty<std::int64_t>{0, 995, 1150, 1005}));
}

TEST_F(SettleRoundTest, TheSameRoundWithOtherContentIsRefused) {
  Seat(1000, 1000, 1000, 1000);
  const SettleRoundRequest round = Round({{0, 2, 120, "CZ-11"}});
  ASSERT_TRUE(SettleAndWait(wallet_, Context(), round).ok());
  std::vector<SettleRoundRequest> poisoned(8, round);
  poisoned[0].transfers[0].coins = 121;
  poisoned[1].transfers[0].rule_id = "CZ-10";
  poisoned[2].transfers[0].to_seat = 1;
  poisoned[3].transfers.clear();
  poisoned[4].table_id = "table-2";
  poisoned[5].rulebook_version = "v2";
  poisoned[6].base = 100;
  std::swap(poisoned[7].player_ids[0], poisoned[7].player_ids[1]);
  for (const SettleRoundRequest& other : poisoned) {
    ExpectRefused(other, Reason::kRequestIdReused, "round_id");
  }
}

TEST_F(SettleRoundTest, PlayersAreFourDifferentOnesInOneCurrency) {
  Seat(1000, 1000, 1000, 1000);
  Open("p", 1000, Currency::kPractice);
  SettleRoundRequest round = Round({});
  round.player_ids.pop_back();
  ExpectRefused(round, Reason::kBadSeat, "player_ids");
  round.player_ids = {"a", "b", "c", "d", "e"};
  ExpectRefused(round, Reason::kBadSeat, "player_ids");
  round.player_ids = {};
  ExpectRefused(round, Reason::kBadSeat, "player_ids");
  round.player_ids = {"a", "b", "c", "b"};
  ExpectRefused(round, Reason::kDuplicatePlayer, "player_ids[3]");
  round.player_ids = {"a", "b", "", "d"};
  ExpectRefused(round, Reason::kFieldRequired, "player_ids[2]");
  round.player_ids = {"a", "b", "c d", "d"};
  ExpectRefused(round, Reason::kBadId, "player_ids[2]");
  round.player_ids = {"a", "nobody", "c", "d"};
  ExpectRefused(round, Reason::kRoundMismatch, "player_ids[1]");
  round.player_ids = {"a", "b", "c", "p"};
  ExpectRefused(round, Reason::kRoundMismatch, "player_ids[3]");
  round.player_ids = {"house_rake", "b", "c", "d"};
  ExpectRefused(round, Reason::kRoundMismatch, "player_ids[0]");
  // The round is still open.
  EXPECT_TRUE(SettleAndWait(wallet_, Context(), Round({})).ok());
}

TEST_F(SettleRoundTest, TransfersAreBetweenSeatsAndAboveZero) {
  Seat(1000, 1000, 1000, 1000);
  const auto one = [](std::uint32_t from, std::uint32_t to, std::int64_t coins, const char* rule) {
    return Round({{3, 2, 1, "CZ-10"}, {from, to, coins, rule}});
  };
  ExpectRefused(one(4, 0, 5, "CZ-10"), Reason::kBadSeat, "transfers[1].from_seat");
  ExpectRefused(one(0, 4'000'000'000U, 5, "CZ-10"), Reason::kBadSeat, "transfers[1].to_seat");
  ExpectRefused(one(1, 1, 5, "CZ-10"), Reason::kSelfTransfer, "transfers[1].to_seat");
  ExpectRefused(one(0, 1, 0, "CZ-10"), Reason::kBadAmount, "transfers[1].coins");
  ExpectRefused(one(0, 1, -5, "CZ-10"), Reason::kBadAmount, "transfers[1].coins");
  ExpectRefused(one(0, 1, ledger::kCoinsMax + 1, "CZ-10"), Reason::kBadAmount,
                "transfers[1].coins");
  ExpectRefused(one(0, 1, 5, ""), Reason::kFieldRequired, "transfers[1].rule_id");
  ExpectRefused(one(0, 1, 5, "CZ 10"), Reason::kBadId, "transfers[1].rule_id");
  ExpectRefused(one(3, 2, 7, "CZ-10"), Reason::kBadTransfer, "transfers[1]");
  ExpectRefused(Round({{0, 1, ledger::kCoinsMax, "CZ-10"}, {0, 2, 1, "CZ-10"}}), Reason::kBadAmount,
                "transfers");
  std::vector<TransferRequest> many;
  for (int i = 0; i < 65; ++i) many.push_back({0, 1, 1, "CZ-" + std::to_string(i)});
  ExpectRefused(Round(many), Reason::kBadTransfer, "transfers");
  many.pop_back();
  EXPECT_TRUE(SettleAndWait(wallet_, Context(), Round(many)).ok());
}

TEST_F(SettleRoundTest, TheRestOfTheRequestIsChecked) {
  Seat(1000, 1000, 1000, 1000);
  SettleRoundRequest round = Round({});
  round.round_id = "";
  ExpectRefused(round, Reason::kFieldRequired, "round_id");
  round.round_id = std::string(65, 'r');
  ExpectRefused(round, Reason::kBadId, "round_id");
  round = Round({});
  round.table_id = "";
  ExpectRefused(round, Reason::kFieldRequired, "table_id");
  round = Round({});
  round.variant = "";
  ExpectRefused(round, Reason::kFieldRequired, "variant");
  round.variant = "no-such-game";
  ExpectRefused(round, Reason::kRoundMismatch, "variant");
  round = Round({});
  round.rulebook_version = "";
  ExpectRefused(round, Reason::kFieldRequired, "rulebook_version");
  round.rulebook_version = std::string(129, 'v');
  ExpectRefused(round, Reason::kBadText, "rulebook_version");
  round = Round({});
  for (const std::int64_t base : {std::int64_t{0}, std::int64_t{-10}, std::int64_t{10001}}) {
    round.base = base;
    ExpectRefused(round, Reason::kBadBase, "base");
  }
}

TEST_F(SettleRoundTest, TheRoundIsTheOneThatWasBegun) {
  Seat(1000, 1000, 1000, 1000);
  const SettleRoundRequest begun = Round({{3, 2, 1, "CZ-10"}, {0, 1, 5, "CZ-11"}});
  SettleRoundRequest round = begun;
  round.round_id = "round-2";
  ExpectRefused(round, Reason::kRoundNotFound, "round_id");
  round = begun;
  round.table_id = "table-2";
  ExpectRefused(round, Reason::kRoundMismatch, "table_id");
  round = begun;
  round.variant = "shaoguan";
  ExpectRefused(round, Reason::kRoundMismatch, "variant");
  round = begun;
  round.rulebook_version = "v2";
  ExpectRefused(round, Reason::kRoundMismatch, "rulebook_version");
  round = begun;
  round.base = 100;
  ExpectRefused(round, Reason::kRoundMismatch, "base");
  round = begun;
  round.currency = Currency::kPractice;
  ExpectRefused(round, Reason::kRoundMismatch, "currency");
  round = begun;
  std::swap(round.player_ids[0], round.player_ids[1]);
  ExpectRefused(round, Reason::kRoundMismatch, "player_ids[0]");
  round = begun;
  round.transfers[1].rule_id = "CZ-999";
  ExpectRefused(round, Reason::kRoundMismatch, "transfers[1].rule_id");
  EXPECT_TRUE(SettleAndWait(wallet_, Context(), begun).ok());
}

TEST_F(SettleRoundTest, AWinnersBalanceDoesNotOverflow) {
  Seat(1000, ledger::kCoinsMax - 5, 0, 0);
  ExpectRefused(Round({{0, 1, 6, "CZ-10"}}), Reason::kBalanceOverflow, "transfers");
  EXPECT_TRUE(SettleAndWait(wallet_, Context(), Round({{0, 1, 5, "CZ-10"}})).ok());
}

}  // namespace
}  // namespace mj::wallet
