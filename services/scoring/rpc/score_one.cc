#include "services/scoring/rpc/score_one.h"

#include <map>
#include <string>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/wire/finished_round.h"
#include "libs/wire/flat_reader.h"
#include "libs/wire/flat_round.h"
#include "libs/wire/flat_writer.h"
#include "libs/wire/score_writer.h"
#include "mahjong/scoring/v1/scoring_service.pb.h"
#include "services/scoring/app/scoring.h"
#include "services/scoring/rpc/requests.h"

namespace mj::scoring::rpc {
namespace {

namespace proto = ::mahjong::scoring::v1;
using base::InField;
using Request = proto::ScoreRoundRequest;

void Write(const Game& game, const rules::FinishedRound& round, const receipt::PricedRound& priced,
           int field, wire::FlatWriter& out) {
  constexpr std::size_t kLengthBytes = 2;
  out.Message(
      field, [&] { wire::WriteRound(*game.variant, game.rulebook_version, round, priced, out); },
      kLengthBytes);
}

struct FlatRequest {
  wire::FlatRound round;
  std::string_view rulebook_version;
};

// False for a request that is not plainly as it should be. REQUIRES: `request` is empty.
bool ReadFlat(std::string_view bytes, FlatRequest& request) {
  wire::FlatReader from(bytes);
  bool has_round = false;
  while (from.Next()) {
    if (from.is_number()) return false;
    if (from.field() == Request::kRoundFieldNumber && !has_round) {
      has_round = wire::ReadFlatRound(from.bytes(), request.round);
      if (!has_round) return false;
    } else if (from.field() == Request::kRulebookVersionFieldNumber &&
               request.rulebook_version.empty()) {
      request.rulebook_version = from.bytes();
    } else {
      return false;
    }
  }
  return from.done() && has_round;
}

// The short way, for nearly all; false when the long one has to tell what is wrong.
bool ScoreFlat(std::string_view bytes, int field, wire::FlatWriter& out) {
  FlatRequest request;
  if (!ReadFlat(bytes, request)) return false;
  const wire::FlatRound& flat = request.round;
  std::map<std::string, std::string> options;
  for (const auto& [name, value] : flat.options) options.insert_or_assign(std::string(name), value);
  const absl::StatusOr<Game> game = FindGame(flat.variant, options, request.rulebook_version);
  if (!game.ok()) return false;
  const auto priced = ScoreRound(*game, flat.base, flat.round);
  if (!priced.ok()) return false;
  Write(*game, flat.round, *priced, field, out);
  return true;
}

}  // namespace

absl::Status ScoreOne(std::string_view bytes, int field, wire::FlatWriter& out) {
  if (ScoreFlat(bytes, field, out)) return absl::OkStatus();
  Request request;
  if (!request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return base::Error(base::Reason::kBadText, "the request is no ScoreRoundRequest");
  }
  if (!request.has_round()) return Missing("round");
  const absl::StatusOr<Game> game =
      GameOf(request.round().variant(), request.round().options(), request.rulebook_version());
  if (!game.ok()) {
    const bool of_version = base::HasReason(game.status(), base::Reason::kRulebookVersionUnknown);
    return of_version ? game.status() : InField("round", game.status());
  }
  const absl::StatusOr<rules::FinishedRound> round = wire::FromProto(request.round());
  if (!round.ok()) return InField("round", round.status());
  const auto priced = ScoreRound(*game, request.round().base(), *round);
  if (!priced.ok()) return InField("round", priced.status());
  Write(*game, *round, *priced, field, out);
  return absl::OkStatus();
}

}  // namespace mj::scoring::rpc
