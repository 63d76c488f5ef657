// `mahjongctl audit` as a process, on a real database.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "libs/pg/cluster_testing.h"
#include "tests/cli/program_testing.h"

namespace mj::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

struct Told {
  int exit_code = -1;
  std::string text;  // of both streams
};

class AuditCliTest : public ProgramTest {
 protected:
  AuditCliTest() {
    database_.Execute(R"sql(
        INSERT INTO wallet.accounts (account_id, currency, kind) VALUES ('ann', 'COIN', 'player');
        INSERT INTO wallet.balances (account_no, coins, last_sequence)
          SELECT account_no, 5, 1 FROM wallet.accounts WHERE account_id = 'ann')sql");
    Tamper(R"sql(
        INSERT INTO wallet.journal (journal_no, kind, request_key, content_version, content_hash,
                                    actor, reason, happened_at, written_at, chain_no,
                                    chain_sequence, previous_hash, hash)
          VALUES (1, 'deposit', 'k', 1, sha256(''), 'me', 'a gift', '2026-01-02Z', '2026-01-02Z', 3,
                  1, decode(repeat('00', 32), 'hex'), sha256(''));
        INSERT INTO wallet.entries
          SELECT 1, row_number() OVER (ORDER BY kind DESC), '2026-01-02Z', account_no, currency,
                 'money_in', CASE kind WHEN 'player' THEN 5 ELSE -5 END,
                 CASE kind WHEN 'player' THEN 5 END, CASE kind WHEN 'player' THEN 1 END
          FROM wallet.accounts WHERE account_id IN ('ann', 'issue') AND currency = 'COIN';
        UPDATE wallet.journal SET hash = sha256(convert_to(wallet.canonical(1), 'UTF8'));
        UPDATE wallet.chains SET head_sequence = 1, head_written_at = '2026-01-02Z',
               head_hash = (SELECT hash FROM wallet.journal) WHERE chain_no = 3)sql");
  }

  void Tamper(const std::string& sql) {
    database_.Execute("SET session_replication_role = replica; " + sql);
  }

  Told Audit(const std::string& arguments, bool database = true) const {
    const Outcome outcome =
        Run("audit " + arguments, database ? "MJ_CTL_DATABASE='" + database_.url() + "'" : "");
    return {outcome.exit_code, outcome.out + outcome.err};
  }

  const pg::testing::Database database_{std::vector<std::string>{
      "0001_wallet.sql", "0004_wallet_rounds.sql", "0005_wallet_audit.sql"}};
};

TEST_F(AuditCliTest, RightBooksExitWithZero) {
  const Told outcome = Audit("");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_THAT(outcome.text, ContainsRegex("journal rows +1  in 1 chain: "));
  EXPECT_THAT(outcome.text, ContainsRegex("players COIN +5\n"));
  EXPECT_THAT(outcome.text, ContainsRegex("issue COIN +-5\n"));
  EXPECT_THAT(outcome.text, HasSubstr("right\n"));
}

TEST_F(AuditCliTest, SaysItInJson) {
  const auto right = nlohmann::json::parse(Audit("--json").text);
  EXPECT_EQ(right["right"], true);
  EXPECT_EQ(right["journal_rows"], 1);
  EXPECT_EQ(right["player_coins"]["COIN"], 5);
  EXPECT_FALSE(right.contains("wrong"));
  Tamper("UPDATE wallet.journal SET reason = 'a gift.'");
  const auto wrong = nlohmann::json::parse(Audit("--json").text);
  EXPECT_EQ(wrong["right"], false);
  EXPECT_EQ(wrong["players"], nullptr);  // not looked at any more
  EXPECT_THAT(wrong["wrong"].get<std::string>(), HasSubstr("ROW_CHANGED"));
  EXPECT_EQ(Audit("--json --statement x").exit_code, 2);
}

TEST_F(AuditCliTest, AChangedByteIsNamedWithOne) {
  Tamper("UPDATE wallet.journal SET reason = 'a gift.'");
  const Told outcome = Audit("");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.text, HasSubstr("WRONG: journal row 1, chain 3, sequence 1: ROW_CHANGED"));
}

TEST_F(AuditCliTest, ADayIsSealedSignedAndProved) {
  ASSERT_EQ(Audit("--new-key " + Path("k"), false).exit_code, 0);
  struct stat key{};
  ASSERT_EQ(stat(Path("k").c_str(), &key), 0);
  EXPECT_EQ(key.st_mode & 0777U, 0600U);
  EXPECT_EQ(Audit("--new-key " + Path("k"), false).exit_code, 5);  // a key is never overwritten
  const Told sealed = Audit("--seal 2026-01-02 --key " + Path("k") + " --out " + Path("day"));
  ASSERT_EQ(sealed.exit_code, 0) << sealed.text;
  const std::string public_key = " --public-key " + Path("k.pub");
  const Told held = Audit("--root " + Path("day") + public_key);
  EXPECT_EQ(held.exit_code, 0) << held.text;
  EXPECT_THAT(held.text, ContainsRegex("signed days +1 "));

  const Told proof = Audit("--prove 1 --root " + Path("day") + " --out " + Path("proof"));
  ASSERT_EQ(proof.exit_code, 0) << proof.text;
  const Told proved = Audit("--proof " + Path("proof") + public_key, false);
  EXPECT_EQ(proved.exit_code, 0) << proved.text;
  EXPECT_THAT(proved.text, HasSubstr("reason=a gift\n"));
  std::ofstream(Path("forged"))
      << Text(Path("proof")).replace(Text(Path("proof")).rfind("a gift"), 6, "a loan");
  EXPECT_EQ(Audit("--proof " + Path("forged") + public_key, false).exit_code, 1);

  // Whoever owns the database writes the day anew.
  Tamper(
      "UPDATE wallet.journal SET reason = 'a loan';"
      "UPDATE wallet.journal SET hash = sha256(convert_to(wallet.canonical(1), 'UTF8'));"
      "UPDATE wallet.chains SET head_hash = (SELECT hash FROM wallet.journal) WHERE chain_no = 3;"
      "DELETE FROM wallet.ledger_days");
  ASSERT_EQ(Audit("--seal 2026-01-02 --key " + Path("k") + " --out " + Path("day2")).exit_code, 0);
  EXPECT_EQ(Audit("").exit_code, 0);
  const Told found = Audit("--root " + Path("day") + public_key);
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_THAT(found.text, HasSubstr("chain 3, sequence 1, day 2026-01-02: ROOT_WRONG"));
}

TEST_F(AuditCliTest, AStatementIsAFileForASpreadsheet) {
  const std::string csv =
      "sequence,written_at,journal_id,event,coins,balance_after,round_id,table_id,reason\r\n"
      "1,2026-01-02T00:00:00.000000Z,1,deposit,5,5,,,a gift\r\n";
  const Told told = Audit("--statement ann");
  EXPECT_EQ(told.exit_code, 0);
  EXPECT_EQ(told.text, csv);
  EXPECT_EQ(Audit("--statement ann --out " + Path("csv")).exit_code, 0);
  EXPECT_EQ(Text(Path("csv")), csv);
  EXPECT_EQ(Audit("--statement ann --currency PRACTICE").exit_code, 1);
  EXPECT_EQ(Audit("--statement issue").exit_code, 1);
  EXPECT_EQ(Audit("--statement ann --currency EUR").exit_code, 2);
  EXPECT_EQ(Audit("--currency COIN").exit_code, 2);
}

// What cannot be read is no reason to call the books wrong.
TEST_F(AuditCliTest, AFileThatCannotBeReadExitsWithThree) {
  ASSERT_EQ(Audit("--new-key " + Path("k"), false).exit_code, 0);
  ASSERT_EQ(Audit("--new-key " + Path("other"), false).exit_code, 0);
  std::ofstream(Path("text")) << "no day\n";
  const std::string key = " --public-key " + Path("k.pub");
  const std::string told = "mahjongctl: " + Path("");
  const auto unread = Audit("--root " + Path("none") + key);
  EXPECT_EQ(unread.exit_code, 3);
  EXPECT_EQ(unread.text, told + "none: No such file or directory\n");
  const auto no_day = Audit("--root " + Path("text") + key);
  EXPECT_EQ(no_day.exit_code, 3);
  EXPECT_EQ(no_day.text, told + "text: holds no exported day\n");
  ASSERT_EQ(Audit("--seal 2026-01-02 --key " + Path("other") + " --out " + Path("day")).exit_code,
            0);
  const auto foreign = Audit("--root " + Path("day") + key);
  EXPECT_EQ(foreign.exit_code, 1);
  EXPECT_EQ(foreign.text, told + "day: was not signed with this key\n");
  EXPECT_EQ(Audit("--root " + Path("day") + " --public-key " + Path("text")).exit_code, 3);
  EXPECT_EQ(Audit("--seal 2026-01-02 --key " + Path("none")).exit_code, 3);
  EXPECT_EQ(Audit("--seal 2026-01-02 --key " + Path("text")).exit_code, 3);
  EXPECT_EQ(Audit("--proof " + Path("none") + key, false).exit_code, 3);
  EXPECT_EQ(Audit("--proof " + Path("text") + key, false).exit_code, 3);
}

TEST_F(AuditCliTest, SaysWhatIsWrongWithTheRequest) {
  EXPECT_EQ(Audit("", false).exit_code, 2);
  EXPECT_EQ(Audit("--seal 2026-01-02").exit_code, 2);
  EXPECT_EQ(Audit("--seal 2026-01-02 --proof x").exit_code, 2);
  EXPECT_EQ(Audit("--root /nowhere --public-key /nowhere").exit_code, 3);
  EXPECT_EQ(Audit("--statement ann --out /nowhere/csv").exit_code, 5);
  EXPECT_EQ(Audit("--from 2026-02-30").exit_code, 1);
  EXPECT_EQ(Audit("--from 2026-01-03").exit_code, 1);
  EXPECT_EQ(Audit("--database postgresql:///x?host=/nowhere").exit_code, 4);
}

}  // namespace
}  // namespace mj::cli
