#include "tests/finance/story_testing.h"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "services/wallet/app/settle_testing.h"

namespace mj::finance {
namespace {

using std::chrono_literals::operator""h;
using std::chrono_literals::operator""min;
using std::chrono_literals::operator""s;
using wallet::Flow;
using wallet::TransferRequest;

constexpr base::WallTime kStart =
    std::chrono::sys_days{std::chrono::year{2026} / std::chrono::January / 31};

template <typename T>
T Must(absl::StatusOr<T> got) {
  if (!got.ok()) {
    std::fprintf(stderr, "the story: %s\n", got.status().ToString().c_str());
    std::abort();
  }
  return *std::move(got);
}

std::optional<std::vector<std::string>> RuleIds(std::string_view variant,
                                                std::string_view version) {
  if (variant != "shaoguan" || version != "1") return std::nullopt;
  return std::vector<std::string>{"SG-02", "SG-10", "SG-20", "SG-30"};
}

}  // namespace

Story::Story() : clock_(kStart), wallet_(store_, clock_, RuleIds) {
  // The clock of the ledger, and the partitions of the story's months.
  database_.Execute(R"sql(
      CREATE TABLE public.story (now timestamptz NOT NULL);
      INSERT INTO public.story VALUES ('2026-01-31Z');
      GRANT SELECT ON public.story TO PUBLIC;
      DO $do$
      BEGIN
        EXECUTE replace(pg_get_functiondef('wallet.take_chain(integer)'::regprocedure),
                        'clock_timestamp()', '(SELECT now FROM public.story)');
      END
      $do$;
      SELECT wallet.add_partition(name, bounds) FROM (VALUES
        ('entries_2026_01', 'FOR VALUES FROM (''2026-01-01Z'') TO (''2026-02-01Z'')'),
        ('entries_2026_02', 'FOR VALUES FROM (''2026-02-01Z'') TO (''2026-03-01Z'')')) m (name, bounds)
      WHERE to_regclass('wallet.' || name) IS NULL)sql");
  FirstDay();
  SecondDay();
  ThirdDay();
}

void Story::At(std::chrono::seconds since_start, std::chrono::seconds written_later) {
  clock_.Advance(kStart + since_start - clock_.Now());
  database_.Execute("UPDATE public.story SET now = '" +
                    base::FormatUtc(clock_.Now() + written_later) + "'");
}

wallet::CallContext Story::Now(const std::string& caller) const {
  return {caller, system_clock_.Monotonic() + 30s};
}

std::string Story::NextId() { return "story-" + std::to_string(++asked_); }

void Story::Deposit(const std::string& player, std::int64_t coins, Flow flow,
                    const std::string& reference) {
  Must(wallet_.Deposit(Now(), {.request_id = NextId(),
                               .account_id = player,
                               .coins = coins,
                               .flow = flow,
                               .provider = reference.empty() ? "" : "paypoint",
                               .external_reference = reference}));
}

void Story::Withdraw(const std::string& player, std::int64_t coins, Flow flow,
                     const std::string& reference, const std::string& reason) {
  Must(wallet_.Withdraw(Now(), {.request_id = NextId(),
                                .account_id = player,
                                .coins = coins,
                                .reason = reason,
                                .flow = flow,
                                .provider = "paypoint",
                                .external_reference = reference}));
}

void Story::Begin(const std::string& round, const std::vector<std::string>& players) {
  for (const std::string& player : players) {
    Must(wallet_.Reserve(Now("table"), {.request_id = NextId(),
                                        .player_id = player,
                                        .table_id = "table-1",
                                        .variant = "shaoguan",
                                        .base = 100}));
  }
  Must(wallet_.BeginRound(Now("table"), {.round_id = round,
                                         .table_id = "table-1",
                                         .variant = "shaoguan",
                                         .rulebook_version = "1",
                                         .base = 100,
                                         .tier_id = "",
                                         .player_ids = players}));
}

std::string Story::Settle(const std::string& round, const std::vector<std::string>& players,
                          const std::vector<TransferRequest>& transfers) {
  return Must(SettleAndWait(wallet_, Now("table"),
                            {.round_id = round,
                             .table_id = "table-1",
                             .variant = "shaoguan",
                             .rulebook_version = "1",
                             .base = 100,
                             .player_ids = players,
                             .transfers = transfers}))
      .journal_id;
}

void Story::FirstDay() {
  for (const char* const player : {"ann", "bob", "cat", "dan", "eve"}) {
    Must(wallet_.OpenAccount(Now(), {.request_id = NextId(), .account_id = player}));
  }
  Must(wallet_.OpenAccount(
      Now(),
      {.request_id = NextId(), .account_id = "ann", .currency = wallet::Currency::kPractice}));
  At(9h);
  Deposit("ann", 10000, Flow::kPurchase, "PP-1001");
  Deposit("bob", 8000, Flow::kPurchase, "PP-1002");
  Deposit("dan", 7000, Flow::kPurchase, "PP-1003");
  Deposit("cat", 6500, Flow::kGrant, "");
  Must(wallet_.Deposit(Now(), {.request_id = NextId(),
                               .account_id = "ann",
                               .currency = wallet::Currency::kPractice,
                               .coins = 5000,
                               .reason = "practice"}));

  const std::vector<std::string> players = {"ann", "bob", "cat", "dan"};
  At(20h);
  Begin("round-1", players);
  At(20h + 12min);
  first_settlement_ = Settle("round-1", players,
                             {{.from_seat = 0, .to_seat = 2, .coins = 400, .rule_id = "SG-20"},
                              {.from_seat = 1, .to_seat = 2, .coins = 1200, .rule_id = "SG-20"},
                              {.from_seat = 3, .to_seat = 2, .coins = 400, .rule_id = "SG-20"},
                              {.from_seat = 2, .to_seat = 1, .coins = 200, .rule_id = "SG-30"}});
  At(20h + 15min);
  Begin("round-2", players);
  At(20h + 31min);
  // More than dan has: the rest is a shortfall, and so is dan's rake.
  Settle("round-2", players,
         {{.from_seat = 3, .to_seat = 0, .coins = 5000, .rule_id = "SG-10"},
          {.from_seat = 3, .to_seat = 1, .coins = 3000, .rule_id = "SG-02"}});
  At(23h + 59min + 50s, 15s);
  Deposit("dan", 15000, Flow::kPurchase, "PP-1004");
  database_.Execute(R"sql(
      SELECT wallet.end_day('2026-01-31');
      INSERT INTO wallet.ledger_days (day, first_sequences, last_sequences, rows, root, previous_root)
        SELECT '2026-01-31', array_fill(1::bigint, '{16}'), array_fill(0::bigint, '{16}'),
               count(*), sha256('root'), decode(repeat('00', 32), 'hex')
        FROM wallet.journal WHERE written_at < '2026-02-01Z')sql");
}

void Story::SecondDay() {
  const std::vector<std::string> players = {"ann", "bob", "cat", "dan"};
  At(33h);
  Begin("round-3", players);
  At(33h + 20min);
  Must(wallet_.VoidRound(
      Now("console"),
      {.round_id = "round-3", .reason = "table server lost", .requested_by = "olga"}));
  At(34h);
  Begin("round-4", players);
  At(34h + 5min);
  Must(wallet_.ApplyPenalty(
      Now("table"),
      {.round_id = "round-4", .escaper_seat = 2, .reason = "left and did not return"}));
  At(35h);
  for (const std::string& player : players) {
    Must(wallet_.Release(Now("table"),
                         {.request_id = NextId(), .player_id = player, .table_id = "table-1"}));
  }
  Withdraw("cat", 1000, Flow::kPayout, "PP-1005");
  Withdraw("bob", 2000, Flow::kChargeback, "CB-77", "card holder disputes PP-1002");
  At(36h);
  Must(wallet_.Adjust(Now("console"), {.request_id = NextId(),
                                       .account_id = "dan",
                                       .coins = 500,
                                       .reason = "outage on 1 February",
                                       .requested_by = "olga",
                                       .approved_by = "otto"}));
  At(37h);
  // cat has spent part of what round-1 brought: the house pays the rest of it back.
  Must(wallet_.Reverse(Now("console"), {.request_id = NextId(),
                                        .journal_id = first_settlement_,
                                        .reason = "round-1 was scored by a wrong rulebook",
                                        .requested_by = "olga",
                                        .approved_by = "otto",
                                        .cover_from_house = true}));
  At(38h);
  Must(wallet_.Freeze(Now("console"), {.request_id = NextId(),
                                       .account_id = "cat",
                                       .reason = "under review after round-4",
                                       .requested_by = "olga"}));
}

void Story::ThirdDay() {
  const std::vector<std::string> players = {"ann", "bob", "dan", "eve"};
  At(57h);
  Deposit("eve", 9000, Flow::kPurchase, "PP-1006");
  Begin("round-5", players);
  At(57h + 10min);
  Settle("round-5", players,
         {{.from_seat = 0, .to_seat = 3, .coins = 800, .rule_id = "SG-20"},
          {.from_seat = 1, .to_seat = 3, .coins = 800, .rule_id = "SG-20"},
          {.from_seat = 2, .to_seat = 3, .coins = 800, .rule_id = "SG-20"}});
  At(57h + 12min);
  Begin("round-6", players);  // is being played
}

}  // namespace mj::finance
