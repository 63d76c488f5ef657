#include "tools/bench/report.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace mj::bench {
namespace {

std::vector<ReportRow> Read(const std::string& text) {
  std::string error;
  auto rows = ReadMeasurements(text, &error);
  EXPECT_TRUE(rows.has_value()) << error;
  return rows.value_or(std::vector<ReportRow>());
}

std::string OneRun(const std::string& name, const std::string& time, const std::string& more = "") {
  return R"({"name": ")" + name + R"(", "run_name": ")" + name +
         R"(", "run_type": "iteration", "real_time": )" + time + R"(, "time_unit": "ns")" + more +
         "}";
}

TEST(MedianTest, TheMiddle) {
  EXPECT_EQ(Median({3, 1, 2}), 2);
  EXPECT_EQ(Median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(Median({7}), 7);
}

TEST(ReadMeasurementsTest, APairIsARatioOfMedians) {
  const auto rows =
      Read(R"({"benchmarks": [)" + OneRun("P1/is_win/ours", "9", R"(, "target": 15)") + "," +
           OneRun("P1/is_win/reference", "200") + "," +
           OneRun("P1/is_win/ours", "10", R"(, "target": 15)") + "," +
           OneRun("P1/is_win/reference", "100") + "," +
           OneRun("P1/is_win/ours", "11", R"(, "target": 15)") + "," +
           OneRun("P1/is_win/reference", "300") + "]}");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].row, "P1");
  EXPECT_EQ(rows[0].what, "is_win");
  EXPECT_EQ(rows[0].unit, "ns");
  EXPECT_EQ(rows[0].ours, 10);
  EXPECT_EQ(rows[0].reference, 200);
  EXPECT_EQ(rows[0].ratio, 20);  // a fifth of the time is five times the rate
  EXPECT_EQ(rows[0].Reached(), true);
}

TEST(ReadMeasurementsTest, ItemsPerSecondWhereBothCountThem) {
  const auto rows =
      Read(R"({"benchmarks": [)" +
           OneRun("P4/play/ours", "10", R"(, "items_per_second": 30, "target": 0.5)") + "," +
           OneRun("P4/play/reference", "5", R"(, "items_per_second": 120)") + "]}");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].unit, "items/s");
  EXPECT_EQ(rows[0].ratio, 0.25);
  EXPECT_EQ(rows[0].Reached(), false);
}

TEST(ReadMeasurementsTest, NamesAreWithoutWhatTheLibraryAdds) {
  const auto rows =
      Read(R"({"benchmarks": [)" + OneRun("P7/score/ours/iterations:10/manual_time", "10") + "," +
           OneRun("P7/score/reference/iterations:20/real_time", "5") + "]}");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].what, "score");
  EXPECT_EQ(rows[0].ratio, 0.5);
}

TEST(ReadMeasurementsTest, AggregatesAreLeftOutAndOthersListed) {
  const auto rows = Read(
      R"({"benchmarks": [)" + OneRun("parse", "4") + "," + OneRun("P2/x/ours", "4") + "," +
      R"({"name": "parse_mean", "run_name": "parse", "run_type": "aggregate", "real_time": 99})" +
      "]}");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].row, "");
  EXPECT_EQ(rows[0].what, "parse");
  EXPECT_EQ(rows[0].ours, 4);
  EXPECT_EQ(rows[1].row, "P2");
  EXPECT_EQ(rows[1].ratio, std::nullopt);
  EXPECT_EQ(rows[1].Reached(), std::nullopt);
}

TEST(ReadMeasurementsTest, ABenchmarkAloneMayHaveALimit) {
  const auto rows =
      Read(R"({"benchmarks": [)" + OneRun("sum", "4", R"(, "at_most": 5)") + "," +
           OneRun("add", "6", R"(, "at_most": 5)") + "," + OneRun("parse", "1") + "]}");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].at_most, 5);
  EXPECT_EQ(rows[0].Reached(), true);
  EXPECT_EQ(rows[1].Reached(), false);
  EXPECT_EQ(rows[2].Reached(), std::nullopt);
}

TEST(ReadMeasurementsTest, Rows) {
  const auto rows = Read(
      R"({"rows": [{"row": "P10", "what": "start", "unit": "ms", "values": [900, 100, 500],
                    "at_most": 2000},
                   {"row": "P10", "what": "nothing", "unit": "ms", "values": []}]})");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].ours, 500);
  EXPECT_EQ(rows[0].at_most, 2000);
  EXPECT_EQ(rows[0].Reached(), true);
}

TEST(ReadMeasurementsTest, RefusesOtherFiles) {
  std::string error;
  for (const char* text : {"", "{", "[]", "{}", R"({"rows": 7})", R"({"rows": [{"row": 1}]})",
                           R"({"benchmarks": [{"name": "a"}]})"}) {
    error.clear();
    EXPECT_EQ(ReadMeasurements(text, &error), std::nullopt) << text;
    EXPECT_NE(error, "") << text;
  }
}

TEST(SortTest, ByNumberAndTheRestLast) {
  std::vector<ReportRow> rows(3);
  rows[0].what = "other";
  rows[1].row = "P10";
  rows[2].row = "P2";
  Sort(rows);
  EXPECT_EQ(rows[0].row, "P2");
  EXPECT_EQ(rows[1].row, "P10");
  EXPECT_EQ(rows[2].what, "other");
}

TEST(ToTableTest, OneLineEach) {
  std::vector<ReportRow> rows(2);
  rows[0] = {"P1", "is_win", "ns", 8.25, 165, 20, 15, std::nullopt};
  rows[1] = {"P10", "start", "ms", 2100, std::nullopt, std::nullopt, std::nullopt, 2000};
  EXPECT_EQ(ToTable(rows),
            "row  what       ours  reference  ratio  target\n"
            "P1   is_win  8.25 ns     165 ns   20.0  >= 15.0  reached\n"
            "P10  start   2100 ms                    <= 2000  not reached\n");
}

TEST(ToJsonTest, OnlyWhatThereIs) {
  const std::vector<ReportRow> rows = {
      {"P10", "start", "ms", 500, std::nullopt, std::nullopt, std::nullopt, 2000}};
  EXPECT_EQ(ToJson(rows).dump(), R"({"rows":[{"row":"P10","what":"start","unit":"ms","ours":500.0,)"
                                 R"("at_most":2000.0,"reached":true}]})");
}

}  // namespace
}  // namespace mj::bench
