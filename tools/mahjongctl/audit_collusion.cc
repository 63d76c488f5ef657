#include "tools/mahjongctl/audit_collusion.h"

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "libs/base/clock.h"
#include "libs/base/strings.h"
#include "libs/collusion/report.h"
#include "libs/console/text.h"
#include "libs/fairplay/played.h"
#include "libs/pg/pool.h"
#include "tools/mahjongctl/exit_code.h"

namespace mj::mahjongctl {
namespace {

using base::Cat;
using collusion::Finding;
using collusion::Kind;
using console::Grouped;
using Json = nlohmann::ordered_json;

constexpr std::chrono::hours kTimeLimit{12};
constexpr std::chrono::hours kDay{24};
constexpr int kColumns = 100;

std::string Thousandths(std::int64_t milli) {
  return Cat(std::to_string(milli / 1'000), ".", std::to_string(milli % 1'000 / 100));
}

// What it comes to, in a line.
std::string LineOf(const Finding& finding) {
  const std::string seen = Grouped(finding.seen);
  const std::string of = Grouped(finding.of);
  const std::string chance = Cat("; where ", Thousandths(finding.expected_milli),
                                 " were to be expected; 1 in 10^", std::to_string(finding.power));
  const std::string& one = finding.one;
  const std::string& other = finding.other;
  switch (finding.kind) {
    case Kind::kMeetings:
      return Cat(one, " and ", other, " came separately and sat together ", seen, " times", chance);
    case Kind::kFlow:
      return Cat(one, " to ", other, ": ", seen, " coins in ", of,
                 " rounds, beyond what either plays with the others; 1 in 10^",
                 std::to_string(finding.power));
    case Kind::kFeeding:
      return Cat(one, " threw ", seen, " of the ", of, " tiles that ", other, " won on", chance);
    case Kind::kPassing:
      return Cat(one, " let ", seen, " of ", of, " wins on tiles of ", other, " go", chance);
    case Kind::kDevice:
      return Cat(one, " and ", other, " have played from one device; ", seen, " times together");
    case Kind::kNetwork:
      return Cat(one, " and ", other, " have played from one address; ", seen, " times together");
  }
  return {};
}

void Print(const fairplay::Played& played, std::ostream& out) {
  const collusion::Report& report = played.report;
  const auto count = [](std::size_t n) { return Grouped(static_cast<std::int64_t>(n)); };
  out << "looked at " << count(report.sittings) << " sittings, " << count(report.rounds)
      << " rounds, " << count(report.players) << " players, " << count(report.pairs) << " pairs\n";
  for (const Finding& finding : report.findings) {
    out << '\n' << collusion::NameOf(finding.kind) << ": " << LineOf(finding) << '\n';
    for (const std::string& line :
         console::Wrap(Cat("rounds ", base::Join(finding.rounds, " ")), kColumns - 2, 2)) {
      out << "  " << line << '\n';
    }
  }
  if (played.unreadable > 0) {
    out << '\n'
        << Grouped(played.unreadable)
        << " rounds cannot be read: " << base::Join(played.unreadable_rounds, " ") << '\n';
  }
  out << '\n' << count(report.findings.size()) << " findings\n";
}

void PrintJson(const fairplay::Played& played, std::int64_t kept_apart, std::ostream& out) {
  const collusion::Report& report = played.report;
  for (const Finding& finding : report.findings) {
    out << Json{{"kind", collusion::NameOf(finding.kind)},
                {"one", finding.one},
                {"other", finding.other},
                {"seen", finding.seen},
                {"of", finding.of},
                {"expected_milli", finding.expected_milli},
                {"power", finding.power},
                {"rounds", finding.rounds}}
               .dump()
        << '\n';
  }
  out << Json{{"sittings", report.sittings},
              {"rounds", report.rounds},
              {"players", report.players},
              {"pairs", report.pairs},
              {"findings", report.findings.size()},
              {"unreadable", played.unreadable},
              {"kept_apart", kept_apart}}
             .dump()
      << '\n';
}

}  // namespace

int AuditCollusion(const CollusionArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto fail = [&](const absl::Status& status) {
    err << "mahjongctl: " << base::ToStd(status.message()) << '\n';
    return absl::IsInvalidArgument(status) ? kUsage : kUnavailable;
  };
  base::SystemClock clock;
  pg::Pool pool({.url = arguments.database, .application_name = "mahjongctl", .connections_max = 1},
                clock);
  const base::MonotonicTime deadline = clock.Monotonic() + kTimeLimit;
  const auto played =
      fairplay::Examine(pool, {.from = arguments.from, .to = arguments.to}, {}, deadline);
  if (!played.ok()) return fail(played.status());
  std::int64_t kept_apart = 0;
  if (arguments.keep_apart_days > 0) {
    const auto kept = fairplay::KeepApart(pool, played->report.findings,
                                          arguments.keep_apart_days * kDay, deadline);
    if (!kept.ok()) return fail(kept.status());
    kept_apart = *kept;
  }
  if (arguments.json) {
    PrintJson(*played, kept_apart, out);
    return kDone;
  }
  Print(*played, out);
  if (arguments.keep_apart_days > 0) {
    out << Grouped(kept_apart) << " pairs are kept apart in the queue for "
        << arguments.keep_apart_days << " days; each plays on with everybody else\n";
  }
  return kDone;
}

}  // namespace mj::mahjongctl
