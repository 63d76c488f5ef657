#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "tools/bench/report.h"

int main(int argc, char** argv) {
  CLI::App app("Makes one table of what ./dev bench measured.", "mj-bench-report");
  std::string out;
  std::vector<std::string> files;
  app.add_option("--out", out, "Write the report as JSON to this file too");
  app.add_option("MEASUREMENTS", files, "Google Benchmark's JSON, or rows")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  std::vector<mj::bench::ReportRow> rows;
  for (const std::string& name : files) {
    std::ifstream file(name, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::string error = "cannot be read";
    auto read = file ? mj::bench::ReadMeasurements(text, &error) : std::nullopt;
    if (!read) {
      std::cerr << name << ": " << error << '\n';
      return 1;
    }
    for (mj::bench::ReportRow& row : *read) rows.push_back(std::move(row));
  }
  mj::bench::Sort(rows);
  std::cout << mj::bench::ToTable(rows);
  if (!out.empty() && !(std::ofstream(out) << mj::bench::ToJson(rows).dump(2) << '\n')) {
    std::cerr << out << ": cannot be written\n";
    return 1;
  }
  return 0;
}
