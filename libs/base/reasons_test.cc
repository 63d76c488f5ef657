#include "libs/base/reasons.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/base/strings.h"

namespace mj::base {
namespace {

std::vector<std::string> Characters(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    out.emplace_back(text.substr(i, length));
    i += length;
  }
  return out;
}

// Characters that differ between the scripts: simplified, traditional, simplified, …
constexpr std::string_view kPairs =
    "编編号號确確过過长長页頁数數范範围圍标標记記无無没沒这這种種该該个個选選项項规規则則写寫张張杠"
    "槓来來风風"
    "买買马馬赔賠额額结結细細现現币幣请請账帳户戶积積场場进進满滿关關闭閉断斷经經还還轮輪择擇样樣达"
    "達队隊录錄"
    "统統后後试試连連时時冲衝暂暫错錯误誤为為对對发發务務动動开開条條让讓们們应應该該实實赢贏输輸带"
    "帶龙龍万萬";

std::set<std::string> OneScriptOnly(bool traditional) {
  const auto pairs = Characters(kPairs);
  std::set<std::string> out;
  for (std::size_t i = traditional ? 1 : 0; i < pairs.size(); i += 2) {
    out.insert(pairs[i]);
  }
  return out;
}

TEST(ReasonsTest, NamesAreUniqueUpperSnakeOfAtMost63Characters) {
  std::set<std::string_view> names;
  for (const ReasonInfo& info : AllReasons()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_LE(info.name.size(), 63U) << info.name;
    EXPECT_TRUE(std::ranges::all_of(info.name, [](char c) {
      return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    })) << info.name;
    EXPECT_TRUE(info.name.front() >= 'A' && info.name.front() <= 'Z') << info.name;
    EXPECT_EQ(ReasonByName(info.name), info.reason);
    EXPECT_EQ(&InfoOf(info.reason), &info);
  }
  EXPECT_GT(names.size(), 50U);
  EXPECT_EQ(ReasonByName("NO_SUCH_REASON"), std::nullopt);
}

TEST(ReasonsTest, EveryReasonHasWordsInThreeLanguages) {
  const auto traditional = OneScriptOnly(/*traditional=*/true);
  const auto simplified = OneScriptOnly(/*traditional=*/false);
  for (const ReasonInfo& info : AllReasons()) {
    for (const Language language : kLanguages) {
      EXPECT_FALSE(info.Words(language).empty()) << info.name;
      EXPECT_TRUE(IsUtf8(info.Words(language))) << info.name;
    }
    for (const std::string& c : Characters(info.zh_hans)) {
      EXPECT_FALSE(traditional.contains(c)) << info.name << " zh-Hans has " << c;
      EXPECT_FALSE(c.size() == 1 && std::isalpha(static_cast<unsigned char>(c[0])) != 0)
          << info.name << " zh-Hans is not Chinese";
    }
    for (const std::string& c : Characters(info.zh_hant)) {
      EXPECT_FALSE(simplified.contains(c)) << info.name << " zh-Hant has " << c;
    }
    EXPECT_EQ(Characters(info.en).size(), info.en.size()) << info.name << " English is not ASCII";
    EXPECT_EQ(info.en.back(), '.') << info.name;
  }
}

TEST(ReasonsTest, CodesSayFailureAndTransientOnesCanBeRetried) {
  using absl::StatusCode;
  for (const ReasonInfo& info : AllReasons()) {
    EXPECT_NE(info.code, StatusCode::kOk) << info.name;
    const bool retryable =
        info.code == StatusCode::kUnavailable || info.code == StatusCode::kAborted ||
        info.code == StatusCode::kDeadlineExceeded || info.code == StatusCode::kResourceExhausted;
    EXPECT_EQ(info.transient, retryable) << info.name;
  }
}

TEST(ReasonsTest, SourceTextsWordsAreUsed) {
  EXPECT_EQ(InfoOf(Reason::kBelowMinimum).zh_hans, "您的积分不足，不能进行下一局");
  EXPECT_EQ(InfoOf(Reason::kBelowMinimum).zh_hant, "您的積分不足，不能進行下一局");
}

TEST(ReasonsTest, AStatusCarriesReasonFieldAndFacts) {
  const absl::Status status =
      Error(Reason::kBelowMinimum, "",
            {.field = "player_id",
             .metadata = {{"balance", "90"}, {"note", "a:b\0c"}, {"empty", ""}},
             .retry_after = std::chrono::milliseconds(250)});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ToStd(status.message()), InfoOf(Reason::kBelowMinimum).en);
  const auto carried = CarriedBy(status);
  ASSERT_TRUE(carried.has_value());
  EXPECT_EQ(carried->reason, "BELOW_MINIMUM");
  EXPECT_EQ(carried->details.field, "player_id");
  EXPECT_EQ(carried->details.metadata.at("balance"), "90");
  EXPECT_EQ(carried->details.metadata.at("note"), "a:b");
  EXPECT_EQ(carried->details.metadata.at("empty"), "");
  EXPECT_EQ(carried->details.retry_after, std::chrono::milliseconds(250));
  EXPECT_TRUE(HasReason(status, Reason::kBelowMinimum));
  EXPECT_FALSE(HasReason(status, Reason::kInsufficientFunds));
}

TEST(ReasonsTest, NothingIsCarriedByPlainStatuses) {
  EXPECT_EQ(CarriedBy(absl::OkStatus()), std::nullopt);
  EXPECT_EQ(CarriedBy(absl::NotFoundError("x")), std::nullopt);
}

TEST(ReasonsTest, FieldsGetTheirSurroundings) {
  const auto field = [](const absl::Status& status) { return CarriedBy(status)->details.field; };
  const absl::Status tile = Error(Reason::kBadTiles, "", {.field = "tile"});
  EXPECT_EQ(field(InField("round", InField("wins[0]", tile))), "round.wins[0].tile");
  EXPECT_EQ(field(InField("net", Error(Reason::kBadAmount, "", {.field = "[2]"}))), "net[2]");
  EXPECT_EQ(InField("round", absl::OkStatus()), absl::OkStatus());
  EXPECT_EQ(InField("round", absl::InternalError("x")), absl::InternalError("x"));
  EXPECT_EQ(field(InField("round", Error(Reason::kInternal))), "");
}

TEST(ReasonsTest, AStatusWithoutReasonIsToldByCodeOrAsInternal) {
  EXPECT_EQ(ReasonToTell(absl::UnavailableError("")), Reason::kUnavailable);
  EXPECT_EQ(ReasonToTell(absl::DeadlineExceededError("")), Reason::kDeadlineExceeded);
  EXPECT_EQ(ReasonToTell(absl::CancelledError("")), Reason::kCancelled);
  EXPECT_EQ(ReasonToTell(absl::ResourceExhaustedError("")), Reason::kOverloaded);
  EXPECT_EQ(ReasonToTell(absl::AbortedError("")), Reason::kConflict);
  EXPECT_EQ(ReasonToTell(absl::UnimplementedError("")), Reason::kUnimplemented);
  EXPECT_EQ(ReasonToTell(absl::NotFoundError("no such file")), Reason::kInternal);
  EXPECT_EQ(ReasonToTell(absl::InternalError("")), Reason::kInternal);
  EXPECT_EQ(ReasonToTell(Error(Reason::kTableFull)), Reason::kTableFull);
}

}  // namespace
}  // namespace mj::base
