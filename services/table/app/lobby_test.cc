#include "services/table/app/lobby.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/lobby_contract_testing.h"
#include "services/table/app/memory_event_log_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using ::testing::ElementsAre;

class MemoryFixture final : public LobbyFixture {
 public:
  EventLog& log() override { return memory_; }
  Lobby& lobby() override { return memory_; }

 private:
  MemoryEventLog memory_;
};

INSTANTIATE_TEST_SUITE_P(Memory, LobbyContract,
                         ::testing::Values([] { return std::make_unique<MemoryFixture>(); }));

class ListTablesTest : public ::testing::Test {
 protected:
  ListTablesTest() {
    for (int i = 0; i < 7; ++i) {
      TableSpec spec;
      spec.variant = "guangdong";
      const std::string id = "table-" + std::to_string(i);
      EXPECT_TRUE(memory_
                      .Create({1, {}, TableCreated{TableId(id), RequestId(id), *CheckSpec(spec)}},
                              OwnerId("a"))
                      .ok());
    }
  }
  absl::StatusOr<LobbyPage> List(const LobbyFilter& filter, std::int64_t size,
                                 const std::string& token = "") {
    return ListTables(memory_, filter, size, token);
  }

  const LobbyFilter guangdong_{.variant = "guangdong"};
  MemoryEventLog memory_;
};

TEST_F(ListTablesTest, PageAfterPageShowsEachTableOnce) {
  std::vector<std::string> seen;
  std::string token;
  int pages = 0;
  do {
    const auto page = List(guangdong_, 3, token);
    ASSERT_THAT(page, IsOk());
    for (const LobbyTable& table : page->tables) seen.push_back(table.id.value());
    token = page->next;
    ++pages;
  } while (!token.empty());
  EXPECT_EQ(pages, 3);
  EXPECT_THAT(seen, ElementsAre("table-0", "table-1", "table-2", "table-3", "table-4", "table-5",
                                "table-6"));
  EXPECT_EQ(List(guangdong_, 7)->next, "");
  EXPECT_EQ(List(guangdong_, 0)->tables.size(), 7U);
}

TEST_F(ListTablesTest, RefusesWhatCannotBe) {
  EXPECT_THAT(List({.variant = "bridge"}, 3), FailsWith(Reason::kUnknownVariant, "variant"));
  EXPECT_THAT(List({}, 3), FailsWith(Reason::kUnknownVariant, "variant"));
  for (Coins room : {Coins{-1}, kBaseMax + 1}) {
    EXPECT_THAT(List({.variant = "guangdong", .room = room}, 3),
                FailsWith(Reason::kBadBase, "base"));
  }
  for (std::int64_t size : {std::int64_t{-1}, kPageMax + 1}) {
    EXPECT_THAT(List(guangdong_, size), FailsWith(Reason::kBadPageSize, "page_size"));
  }
}

TEST_F(ListTablesTest, ATokenIsOfItsFilterAlone) {
  const std::string token = List(guangdong_, 3)->next;
  ASSERT_THAT(List(guangdong_, 5, token), IsOk()) << "of another size";
  LobbyFilter other = guangdong_;
  other.free_seats = true;
  EXPECT_THAT(List(other, 3, token), FailsWith(Reason::kBadPageToken, "page_token"));
  other = guangdong_;
  other.currency = Currency::kPractice;
  EXPECT_THAT(List(other, 3, token), FailsWith(Reason::kBadPageToken, "page_token"));
  other = guangdong_;
  other.room = 10;
  EXPECT_THAT(List(other, 3, token), FailsWith(Reason::kBadPageToken, "page_token"));
  other = guangdong_;
  other.variant = "shaoguan";
  EXPECT_THAT(List(other, 3, token), FailsWith(Reason::kBadPageToken, "page_token"));
  for (const std::string& text : {std::string("x"), token + " ", token.substr(1)}) {
    EXPECT_THAT(List(guangdong_, 3, text), FailsWith(Reason::kBadPageToken, "page_token")) << text;
  }
}

}  // namespace
}  // namespace mj::table
