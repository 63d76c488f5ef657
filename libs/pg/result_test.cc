#include "libs/pg/result.h"

#include <gtest/gtest.h>

#include "libs/pg/errors.h"

namespace mj::pg {
namespace {

Result OneCell(std::optional<std::string> cell) { return Result({{std::move(cell)}}, 0); }

template <typename T>
void ExpectRefused(std::optional<std::string> cell) {
  EXPECT_EQ(OneCell(std::move(cell)).One<T>().status().code(), absl::StatusCode::kInternal);
}

TEST(ResultTest, ReadsEachType) {
  EXPECT_EQ(std::get<0>(*OneCell("-42").One<std::int64_t>()), -42);
  EXPECT_TRUE(std::get<0>(*OneCell("t").One<bool>()));
  EXPECT_FALSE(std::get<0>(*OneCell("f").One<bool>()));
  EXPECT_EQ(std::get<0>(*OneCell("东").One<std::string>()), "东");
  EXPECT_EQ(std::get<0>(*OneCell("\\x00ff").One<Bytes>()).data, std::string("\0\xff", 2));
  EXPECT_EQ(std::get<0>(*OneCell("{1,-2}").One<std::vector<std::int64_t>>()),
            (std::vector<std::int64_t>{1, -2}));
  EXPECT_TRUE(std::get<0>(*OneCell("{}").One<std::vector<std::int64_t>>()).empty());
  EXPECT_EQ(std::get<0>(*OneCell("1500000").One<base::WallTime>()).time_since_epoch(),
            std::chrono::microseconds(1500000));
  EXPECT_EQ(std::get<0>(*OneCell("7").One<std::optional<std::int64_t>>()), 7);
}

TEST(ResultTest, NullIsRefusedWhereTheTypeHasNoRoomForIt) {
  ExpectRefused<std::int64_t>(std::nullopt);
  ExpectRefused<std::string>(std::nullopt);
  ExpectRefused<bool>(std::nullopt);
  EXPECT_EQ(std::get<0>(*OneCell(std::nullopt).One<std::optional<std::string>>()), std::nullopt);
}

TEST(ResultTest, TextOfAnotherTypeIsRefused) {
  ExpectRefused<std::int64_t>("9223372036854775808");
  ExpectRefused<std::int64_t>("1.0");
  ExpectRefused<std::int64_t>("");
  ExpectRefused<bool>("true");
  ExpectRefused<Bytes>("00ff");
  ExpectRefused<Bytes>("\\x0");
  ExpectRefused<Bytes>("\\x0g");
  ExpectRefused<std::vector<std::int64_t>>("{1,NULL}");
  ExpectRefused<std::vector<std::int64_t>>("1,2");
  ExpectRefused<std::optional<std::int64_t>>("x");
}

TEST(ResultTest, NumbersOfRowsAndColumnsAreChecked) {
  const Result none;
  const Result two({{"1"}, {"2"}}, 0);
  EXPECT_EQ(none.One<std::int64_t>().status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(*none.AtMostOne<std::int64_t>(), std::nullopt);
  EXPECT_EQ(two.AtMostOne<std::int64_t>().status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(two.Rows<std::int64_t>()->size(), 2U);
  EXPECT_EQ((two.Rows<std::int64_t, std::int64_t>().status().code()), absl::StatusCode::kInternal);
}

TEST(ErrorsTest, EverySqlStateHasItsCode) {
  const auto code = [](const char* sqlstate) { return Refused(sqlstate, "x").code(); };
  EXPECT_EQ(code("08006"), absl::StatusCode::kUnavailable);
  EXPECT_EQ(code("53300"), absl::StatusCode::kUnavailable);
  EXPECT_EQ(code("57P01"), absl::StatusCode::kUnavailable);
  EXPECT_EQ(code("25006"), absl::StatusCode::kUnavailable);
  EXPECT_EQ(code("25P03"), absl::StatusCode::kUnavailable);
  EXPECT_EQ(code("57014"), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(code("40001"), absl::StatusCode::kAborted);
  EXPECT_EQ(code("40P01"), absl::StatusCode::kAborted);
  EXPECT_EQ(code("23505"), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(code("23514"), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(code("22021"), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code("42P01"), absl::StatusCode::kInternal);
  EXPECT_EQ(SqlState(Refused("23505", "x")), "23505");
  EXPECT_EQ(SqlState(absl::InternalError("x")), "");
  EXPECT_TRUE(IsAway(Away("x")));
  EXPECT_TRUE(IsAway(Refused("57P01", "x")));
  EXPECT_FALSE(IsAway(Refused("57014", "x")));
}

}  // namespace
}  // namespace mj::pg
