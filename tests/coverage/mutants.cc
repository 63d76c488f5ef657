#include "tests/coverage/mutants.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "libs/base/files.h"

namespace mj::coverage {
namespace {

namespace fs = std::filesystem;

// A sanitizer ends the program where a mutant leaves the language's rules, before the test can fail.
#ifdef MJ_SANITIZED
constexpr bool kDyingIsFailing = true;
#else
constexpr bool kDyingIsFailing = false;
#endif

// A mutant may turn a loop into an endless one.
constexpr int kSecondsMax = 120;
constexpr int kTimedOut = 124;  // as timeout(1) has it

// Empty when there is none: what is looked for in it is missed then.
std::string Text(const fs::path& path) { return base::ReadFile(path).value_or(""); }

std::string Quoted(const std::string& text) { return "'" + text + "'"; }

struct Ran {
  int exit_code = -1;  // 128 and the signal's number when a signal ended it
  std::string output;
};

// By the shell in `folder`; what it prints goes through the file `log`.
Ran Run(const std::string& folder, const std::string& command, const fs::path& log) {
  const std::string line =
      "cd " + Quoted(folder) + " && { " + command + " ; } >" + Quoted(log) + " 2>&1";
  const int status = std::system(line.c_str());
  Ran ran;
  if (WIFEXITED(status)) ran.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ran.exit_code = 128 + WTERMSIG(status);
  ran.output = Text(log);
  return ran;
}

// This process's own: ctest runs several beside each other.
fs::path ScratchFile(const std::string& folder) {
  return fs::path(folder) / ("coverage_log_" + std::to_string(getpid()));
}

// The short form of the test, whatever this run is.
std::string TestCommand(const std::string& program, const std::string& filter) {
  return "env -u MJ_TEST_LONG -u GTEST_OUTPUT timeout " + std::to_string(kSecondsMax) + " " +
         Quoted(program) + " " + Quoted("--gtest_filter=" + filter);
}

std::string Tail(const std::string& text, std::size_t size = 2000) {
  return text.size() <= size ? text : "…" + text.substr(text.size() - size);
}

void ReplaceWord(std::string& text, const std::string& word, const std::string& by) {
  const std::size_t at = text.find(" " + word + " ");
  if (at != std::string::npos) text.replace(at + 1, word.size(), by);
}

bool HasWord(const std::string& text, const std::string& word) {
  return text.find(" " + word + " ") != std::string::npos;
}

// Makes `to` show what `from` holds, by links, without the file at `path`.
void Mirror(const fs::path& from, const fs::path& to, const fs::path& path) {
  fs::create_directories(to);
  const fs::path first = *path.begin();
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const fs::path name = entry.path().filename();
    if (name != first) fs::create_symlink(entry.path(), to / name);
  }
  const fs::path rest = path.lexically_relative(first);
  if (rest != ".") Mirror(from / first, to / first, rest);
}

}  // namespace

std::vector<std::string> IncludesIn(std::string_view text) {
  constexpr std::string_view kInclude = "#include \"";
  std::vector<std::string> includes;
  for (std::size_t at = text.find(kInclude); at != std::string_view::npos;
       at = text.find(kInclude, at + 1)) {
    const std::size_t begin = at + kInclude.size();
    includes.emplace_back(text.substr(begin, text.find('"', begin) - begin));
  }
  return includes;
}

std::string Recompile(const std::string& command, const std::string& folder,
                      const std::string& source, const std::string& object) {
  const std::size_t output = command.rfind(" -o ");
  const std::size_t include = command.find(" -I");
  if (output == std::string::npos || include == std::string::npos || include > output) return {};
  return command.substr(0, include) + " -I" + Quoted(folder) +
         command.substr(include, output - include) + " -O0 -g0 -w -o " + Quoted(object) + " -c " +
         Quoted(source);
}

std::string Relink(const std::string& command, const std::map<std::string, std::string>& instead,
                   const std::string& program) {
  const std::size_t output = command.find(" -o ");
  if (output == std::string::npos) return {};
  const std::size_t old_begin = output + 4;
  const std::size_t old_end = command.find(' ', old_begin);
  std::string front, line = command;
  line.replace(old_begin, old_end - old_begin, Quoted(program));
  for (const auto& [object, by] : instead) {
    if (HasWord(line, object)) {
      ReplaceWord(line, object, Quoted(by));
    } else {
      front += " " + Quoted(by);
    }
  }
  line.insert(line.find(" -o "), front);
  return line;
}

std::string LibraryOf(std::string_view object) {
  constexpr std::string_view kFiles = "CMakeFiles/", kDir = ".dir/";
  const std::size_t files = object.find(kFiles);
  const std::size_t dir = object.find(kDir, files == std::string_view::npos ? 0 : files);
  if (files == std::string_view::npos || dir == std::string_view::npos) return {};
  const std::size_t name = files + kFiles.size();
  return std::string(object.substr(0, files)) + "lib" +
         std::string(object.substr(name, dir - name)) + ".a";
}

Build::Build(std::string root, std::string folder)
    : root_(std::move(root)), folder_(std::move(folder)) {
  const auto entries =
      nlohmann::json::parse(Text(folder_ + "/compile_commands.json"), nullptr, false);
  if (!entries.is_array()) {
    fault_ = folder_ + "/compile_commands.json cannot be read";
    return;
  }
  for (const auto& entry : entries) {
    Unit unit{.source = entry.at("file"), .object = {}, .command = entry.at("command")};
    const std::size_t output = unit.command.rfind(" -o ");
    if (output == std::string::npos) continue;
    std::istringstream(unit.command.substr(output + 4)) >> unit.object;
    units_.push_back(std::move(unit));
  }
}

std::string Build::ProgramOf(std::string_view room) const {
  const std::string name = "mj_" + std::string(room) + "_test";
  for (const Unit& unit : units_) {
    const std::size_t at = unit.object.find("CMakeFiles/" + name + ".dir/");
    if (at != std::string::npos) return unit.object.substr(0, at) + name;
  }
  return {};
}

const std::vector<std::string>& Build::TestsOf(const std::string& room) {
  const auto known = tests_.find(room);
  if (known != tests_.end()) return known->second;
  std::vector<std::string>& tests = tests_[room];
  const std::string program = ProgramOf(room);
  if (program.empty()) return tests;
  const fs::path log = ScratchFile(folder_);
  const Ran ran = Run(root_, Quoted(folder_ + "/" + program) + " --gtest_list_tests", log);
  fs::remove(log);
  std::istringstream lines(ran.output);
  std::string suite;
  for (std::string line; std::getline(lines, line);) {
    line.resize(std::min(line.size(), line.find("  #")));
    if (line.starts_with("  ")) {
      tests.push_back(suite + line.substr(2));
    } else {
      suite = line;
    }
  }
  return tests;
}

const std::vector<std::string>& Build::IncludesOf(const std::string& source) {
  const auto known = includes_.find(source);
  if (known != includes_.end()) return known->second;
  std::vector<std::string>& includes = includes_[source];
  for (const std::string& include : IncludesIn(Text(source))) {
    const std::string path = root_ + "/" + include;
    if (fs::exists(path)) includes.push_back(path);
  }
  return includes;
}

bool Build::Sees(const std::string& source, const std::string& file) {
  std::set<std::string> seen = {source};
  std::vector<std::string> open = {source};
  while (!open.empty()) {
    const std::string next = open.back();
    open.pop_back();
    if (next == file) return true;
    for (const std::string& include : IncludesOf(next)) {
      if (seen.insert(include).second) open.push_back(include);
    }
  }
  return false;
}

std::string Build::LinkCommandOf(const std::string& program) {
  std::string& command = link_commands_[program];
  if (!command.empty()) return command;
  const fs::path log = ScratchFile(folder_);
  command = Run(folder_, "ninja -t commands -s " + Quoted(program), log).output;
  fs::remove(log);
  while (command.ends_with('\n')) command.pop_back();
  return command;
}

std::string Build::Try(const Mutant& mutant, const std::string& work) {
  const std::string program = ProgramOf(mutant.test.room);
  if (program.empty()) return "there is no test program of " + mutant.test.room;
  const fs::path folder = work;
  fs::remove_all(folder);
  fs::create_directories((folder / mutant.file).parent_path());
  const fs::path log = folder / "log";

  const Ran before = Run(root_, TestCommand(folder_ + "/" + program, mutant.test.filter), log);
  if (before.exit_code != 0) return "fails without the mutant: " + Tail(before.output);
  if (before.output.find("Running 0 tests") != std::string::npos) return "there is no such test";

  const Mutated mutated = Mutate(Text(fs::path(root_) / mutant.file), mutant);
  if (!mutated.fault.empty()) return mutant.file + " " + mutated.fault;
  std::ofstream(folder / mutant.file) << mutated.text;

  const std::vector<const Unit*> units = UnitsOf(program, mutant.file);
  std::string run_in = root_, tried = folder_ + "/" + program;
  if (units.empty()) {
    run_in = folder / "root";
    Mirror(root_, run_in, mutant.file);
    fs::rename(folder / mutant.file, run_in / fs::path(mutant.file));
  } else {
    tried = folder / "test";
    const std::string fault = Compile(units, program, mutant.file, work, tried);
    if (!fault.empty()) return fault;
  }

  const Ran after = Run(run_in, TestCommand(tried, mutant.test.filter), log);
  if (after.exit_code == 0) return "passes although the rule is switched off";
  if (after.exit_code == kTimedOut) return "does not end";
  if (!kDyingIsFailing && after.output.find("[  FAILED  ]") == std::string::npos) {
    return "dies instead of failing (" + std::to_string(after.exit_code) +
           "): " + Tail(after.output);
  }
  fs::remove_all(folder);
  return {};
}

std::vector<const Unit*> Build::UnitsOf(const std::string& program, const std::string& file) {
  const std::string link = LinkCommandOf(program);
  std::vector<const Unit*> units;
  for (const Unit& unit : units_) {
    const bool linked = HasWord(link, unit.object) || HasWord(link, LibraryOf(unit.object));
    if (linked && Sees(unit.source, root_ + "/" + file)) units.push_back(&unit);
  }
  return units;
}

std::string Build::Compile(const std::vector<const Unit*>& units, const std::string& program,
                           const std::string& file, const std::string& work,
                           const std::string& tried) {
  const fs::path log = fs::path(work) / "log";
  std::map<std::string, std::string> instead;
  for (const Unit* unit : units) {
    const bool itself = unit->source == root_ + "/" + file;
    const std::string source = itself ? work + "/" + file : unit->source;
    const std::string object = work + "/" + std::to_string(instead.size()) + ".o";
    const Ran compiled = Run(folder_, Recompile(unit->command, work, source, object), log);
    if (compiled.exit_code != 0) return "does not compile: " + compiled.output;
    instead[unit->object] = object;
  }
  const Ran linked = Run(folder_, Relink(LinkCommandOf(program), instead, tried), log);
  return linked.exit_code == 0 ? std::string() : "does not link: " + Tail(linked.output);
}

}  // namespace mj::coverage
