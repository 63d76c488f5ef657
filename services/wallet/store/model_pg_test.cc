// The same random calls of every rpc on PostgreSQL and on the ledger in memory: the same answers,
// and after every call books that are right.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/reasons.h"
#include "libs/pg/cluster_testing.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/memory_ledger_store_testing.h"
#include "services/wallet/app/settle_testing.h"
#include "services/wallet/app/wallet.h"
#include "services/wallet/store/books_testing.h"
#include "services/wallet/store/pg_ledger_store.h"
#include "tests/support/counts.h"

namespace mj::wallet::store {
namespace {

constexpr int kPlayers = 6;

// What both must answer alike: everything but journal ids and times.
template <typename Answer, typename Describe>
std::string Told(const absl::StatusOr<Answer>& answer, Describe describe) {
  if (answer.ok()) return describe(*answer);
  const auto carried = base::CarriedBy(answer.status());
  std::string text =
      carried ? carried->reason + " " + carried->details.field : answer.status().ToString();
  if (carried) {
    for (const auto& [key, value] : carried->details.metadata) {
      if (key != "reversed_by" && key != "journal_id") text += " " + key + "=" + value;
    }
  }
  return text;
}

std::string Describe(const Settlement& settlement) {
  std::string text;
  for (std::size_t seat = 0; seat < 4; ++seat) {
    text += std::to_string(settlement.net[seat].value()) + "/" +
            std::to_string(settlement.rake_paid[seat].value()) + "/" +
            std::to_string(settlement.rake_shortfall[seat].value()) + "/" +
            std::to_string(settlement.balance_after[seat].value());
    for (std::size_t to = 0; to < 4; ++to) {
      text += " " + std::to_string(settlement.paid[seat][to].value()) + "," +
              std::to_string(settlement.set_off[seat][to].value()) + "," +
              std::to_string(settlement.shortfall[seat][to].value());
    }
    text += "; ";
  }
  return text;
}

std::string Describe(const Account& account) {
  const Standing& standing = account.standing;
  return account.key.id + " " + std::to_string(account.balance) + " " +
         std::to_string(account.last_sequence) + (standing.frozen ? " frozen" : "") +
         (standing.closed ? " closed" : "") + " " + standing.round_id + " " +
         (standing.hold ? standing.hold->table_id + std::to_string(standing.hold->coins.value())
                        : "");
}

class Pair {
 public:
  Pair(Wallet& real, Wallet& model, const CallContext& context, std::uint64_t seed)
      : real_(real), model_(model), context_(context), random_(seed) {}

  // One random call on both. Small ranges, so that retries, reuse and empty purses come up.
  void Step() {
    switch (Pick(16)) {
      case 0:
        return Open();
      case 1:
      case 2:
        return Money(&Wallet::Deposit, Pick(2) == 0 ? Flow::kPurchase : Flow::kGrant);
      case 3:
        return Money(&Wallet::Withdraw, Pick(2) == 0 ? Flow::kRefund : Flow::kPayout);
      case 4:
        return Tier();
      case 5:
      case 6:
      case 7:
        return Sit();
      case 8:
        return Leave();
      case 9:
      case 10:
        return Begin();
      case 11:
      case 12:
        return Close();
      case 13:
        return Control();
      case 14:
        return Correct();
      default:
        return Read();
    }
  }

  void ExpectSameEntries(const std::string& id, Currency currency) {
    const auto list = [&](Wallet& wallet) {
      return Told(
          wallet.ListEntries(context_, {id, currency, 1000}), [](const ListEntriesAnswer& answer) {
            std::string text;
            for (const ListedEntry& entry : answer.entries) {
              text += std::to_string(entry.sequence) + ":" + std::to_string(entry.coins.value()) +
                      "=" + std::to_string(entry.balance_after.value_or(Coins()).value()) + " ";
            }
            return text;
          });
    };
    EXPECT_EQ(list(real_), list(model_)) << id;
  }

 private:
  std::uint64_t Pick(std::uint64_t end) { return random_() % end; }
  std::string Key() { return "k" + std::to_string(Pick(400)); }
  std::string Player() { return Pick(25) == 0 ? "issue" : "p" + std::to_string(Pick(kPlayers)); }
  std::string Table() { return "t" + std::to_string(Pick(2)); }
  Currency SomeCurrency() { return Pick(12) == 0 ? Currency::kPractice : Currency::kCoin; }

  template <typename Call>
  void Same(const std::string& what, Call call) {
    ASSERT_EQ(call(real_), call(model_)) << what;
  }

  // A journal row's id differs between the two: `call` is given each side's own, by its place.
  void Remember(const std::string& real, const std::string& model) {
    if (!real.empty()) journal_.emplace_back(real, model);
  }

  template <typename Answer, typename Call, typename DescribeAnswer>
  void Posted(const std::string& what, Call call, DescribeAnswer describe) {
    const absl::StatusOr<Answer> real = call(real_);
    const absl::StatusOr<Answer> model = call(model_);
    ASSERT_EQ(Told(real, describe), Told(model, describe)) << what;
    if (real.ok()) Remember(real->journal_id, model->journal_id);
  }

  void Open() {
    const OpenAccountRequest request{Key(), Player(), AccountKind::kPlayer, SomeCurrency()};
    Same("open " + request.account_id, [&](Wallet& wallet) {
      return Told(wallet.OpenAccount(context_, request),
                  [](const Account& a) { return a.key.id + std::to_string(a.balance); });
    });
  }

  template <typename Rpc>
  void Money(Rpc rpc, Flow flow) {
    MoneyRequest request{Key(), Player(), SomeCurrency(),
                         static_cast<std::int64_t>(Pick(9)) * 100 - 100};
    request.flow = flow;
    if (flow == Flow::kPurchase || flow == Flow::kRefund) {
      request.provider = "apay";
      request.external_reference = "order-" + std::to_string(Pick(60));
    }
    Posted<MoneyAnswer>(
        "money " + request.account_id,
        [&](Wallet& wallet) { return (wallet.*rpc)(context_, request); },
        [](const MoneyAnswer& a) { return std::to_string(a.balance.value()); });
  }

  void Tier() {
    const StakeTierRequest request{Player(), "chaozhou", SomeCurrency(),
                                   static_cast<std::int64_t>(Pick(3) == 0 ? 0 : 10)};
    Same("tier " + request.player_id, [&](Wallet& wallet) {
      return Told(wallet.GetStakeTier(context_, request),
                  [](const StakeTierAnswer& a) { return a.tier.id; });
    });
  }

  void Sit() {
    const ReserveRequest request{.request_id = Key(),
                                 .player_id = Player(),
                                 .currency = SomeCurrency(),
                                 .table_id = Pick(6) == 0 ? Table() : "t0",
                                 .variant = "chaozhou",
                                 .base = Pick(15) == 0 ? 11 : 10};
    Same("sit " + request.player_id, [&](Wallet& wallet) {
      return Told(wallet.Reserve(context_, request), [](const ReserveAnswer& a) {
        return std::to_string(a.hold.coins.value()) + "/" + std::to_string(a.balance.value());
      });
    });
  }

  void Leave() {
    const ReleaseRequest request{Key(), Player(), SomeCurrency(), Table()};
    Same("leave " + request.player_id, [&](Wallet& wallet) {
      return Told(wallet.Release(context_, request),
                  [](bool released) { return std::string(released ? "yes" : "no"); });
    });
  }

  void Begin() {
    BeginRoundRequest request{
        .round_id = "r" + std::to_string(static_cast<std::uint64_t>(rounds_) + Pick(2)),
        .table_id = "t0",
        .variant = "chaozhou",
        .rulebook_version = Pick(20) == 0 ? "v2" : "v1",
        .currency = SomeCurrency(),
        .base = 10,
        .tier_id = "",
        .player_ids = {}};
    std::vector<std::string> ids;
    for (int player = 0; player < kPlayers; ++player) ids.push_back("p" + std::to_string(player));
    std::shuffle(ids.begin(), ids.end(), random_);
    // Mostly players who sit there, so that rounds do begin.
    std::stable_partition(ids.begin(), ids.end(), [&](const std::string& id) {
      const auto account = model_.GetAccount(context_, {id, request.currency});
      return account.ok() && account->standing.hold && account->standing.hold->table_id == "t0";
    });
    request.player_ids.assign(ids.begin(), ids.begin() + 4);
    if (Pick(20) == 0) request.player_ids[0] = "issue";
    Same("begin " + request.round_id, [&](Wallet& wallet) {
      const auto begun = wallet.BeginRound(context_, request);
      if (begun.ok()) begun_[request.round_id] = request;
      return Told(begun, [](const BegunRound& r) { return r.round_id + r.tier_id; });
    });
    if (begun_.contains(request.round_id)) rounds_ = static_cast<int>(begun_.size());
  }

  void Close() {
    const std::string id = "r" + std::to_string(Pick(static_cast<std::uint64_t>(rounds_) + 2));
    switch (Pick(6)) {
      case 0:
        return Posted<ApplyPenaltyAnswer>(
            "penalty " + id,
            [&, seat = static_cast<std::uint32_t>(Pick(5))](Wallet& wallet) {
              return wallet.ApplyPenalty(context_, {id, seat, ""});
            },
            [](const ApplyPenaltyAnswer& a) {
              return std::to_string(a.penalty.shares.taken.value()) + "/" +
                     std::to_string(a.penalty.shares.share.value()) + "/" +
                     std::to_string(a.penalty.balance_after[0].value());
            });
      case 1:
        return Posted<VoidRoundAnswer>(
            "void " + id,
            [&, only = Pick(3) == 0](Wallet& wallet) {
              return wallet.VoidRound(context_, {id, "because", "ops", only});
            },
            [](const VoidRoundAnswer& a) {
              return std::string(a.journal_id.empty() ? "would" : "did");
            });
      default:
        return Settle(id);
    }
  }

  void Settle(const std::string& id) {
    const BeginRoundRequest begun =
        begun_.contains(id) ? begun_[id] : BeginRoundRequest{.player_ids = {"a", "b", "c", "d"}};
    SettleRoundRequest round{.round_id = id,
                             .table_id = "t0",
                             .variant = "chaozhou",
                             .rulebook_version = "v1",
                             .base = Pick(15) == 0 ? 100 : 10,
                             .currency = begun.currency,
                             .player_ids = begun.player_ids,
                             .transfers = {}};
    if (Pick(15) == 0) std::swap(round.player_ids[0], round.player_ids[3]);
    for (std::uint64_t line = Pick(5); line > 0; --line) {
      const auto from = static_cast<std::uint32_t>(Pick(4));
      const auto to = static_cast<std::uint32_t>((from + 1 + Pick(3)) % 4);
      round.transfers.push_back(
          {from, to, static_cast<std::int64_t>(Pick(8)) * 60, "R-" + std::to_string(line)});
    }
    Posted<SettleRoundAnswer>(
        "settle " + id, [&](Wallet& wallet) { return SettleAndWait(wallet, context_, round); },
        [](const SettleRoundAnswer& a) { return Describe(a.settlement); });
  }

  void Control() {
    const AccountControlRequest request{Key(),     Player(), SomeCurrency(),
                                        "because", "ops",    Pick(4) == 0};
    const auto rpc = Pick(4) == 0   ? &Wallet::CloseAccount
                     : Pick(3) == 0 ? &Wallet::Freeze
                                    : &Wallet::Unfreeze;
    Same("control " + request.account_id, [&](Wallet& wallet) {
      return Told((wallet.*rpc)(context_, request), [](const Account& a) { return Describe(a); });
    });
  }

  void Correct() {
    const bool only = Pick(4) == 0;
    if (Pick(3) == 0 || journal_.empty()) {
      const AdjustRequest request{
          Key(),     Player(), SomeCurrency(), static_cast<std::int64_t>(Pick(7)) * 50 - 150,
          "because", "ann",    "bob",          only};
      return Posted<MoneyAnswer>(
          "adjust " + request.account_id,
          [&](Wallet& wallet) { return wallet.Adjust(context_, request); },
          [](const MoneyAnswer& a) { return std::to_string(a.balance.value()); });
    }
    const std::size_t at = Pick(journal_.size());
    const std::string real = journal_[at].first;
    const std::string model = journal_[at].second;
    ReverseRequest request{Key(), "", "because", "ann", "bob", Pick(2) == 0, only};
    // The same id for another row is a reuse for both: rows have the same places.
    Posted<ReverseAnswer>(
        "reverse " + real,
        [&](Wallet& wallet) {
          request.journal_id = &wallet == &real_ ? real : model;
          return wallet.Reverse(context_, request);
        },
        [](const ReverseAnswer& a) { return std::to_string(a.covered); });
  }

  void Read() {
    const std::string id = Player();
    Same("read " + id, [&](Wallet& wallet) {
      return Told(wallet.GetAccount(context_, {id, Currency::kCoin}),
                  [](const Account& a) { return Describe(a); });
    });
    Same("settlements of " + id, [&](Wallet& wallet) {
      return Told(wallet.ListSettlements(context_, {.account_id = id, .page_size = 3}),
                  [](const ListSettlementsAnswer& a) {
                    std::string text = a.next_page_token.empty() ? "" : "more ";
                    for (const SettledRound& round : a.settlements) {
                      text += round.round_id + (round.reversed_by != 0 ? " reversed " : " ") +
                              Describe(round.settlement);
                    }
                    return text;
                  });
    });
    Same("watch " + id, [&](Wallet& wallet) {
      return Told(wallet.EntriesAfter(context_, {id, Currency::kCoin, 2}, 2),
                  [](const std::vector<ListedEntry>& entries) {
                    std::string text;
                    for (const ListedEntry& entry : entries) {
                      text += std::to_string(entry.sequence) + "=" +
                              std::to_string(entry.coins.value()) + " ";
                    }
                    return text;
                  });
    });
  }

  Wallet& real_;
  Wallet& model_;
  const CallContext context_;
  std::mt19937_64 random_;
  int rounds_ = 0;
  std::map<std::string, BeginRoundRequest> begun_;
  std::vector<std::pair<std::string, std::string>> journal_;
};

// Every balance is the sum of its entries: what it changed by is what was entered. Nothing is held
// beyond it. A round locks its four exactly while it is open.
constexpr std::string_view kWrong = R"sql(
SELECT (SELECT count(*) FROM wallet.balances b CROSS JOIN LATERAL
          (SELECT coalesce(sum(coins), 0) AS coins, count(*) AS lines FROM wallet.entries
           WHERE account_no = b.account_no) e
        WHERE b.coins <> e.coins OR b.last_sequence <> e.lines OR b.held > b.coins)
     + (SELECT count(*) FROM wallet.rounds r LEFT JOIN wallet.round_closes c USING (round_no)
        CROSS JOIN unnest(r.account_nos) player JOIN wallet.balances b ON b.account_no = player
        WHERE (c.round_no IS NULL) <> (b.round_no IS NOT DISTINCT FROM r.round_no))
     + abs((SELECT coalesce(sum(coins), 0) FROM wallet.entries)::bigint)
)sql";

TEST(ModelTest, BothLedgersSayTheSame) {
  base::SystemClock clock;
  const std::int64_t histories = mj::testing::Count(300);
  std::int64_t closes = 0;
  for (std::int64_t seed = 0; seed < histories; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const pg::testing::Database database(Migrations());
    pg::Pool pool({.url = database.url()}, clock);
    PgLedgerStore store(pool);
    Wallet real(store, clock, SomeRuleIds());
    MemoryLedgerStore memory(clock, SomeTiers());
    Wallet model(memory, clock, SomeRuleIds());
    const CallContext context{"model", clock.Monotonic() + std::chrono::minutes(10)};
    for (int player = 0; player < kPlayers; ++player) {
      const std::string id = "p" + std::to_string(player);
      for (Wallet* wallet : {&real, &model}) {
        ASSERT_TRUE(wallet->OpenAccount(context, {"open-" + id, id}).ok());
        ASSERT_TRUE(
            wallet->Deposit(context, {"give-" + id, id, Currency::kCoin, 400 + 100 * player}).ok());
      }
    }
    Pair pair(real, model, context, static_cast<std::uint64_t>(seed));
    for (int step = 0; step < 400; ++step) {
      ASSERT_NO_FATAL_FAILURE(pair.Step()) << "step " << step;
      const auto wrong = pool.Execute({.deadline = context.deadline, .read_only = true}, kWrong);
      ASSERT_TRUE(wrong.ok()) << wrong.status();
      const auto count = wrong->One<std::int64_t>();
      ASSERT_TRUE(count.ok()) << count.status();
      ASSERT_EQ(std::get<0>(*count), 0) << "step " << step;
    }
    for (const Currency currency : {Currency::kCoin, Currency::kPractice}) {
      for (int player = 0; player < kPlayers; ++player) {
        pair.ExpectSameEntries("p" + std::to_string(player), currency);
      }
      for (const char* const house : {"issue", "house_rake", "penalties", "house_loss"}) {
        pair.ExpectSameEntries(house, currency);
      }
    }
    ExpectBooksAreRight(database);
    closes += std::stoll(database.Execute("SELECT count(*) FROM wallet.round_closes"));
  }
  // The histories are worth something only if rounds are played in them, if not in every one.
  EXPECT_GE(closes, histories);
}

}  // namespace
}  // namespace mj::wallet::store
