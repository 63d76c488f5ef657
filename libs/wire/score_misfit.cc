#include "libs/wire/score_misfit.h"

#include <google/protobuf/util/message_differencer.h>

#include <cstddef>
#include <limits>

#include "libs/base/strings.h"
#include "libs/wire/flat_writer.h"
#include "libs/wire/score_writer.h"
#include "mahjong/scoring/v1/score.pb.h"

namespace mj::wire {
namespace {

using google::protobuf::util::MessageDifferencer;
using Score = ::mahjong::scoring::v1::RoundScore;

bool Parse(std::string_view bytes, Score& score) {
  return bytes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()) &&
         score.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

std::optional<std::string> ScoreMisfit(std::string_view answer, const proof::Recomputed& now) {
  FlatWriter out;
  WriteRound(now.game, now.rulebook_version, now.round, now.priced, out);
  if (out.bytes() == answer) return std::nullopt;
  Score recorded;
  Score recomputed;
  if (!Parse(answer, recorded) || !Parse(out.bytes(), recomputed)) {
    return "no answer of a scoring service";
  }
  std::string differences;
  MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&differences);
  if (differencer.Compare(recorded, recomputed)) return "not written as a scoring service does";
  return base::Cat("recorded -> recomputed: ", differences.substr(0, differences.find('\n')));
}

}  // namespace mj::wire
