// The same random calls on PostgreSQL and on the ledger in memory: the same answers, the same books.

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/reasons.h"
#include "libs/pg/cluster_testing.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/memory_ledger_store_testing.h"
#include "services/wallet/app/wallet.h"
#include "services/wallet/store/books_testing.h"
#include "services/wallet/store/pg_ledger_store.h"
#include "tests/support/counts.h"

namespace mj::wallet::store {
namespace {

// What both must answer alike: everything but journal ids and times.
template <typename Answer, typename Describe>
std::string Told(const absl::StatusOr<Answer>& answer, Describe describe) {
  if (answer.ok()) return describe(*answer);
  const auto carried = base::CarriedBy(answer.status());
  std::string text =
      carried ? carried->reason + " " + carried->details.field : answer.status().ToString();
  if (carried) {
    for (const auto& [key, value] : carried->details.metadata) text += " " + key + "=" + value;
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

class Pair {
 public:
  Pair(Wallet& real, Wallet& model) : real_(real), model_(model) {}

  // One random call on both. Small ranges, so that retries, reuse and empty purses come up.
  void Step(std::mt19937_64& random, const CallContext& context) {
    const auto pick = [&](std::uint64_t end) { return random() % end; };
    const std::string key = "k" + std::to_string(pick(60));
    const std::string id = pick(12) == 0 ? "issue" : "p" + std::to_string(pick(7));
    const Currency currency = pick(8) == 0 ? Currency::kPractice : Currency::kCoin;
    const auto coins = static_cast<std::int64_t>(pick(6)) * 50 - 50;
    switch (pick(6)) {
      case 0:
        return Same(key, [&](Wallet& wallet) {
          return Told(wallet.OpenAccount(context, {key, id, AccountKind::kPlayer, currency}),
                      [](const Account& a) { return a.key.id + std::to_string(a.balance); });
        });
      case 1:
        return Same(key, [&](Wallet& wallet) {
          return Told(wallet.Deposit(context, {key, id, currency, coins}),
                      [](const MoneyAnswer& a) { return std::to_string(a.balance.value()); });
        });
      case 2:
        return Same(key, [&](Wallet& wallet) {
          return Told(wallet.Withdraw(context, {key, id, currency, coins}),
                      [](const MoneyAnswer& a) { return std::to_string(a.balance.value()); });
        });
      case 3:
        return Same(id, [&](Wallet& wallet) {
          return Told(
              wallet.GetStakeTier(context, {id, "chaozhou", currency,
                                            static_cast<std::int64_t>(coins == 0 ? 0 : 10)}),
              [](const StakeTierAnswer& a) { return a.tier.id; });
        });
      default:
        return Settle(random, key, currency, context);
    }
  }

  void ExpectSameEntries(const std::string& id, Currency currency, const CallContext& context) {
    const auto list = [&](Wallet& wallet) {
      return Told(
          wallet.ListEntries(context, {id, currency, 1000}), [](const ListEntriesAnswer& answer) {
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
  template <typename Call>
  void Same(const std::string& what, Call call) {
    ASSERT_EQ(call(real_), call(model_)) << what;
  }

  void Settle(std::mt19937_64& random, const std::string& key, Currency currency,
              const CallContext& context) {
    SettleRoundRequest round{.round_id = key,
                             .table_id = "t",
                             .variant = random() % 2 == 0 ? "shaoguan" : "chaozhou",
                             .rulebook_version = "v",
                             .base = 10,
                             .currency = currency,
                             .player_ids = {"p0", "p1", "p2", "p3"},
                             .transfers = {}};
    std::shuffle(round.player_ids.begin(), round.player_ids.end(), random);
    for (std::uint64_t line = random() % 5; line > 0; --line) {
      const auto from = static_cast<std::uint32_t>(random() % 4);
      const auto to = static_cast<std::uint32_t>((from + 1 + random() % 3) % 4);
      round.transfers.push_back(
          {from, to, static_cast<std::int64_t>(random() % 8) * 40, "R-" + std::to_string(line)});
    }
    Same(key, [&](Wallet& wallet) {
      return Told(wallet.SettleRound(context, round),
                  [](const SettleRoundAnswer& a) { return Describe(a.settlement); });
    });
  }

  Wallet& real_;
  Wallet& model_;
};

TEST(ModelTest, BothLedgersSayTheSame) {
  base::SystemClock clock;
  const std::int64_t histories = mj::testing::Count(300);
  for (std::int64_t seed = 0; seed < histories; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const pg::testing::Database database({"0001_wallet.sql"});
    pg::Pool pool({.url = database.url()}, clock);
    PgLedgerStore store(pool);
    Wallet real(store, clock);
    MemoryLedgerStore memory(clock, SomeTiers());
    Wallet model(memory, clock);
    Pair pair(real, model);
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const CallContext context{"model", clock.Monotonic() + std::chrono::minutes(10)};
    for (int step = 0; step < 300; ++step) {
      ASSERT_NO_FATAL_FAILURE(pair.Step(random, context)) << "step " << step;
    }
    for (const Currency currency : {Currency::kCoin, Currency::kPractice}) {
      for (int player = 0; player < 7; ++player) {
        pair.ExpectSameEntries("p" + std::to_string(player), currency, context);
      }
      pair.ExpectSameEntries("issue", currency, context);
      pair.ExpectSameEntries("house_rake", currency, context);
    }
    ExpectBooksAreRight(database);
  }
}

}  // namespace
}  // namespace mj::wallet::store
