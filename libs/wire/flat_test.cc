// Bytes written and read without messages, against protobuf's own.
#include <gtest/gtest.h>

#include <string>

#include "libs/wire/flat_reader.h"
#include "libs/wire/flat_writer.h"
#include "mahjong/scoring/v1/score.pb.h"

namespace mj::wire {
namespace {

using ::mahjong::scoring::v1::PatternHit;
using ::mahjong::scoring::v1::Receipt;
using ::mahjong::scoring::v1::ReceiptLine;
using ::mahjong::scoring::v1::RoundScore;
using ::mahjong::scoring::v1::WinScore;

std::string Bytes(const FlatWriter& out) { return std::string(out.bytes()); }

TEST(FlatWriterTest, WritesEveryKindOfFieldAsProtobufDoes) {
  WinScore win;
  win.set_seat(3);
  win.set_fan(0);
  win.set_multiplier(std::int64_t{1} << 53);
  win.add_patterns()->set_value(-7);
  win.add_patterns();
  win.add_titles()->set_en("self-draw");
  FlatWriter out;
  out.Number(WinScore::kSeatFieldNumber, 3);
  out.Number(WinScore::kLegalFieldNumber, 0);
  out.Text(WinScore::kReasonFieldNumber, "");
  out.Message(WinScore::kPatternsFieldNumber,
              [&] { out.Number(PatternHit::kValueFieldNumber, -7); });
  out.Message(WinScore::kPatternsFieldNumber, [] {});
  out.Present(WinScore::kFanFieldNumber, 0);
  out.Present(WinScore::kMultiplierFieldNumber, std::int64_t{1} << 53);
  out.Message(WinScore::kTitlesFieldNumber, [&] { out.Text(3, "self-draw"); });
  EXPECT_EQ(Bytes(out), win.SerializeAsString());

  RoundScore score;
  for (const std::int64_t net : {-300, 0, 0, 300}) score.add_net(net);
  out.Clear();
  out.Message(RoundScore::kNetFieldNumber, [&] {
    for (const std::int64_t net : {-300, 0, 0, 300}) out.Packed(net);
  });
  EXPECT_EQ(Bytes(out), score.SerializeAsString());
}

TEST(FlatWriterTest, FindsLengthsWhateverWasGuessed) {
  for (const std::size_t size : {0u, 1u, 120u, 127u, 128u, 129u, 16'380u, 16'384u, 70'000u}) {
    Receipt receipt;
    receipt.add_lines()->set_arithmetic(std::string(size, 'x'));
    for (std::size_t guess = 1; guess <= 4; ++guess) {
      FlatWriter out;
      out.Message(
          Receipt::kLinesFieldNumber,
          [&] { out.Text(ReceiptLine::kArithmeticFieldNumber, std::string(size, 'x')); }, guess);
      EXPECT_EQ(Bytes(out), receipt.SerializeAsString()) << size << " guessed " << guess;
    }
  }
}

TEST(FlatWriterTest, KnowsHowLongATextIs) {
  for (const std::size_t size : {0u, 1u, 127u, 128u, 16'384u}) {
    FlatWriter out;
    const std::string text(size, 'x');
    out.Text(17, text);
    EXPECT_EQ(FlatWriter::TextSize(17, text), out.bytes().size());
  }
}

TEST(FlatReaderTest, ReadsWhatWasWritten) {
  FlatWriter out;
  out.Number(1, -1);
  out.Element(1000, "");
  out.Text(2, "7z");
  FlatReader from(out.bytes());
  ASSERT_TRUE(from.Next());
  EXPECT_EQ(from.field(), 1);
  EXPECT_TRUE(from.is_number());
  EXPECT_EQ(from.number(), ~std::uint64_t{0});
  ASSERT_TRUE(from.Next());
  EXPECT_EQ(from.field(), 1000);
  EXPECT_EQ(from.bytes(), "");
  ASSERT_TRUE(from.Next());
  EXPECT_EQ(from.bytes(), "7z");
  EXPECT_FALSE(from.Next());
  EXPECT_TRUE(from.done());
}

TEST(FlatReaderTest, EndsWhereTheFramingIsWrong) {
  for (const std::string& bad : {
           std::string("\x08"),                                     // no number
           std::string("\x08\x80"),                                 // half a number
           std::string("\x0A\x02x"),                                // shorter than it says
           std::string("\x0D\x01\x02\x03\x04"),                     // fixed32
           std::string("\x0B\x0C"),                                 // a group
           std::string("\x00\x01", 2),                              // field 0
           std::string("\x88\x80\x80\x80\x80\x00\x01", 7),          // a tag of six bytes
           std::string("\x08") + std::string(10, '\xFF') + '\x01',  // eleven bytes
           std::string("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01") + 'x',  // beyond 2^31
       }) {
    FlatReader from(bad);
    while (from.Next()) {
    }
    EXPECT_FALSE(from.done()) << ::testing::PrintToString(bad);
  }
}

}  // namespace
}  // namespace mj::wire
