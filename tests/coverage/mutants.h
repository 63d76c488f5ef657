#pragma once

// Builds the tree with one mutant in it and runs the test that has to fail.
//
// Nothing in the tree or in the build is written: the mutated file lies in a folder of its own in
// front of the include path, the sources that see it are compiled again (-O0), and their objects
// come before the libraries when the test program is linked anew. A file that no source sees is
// read at run time (a migration): then the program runs in a copy of the tree, made of links.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/coverage/table.h"

namespace mj::coverage {

// One translation unit of the build.
struct Unit {
  std::string source;   // absolute
  std::string object;   // from the build's folder
  std::string command;  // that compiles it, to be run in the build's folder
};

// What CMake and Ninja know of a finished build.
class Build {
 public:
  // `root`: the repository; `folder`: where it was built with Ninja. Both absolute. An empty
  // `fault()` says that it could be read.
  Build(std::string root, std::string folder);

  const std::string& fault() const { return fault_; }

  // The test program of a room, from the build's folder; empty when there is none.
  std::string ProgramOf(std::string_view room) const;
  // The tests of a room, "SUITE.NAME"; asked of the program once.
  const std::vector<std::string>& TestsOf(const std::string& room);

  // What is wrong with the mutant: it does not build, its test does not fail, or dies of
  // something else than a failed expectation. Empty: the test fails as it must. `work` is a folder
  // that is emptied first and removed in the end when all went well.
  std::string Try(const Mutant& mutant, const std::string& work);

 private:
  std::string LinkCommandOf(const std::string& program);
  // Those of the program and its libraries that see `file`.
  std::vector<const Unit*> UnitsOf(const std::string& program, const std::string& file);
  // Links `tried` with `units` compiled anew; what went wrong.
  std::string Compile(const std::vector<const Unit*>& units, const std::string& program,
                      const std::string& file, const std::string& work, const std::string& tried);
  bool Sees(const std::string& source, const std::string& file);
  const std::vector<std::string>& IncludesOf(const std::string& source);

  std::string root_, folder_, fault_;
  std::vector<Unit> units_;
  std::map<std::string, std::string> link_commands_;
  std::map<std::string, std::vector<std::string>> includes_, tests_;
};

// The files that `text` includes by a path from the root.
std::vector<std::string> IncludesIn(std::string_view text);

// `command` of a compiler, with `folder` in front of all include folders, compiling `source` into
// `object` without optimisation or warnings. Empty when the command is not understood.
std::string Recompile(const std::string& command, const std::string& folder,
                      const std::string& source, const std::string& object);

// `command` of a linker, into `program`: each object of `instead` takes the place of the one it
// is named for, or goes in front of all when that lies in a library. Empty when the command is
// not understood.
std::string Relink(const std::string& command, const std::map<std::string, std::string>& instead,
                   const std::string& program);

// The library or program that an object belongs to, by CMake's naming: "a/CMakeFiles/mj_x.dir/y.o"
// to "a/libmj_x.a".
std::string LibraryOf(std::string_view object);

}  // namespace mj::coverage
