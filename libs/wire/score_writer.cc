#include "libs/wire/score_writer.h"

#include <cstddef>

#include "libs/receipt/arithmetic.h"
#include "libs/receipt/counted.h"
#include "libs/receipt/names.h"
#include "libs/wire/fields.h"
#include "mahjong/common/v1/common.pb.h"
#include "mahjong/scoring/v1/score.pb.h"

namespace mj::wire {
namespace {

namespace proto = ::mahjong::scoring::v1;
namespace common = ::mahjong::common::v1;

// Lengths of more than 127 bytes take two; most of these are.
constexpr std::size_t kLong = 2;

void WriteText(int field, std::string_view zh, std::string_view en, FlatWriter& out) {
  using Text = common::LocalizedText;
  const std::size_t size = FlatWriter::TextSize(Text::kZhHansFieldNumber, zh) +
                           FlatWriter::TextSize(Text::kEnFieldNumber, en);
  const auto texts = [&] {
    out.Text(Text::kZhHansFieldNumber, zh);
    out.Text(Text::kEnFieldNumber, en);
  };
  out.Message(field, texts, FlatWriter::VarintSize(size));
}

void WriteLine(const receipt::Line& line, FlatWriter& out) {
  using Line = proto::ReceiptLine;
  out.Number(Line::kToSeatFieldNumber, Number(line.to));
  out.Message(Line::kFromSeatsFieldNumber, [&] {
    for (const rules::Seat from : line.from) out.Packed(Number(from));
  });
  out.Number(Line::kCoinsFieldNumber, line.coins.value());
  for (const rules::RuleId id : line.rules) out.Element(Line::kRuleIdsFieldNumber, id);
  out.Text(Line::kArithmeticFieldNumber, line.arithmetic());
  WriteText(Line::kTextFieldNumber, line.text_zh(), line.text_en(), out);
}

}  // namespace

proto::PatternUnit ToProto(rules::PatternRole role) {
  switch (role) {
    case rules::PatternRole::kFan:
      return proto::PATTERN_UNIT_FAN;
    case rules::PatternRole::kMultiplier:
      return proto::PATTERN_UNIT_MULTIPLIER;
    case rules::PatternRole::kPoints:
      return proto::PATTERN_UNIT_POINTS;
  }
  return proto::PATTERN_UNIT_UNSPECIFIED;
}

void WritePatterns(const rules::Variant& game, const rules::WinQuestion& question,
                   const rules::Worth& worth, const rules::Reading& reading, int field,
                   FlatWriter& out) {
  receipt::ForEachCounted(game, worth, [&](const rules::Pattern& pattern) {
    using Hit = proto::PatternHit;
    const int times = receipt::TimesOf(pattern, question, reading);
    out.Message(field, [&] {
      out.Text(Hit::kIdFieldNumber, pattern.id);
      WriteText(Hit::kNameFieldNumber, pattern.name_zh, pattern.name_en, out);
      out.Number(Hit::kValueFieldNumber, pattern.value * times);
      out.Number(Hit::kUnitFieldNumber, ToProto(pattern.role));
      out.Number(Hit::kCountFieldNumber, times);
    });
  });
}

void WriteWin(const rules::Variant& game, const rules::WinQuestion& question,
              const rules::Judgement& judgement, FlatWriter& out) {
  using Win = proto::WinScore;
  const rules::Win& win = *question.win;
  const rules::VariantInfo& info = game.info();
  const rules::Worth& worth = judgement.worth;
  out.Number(Win::kSeatFieldNumber, Number(win.seat));
  out.Number(Win::kLegalFieldNumber, judgement.legal() ? 1 : 0);
  if (worth.no_win) {
    out.Text(Win::kReasonFieldNumber, receipt::WordFor(*worth.no_win));
    const receipt::Words words = receipt::WordsFor(*worth.no_win);
    WriteText(Win::kReasonTextFieldNumber, words.zh, words.en, out);
    return;
  }
  WritePatterns(game, question, worth, judgement.reading, Win::kPatternsFieldNumber, out);
  if (info.counts_fan) out.Present(Win::kFanFieldNumber, worth.fan);
  if (info.counts_multiplier) out.Present(Win::kMultiplierFieldNumber, worth.multiplier);
  if (info.counts_horses) out.Present(Win::kHorsesHitFieldNumber, worth.horses_hit);
  out.Text(Win::kShapeFieldNumber, receipt::WordFor(judgement.reading.shape));
  for (const receipt::Words& title : receipt::TitlesOf(game, win, question.deal->dealer, worth)) {
    WriteText(Win::kTitlesFieldNumber, title.zh, title.en, out);
  }
}

void WriteReceipt(const std::vector<receipt::Line>& lines, FlatWriter& out) {
  for (const receipt::Line& line : lines) {
    out.Message(proto::Receipt::kLinesFieldNumber, [&] { WriteLine(line, out); }, kLong);
  }
}

void WriteRound(const rules::Variant& game, std::string_view rulebook_version,
                const rules::FinishedRound& round, const receipt::PricedRound& priced,
                FlatWriter& out) {
  using Score = proto::RoundScore;
  out.Text(Score::kRulebookVersionFieldNumber, rulebook_version);
  for (std::size_t i = 0; i < priced.score.wins.size(); ++i) {
    const rules::WinQuestion question{.win = &round.wins[i], .deal = &round.deal};
    const auto win = [&] { WriteWin(game, question, priced.score.wins[i], out); };
    out.Message(Score::kWinsFieldNumber, win, kLong);
  }
  for (const receipt::CoinTransfer& transfer : priced.transfers) {
    out.Message(Score::kTransfersFieldNumber, [&] {
      using Transfer = common::Transfer;
      out.Number(Transfer::kFromSeatFieldNumber, Number(transfer.from));
      out.Number(Transfer::kToSeatFieldNumber, Number(transfer.to));
      out.Number(Transfer::kCoinsFieldNumber, transfer.coins.value());
      out.Text(Transfer::kRuleIdFieldNumber, transfer.rule);
    });
  }
  out.Message(Score::kNetFieldNumber, [&] {
    for (const ledger::Coins net : priced.net) out.Packed(net.value());
  });
  const auto receipt = [&] { WriteReceipt(priced.lines, out); };
  out.Message(Score::kReceiptFieldNumber, receipt, kLong);
}

}  // namespace mj::wire
