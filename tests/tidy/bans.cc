#include "tests/tidy/bans.h"

#include <cctype>
#include <cstddef>

namespace mj::tidy {
namespace {

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

const std::vector<Ban>& All() {
  static const std::vector<Ban> bans = {
      {.name = "clock",
       .words = {"system_clock", "steady_clock", "high_resolution_clock", "gettimeofday",
                 "clock_gettime", "time(nullptr)"},
       .cure = "take a mj::base::Clock",
       .tests_too = false,
       .exceptions = {{"libs/base/", "home of the system clock"},
                      {"libs/rpc/", "a gRPC deadline is a system_clock time"},
                      {"tools/health/", "a gRPC deadline is a system_clock time"}}},
      {.name = "sleep",
       .words = {"sleep_for", "sleep_until", "usleep", "nanosleep"},
       .cure = "wait for the event: a condition variable, a timer of mj::base, a deadline",
       .exceptions = {{"libs/base/", "home of waiting"},
                      {"libs/pg/", "polls a server that tells nobody when it is up"}}},
      {.name = "random source",
       .words = {"random_device", "default_random_engine", "rand()", "srand(", "absl::BitGen"},
       .cure = "take a mj::base::Entropy, or libs/fairness for what players see",
       .exceptions = {{"libs/base/", "home of entropy"}}},
      {.name = "<random>",
       .words = {"<random>", "mt19937", "mt19937_64"},
       .cure = "libs/fairness deals; tests use tests/support/random.h",
       .look = Look::kText,
       .tests_too = false},
      {.name = "standard distributions",
       .words = {"std::shuffle", "std::sample", "uniform_int_distribution",
                 "uniform_real_distribution", "normal_distribution", "bernoulli_distribution"},
       .cure = "their output differs from library to library: libs/fairness",
       .tests_too = false},
      {.name = "environment",
       .words = {"getenv", "secure_getenv", "setenv", "environ"},
       .cure = "a flag of config.cc (each has its MJ_<SERVICE>_<FLAG> variable)",
       .tests_too = false},
      {.name = "thread",
       .words = {"std::thread", "std::jthread", "std::async", "pthread_create"},
       .cure = "post to an executor of libs/base",
       .tests_too = false,
       .exceptions = {{"libs/base/", "home of the executors"}}},
      {.name = "Abseil's mutex",
       .words = {"absl::Mutex", "absl::MutexLock", "absl/synchronization/mutex.h"},
       .cure = "mj::base::Mutex and MutexLock: ThreadSanitizer understands std::mutex only",
       .look = Look::kText},
      {.name = "standard output",
       .words = {"std::cout", "printf(", "puts(", "putchar("},
       .cure = "log through libs/obs; only tools print",
       .tests_too = false,
       .exceptions = {{"tools/", "their output is what they are for"}}},
      {.name = "flags",
       .words = {"ABSL_FLAG", "absl/flags/flag.h", "getopt("},
       .cure = "CLI11 in services/*/config.cc",
       .look = Look::kText},
      {.name = "catch",
       .words = {"catch ("},
       .cure = "exceptions end in libs/pg; everyone else returns a Status or a Rejection",
       .tests_too = false,
       .exceptions = {{"libs/pg/", "libpqxx throws"},
                      {"libs/casefile/", "nlohmann/json throws"},
                      {"libs/base/", "the executor's last line of defence"},
                      {"libs/rpc/", "a handler's last line of defence"},
                      {"libs/obs/", "the metrics server throws when its port is taken"},
                      {"services/*/config.cc", "CLI11 throws"},
                      {"tools/", "CLI11 and nlohmann/json throw"}}},
      {.name = "floating point",
       .words = {"float", "double", "long double"},
       .cure = "money, fan and tiles are integers",
       .within = {"libs/tiles/", "libs/rules/", "libs/variants/", "libs/round/", "libs/ledger/",
                  "libs/receipt/", "services/wallet/app/", "services/wallet/store/",
                  "services/scoring/app/"}},
      {.name = "using namespace", .words = {"using namespace"}, .cure = "name what you use"},
      {.name = "left-over",
       .words = {"FIXME", "XXX", "TODO"},
       .cure = "mend it, or say in an issue what is to be done",
       .look = Look::kRaw,
       .cpp_only = false},
      {.name = "stub",
       .words = {"not implemented", "Not implemented", "not yet implemented", "UnimplementedError",
                 "StatusCode::UNIMPLEMENTED"},
       .cure = "leave out what does not exist yet",
       .look = Look::kRaw,
       .tests_too = false},
      {.name = "sleeping test",
       .words = {"GTEST_SKIP", "DISABLED_"},
       .cure = "a test runs or is deleted",
       .look = Look::kRaw},
  };
  return bans;
}

}  // namespace

std::span<const Ban> Bans() { return All(); }

bool HasWord(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = !IsWordCharacter(word.front()) || at == 0 || !IsWordCharacter(line[at - 1]);
    const bool ends =
        !IsWordCharacter(word.back()) || end == line.size() || !IsWordCharacter(line[end]);
    if (starts && ends) return true;
  }
  return false;
}

bool PathMatches(std::string_view pattern, std::string_view path) {
  const std::size_t wild = pattern.find('*');
  if (wild != std::string_view::npos) {
    if (!path.starts_with(pattern.substr(0, wild))) return false;
    const std::size_t slash = path.find('/', wild);
    if (slash == std::string_view::npos || slash == wild) return false;
    return PathMatches(pattern.substr(wild + 1), path.substr(slash));
  }
  return pattern.ends_with('/') ? path.starts_with(pattern) : path == pattern;
}

}  // namespace mj::tidy
