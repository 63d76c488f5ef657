#include "tools/mahjongctl/replay_page.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/strings.h"
#include "libs/fairness/verify.h"
#include "libs/narration/words.h"
#include "libs/proof/verify.h"
#include "libs/receipt/names.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/kept_round.h"
#include "libs/wire/score_misfit.h"
#include "mahjong/scoring/v1/score.pb.h"
#include "tools/mahjongctl/page_parts.h"
#include "tools/mahjongctl/record_file.h"

namespace mj::mahjongctl {
namespace {

namespace common = ::mahjong::common::v1;
namespace scoring = ::mahjong::scoring::v1;
using base::Cat;
using narration::Sentence;
using rules::Seat;
using Json = nlohmann::ordered_json;

int Number(Seat seat) { return rules::IndexOf(seat); }

Json Both(const receipt::Words& words) { return {{"zh", words.zh}, {"en", words.en}}; }
Json Both(const Sentence& sentence) { return {{"zh", sentence.zh()}, {"en", sentence.en()}}; }
Json Both(const common::LocalizedText& text) { return {{"zh", text.zh_hans()}, {"en", text.en()}}; }

template <typename Bytes>
std::string Hex(const Bytes& bytes) {
  return base::ToHex(std::as_bytes(std::span(bytes)));
}

// ---------------------------------------------------------------------------------- the steps

// What changed with each event; the page adds it up.
class Steps {
 public:
  Steps(const record::RoundRecord& record, const Replay& replay,
        const narration::Narrator& narrator)
      : record_(record), game_(*replay.game), narrator_(narrator) {}

  void Add(const Moment& moment) {
    Json step = {{"t", ClockText(moment.time)}, {"say", Both(moment.told)}};
    const round::State& state = moment.state;
    AddHands(state, step);
    AddMelds(state, step);
    AddRiver(state);
    if (const auto actor = ActorOf(state); actor != actor_) {
      actor_ = actor;
      step["actor"] = actor ? Json(Number(*actor)) : Json();
    }
    if (state.left != left_) step["left"] = left_ = state.left;
    if (state.deal.wild != wild_) {
      wild_ = state.deal.wild;
      step["wild"] = tiles::ToText(*wild_);
    }
    for (const Seat seat : rules::kSeats) {
      if (moment.auto_play[seat] == auto_play_[seat]) continue;
      auto_play_[seat] = moment.auto_play[seat];
      step["auto"][std::to_string(Number(seat))] = moment.auto_play[seat];
    }
    if (const auto* event = std::get_if<round::Event>(&record_.events[moment.event].what)) {
      if (const auto* asked = std::get_if<round::Asked>(event)) AddAsks(*asked, step);
      if (const auto* answered = std::get_if<round::Answered>(event)) AddAnswer(*answered, step);
      if (const auto* won = std::get_if<round::Won>(event)) {
        for (const rules::Win& win : won->wins) step["won"].push_back(Number(win.seat));
      }
    }
    steps_.push_back(std::move(step));
  }

  Json Taken() { return std::move(steps_); }
  // Every tile that was thrown: by whom, with which step, and with which it was called.
  Json River() { return std::move(river_); }

 private:
  void AddHands(const round::State& state, Json& step) {
    for (const Seat seat : rules::kSeats) {
      const ShownHand hand = HandOf(state, seat);
      Json shown = {tiles::ToText(hand.resting), hand.drawn ? tiles::ToText(*hand.drawn) : ""};
      if (shown == hands_[seat]) continue;
      hands_[seat] = shown;
      step["hands"][std::to_string(Number(seat))] = std::move(shown);
    }
  }

  void AddMelds(const round::State& state, Json& step) {
    for (const Seat seat : rules::kSeats) {
      Json melds = Json::array();
      for (const rules::CalledMeld& called : state.seats[seat].hand.melds) {
        Json meld = Both(receipt::WordsForMeld(game_, called.meld.kind));
        meld["tiles"] = tiles::ToText(called.meld);
        if (called.from) meld["from"] = Number(*called.from);
        melds.push_back(std::move(meld));
      }
      if (melds.size() == melds_[seat].size() && (melds.empty() || melds == melds_[seat])) continue;
      melds_[seat] = melds;
      step["melds"][std::to_string(Number(seat))] = std::move(melds);
    }
  }

  void AddRiver(const round::State& state) {
    const std::size_t at = steps_.size();
    for (std::size_t i = 0; i < state.river.size(); ++i) {
      const round::Thrown& thrown = state.river[i];
      if (i == river_.size()) {
        river_.push_back({Number(thrown.seat), tiles::ToText(thrown.tile), at, nullptr});
      }
      if (thrown.taken_by && river_[i][3].is_null()) river_[i][3] = at;
    }
  }

  void AddAsks(const round::Asked& asked, Json& step) {
    for (const Seat seat : rules::kSeats) {
      if (!asked.asks[seat]) continue;
      Json ask = {{"seat", Number(seat)}, {"id", asked.asks[seat]->decision}};
      ask["choices"] = Json::array();
      std::string discards;
      round::ForEachChoice(asked.asks[seat]->offer, [&](const round::Choice& choice) {
        if (choice.kind == round::ChoiceKind::kDiscard) {
          discards += tiles::ToText(choice.tile);
        } else {
          Json one = Both(narrator_.Tell(choice));
          one["key"] = round::ToText(choice);
          ask["choices"].push_back(std::move(one));
        }
      });
      if (!discards.empty()) ask["discards"] = discards;
      step["asks"].push_back(std::move(ask));
    }
  }

  void AddAnswer(const round::Answered& answered, Json& step) {
    Json answer = Both(narrator_.Tell(answered.choice));
    answer["seat"] = Number(answered.seat);
    answer["id"] = answered.decision;
    answer["key"] = round::ToText(answered.choice);
    if (answered.by != round::AnswerBy::kPlayer) {
      answer["by"] = Both(narration::WordsFor(answered.by));
    }
    step["answer"] = std::move(answer);
  }

  const record::RoundRecord& record_;
  const rules::Variant& game_;
  const narration::Narrator& narrator_;
  Json steps_ = Json::array();
  Json river_ = Json::array();
  rules::PerSeat<Json> hands_;
  rules::PerSeat<Json> melds_;
  rules::PerSeat<bool> auto_play_;
  std::optional<Seat> actor_;
  std::optional<tiles::Tile> wild_;
  int left_ = -1;
};

// ---------------------------------------------------------------------------------- the result

Json RuleOf(const rules::Variant& game, const std::string& id) {
  const auto name = receipt::NameOf(game, id);
  return {{"id", id}, {"zh", name ? name->zh : ""}, {"en", name ? name->en : ""}};
}

Json PatternsOf(const scoring::WinScore& win) {
  Json patterns = Json::array();
  for (const scoring::PatternHit& hit : win.patterns()) {
    Json pattern = Both(hit.name());
    pattern["id"] = hit.id();
    pattern["value"] =
        Cat(hit.unit() == scoring::PATTERN_UNIT_FAN ? "+" : "×", std::to_string(hit.value()));
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

Json WinsOf(const round::Wins& wins, const rules::Variant& game, const scoring::RoundScore& score) {
  Json all = Json::array();
  for (std::size_t i = 0; i < wins.size(); ++i) {
    const rules::Win& win = wins[i];
    Json one = {{"seat", Number(win.seat)},
                {"hand", tiles::ToText(win.hand.concealed)},
                {"tile", tiles::ToText(win.tile)},
                {"melds", Json::array()},
                {"titles", Json::array()}};
    for (const rules::CalledMeld& called : win.hand.melds) {
      Json meld = Both(receipt::WordsForMeld(game, called.meld.kind));
      meld["tiles"] = tiles::ToText(called.meld);
      one["melds"].push_back(std::move(meld));
    }
    if (static_cast<int>(i) < score.wins_size()) {
      const scoring::WinScore& scored = score.wins(static_cast<int>(i));
      for (const common::LocalizedText& title : scored.titles()) {
        one["titles"].push_back(Both(title));
      }
      one["patterns"] = PatternsOf(scored);
      if (scored.has_fan()) one["fan"] = scored.fan();
      if (scored.has_multiplier()) one["multiplier"] = scored.multiplier();
    }
    all.push_back(std::move(one));
  }
  return all;
}

Json SeatsOf(const rules::PerSeat<record::SeatPosted>& seats) {
  Json all = Json::array();
  for (const record::SeatPosted& seat : seats) {
    all.push_back({{"net", seat.net}, {"rake", seat.rake}, {"balance", seat.balance}});
  }
  return all;
}

void AddReceipt(const record::Settled& settled, const rules::Variant& game,
                const scoring::RoundScore& score, Json& result) {
  for (const scoring::ReceiptLine& line : score.receipt().lines()) {
    Json one = Both(line.text());
    one["to"] = line.to_seat();
    one["from"] = Json::array();
    for (const std::uint32_t from : line.from_seats()) one["from"].push_back(from);
    one["coins"] = line.coins();
    one["arithmetic"] = line.arithmetic();
    one["rules"] = Json::array();
    for (const std::string& id : line.rule_ids()) one["rules"].push_back(RuleOf(game, id));
    result["lines"].push_back(std::move(one));
  }
  for (const record::SeatTransfer& transfer : settled.scored.transfers) {
    result["transfers"].push_back({{"from", Number(transfer.from)},
                                   {"to", Number(transfer.to)},
                                   {"coins", transfer.coins},
                                   {"rule", RuleOf(game, transfer.rule)}});
  }
  result["seats"] = SeatsOf(settled.posted.seats);
  for (const record::Shortfall& shortfall : settled.posted.shortfalls) {
    result["shortfalls"].push_back({{"from", Number(shortfall.from)},
                                    {"to", Number(shortfall.to)},
                                    {"coins", shortfall.coins}});
  }
  result["journal_id"] = settled.posted.journal_id;
}

Json ResultOf(const record::RoundRecord& record, const Replay& replay) {
  Json result = Json::object();
  for (const Sentence& sentence : OutcomeOf(record)) result["says"].push_back(Both(sentence));
  if (const auto* settled = std::get_if<record::Settled>(&record.end)) {
    scoring::RoundScore score;
    if (!score.ParseFromString(settled->scored.score)) score.Clear();
    if (!replay.moments.empty()) {
      const round::State& state = replay.moments.back().state;
      result["wins"] = WinsOf(state.wins, *replay.game, score);
      if (!state.horses.empty()) {
        std::string horses;
        for (const tiles::Tile horse : state.horses) horses += tiles::ToText(horse);
        result["horses"] = horses;
      }
    }
    AddReceipt(*settled, *replay.game, score, result);
    return result;
  }
  const record::RoundVoided& voided = std::get<record::Voided>(record.end).voided;
  if (voided.penalty) {
    result["seats"] = SeatsOf(voided.penalty->seats);
    result["journal_id"] = voided.penalty->journal_id;
  }
  return result;
}

// ------------------------------------------------------------------------------- what is proved

Json ProofOf(const record::RoundRecord& record) {
  const proof::Report report = proof::Verify(record, wire::ScoreMisfit);
  Json proof = {{"fits", report.fits()}, {"claims", Json::array()}};
  for (const proof::Statement& each : report.statements) {
    proof["claims"].push_back(
        {{"claim", proof::NameOf(each.claim)},
         {"verdict", base::ToLowerAscii(proof::NameOf(each.verdict))},
         {"text", each.where.empty() ? each.text : Cat(each.where, ": ", each.text)}});
  }
  proof["not_proved"] = report.not_provable;
  return proof;
}

Json DealOf(const record::RoundRecord& record) {
  Json deal = {{"seed_hash", Hex(record.seed_hash)}, {"seed", Hex(record.seed)}};
  for (const record::Nonce& nonce : record.nonces) {
    deal["nonces"].push_back(
        {{"hash", nonce.record.commitment ? Hex(*nonce.record.commitment) : ""},
         {"nonce", nonce.record.reveal ? Hex(*nonce.record.reveal) : ""},
         {"outcome", wire::WordOf(nonce.outcome)}});
  }
  return deal;
}

Json PageJson(const record::RoundRecord& record, const Replay& replay) {
  const rules::VariantInfo& info = replay.game->info();
  const rules::PerSeat<std::string> names = NamesOf(record);
  Json page = {{"game", {{"zh", info.name_zh}, {"en", info.name_en}}},
               {"base_word", {{"zh", info.base_zh}, {"en", "base"}}},
               {"round_id", record.round_id},
               {"table_id", record.table_id},
               {"number", record.number},
               {"base", record.base},
               {"currency", record.currency == record::Currency::kCoin ? "COIN" : "PRACTICE"},
               {"rulebook", record.rulebook_version},
               {"options", record.options},
               {"began", Cat(DateText(record.began_at), " UTC")},
               {"dealer", Number(record.dealer)}};
  for (const Seat seat : rules::kSeats) {
    page["players"].push_back(
        {{"id", record.players[seat]}, {"name", names[seat].substr(names[seat].find(' ') + 1)}});
    if (record.seat_winds) page["winds"].push_back(tiles::ToText((*record.seat_winds)[seat]));
  }
  if (record.round_wind) page["round_wind"] = tiles::ToText(*record.round_wind);
  if (record.dice) page["dice"] = {record.dice->first, record.dice->second};
  const narration::Narrator narrator(*replay.game, names);
  Steps steps(record, replay, narrator);
  for (const Moment& moment : replay.moments) steps.Add(moment);
  page["steps"] = steps.Taken();
  page["river"] = steps.River();
  if (replay.misfit) page["misfit"] = Cat(replay.misfit->where, ": ", replay.misfit->text);
  page["result"] = ResultOf(record, replay);
  page["proof"] = ProofOf(record);
  page["deal"] = DealOf(record);
  return page;
}

// JSON that can stand in a page: nothing in it ends the script, or begins anything.
std::string Embedded(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<' || c == '>' || c == '&') {
      out += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
    } else {
      out += c;
    }
  }
  return out;
}

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// `page` with each {{NAME}} replaced. Values are not looked at again.
std::string Filled(std::string_view page,
                   const std::vector<std::pair<std::string_view, std::string>>& values) {
  std::string out;
  while (!page.empty()) {
    const std::size_t begin = page.find("{{");
    out.append(page.substr(0, begin));
    if (begin == std::string_view::npos) break;
    const std::size_t end = page.find("}}", begin);
    const std::string_view name = page.substr(begin + 2, end - begin - 2);
    for (const auto& [key, value] : values) {
      if (key == name) out += value;
    }
    page.remove_prefix(end + 2);
  }
  return out;
}

}  // namespace

std::string PageOf(const record::RoundRecord& record, const Replay& replay) {
  const rules::VariantInfo& info = replay.game->info();
  return Filled(
      kPageHtml,
      {{"title", Escaped(Printable(Cat(info.name_zh, " ", info.name_en, " · ", record.round_id)))},
       {"css", std::string(kPageCss)},
       {"json", Embedded(PageJson(record, replay))},
       {"js", std::string(kPageJs)}});
}

}  // namespace mj::mahjongctl
