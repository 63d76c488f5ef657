#include "tools/mahjongctl/audit_books.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "libs/audit/day.h"
#include "libs/audit/finding.h"
#include "libs/audit/signing.h"
#include "libs/base/clock.h"
#include "libs/base/entropy.h"
#include "libs/base/files.h"
#include "libs/base/strings.h"
#include "libs/books/audit.h"
#include "libs/books/days.h"
#include "libs/books/statement.h"
#include "libs/console/text.h"
#include "libs/pg/pool.h"
#include "tools/mahjongctl/exit_code.h"
#include "tools/mahjongctl/input.h"
#include "tools/mahjongctl/no_answer.h"

namespace mj::mahjongctl {
namespace {

// An audit reads everything there is.
constexpr std::chrono::hours kTimeLimit{12};

// A new file that nobody else may read. An old one stays as it is: a key that is overwritten is lost.
bool WriteSecret(const std::string& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return false;
  const ssize_t written = write(file, text.data(), text.size());
  const bool synced = fsync(file) == 0;
  const bool closed = close(file) == 0;
  return written == static_cast<ssize_t>(text.size()) && synced && closed;
}

class Auditor {
 public:
  Auditor(const AuditArguments& arguments, std::ostream& out, std::ostream& err)
      : arguments_(arguments), out_(out), err_(err) {}

  int Do() {
    if (!arguments_.new_key.empty()) return NewKey();
    if (!arguments_.proof.empty()) return CheckProof();
    if (arguments_.database.empty()) return Wrong(kUsage, "--database is required");
    if (!arguments_.seal.empty()) return Seal();
    if (!arguments_.prove.empty()) return Prove();
    if (!arguments_.statement.empty()) return Statement();
    return Audit();
  }

 private:
  int Wrong(int code, std::string_view why) {
    err_ << "mahjongctl: " << why << '\n';
    return code;
  }
  int Wrong(const absl::Status& status) {
    const bool asked = absl::IsInvalidArgument(status) || absl::IsNotFound(status) ||
                       absl::IsFailedPrecondition(status);
    if (asked) return Wrong(kFailed, base::ToStd(status.message()));
    return Wrong(kUnavailable, base::Cat(base::ToStd(status.message()), kNoAnswerCure));
  }

  // Nothing, with kNoInput told, if the file cannot be read.
  std::optional<std::string> Read(const std::string& path) {
    std::optional<std::string> text = ReadInput(path);
    if (!text) Wrong(kNoInput, base::Cat(path, ": ", std::strerror(errno)));
    return text;
  }

  std::optional<audit::PublicKey> PublicKey() {
    if (arguments_.public_key.empty()) {
      Wrong(kUsage, "--public-key is required");
      return std::nullopt;
    }
    const std::optional<std::string> text = Read(arguments_.public_key);
    if (!text) return std::nullopt;
    const auto key = audit::PublicKeyFromText(*text);
    if (!key) Wrong(kNoInput, base::Cat(arguments_.public_key, ": holds no public key"));
    return key;
  }

  // Nothing, with kNoInput told, if the file cannot be read or holds none.
  std::optional<audit::SignedDay> Exported(const std::string& path) {
    const std::optional<std::string> text = Read(path);
    if (!text) return std::nullopt;
    auto exported = audit::ReadExport(*text);
    if (!exported) Wrong(kNoInput, base::Cat(path, ": holds no exported day"));
    return exported;
  }

  int Write(const std::string& path, const std::string& text) {
    if (path.empty() || path == "-") {
      out_ << text;
      return kDone;
    }
    const absl::Status status = base::WriteFileAtomically(path, text);
    return status.ok() ? static_cast<int>(kDone) : Wrong(kNoOutput, base::ToStd(status.message()));
  }

  int NewKey() {
    std::array<std::byte, audit::SigningKey::kSeedBytes> seed;
    base::SystemEntropy().Fill(seed);
    const auto key =
        audit::SigningKey::FromSeed({reinterpret_cast<const char*>(seed.data()), seed.size()});
    if (!WriteSecret(arguments_.new_key, key->ToText())) {
      return Wrong(kNoOutput, base::Cat(arguments_.new_key, ": ", std::strerror(errno)));
    }
    const std::string public_path = base::Cat(arguments_.new_key, ".pub");
    const int told = Write(public_path, audit::ToText(key->Public()));
    if (told == kDone) {
      out_ << "key: " << arguments_.new_key << "\npublic key: " << public_path << '\n';
    }
    return told;
  }

  int CheckProof() {
    const auto key = PublicKey();
    if (!key) return arguments_.public_key.empty() ? kUsage : kNoInput;
    const std::optional<std::string> text = Read(arguments_.proof);
    if (!text) return kNoInput;
    const auto proof = audit::ReadProof(*text);
    if (!proof) return Wrong(kNoInput, base::Cat(arguments_.proof, ": holds no proof"));
    switch (audit::Check(*proof, *key)) {
      case audit::ProofFault::kSignature:
        out_ << "NOT PROVED: the day was not signed with this key\n";
        return kFailed;
      case audit::ProofFault::kPath:
        out_ << "NOT PROVED: the row is not in the day that was signed\n";
        return kFailed;
      case audit::ProofFault::kNone:
        break;
    }
    out_ << "proved: this row was in the ledger of " << proof->day.day.day
         << " when that day was signed\n\n"
         << proof->row;
    return kDone;
  }

  pg::Pool& Pool() {
    if (!pool_) {
      pool_.emplace(
          pg::PoolOptions{
              .url = arguments_.database, .application_name = "mahjongctl", .connections_max = 1},
          clock_);
    }
    return *pool_;
  }
  base::MonotonicTime Deadline() { return clock_.Monotonic() + kTimeLimit; }

  int Seal() {
    if (arguments_.key.empty()) return Wrong(kUsage, "--key is required");
    const std::optional<std::string> text = Read(arguments_.key);
    if (!text) return kNoInput;
    const auto key = audit::SigningKey::FromText(*text);
    if (!key) return Wrong(kNoInput, base::Cat(arguments_.key, ": holds no key"));
    const auto day = books::SealDay(Pool(), arguments_.seal, Deadline());
    if (!day.ok()) return Wrong(day.status());
    return Write(arguments_.out, audit::Export(*day, *key));
  }

  int Prove() {
    const auto journal_no = base::ParseInt64(arguments_.prove);
    if (!journal_no) return Wrong(kUsage, "--prove takes a journal row's number");
    if (arguments_.roots.size() != 1) return Wrong(kUsage, "--prove needs one --root");
    const auto exported = Exported(arguments_.roots[0]);
    if (!exported) return kNoInput;
    const auto proof = books::Prove(Pool(), *journal_no, *exported, Deadline());
    if (!proof.ok()) return Wrong(proof.status());
    return Write(arguments_.out, audit::ToText(*proof));
  }

  int Statement() {
    std::string csv;
    const bool to_file = !arguments_.out.empty() && arguments_.out != "-";
    const absl::Status status = books::WriteStatement(
        Pool(), arguments_.statement, arguments_.currency, Deadline(), [&](std::string_view line) {
          if (to_file) {
            csv += line;
          } else {
            out_ << line;
          }
        });
    if (!status.ok()) return Wrong(status);
    return to_file ? Write(arguments_.out, csv) : static_cast<int>(kDone);
  }

  int Audit() {
    books::AuditOptions options{.from = arguments_.from, .to = arguments_.to, .exported = {}};
    if (!arguments_.roots.empty()) {
      const auto key = PublicKey();
      if (!key) return arguments_.public_key.empty() ? kUsage : kNoInput;
      for (const std::string& path : arguments_.roots) {
        const auto exported = Exported(path);
        if (!exported) return kNoInput;
        if (!audit::Signed(*exported, *key)) {
          return Wrong(kFailed, base::Cat(path, ": was not signed with this key"));
        }
        options.exported.push_back(exported->day);
      }
    }
    const auto report = books::Audit(Pool(), options, Deadline());
    if (!report.ok()) return Wrong(report.status());
    if (arguments_.json) {
      PrintJson(*report);
    } else {
      Print(*report);
    }
    return report->finding ? kFailed : kDone;
  }

  void PrintJson(const books::AuditReport& report) {
    nlohmann::ordered_json json = {
        {"right", !report.finding},
        {"journal_rows", report.rows},
        {"chains", report.chains},
        {"entries", report.entries},
        {"sealed_days", report.days},
        {"signed_days", report.roots},
        {"players", report.accounts_checked ? nlohmann::ordered_json(report.accounts)
                                            : nlohmann::ordered_json(nullptr)},
        {"player_coins", report.players},
        {"house_coins", report.house}};
    if (report.finding) json["wrong"] = audit::Describe(*report.finding);
    out_ << json.dump() << '\n';
  }

  // A number under what it counts, and what was asked of these.
  void PrintLine(std::string_view what, std::int64_t number, std::string_view asked = {}) {
    out_ << "  " << console::PadRight(what, 22) << console::PadLeft(console::Grouped(number), 20);
    if (!asked.empty()) out_ << "  " << asked;
    out_ << '\n';
  }

  void Print(const books::AuditReport& report) {
    out_ << "checked\n";
    PrintLine(
        "journal rows", report.rows,
        base::Cat("in ", std::to_string(report.chains), report.chains == 1 ? " chain" : " chains",
                  ": each row has its hash, and follows the one before"));
    PrintLine("entries", report.entries, "each row's add up to zero");
    PrintLine("sealed days", report.days, "each has the root of its rows");
    PrintLine("signed days", report.roots, "each, given by --root, is that of these books");
    if (report.accounts_checked) {
      PrintLine("players", report.accounts,
                "each balance is the sum of its entries, without a gap");
    } else if (!report.finding) {
      out_ << "  players were not checked: that needs all entries\n";
    }
    if (!report.players.empty() || !report.house.empty())
      out_ << "balances, which add up to zero\n";
    for (const auto& [currency, coins] : report.players) {
      PrintLine(base::Cat("players ", currency), coins);
    }
    for (const auto& [account, coins] : report.house) PrintLine(account, coins);
    if (report.finding) {
      out_ << "WRONG: " << audit::Describe(*report.finding) << '\n';
    } else {
      out_ << "right\n";
    }
  }

  const AuditArguments& arguments_;
  std::ostream& out_;
  std::ostream& err_;
  base::SystemClock clock_;
  std::optional<pg::Pool> pool_;
};

}  // namespace

int AuditBooks(const AuditArguments& arguments, std::ostream& out, std::ostream& err) {
  return Auditor(arguments, out, err).Do();
}

}  // namespace mj::mahjongctl
