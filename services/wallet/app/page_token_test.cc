#include "services/wallet/app/page_token.h"

#include <gtest/gtest.h>

namespace mj::wallet {
namespace {

TEST(PageTokenTest, SaysWhereToGoOn) {
  const AccountKey ann{"ann", Currency::kCoin};
  const std::string token = MakePageToken(ann, {12, 3});
  EXPECT_EQ(ReadPageToken(ann, token), (EntryPosition{12, 3}));
}

TEST(PageTokenTest, IsBoundToItsList) {
  const std::string token = MakePageToken({"ann", Currency::kCoin}, {12, 3});
  EXPECT_EQ(ReadPageToken({"bob", Currency::kCoin}, token), std::nullopt);
  EXPECT_EQ(ReadPageToken({"ann", Currency::kPractice}, token), std::nullopt);
}

TEST(PageTokenTest, AnythingElseIsNone) {
  const AccountKey ann{"ann", Currency::kCoin};
  const std::string token = MakePageToken(ann, {12, 3});
  for (std::size_t size = 0; size < token.size(); ++size) {
    EXPECT_EQ(ReadPageToken(ann, token.substr(0, size)), std::nullopt) << size;
  }
  EXPECT_EQ(ReadPageToken(ann, token + "x"), std::nullopt);
  EXPECT_EQ(ReadPageToken(ann, token + "-1"), std::nullopt);
  EXPECT_EQ(ReadPageToken(ann, std::string(10'000, '-')), std::nullopt);
  std::string huge = token;
  EXPECT_EQ(ReadPageToken(ann, huge.replace(huge.find("-12-"), 4, "-99999999999999999999-")),
            std::nullopt);
}

TEST(PageTokenTest, SettlementsTokensAreBoundToPlayerOrTable) {
  const SettlementFilter ann{AccountKey{"ann", Currency::kCoin}, ""};
  const SettlementFilter practice{AccountKey{"ann", Currency::kPractice}, ""};
  const SettlementFilter table{std::nullopt, "ann"};
  const std::string token = MakePageToken(ann, 12);
  EXPECT_EQ(ReadPageToken(ann, token), 12);
  EXPECT_EQ(ReadPageToken(practice, token), std::nullopt);
  EXPECT_EQ(ReadPageToken(table, token), std::nullopt);
  EXPECT_EQ(ReadPageToken(ann, MakePageToken(AccountKey{"ann", Currency::kCoin}, {12, 0})),
            std::nullopt);
  EXPECT_EQ(ReadPageToken(table, MakePageToken(table, 7)), 7);
  for (std::size_t size = 0; size + 2 < token.size(); ++size) {
    EXPECT_EQ(ReadPageToken(ann, token.substr(0, size)), std::nullopt) << size;
  }
}

}  // namespace
}  // namespace mj::wallet
