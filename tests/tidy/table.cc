#include "tests/tidy/table.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace mj::tidy {
namespace {

using enum Library;

// The rooms of the pure floor, which whoever stands above it may know, and `others`.
std::vector<std::string_view> OnTheFloor(std::vector<std::string_view> others) {
  for (std::string_view room :
       {"libs/tiles", "libs/rules", "libs/variants", "libs/round", "libs/ledger", "libs/receipt",
        "libs/matching", "libs/rating", "libs/bots", "libs/fairness", "libs/audit", "libs/record",
        "libs/narration", "libs/proof", "libs/collusion"}) {
    others.push_back(room);
  }
  return others;
}

const std::vector<Row>& Rows() {
  static const std::vector<Row> rows = {
      // The pure floor: the standard library only (fairness, audit: libsodium).
      {"libs/tiles", {}, {}},
      {"libs/rules", {"libs/tiles"}, {}},
      {"libs/variants/*", {"libs/tiles", "libs/rules"}, {}},
      {"libs/variants", {"libs/tiles", "libs/rules"}, {}},
      {"libs/round", {"libs/tiles", "libs/rules"}, {}},
      {"libs/ledger", {}, {}},
      {"libs/receipt", {"libs/tiles", "libs/rules", "libs/ledger"}, {}},
      {"libs/matching", {}, {}},
      {"libs/rating", {}, {}},
      {"libs/bots", {"libs/tiles", "libs/rules", "libs/round"}, {}},
      {"libs/fairness", {"libs/tiles"}, {kSodium}},
      {"libs/audit", {}, {kSodium}},
      {"libs/record", {"libs/tiles", "libs/rules", "libs/round", "libs/fairness"}, {}},
      {"libs/proof",
       {"libs/tiles", "libs/rules", "libs/variants", "libs/round", "libs/ledger", "libs/receipt",
        "libs/fairness", "libs/audit", "libs/record"},
       {}},
      {"libs/collusion",
       {"libs/tiles", "libs/rules", "libs/round", "libs/fairness", "libs/record"},
       {}},
      {"libs/narration",
       {"libs/tiles", "libs/rules", "libs/receipt", "libs/round", "libs/record"},
       {}},

      // Kits: each knows a technology, and no game.
      {"libs/base", {}, {kAbsl, kPosix}},
      {"libs/obs", {"libs/base"}, {kAbsl, kPosix, kSpdlog, kPrometheus}},
      {"libs/pg", {"libs/base", "libs/obs"}, {kAbsl, kPosix, kPqxx, kPq}},
      {"libs/statement", {"libs/base"}, {}},
      {"libs/books", {"libs/audit", "libs/base", "libs/pg", "libs/statement"}, {kAbsl}},
      {"libs/fairplay",
       {"libs/base", "libs/collusion", "libs/packing", "libs/pg", "libs/wire"},
       {kAbsl}},
      {"libs/auth", {"libs/base"}, {kAbsl, kJson, kJwt, kOpenSsl, kSodium}},
      {"libs/issuer", {"libs/base"}, {kAbsl, kPosix, kJson, kJwt, kOpenSsl}},
      {"libs/rpc", {"libs/auth", "libs/base", "libs/obs"}, {kAbsl, kPosix, kGrpc, kProtobuf}},
      // A client's identity, from its command line.
      {"libs/credentials", {"libs/base", "libs/issuer", "libs/rpc"}, {kAbsl}},
      {"libs/console", {}, {}},
      {"libs/packing", {"libs/base"}, {kAbsl, kZstd}},
      // Kits between the outside and the pure floor: they translate and decide nothing.
      {"libs/wire", OnTheFloor({"libs/base"}), {kAbsl, kProtobuf}},
      {"libs/casefile", OnTheFloor({}), {kJson}},
      // A client of the services, for whatever plays: demo, load, tests.
      {"libs/player",
       OnTheFloor({"libs/base", "libs/console", "libs/rpc", "libs/wire"}),
       {kAbsl, kGrpc, kProtobuf}},

      // Services: use cases and ports inside, adapters around them that do not know each other.
      {"services/*/app", OnTheFloor({"libs/base", "libs/obs", "libs/statement"}), {kAbsl}},
      {"services/*/rpc",
       OnTheFloor({"services/*/app", "libs/base", "libs/obs", "libs/rpc", "libs/wire"}),
       {kAbsl, kGrpc, kProtobuf}},
      {"services/*/store",
       OnTheFloor({"services/*/app", "libs/base", "libs/books", "libs/obs", "libs/packing",
                   "libs/pg", "libs/wire"}),
       {kAbsl, kProtobuf}},
      {"services/*/peers",
       OnTheFloor({"services/*/app", "libs/base", "libs/obs", "libs/rpc", "libs/wire"}),
       {kAbsl, kGrpc, kProtobuf}},
      {"services/*",
       {"services/*/app", "services/*/rpc", "services/*/store", "services/*/peers", "libs"},
       {kAbsl, kGrpc, kProtobuf, kCli11}},

      // What stands on top. A tool speaks to services over gRPC and never links one.
      {"tools/*", {"libs"}, {kAbsl, kPosix, kGrpc, kProtobuf, kCli11, kJson}},
      {"tests",
       {"libs", "services", "tools"},
       {kAbsl, kPosix, kGrpc, kProtobuf, kJson, kPq, kOpenSsl, kTest}},
  };
  return rows;
}

constexpr std::array kNarrowings = {
    Narrowing{kCli11, "services/", "config.cc"},
};

// The headers of C++20 and those of C in their C++ names.
constexpr auto kStdHeaders = std::to_array<std::string_view>({"algorithm",
                                                              "any",
                                                              "array",
                                                              "atomic",
                                                              "barrier",
                                                              "bit",
                                                              "bitset",
                                                              "cassert",
                                                              "cctype",
                                                              "cerrno",
                                                              "cfenv",
                                                              "cfloat",
                                                              "charconv",
                                                              "chrono",
                                                              "cinttypes",
                                                              "climits",
                                                              "clocale",
                                                              "cmath",
                                                              "compare",
                                                              "complex",
                                                              "concepts",
                                                              "condition_variable",
                                                              "coroutine",
                                                              "csetjmp",
                                                              "csignal",
                                                              "cstdarg",
                                                              "cstddef",
                                                              "cstdint",
                                                              "cstdio",
                                                              "cstdlib",
                                                              "cstring",
                                                              "ctime",
                                                              "cuchar",
                                                              "cwchar",
                                                              "cwctype",
                                                              "deque",
                                                              "exception",
                                                              "execution",
                                                              "filesystem",
                                                              "forward_list",
                                                              "fstream",
                                                              "functional",
                                                              "future",
                                                              "initializer_list",
                                                              "iomanip",
                                                              "ios",
                                                              "iosfwd",
                                                              "iostream",
                                                              "istream",
                                                              "iterator",
                                                              "latch",
                                                              "limits",
                                                              "list",
                                                              "locale",
                                                              "map",
                                                              "memory",
                                                              "memory_resource",
                                                              "mutex",
                                                              "new",
                                                              "numbers",
                                                              "numeric",
                                                              "optional",
                                                              "ostream",
                                                              "queue",
                                                              "random",
                                                              "ranges",
                                                              "ratio",
                                                              "regex",
                                                              "scoped_allocator",
                                                              "semaphore",
                                                              "set",
                                                              "shared_mutex",
                                                              "source_location",
                                                              "span",
                                                              "sstream",
                                                              "stack",
                                                              "stdexcept",
                                                              "stop_token",
                                                              "streambuf",
                                                              "string",
                                                              "string_view",
                                                              "syncstream",
                                                              "system_error",
                                                              "thread",
                                                              "tuple",
                                                              "type_traits",
                                                              "typeindex",
                                                              "typeinfo",
                                                              "unordered_map",
                                                              "unordered_set",
                                                              "utility",
                                                              "valarray",
                                                              "variant",
                                                              "vector",
                                                              "version"});

constexpr auto kPosixHeaders = std::to_array<std::string_view>(
    {"dirent.h", "dlfcn.h", "errno.h", "fcntl.h", "grp.h", "netdb.h", "poll.h", "pthread.h",
     "pwd.h", "sched.h", "signal.h", "spawn.h", "stdlib.h", "string.h", "syslog.h", "termios.h",
     "time.h", "unistd.h"});

struct Family {
  std::string_view prefix;
  Library library;
};
constexpr std::array kFamilies = {
    Family{"sys/", kPosix},        Family{"netinet/", kPosix},   Family{"arpa/", kPosix},
    Family{"linux/", kPosix},      Family{"zstd.h", kZstd},      Family{"sodium", kSodium},
    Family{"pqxx/", kPqxx},        Family{"libpq-fe.h", kPq},    Family{"libpq/", kPq},
    Family{"grpc/", kGrpc},        Family{"grpcpp/", kGrpc},     Family{"google/", kProtobuf},
    Family{"mahjong/", kProtobuf}, Family{"absl/", kAbsl},       Family{"prometheus/", kPrometheus},
    Family{"spdlog/", kSpdlog},    Family{"fmt/", kSpdlog},      Family{"CLI/", kCli11},
    Family{"jwt/", kJwt},          Family{"openssl/", kOpenSsl}, Family{"nlohmann/", kJson},
    Family{"gtest/", kTest},       Family{"gmock/", kTest},      Family{"benchmark/", kTest},
    Family{"rapidcheck", kTest},
};

// Does `folder` (with at most one `*`) hold `path`? `star` gets what `*` stands for.
bool Holds(std::string_view folder, std::string_view path, std::string* star) {
  const std::size_t wild = folder.find('*');
  if (wild == std::string_view::npos) {
    return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
  }
  if (!path.starts_with(folder.substr(0, wild))) return false;
  const std::string_view rest = path.substr(wild);
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos || slash == 0) return false;  // a file, not a folder
  const std::string_view tail = folder.substr(wild + 1);
  const std::string_view after = rest.substr(slash);
  if (!after.starts_with(tail) || after.size() <= tail.size() || after[tail.size()] != '/') {
    return false;
  }
  *star = std::string(rest.substr(0, slash));
  return true;
}

}  // namespace

std::string_view Name(Library library) {
  switch (library) {
    case kStd:
      return "the standard library";
    case kPosix:
      return "POSIX";
    case kSodium:
      return "libsodium";
    case kZstd:
      return "libzstd";
    case kPqxx:
      return "libpqxx";
    case kPq:
      return "libpq";
    case kGrpc:
      return "gRPC";
    case kProtobuf:
      return "protobuf";
    case kAbsl:
      return "Abseil";
    case kPrometheus:
      return "prometheus-cpp";
    case kSpdlog:
      return "spdlog";
    case kCli11:
      return "CLI11";
    case kJson:
      return "nlohmann/json";
    case kJwt:
      return "cpp-jwt";
    case kOpenSsl:
      return "OpenSSL";
    case kTest:
      return "a test framework";
  }
  return "?";
}

std::span<const Row> Table() { return Rows(); }

const Row& TestRow() {
  static const Row row = {
      "(files of tests)",
      OnTheFloor({"tests/support", "libs/auth", "libs/base", "libs/casefile", "libs/issuer"}),
      {kTest, kPosix, kJson}};
  return row;
}

std::span<const Narrowing> Narrowings() { return kNarrowings; }

const Row* FindRow(std::string_view path, std::string* star) {
  const Row* best = nullptr;
  for (const Row& row : Rows()) {
    std::string here;
    if (Holds(row.folder, path, &here) &&
        (best == nullptr || row.folder.size() > best->folder.size())) {
      best = &row;
      *star = std::move(here);
    }
  }
  return best;
}

std::string Fill(std::string_view pattern, std::string_view star) {
  std::string filled(pattern);
  const std::size_t wild = filled.find('*');
  if (wild != std::string::npos) filled.replace(wild, 1, star);
  return filled;
}

bool IsRepositoryPath(std::string_view include_path) {
  constexpr std::array<std::string_view, 4> kTops = {"libs/", "services/", "tools/", "tests/"};
  return std::any_of(kTops.begin(), kTops.end(), [include_path](std::string_view top) {
    return include_path.starts_with(top);
  });
}

std::optional<Library> LibraryOf(std::string_view include_path) {
  if (std::find(kStdHeaders.begin(), kStdHeaders.end(), include_path) != kStdHeaders.end()) {
    return kStd;
  }
  if (std::find(kPosixHeaders.begin(), kPosixHeaders.end(), include_path) != kPosixHeaders.end()) {
    return kPosix;
  }
  if (include_path.ends_with(".pb.h")) return kProtobuf;
  for (const Family& family : kFamilies) {
    if (include_path.starts_with(family.prefix)) return family.library;
  }
  return std::nullopt;
}

}  // namespace mj::tidy
