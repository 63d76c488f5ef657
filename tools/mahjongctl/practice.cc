#include "tools/mahjongctl/practice.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "libs/base/entropy.h"
#include "libs/base/files.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/narration/narrator.h"
#include "libs/player/lobby.h"
#include "libs/player/table_player.h"
#include "libs/proof/verify.h"
#include "libs/rpc/client.h"
#include "libs/variants/registry.h"
#include "libs/wire/kept_round.h"
#include "libs/wire/score_misfit.h"
#include "libs/wire/seat_events.h"
#include "tools/mahjongctl/exit_code.h"
#include "tools/mahjongctl/message_json.h"
#include "tools/mahjongctl/no_answer.h"
#include "tools/mahjongctl/practice_seat.h"
#include "tools/mahjongctl/replay_moments.h"
#include "tools/mahjongctl/seat_table.h"

namespace mj::mahjongctl {
namespace {

namespace table = ::mahjong::table::v1;
using base::Cat;
using TableStub = table::TableService::StubInterface;

// Tells the events of one seat's stream.
class Told {
 public:
  Told(TableStub& stub, const PracticeArguments& arguments, std::ostream& out)
      : stub_(stub), arguments_(arguments), out_(out) {}

  void Take(const table::TableEvent& event) {
    if (arguments_.json) out_ << JsonOf(event) << '\n' << std::flush;
    if (event.event_case() == table::TableEvent::kRoundSettled) {
      return Settle(event.round_settled().round_id());
    }
    if (!arguments_.json) Tell(event);
  }

  // Why a round's record could not be had, or does not fit.
  [[nodiscard]] const absl::Status& failure() const { return failure_; }

 private:
  // To a person.
  void Tell(const table::TableEvent& event) {
    switch (event.event_case()) {
      case table::TableEvent::kTableFormed:
        return Form(event.table_formed());
      case table::TableEvent::kRoundBegan:
        out_ << "round 第" << event.round_began().round_number() << "局 "
             << event.round_began().round_id() << '\n';
        return;
      case table::TableEvent::kRoundEnded:
        return End(event.round_ended());
      default:
        return Play(event);
    }
  }

  void Form(const table::TableFormed& formed) {
    own_ = static_cast<rules::Seat>(formed.own_seat() % rules::kSeatCount);
    const rules::Variant* const game = variants::Find(formed.table().variant());
    if (game == nullptr) return;
    out_ << "table 牌桌 " << formed.table().table_id() << '\n';
    for (const table::Seat& seat : formed.table().seats()) {
      if (seat.seat() >= rules::kSeatCount) continue;
      names_[static_cast<rules::Seat>(seat.seat())] =
          Cat(std::to_string(seat.seat()), seat.bot() ? " bot 机器人" : " you 你");
      out_ << "  " << names_[static_cast<rules::Seat>(seat.seat())] << "  " << seat.player_id()
           << '\n';
    }
    narrator_.emplace(*game, names_);
  }

  void Play(const table::TableEvent& event) {
    const auto played = wire::PlayedFromProto(event);
    if (!played.ok() || !*played || !narrator_) return;
    // What it may do and does is told by what comes of it.
    if (std::holds_alternative<round::YouAreAsked>((*played)->event) ||
        std::holds_alternative<round::YouAnswered>((*played)->event)) {
      return;
    }
    out_ << "  " << narrator_->Tell((*played)->event, own_).both() << '\n' << std::flush;
  }

  void End(const table::RoundEnded& ended) {
    if (!narrator_) return;
    const auto lines = TellEnd(*narrator_, ended);
    if (!lines) return;
    for (const narration::Sentence& line : *lines) out_ << "  " << line.both() << '\n';
  }

  void Settle(const std::string& round) {
    const absl::Status status = Verify(round);
    if (!status.ok()) failure_ = status;
  }

  absl::Status Verify(const std::string& round) {
    table::GetRoundRecordRequest request;
    request.set_round_id(round);
    MJ_ASSIGN_OR_RETURN(const table::GetRoundRecordResponse response,
                        rpc::Invoke(stub_, &TableStub::GetRoundRecord, request,
                                    {.timeout = player::kCallTimeout, .request_id = {}}));
    std::string file;
    if (!arguments_.records.empty()) {
      file = std::filesystem::path(arguments_.records) / Cat(round, ".mjr");
      MJ_RETURN_IF_ERROR(base::WriteFileAtomically(file, response.record()));
    }
    MJ_ASSIGN_OR_RETURN(const record::RoundRecord record,
                        wire::ParseRoundRecord(response.record()));
    const proof::Report report = proof::Verify(record, wire::ScoreMisfit);
    if (arguments_.json) {
      const nlohmann::ordered_json line = {
          {"round_id", round},
          {"record", file.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(file)},
          {"fits", report.fits()}};
      out_ << line.dump() << '\n' << std::flush;
    } else {
      for (const narration::Sentence& sentence : OutcomeOf(record, names_)) {
        out_ << "  " << sentence.both() << '\n';
      }
      out_ << "  record " << (report.fits() ? "verified 核对无误" : "DOES NOT FIT 不符") << '\n'
           << std::flush;
    }
    return report.fits() ? absl::OkStatus()
                         : absl::DataLossError(base::ToAbsl(Cat("round ", round, " does not fit")));
  }

  TableStub& stub_;
  const PracticeArguments& arguments_;
  std::ostream& out_;
  rules::Seat own_ = rules::Seat::k0;
  rules::PerSeat<std::string> names_;
  std::optional<narration::Narrator> narrator_;
  absl::Status failure_;
};

absl::Status Play(const PracticeArguments& arguments, std::ostream& out) {
  if (!arguments.records.empty()) {
    std::error_code error;
    std::filesystem::create_directories(arguments.records, error);
    if (error) {
      return absl::FailedPreconditionError(
          base::ToAbsl(Cat(arguments.records, ": ", error.message())));
    }
  }
  MJ_ASSIGN_OR_RETURN(
      const PracticeSeat seat,
      TakePracticeSeat(arguments.addresses, arguments.variant, arguments.base, arguments.bots));
  base::SystemEntropy entropy;
  Told told(*seat.tables, arguments, out);
  player::Halt halt;
  MJ_RETURN_IF_ERROR(player::PlayAtTable(
      *seat.tables,
      {.table_id = seat.table_id,
       .player_id = seat.player_id,
       .join_token = seat.join_token,
       .rounds = arguments.rounds,
       .base = arguments.base,
       .entropy = &entropy},
      [&told](const table::TableEvent& event) { told.Take(event); }, halt));
  return told.failure();
}

}  // namespace

int Practise(const PracticeArguments& arguments, std::ostream& out, std::ostream& err) {
  const absl::Status played = Play(arguments, out);
  if (played.ok()) return kDone;
  const auto carried = base::CarriedBy(played);
  err << "mahjongctl: practice: " << (carried ? carried->reason + ": " : "")
      << base::ToStd(played.message()) << '\n';
  return IsNoAnswer(played) ? kUnavailable : kFailed;
}

}  // namespace mj::mahjongctl
