// What is read straight from bytes is what FromProto reads of the message.
#include "libs/wire/flat_round.h"

#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "libs/wire/finished_round.h"
#include "libs/wire/finished_round_testing.h"

namespace mj::wire {
namespace {

using ::mahjong::common::v1::FinishedRound;

const std::string kFull = std::string(R"(
  variant: "jieyang" options { key: "horses" value: "4" } options { key: "cap" value: "10" }
  base: 10000)") + kGoodRound;
FinishedRound Parsed(const std::string& text) {
  FinishedRound message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

// Whether the short way takes `bytes`; that the long way then reads the same.
bool TakenAlike(const std::string& bytes) {
  FlatRound flat;
  if (!ReadFlatRound(bytes, flat)) return false;
  FinishedRound message;
  if (!message.ParseFromString(bytes)) {
    // The only thing that it leaves to whoever looks the names up.
    bool ascii = true;
    for (const char c : bytes) ascii &= static_cast<unsigned char>(c) < 0x80;
    EXPECT_FALSE(ascii) << ::testing::PrintToString(bytes);
    return true;
  }
  const auto round = FromProto(message);
  EXPECT_TRUE(round.ok() && *round == flat.round) << message.ShortDebugString();
  EXPECT_EQ(flat.variant, message.variant());
  EXPECT_EQ(flat.base, message.base());
  std::map<std::string, std::string> options;
  for (const auto& [name, value] : flat.options) {
    options.insert_or_assign(std::string(name), std::string(value));
  }
  EXPECT_EQ(options, (std::map<std::string, std::string>(message.options().begin(),
                                                         message.options().end())));
  return true;
}

TEST(FlatRoundTest, TakesAGoodRound) {
  EXPECT_TRUE(TakenAlike(Parsed(kFull).SerializeAsString()));
  EXPECT_TRUE(TakenAlike(Parsed("end: ROUND_END_EXHAUSTED").SerializeAsString()));
}

TEST(FlatRoundTest, LeavesWhateverIsUnusualToTheLongWay) {
  const std::string good = Parsed(kFull).SerializeAsString();
  const std::string ended = Parsed("end: ROUND_END_WIN").SerializeAsString();
  EXPECT_FALSE(TakenAlike("")) << "no end";
  EXPECT_FALSE(TakenAlike(good + good)) << "twice";
  EXPECT_FALSE(TakenAlike(good + "\xA2\x06\x01x")) << "an unknown field";
  EXPECT_FALSE(TakenAlike(ended + std::string("\x4A\x00", 2))) << "an empty win";
  for (const char* more : {"dealer: 4", "round_wind: \"8z\"", "seat_winds: \"1z\"", "wild: \"55z\"",
                           "horses: \"12345p\"", "kongs { kind: KONG_KIND_ADDED }"}) {
    EXPECT_FALSE(TakenAlike(ended + Parsed(more).SerializeAsString())) << more;
  }
  FinishedRound many = Parsed(kFull);
  for (int i = 0; i < 2; ++i) *many.add_wins() = many.wins(0);
  EXPECT_FALSE(TakenAlike(many.SerializeAsString())) << "four wins";
}

// Every byte of a good round as every other byte, and every beginning of it.
TEST(FlatRoundTest, ReadsNothingThatFromProtoReadsOtherwise) {
  const google::protobuf::LogSilencer silent;  // of texts that are no UTF-8
  const std::string good = Parsed(kFull).SerializeAsString();
  int taken = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    TakenAlike(good.substr(0, i));
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = good;
      changed[i] = static_cast<char>(byte);
      taken += TakenAlike(changed) ? 1 : 0;
    }
    ASSERT_FALSE(HasFailure()) << "at " << i;
  }
  EXPECT_GT(taken, 1000) << "other tiles and seats";
}

}  // namespace
}  // namespace mj::wire
