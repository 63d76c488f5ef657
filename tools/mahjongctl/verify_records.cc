#include "tools/mahjongctl/verify_records.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "libs/base/strings.h"
#include "libs/console/text.h"
#include "libs/proof/follows.h"
#include "libs/proof/verify.h"
#include "libs/wire/score_misfit.h"
#include "tools/mahjongctl/exit_code.h"
#include "tools/mahjongctl/input.h"
#include "tools/mahjongctl/record_file.h"

namespace mj::mahjongctl {
namespace {

using base::Cat;

constexpr int kColumns = 100;
constexpr int kClaimWidth = 14;
constexpr std::string_view kFileClaim = "record";
constexpr std::string_view kFollowsClaim = "round before";

// One line of a report: the file's own claim besides those of the proof.
struct Line {
  std::string_view claim;
  std::string_view verdict;
  std::string text;
};

struct Checked {
  std::string name;
  RecordFile file;
  std::optional<proof::Report> report;  // none where the file cannot be read as a record
  // Where the round before was given too: whether dealer and winds follow from it.
  std::optional<Line> follows;

  bool fits_alone() const { return file.good() && report->fits(); }
  bool fits() const {
    return fits_alone() && (!follows || follows->verdict == NameOf(proof::Verdict::kProved));
  }
};

Checked Check(const std::string& name, std::string_view bytes) {
  Checked checked{name, OpenRecord(bytes), std::nullopt, std::nullopt};
  if (checked.file.record) checked.report = proof::Verify(*checked.file.record, wire::ScoreMisfit);
  return checked;
}

// Holds the dealer of each round to the round before it, where that was given and fits.
void CheckFollowing(std::vector<Checked>& all) {
  for (Checked& each : all) {
    if (!each.fits_alone()) continue;
    for (const Checked& other : all) {
      if (!other.fits_alone() || !proof::IsBefore(*other.file.record, *each.file.record)) continue;
      const auto misfit = proof::Follows(*other.file.record, *each.file.record);
      each.follows = misfit ? Line{kFollowsClaim, NameOf(proof::Verdict::kRefuted),
                                   Cat(misfit->where, ": ", misfit->text)}
                            : Line{kFollowsClaim, NameOf(proof::Verdict::kProved),
                                   Cat("dealer and winds follow from ", other.name)};
      std::erase(each.report->not_provable, proof::kFollowsUnproved);
      break;
    }
  }
}

std::vector<Line> LinesOf(const Checked& checked) {
  const bool good = checked.file.good();
  std::vector<Line> lines;
  lines.push_back({kFileClaim, NameOf(good ? proof::Verdict::kProved : proof::Verdict::kRefuted),
                   good
                       ? Cat(std::to_string(checked.file.bytes), " bytes that hash to their digest")
                       : checked.file.misfit});
  if (!checked.report) return lines;
  for (const proof::Statement& each : checked.report->statements) {
    lines.push_back({NameOf(each.claim), NameOf(each.verdict),
                     each.where.empty() ? each.text : Cat(each.where, ": ", each.text)});
  }
  if (checked.follows) lines.push_back(*checked.follows);
  return lines;
}

void PrintLine(std::string_view claim, std::string_view text, std::ostream& out) {
  const std::string lead = "  " + console::PadRight(claim, kClaimWidth);
  bool first = true;
  for (const std::string& line : console::Wrap(Printable(text), kColumns - kClaimWidth - 2, 0)) {
    out << (std::exchange(first, false) ? lead : std::string(lead.size(), ' ')) << line << '\n';
  }
}

void PrintBlock(const Checked& checked, std::ostream& out) {
  out << Printable(checked.name) << ": " << (checked.fits() ? "fits" : "DOES NOT FIT") << '\n';
  for (const Line& line : LinesOf(checked)) {
    const bool plain = line.verdict == NameOf(proof::Verdict::kProved);
    std::string text(plain ? "" : line.verdict);
    if (!text.empty() && !line.text.empty()) text += ": ";
    PrintLine(line.claim, text + line.text, out);
  }
  bool first = true;
  if (!checked.report) return;
  for (const std::string& each : checked.report->not_provable) {
    PrintLine(std::exchange(first, false) ? "not proved" : "", "- " + each, out);
  }
}

void PrintBrief(const Checked& checked, std::ostream& out) {
  out << Printable(checked.name) << ": " << (checked.fits() ? "fits" : "DOES NOT FIT");
  for (const Line& line : LinesOf(checked)) {
    if (line.verdict != NameOf(proof::Verdict::kRefuted)) continue;
    out << "; " << line.claim << ": " << Printable(line.text);
  }
  out << '\n';
}

void PrintJson(const Checked& checked, std::ostream& out) {
  nlohmann::ordered_json json;
  json["file"] = checked.name;
  if (checked.file.record) json["round_id"] = checked.file.record->round_id;
  json["fits"] = checked.fits();
  json["claims"] = nlohmann::ordered_json::array();
  for (const Line& line : LinesOf(checked)) {
    json["claims"].push_back({{"claim", line.claim},
                              {"verdict", base::ToLowerAscii(line.verdict)},
                              {"text", line.text}});
  }
  if (checked.report) json["not_proved"] = checked.report->not_provable;
  // ASCII alone, since a record may hold control characters, and half of one: that is U+FFFD.
  out << json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) << '\n';
}

}  // namespace

int VerifyRecords(const VerifyArguments& arguments, std::ostream& out, std::ostream& err) {
  std::vector<Checked> all;
  for (const std::string& name : arguments.files) {
    const std::optional<std::string> bytes = ReadInput(name);
    if (bytes) {
      all.push_back(Check(name, *bytes));
    } else {
      err << "mahjongctl: " << name << ": " << std::strerror(errno) << '\n';
    }
  }
  CheckFollowing(all);
  for (const Checked& checked : all) {
    if (arguments.json) {
      PrintJson(checked, out);
    } else if (arguments.brief) {
      PrintBrief(checked, out);
    } else {
      PrintBlock(checked, out);
    }
  }
  const auto fit = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const Checked& each) { return each.fits(); }));
  if (!arguments.json && arguments.files.size() > 1) {
    out << fit << " of " << arguments.files.size() << " records fit\n";
  }
  if (all.size() < arguments.files.size()) return kNoInput;
  return fit == all.size() ? kDone : kFailed;
}

}  // namespace mj::mahjongctl
