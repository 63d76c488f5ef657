#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/files.h"
#include "tests/tidy/checks.h"

namespace mj::tidy {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 9> kFolders = {
    "libs", "services", "tools", "tests", "examples", "protos", "migrations", "cmake", ".ci"};
constexpr std::array<std::string_view, 8> kExtensions = {".cc",    ".h",   ".sh",  ".proto",
                                                         ".cmake", ".sql", ".mjs", ".js"};

bool IsSource(const fs::path& path) {
  const std::string extension = path.extension().string();
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end() ||
         path.filename() == "CMakeLists.txt" || path.filename() == "run";
}

std::vector<std::string> VariantIds(const fs::path& root) {
  std::vector<std::string> ids;
  const fs::path folder = root / "libs" / "variants";
  if (!fs::exists(folder)) return ids;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) ids.push_back(entry.path().filename().string());
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

Findings CheckTree(const std::string& root_name) {
  const fs::path root(root_name);
  std::vector<fs::path> files = {root / "dev", root / "CMakeLists.txt"};
  for (std::string_view folder : kFolders) {
    if (!fs::exists(root / folder)) continue;
    for (auto it = fs::recursive_directory_iterator(root / folder);
         it != fs::recursive_directory_iterator(); ++it) {
      if (it->path().filename() == "node_modules") it.disable_recursion_pending();
      if (it->is_regular_file() && IsSource(it->path())) files.push_back(it->path());
    }
  }
  std::sort(files.begin(), files.end());

  Findings findings;
  const std::vector<std::string> ids = VariantIds(root);
  for (const fs::path& file : files) {
    const std::string path = file.lexically_relative(root).generic_string();
    if (file.filename() == "CMakeLists.txt" && file.parent_path() != root &&
        !fs::exists(file.parent_path() / "README.md")) {
      findings.push_back({fs::path(path).parent_path().generic_string(), 0,
                          "a room has a README.md: for what, what it may know, what it must never "
                          "know, how to test it"});
    }
    Findings here = CheckSource(ids, Parse(path, base::ReadFile(file).value_or("")));
    findings.insert(findings.end(), here.begin(), here.end());
  }
  return findings;
}

}  // namespace mj::tidy
