#include "libs/pg/migrations_testing.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "libs/pg/process_testing.h"

namespace mj::pg::testing {
namespace {

namespace fs = std::filesystem;

fs::path MigrationsFolder() {
  for (fs::path folder = fs::current_path();; folder = folder.parent_path()) {
    if (fs::is_directory(folder / "migrations")) return folder / "migrations";
    if (folder == folder.parent_path()) break;
  }
  Die("no migrations/ in " + fs::current_path().string() + " or above it");
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) Die("cannot read " + path.string());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

Migration ParseMigration(std::string file, std::string_view text) {
  Migration migration;
  migration.file = std::move(file);
  std::string* part = nullptr;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.substr(0, 13) == "-- migrate:up") {
      part = &migration.up;
    } else if (line.substr(0, 15) == "-- migrate:down") {
      part = &migration.down;
    } else if (part != nullptr) {
      part->append(line).push_back('\n');
    }
  }
  return migration;
}

std::vector<Migration> ReadAllMigrations() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(MigrationsFolder())) {
    if (entry.path().extension() == ".sql") files.push_back(entry.path().filename().string());
  }
  return ReadMigrations(files);
}

std::vector<Migration> ReadMigrations(const std::vector<std::string>& files) {
  std::vector<std::string> names = files;
  std::sort(names.begin(), names.end());
  std::vector<Migration> migrations;
  for (const std::string& name : names) {
    migrations.push_back(ParseMigration(name, ReadFile(MigrationsFolder() / name)));
  }
  return migrations;
}

std::string TemplateName(const std::vector<Migration>& migrations) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto mix = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    hash = (hash ^ 0xffU) * 1099511628211ULL;
  };
  for (const Migration& migration : migrations) {
    mix(migration.file);
    mix(migration.up);
  }
  char name[32];
  std::snprintf(name, sizeof name, "t_%016llx", static_cast<unsigned long long>(hash));
  return name;
}

}  // namespace mj::pg::testing
