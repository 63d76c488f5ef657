#include "tools/bench/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

namespace mj::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kOurs = "/ours";
constexpr std::string_view kReference = "/reference";

// All repetitions of one benchmark.
struct Series {
  std::vector<double> times;  // in `unit`
  std::vector<double> rates;  // items per second, where it counts items
  std::string unit;
  std::optional<double> target;
  std::optional<double> at_most;  // in `unit`
};

// In the order of the file, so a vector and not a map.
using AllSeries = std::vector<std::pair<std::string, Series>>;

Series& SeriesOf(AllSeries& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&name](const auto& entry) { return entry.first == name; });
  return found != all.end() ? found->second : all.emplace_back(name, Series()).second;
}

// Without what Google Benchmark adds: "P7/score_round/ours/iterations:10/manual_time".
std::string PlainName(std::string name) {
  for (const std::string_view added : {"/manual_time", "/real_time"}) {
    if (name.ends_with(added)) name.resize(name.size() - added.size());
  }
  return name.substr(0, name.find("/iterations:"));
}

AllSeries CollectSeries(const Json& benchmarks) {
  AllSeries all;
  for (const Json& run : benchmarks) {
    if (run.value("run_type", "iteration") != "iteration") continue;  // an aggregate of others
    const std::string name = PlainName(run.value("run_name", run.at("name").get<std::string>()));
    Series& series = SeriesOf(all, name);
    series.times.push_back(run.at("real_time").get<double>());
    series.unit = run.at("time_unit").get<std::string>();
    if (run.contains("items_per_second")) {
      series.rates.push_back(run["items_per_second"].get<double>());
    }
    if (run.contains("target")) series.target = run["target"].get<double>();
    if (run.contains("at_most")) series.at_most = run["at_most"].get<double>();
  }
  return all;
}

// "P1/is_win" is row P1; anything else is a benchmark without one.
void SetName(std::string_view name, ReportRow& row) {
  const std::size_t slash = name.find('/');
  const bool is_row =
      slash != std::string_view::npos && slash > 1 && name[0] == 'P' &&
      name.substr(1, slash - 1).find_first_not_of("0123456789") == std::string_view::npos;
  row.row = is_row ? name.substr(0, slash) : "";
  row.what = is_row ? name.substr(slash + 1) : name;
}

bool CountsItems(const Series& series) { return series.rates.size() == series.times.size(); }

ReportRow Alone(std::string_view name, const Series& series) {
  ReportRow row;
  SetName(name, row);
  row.unit = CountsItems(series) ? "items/s" : series.unit;
  row.ours = Median(CountsItems(series) ? series.rates : series.times);
  if (!CountsItems(series)) row.at_most = series.at_most;
  return row;
}

ReportRow Pair(std::string_view name, const Series& ours, const Series& reference) {
  ReportRow row;
  SetName(name, row);
  const bool items = CountsItems(ours) && CountsItems(reference);
  row.unit = items ? "items/s" : ours.unit;
  row.ours = Median(items ? ours.rates : ours.times);
  row.reference = Median(items ? reference.rates : reference.times);
  row.ratio = items ? row.ours / *row.reference : *row.reference / row.ours;
  row.at_least = ours.target;
  return row;
}

std::vector<ReportRow> FromBenchmarks(const Json& benchmarks) {
  const AllSeries all = CollectSeries(benchmarks);
  std::map<std::string_view, const Series*> by_name;
  for (const auto& [name, series] : all) by_name[name] = &series;

  std::vector<ReportRow> rows;
  for (const auto& [name, series] : all) {
    const std::string_view view = name;
    if (view.ends_with(kOurs)) {
      const std::string base(view.substr(0, view.size() - kOurs.size()));
      const auto reference = by_name.find(base + std::string(kReference));
      rows.push_back(reference == by_name.end() ? Alone(name, series)
                                                : Pair(base, series, *reference->second));
    } else if (view.ends_with(kReference) &&
               by_name.contains(std::string(view.substr(0, view.size() - kReference.size())) +
                                std::string(kOurs))) {
      continue;  // told beside ours
    } else {
      rows.push_back(Alone(name, series));
    }
  }
  return rows;
}

std::vector<ReportRow> FromRows(const Json& list) {
  std::vector<ReportRow> rows;
  for (const Json& item : list) {
    ReportRow row;
    row.row = item.at("row").get<std::string>();
    row.what = item.at("what").get<std::string>();
    row.unit = item.at("unit").get<std::string>();
    const auto values = item.at("values").get<std::vector<double>>();
    if (values.empty()) continue;
    row.ours = Median(values);
    if (item.contains("at_most")) row.at_most = item["at_most"].get<double>();
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string Figure(double value) {
  std::array<char, 32> text{};
  const char* format = std::abs(value) >= 100 ? "%.0f" : std::abs(value) >= 10 ? "%.1f" : "%.2f";
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string Figure(const std::optional<double>& value) { return value ? Figure(*value) : ""; }

std::string Target(const ReportRow& row) {
  if (row.at_least) return ">= " + Figure(*row.at_least);
  if (row.at_most) return "<= " + Figure(*row.at_most);
  return "";
}

int RowNumber(const std::string& row) {
  return row.size() > 1 ? std::atoi(row.c_str() + 1) : 1'000'000;
}

}  // namespace

std::optional<bool> ReportRow::Reached() const {
  if (at_least && ratio) return *ratio >= *at_least;
  if (at_most) return ours <= *at_most;
  return std::nullopt;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::optional<std::vector<ReportRow>> ReadMeasurements(std::string_view text, std::string* error) {
  try {
    const Json file = Json::parse(text);
    if (file.contains("benchmarks")) return FromBenchmarks(file["benchmarks"]);
    if (file.contains("rows")) return FromRows(file["rows"]);
    *error = "neither \"benchmarks\" nor \"rows\" in it";
  } catch (const nlohmann::json::exception& exception) {
    *error = exception.what();
  }
  return std::nullopt;
}

void Sort(std::vector<ReportRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const ReportRow& a, const ReportRow& b) {
    return RowNumber(a.row) < RowNumber(b.row);
  });
}

std::string ToTable(const std::vector<ReportRow>& rows) {
  std::vector<std::array<std::string, 7>> cells = {
      {"row", "what", "ours", "reference", "ratio", "target", ""}};
  for (const ReportRow& row : rows) {
    const auto reached = row.Reached();
    cells.push_back({row.row, row.what, Figure(row.ours) + " " + row.unit,
                     row.reference ? Figure(*row.reference) + " " + row.unit : "",
                     Figure(row.ratio), Target(row),
                     !reached   ? ""
                     : *reached ? "reached"
                                : "not reached"});
  }
  std::array<std::size_t, 7> widths{};
  for (const auto& line : cells) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string table;
  for (const auto& line : cells) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string blanks(widths[i] - line[i].size(), ' ');
      const bool number = i >= 2 && i <= 4;
      text += (number ? blanks + line[i] : line[i] + blanks) + "  ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    table += text + "\n";
  }
  return table;
}

Json ToJson(const std::vector<ReportRow>& rows) {
  Json list = Json::array();
  for (const ReportRow& row : rows) {
    Json item = {{"row", row.row}, {"what", row.what}, {"unit", row.unit}, {"ours", row.ours}};
    if (row.reference) item["reference"] = *row.reference;
    if (row.ratio) item["ratio"] = *row.ratio;
    if (row.at_least) item["at_least"] = *row.at_least;
    if (row.at_most) item["at_most"] = *row.at_most;
    if (const auto reached = row.Reached()) item["reached"] = *reached;
    list.push_back(std::move(item));
  }
  return {{"rows", std::move(list)}};
}

}  // namespace mj::bench
