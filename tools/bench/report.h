#pragma once

// Makes one report of many measurements.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace mj::bench {

// What one file of measurements says about one thing. Values are medians.
struct ReportRow {
  std::string row;   // "P10"; empty for a benchmark that is no row of the targets
  std::string what;  // "start until ready"
  std::string unit;  // of `ours` and `reference`: "ms", "MiB", "ns", "items/s"
  double ours = 0;
  std::optional<double> reference;  // measured in the same run
  std::optional<double> ratio;      // ours to reference, as rates: more is better
  std::optional<double> at_least;   // the ratio to reach
  std::optional<double> at_most;    // the value to stay below

  // Whether the target is reached; nothing where there is none.
  [[nodiscard]] std::optional<bool> Reached() const;
};

// The middle value; the mean of the two middle ones. REQUIRES: not empty.
[[nodiscard]] double Median(std::vector<double> values);

// Reads one file of either kind (see README.md). Nothing if it is neither; `error` then says why.
[[nodiscard]] std::optional<std::vector<ReportRow>> ReadMeasurements(std::string_view text,
                                                                     std::string* error);

// By row (P2 before P10), then as measured.
void Sort(std::vector<ReportRow>& rows);

[[nodiscard]] std::string ToTable(const std::vector<ReportRow>& rows);
[[nodiscard]] nlohmann::ordered_json ToJson(const std::vector<ReportRow>& rows);

}  // namespace mj::bench
