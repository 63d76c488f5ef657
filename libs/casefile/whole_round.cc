#include "libs/casefile/whole_round.h"

#include <span>
#include <utility>

#include "libs/casefile/expect.h"
#include "libs/round/result.h"
#include "libs/tiles/mpsz.h"

namespace mj::casefile {
namespace {

using Json = nlohmann::json;
using Chosen = rules::PerSeat<std::optional<round::Choice>>;
using rules::Seat;
using rules::Tile;

// More than any round has: every tile drawn, and four answers to every discard.
constexpr std::size_t kMostChoices = 1000;

std::vector<Tile> ReadWall(Fields& fields) {
  const std::string text = fields.NeedText("wall");
  if (auto wall = tiles::ParseTiles(text)) return *std::move(wall);
  fields.Mistake("wall", Quoted(text) + " are no tiles");
  return {};
}

Chosen ReadChosen(Fields fields) {
  Chosen chosen;
  for (const Seat seat : rules::kSeats) {
    const std::string name = std::to_string(rules::IndexOf(seat));
    const std::optional<std::string> text = fields.FindText(name);
    if (!text) continue;
    chosen[seat] = round::ParseChoice(*text);
    if (!chosen[seat]) fields.Mistake(name, Quoted(*text) + " is no choice");
  }
  fields.NoOthers();
  return chosen;
}

FormatError SetupError(round::SetupFault fault) {
  switch (fault) {
    case round::SetupFault::kNoVariant:
      return {"game", "missing"};
    case round::SetupFault::kDice:
      return {"", "dice without faces"};
    case round::SetupFault::kWinds:
      return {"seat_winds", "winds that contradict the game, or are not dealt in turn"};
    case round::SetupFault::kWall:
      return {"wall", "not exactly the tiles of this game"};
  }
  return {};
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

FormatError PlayError(const WholeRound& whole, const round::Transcript& played) {
  const round::TranscriptError& error = *played.error;
  const std::string step = "step " + std::to_string(error.step) + ": ";
  std::string path = "chosen";
  if (error.step < whole.chosen.size()) path = ElementPath(path, error.step);
  if (!error.seat) {
    return {path, step + (error.fault == round::TranscriptFault::kNotOver
                              ? "the choices are over before the round is"
                              : "the round is over before the choices are")};
  }

  const Seat seat = *error.seat;
  const std::string name = std::to_string(rules::IndexOf(seat));
  path += "." + name;
  const std::string who = step + "seat " + name + " ";
  if (error.fault == round::TranscriptFault::kNotAsked) return {path, who + "is not asked"};
  std::string offers;
  if (error.step < played.steps.size()) {
    const auto& offer = played.steps[error.step].offers[seat];
    if (offer) offers = "; offered are " + Joined(round::ToTexts(*offer));
  }
  if (error.fault == round::TranscriptFault::kChoiceMissing) {
    return {path, who + "is asked and has no choice" + offers};
  }
  const auto& choice = whole.chosen[error.step][seat];
  return {path, who + "may not " + (choice ? round::ToText(*choice) : "choose") + offers};
}

OrderedJson WriteStep(const round::Step& step) {
  OrderedJson out;
  switch (step.phase) {
    case round::StepPhase::kTurn:
      out["phase"] = "turn";
      break;
    case round::StepPhase::kDiscard:
      out["phase"] = "discard";
      break;
    case round::StepPhase::kRobbery:
      out["phase"] = "robbery";
      break;
  }
  out["seat"] = rules::IndexOf(step.seat);
  out["tile"] = step.tile ? OrderedJson(tiles::ToText(*step.tile)) : OrderedJson();
  out["left"] = step.left;
  out["offers"] = OrderedJson::object();
  for (const Seat seat : rules::kSeats) {
    const auto& offer = step.offers[seat];
    if (offer) out["offers"][std::to_string(rules::IndexOf(seat))] = round::ToTexts(*offer);
  }
  return out;
}

}  // namespace

std::variant<WholeRound, FormatError> ReadWholeRound(const nlohmann::json& document) {
  Mistakes mistakes;
  Fields fields(document, "", mistakes);
  if (mistakes.any()) return mistakes.first();

  std::string id = fields.FindText("id").value_or("");
  fields.Find("covers");
  fields.Find("expect");
  const Table table = ReadTable(fields);
  std::vector<Tile> wall = ReadWall(fields);
  std::vector<Chosen> chosen;
  if (const Json* list = fields.NeedList("chosen", kMostChoices)) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      chosen.push_back(ReadChosen(Fields((*list)[i], ElementPath("chosen", i), mistakes)));
    }
  }
  fields.NoOthers();
  if (mistakes.any()) return mistakes.first();

  auto setup = round::MakeSetup({.variant = table.variant,
                                 .options = table.options,
                                 .dealer = table.deal.dealer,
                                 .round_wind = table.deal.round_wind,
                                 .seat_winds = table.deal.seat_winds,
                                 .dice = {1, 1},
                                 .wall = std::move(wall)});
  if (const auto* fault = std::get_if<round::SetupFault>(&setup)) return SetupError(*fault);
  return WholeRound{.id = std::move(id),
                    .table = table,
                    .setup = std::get<round::Setup>(std::move(setup)),
                    .chosen = std::move(chosen)};
}

std::variant<PlayedRound, FormatError> Play(const WholeRound& whole) {
  const round::Transcript played = round::PlayTranscript(whole.setup, whole.chosen);
  if (played.error) return PlayError(whole, played);

  PlayedRound out;
  out.steps = OrderedJson::array();
  for (const round::Step& step : played.steps) out.steps.push_back(WriteStep(step));

  const auto finished = round::Finished(played.state);
  const auto next = round::NextRound(whole.setup, played.state);
  if (!finished || !next) return FormatError{"chosen", "the round came to no result"};
  const Case the_case{.id = whole.id,
                      .variant = whole.table.variant,
                      .options = whole.table.options,
                      .base = whole.table.base,
                      .round = *finished};
  auto expect = Expect(the_case);
  if (auto* error = std::get_if<FormatError>(&expect)) return std::move(*error);
  OrderedJson written = WriteCase(the_case);
  out.result["end"] = written["end"];
  written["expect"] = std::get<OrderedJson>(std::move(expect));
  out.result["case"] = std::move(written);
  out.result["next_dealer"] = rules::IndexOf(next->dealer);
  if (next->round_wind) out.result["next_round_wind"] = tiles::ToText(*next->round_wind);
  return out;
}

}  // namespace mj::casefile
