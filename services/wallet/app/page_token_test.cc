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

}  // namespace
}  // namespace mj::wallet
