// What the wallet does by itself, on real PostgreSQL.

#include "services/wallet/upkeep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "libs/audit/day.h"
#include "libs/base/files.h"
#include "libs/base/status_testing.h"
#include "libs/pg/cluster_testing.h"
#include "services/wallet/store/books_testing.h"

namespace mj::wallet {
namespace {

using base::HasCode;
using base::IsOk;
using ::testing::HasSubstr;
using ::testing::Not;

class UpkeepTest : public ::testing::Test {
 protected:
  UpkeepTest() {
    std::filesystem::create_directories(folder_);
    std::ofstream(Path("key")) << Key().ToText();
  }
  ~UpkeepTest() override { std::filesystem::remove_all(folder_); }

  static audit::SigningKey Key() { return *audit::SigningKey::FromSeed(std::string(32, 's')); }
  std::string Path(const std::string& name) const { return folder_ / name; }

  // A replica of its own.
  struct Replica {
    Replica(const std::string& url, UpkeepOptions options)
        : pool({.url = url, .plans_by_index = true}, clock),
          upkeep(pool, clock, metrics,
                 obs::Logger("wallet", obs::LogLevel::kInfo, clock,
                             [this](std::string_view line) {
                               base::MutexLock lock(mutex);
                               log.append(line).push_back('\n');
                             }),
                 std::move(options)) {}

    absl::Status Do() { return upkeep.DoOnce(clock.Monotonic() + std::chrono::seconds(30)); }
    std::string Log() {
      base::MutexLock lock(mutex);
      return log;
    }

    base::SystemClock clock;
    obs::Metrics metrics{"wallet"};
    base::Mutex mutex;
    std::string log ABSL_GUARDED_BY(mutex);
    pg::Pool pool;
    Upkeep upkeep;
  };
  std::unique_ptr<Replica> Start(bool seals, std::int64_t audit_rows = 1'000) {
    UpkeepOptions options{.audit_rows = audit_rows, .seal = {}};
    if (seals) {
      auto seal = ReadSeal(Path("key"), folder_);
      EXPECT_THAT(seal, IsOk());
      options.seal = *std::move(seal);
    }
    return std::make_unique<Replica>(database_.url(), std::move(options));
  }

  // A void round as a journal row, in chain 3, `days` days ago.
  void WriteRow(int number, int days) {
    database_.Execute(
        "SET session_replication_role = replica;"
        "INSERT INTO wallet.journal SELECT " +
        std::to_string(number) + ", 'void', 'k" + std::to_string(number) +
        "', 1, sha256(''), 'me', NULL, '', 't', 'r" + std::to_string(number) +
        "', 'v', NULL, now(), now() - interval '" + std::to_string(days) +
        " days', 3, head_sequence + 1, head_hash, head_hash FROM wallet.chains WHERE chain_no = 3;"
        "UPDATE wallet.journal SET hash = sha256(convert_to(wallet.canonical(journal_no), 'UTF8'))"
        " WHERE journal_no = " +
        std::to_string(number) +
        ";"
        "UPDATE wallet.chains c SET head_sequence = j.chain_sequence, head_hash = j.hash,"
        " head_written_at = j.written_at FROM wallet.journal j WHERE c.chain_no = 3"
        " AND j.journal_no = " +
        std::to_string(number));
  }
  std::string Day(int days_ago) {
    return database_.Execute("SELECT to_char((now() AT TIME ZONE 'UTC')::date - " +
                             std::to_string(days_ago) + ", 'YYYY-MM-DD')");
  }
  std::string Export(int days_ago) const {
    return Path("ledger-" + days_[static_cast<std::size_t>(days_ago)] + ".txt");
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      ("mj_upkeep_" + std::to_string(getpid()) + "_" +
       ::testing::UnitTest::GetInstance()->current_test_info()->name());
  const pg::testing::Database database_{store::Migrations()};
  const std::array<std::string, 4> days_ = {Day(0), Day(1), Day(2), Day(3)};
};

TEST_F(UpkeepTest, DaysThatAreOverAreSealedAndSigned) {
  WriteRow(1, 3);
  WriteRow(2, 1);
  WriteRow(3, 0);
  const auto replica = Start(true);
  ASSERT_THAT(replica->Do(), IsOk());
  EXPECT_EQ(database_.Execute("SELECT string_agg(rows::text, ' ' ORDER BY day)"
                              " FROM wallet.ledger_days"),
            "1 0 1");
  EXPECT_FALSE(std::filesystem::exists(Export(0)));
  for (const int days_ago : {1, 2, 3}) {
    const auto text = base::ReadFile(Export(days_ago));
    ASSERT_THAT(text, IsOk());
    const auto day = audit::ReadExport(*text);
    ASSERT_TRUE(day.has_value());
    EXPECT_TRUE(audit::Signed(*day, Key().Public()));
    EXPECT_EQ(day->day.day, days_[static_cast<std::size_t>(days_ago)]);
  }
  EXPECT_THAT(replica->metrics.Text(),
              HasSubstr("mahjong_wallet_unsealed_days{service=\"wallet\"} 0"));
  EXPECT_THAT(replica->metrics.Text(), HasSubstr("mahjong_wallet_seals{service=\"wallet\"} 1"));
  // Again: nothing more, and what is written stays.
  std::ofstream(Export(2)) << "another ledger's";
  ASSERT_THAT(replica->Do(), IsOk());
  ASSERT_THAT(Start(true)->Do(), IsOk());
  EXPECT_EQ(*base::ReadFile(Export(2)), "another ledger's");
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.ledger_days"), "3");
}

TEST_F(UpkeepTest, ReplicasSealADayOnce) {
  WriteRow(1, 2);
  std::vector<std::unique_ptr<Replica>> replicas;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) replicas.push_back(Start(true));
  for (const auto& replica : replicas) {
    threads.emplace_back([&replica] { EXPECT_THAT(replica->Do(), IsOk()); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.ledger_days"), "2");
  EXPECT_TRUE(std::filesystem::exists(Export(1)));
}

TEST_F(UpkeepTest, WithoutAKeyItSaysSo) {
  WriteRow(1, 2);
  const auto replica = Start(false);
  ASSERT_THAT(replica->Do(), IsOk());
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.ledger_days"), "0");
  EXPECT_THAT(replica->Log(), HasSubstr("not sealed by this process"));
  EXPECT_THAT(replica->metrics.Text(), HasSubstr("mahjong_wallet_seals{service=\"wallet\"} 0"));
  EXPECT_THAT(replica->metrics.Text(),
              HasSubstr("mahjong_wallet_unsealed_days{service=\"wallet\"} 2"));
}

TEST_F(UpkeepTest, PartitionsAreMadeAndMisplacedEntriesAreTold) {
  database_.Execute(R"sql(
      DO $$BEGIN
        EXECUTE format('DROP TABLE wallet.%I', to_char(date_trunc('month', now() AT TIME ZONE 'UTC')
                       + interval '2 months', '"entries_"YYYY_MM'));
      END$$)sql");
  EXPECT_EQ(database_.Execute("SELECT months_ahead FROM wallet.upkeep()"), "2");
  const auto replica = Start(false);
  ASSERT_THAT(replica->Do(), IsOk());
  EXPECT_THAT(replica->metrics.Text(),
              HasSubstr("mahjong_wallet_partitions_ahead{service=\"wallet\"} 3"));
  EXPECT_THAT(replica->metrics.Text(),
              HasSubstr("mahjong_wallet_misplaced_entries{service=\"wallet\"} 0"));
  database_.Execute(
      "SET session_replication_role = replica;"
      "INSERT INTO wallet.entries SELECT 7, 1, '1999-01-01Z', account_no, 'COIN', 'money_in', 1"
      " FROM wallet.accounts LIMIT 1");
  ASSERT_THAT(replica->Do(), IsOk());
  EXPECT_THAT(replica->metrics.Text(),
              HasSubstr("mahjong_wallet_misplaced_entries{service=\"wallet\"} 1"));
}

TEST_F(UpkeepTest, TheLedgerIsAuditedAllTheTime) {
  for (int number = 1; number <= 3; ++number) WriteRow(number, 0);
  const auto replica = Start(false);
  ASSERT_THAT(replica->Do(), IsOk());
  const std::string right = replica->metrics.Text();
  EXPECT_THAT(right, HasSubstr("mahjong_wallet_chain_verified{service=\"wallet\",chain=\"3\"} 3"));
  EXPECT_THAT(right, HasSubstr("mahjong_wallet_audits_total{service=\"wallet\"} 1"));
  EXPECT_THAT(right, HasSubstr("mahjong_wallet_ledger_faults{service=\"wallet\"} 0"));
  EXPECT_THAT(replica->Log(), Not(HasSubstr("ROW_CHANGED")));
  database_.Execute(
      "SET session_replication_role = replica;"
      "UPDATE wallet.journal SET reason = 'x' WHERE journal_no = 2");
  ASSERT_THAT(replica->Do(), IsOk());
  EXPECT_THAT(replica->metrics.Text(),
              HasSubstr("mahjong_wallet_ledger_faults{service=\"wallet\"} 1"));
  EXPECT_THAT(replica->Log(), HasSubstr("journal row 2, chain 3, sequence 2: ROW_CHANGED"));
}

// What an alarm looks at has to move whether or not one audit is done in a day.
TEST_F(UpkeepTest, AnAuditOfManyRoundsIsSeenToGoOn) {
  for (int number = 1; number <= 3; ++number) WriteRow(number, 0);
  const auto replica = Start(false, 1);
  const auto told = [&](const std::string& name) {
    const std::string text = replica->metrics.Text();
    const std::string line = "\n" + name + "{service=\"wallet\"} ";
    const std::size_t at = text.find(line);
    EXPECT_NE(at, std::string::npos) << name;
    return std::stod(text.substr(at + line.size()));
  };
  const auto now = std::chrono::duration<double>(replica->clock.Now().time_since_epoch()).count();
  ASSERT_THAT(replica->Do(), IsOk());
  const double begun = told("mahjong_wallet_audit_begun_timestamp_seconds");
  EXPECT_NEAR(begun, now, 60);
  ASSERT_THAT(replica->Do(), IsOk());
  EXPECT_EQ(told("mahjong_wallet_audit_steps_total"), 2);
  EXPECT_EQ(told("mahjong_wallet_audits_total"), 0);
  EXPECT_EQ(told("mahjong_wallet_audit_begun_timestamp_seconds"), begun);
  while (told("mahjong_wallet_audits_total") == 0) ASSERT_THAT(replica->Do(), IsOk());
  ASSERT_THAT(replica->Do(), IsOk());
  EXPECT_GT(told("mahjong_wallet_audit_begun_timestamp_seconds"), begun);
  EXPECT_EQ(told("mahjong_wallet_audits_total"), 1);
}

TEST_F(UpkeepTest, AKeyThatIsNoneIsRefused) {
  std::ofstream(Path("none")) << "no key";
  for (const auto& [key, folder] : std::vector<std::pair<std::string, std::string>>{
           {Path("none"), folder_}, {Path("key"), Path("key")}}) {
    EXPECT_THAT(ReadSeal(key, folder), HasCode(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_THAT(ReadSeal(Path("nowhere"), folder_), HasCode(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace mj::wallet
