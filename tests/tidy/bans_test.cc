#include "tests/tidy/bans.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/tidy/checks.h"

namespace mj::tidy {
namespace {

struct Snippet {
  std::string_view path;
  std::string_view line;
};

// What a ban refuses, and what looks like it and passes.
struct Example {
  std::string_view ban;
  std::vector<Snippet> refused;
  std::vector<Snippet> passed;
};

void PrintTo(const Example& example, std::ostream* out) { *out << example.ban; }

const Ban* FindBan(std::string_view name) {
  const auto bans = Bans();
  const auto found =
      std::find_if(bans.begin(), bans.end(), [name](const Ban& ban) { return ban.name == name; });
  return found == bans.end() ? nullptr : &*found;
}

const std::vector<Example>& Examples() {
  static const std::vector<Example> examples = {
      {"clock",
       {{"libs/round/a.cc", "auto now = std::chrono::system_clock::now();"},
        {"services/table/app/a.cc", "using Clock = std::chrono::steady_clock;"}},
       {{"libs/base/clock.cc", "return std::chrono::system_clock::now();"},
        {"libs/round/a_test.cc", "const auto start = steady_clock::now();"},
        {"libs/round/a.cc", "// never asks system_clock"},
        {"libs/round/a.cc", "int my_system_clock_ticks;"}}},
      {"sleep",
       {{"services/table/app/a.cc", "std::this_thread::sleep_for(1s);"},
        {"tests/e2e/a_test.cc", "std::this_thread::sleep_until(end);"}},
       {{"libs/base/timer.cc", "std::this_thread::sleep_for(1s);"},
        {"tests/e2e/a_test.cc", "sleep_forever();"}}},
      {"random source",
       {{"libs/bots/a.cc", "std::random_device device;"},
        {"libs/bots/a_test.cc", "int x = rand();"}},
       {{"libs/base/entropy.cc", "std::random_device device;"},
        {"libs/bots/a.cc", "int x = strand();"}}},
      {"<random>",
       {{"libs/bots/a.cc", "#include <random>"}, {"libs/bots/a.h", "std::mt19937_64 engine;"}},
       {{"libs/bots/a_test.cc", "std::mt19937_64 engine(7);"},
        {"libs/bots/a.cc", "// <random> differs"}}},
      {"standard distributions",
       {{"libs/fairness/a.cc", "std::shuffle(wall.begin(), wall.end(), engine);"},
        {"services/table/app/a.cc", "std::uniform_int_distribution<int> die(1, 6);"}},
       {{"libs/fairness/a.cc", "fairness::Shuffle(wall, stream);"},
        {"libs/ledger/a_test.cc", "std::shuffle(claims.begin(), claims.end(), engine);"},
        {"libs/fairness/a.cc", "log(\"std::shuffle\");"}}},
      {"environment",
       {{"services/wallet/wiring.cc", "const char* url = std::getenv(\"URL\");"}},
       {{"services/wallet/store/a_pg_test.cc", "const char* url = std::getenv(\"URL\");"},
        {"services/wallet/config.cc", "option->envname(\"MJ_WALLET_LISTEN\");"}}},
      {"thread",
       {{"services/table/app/a.cc", "std::thread worker(run);"},
        {"libs/rpc/a.cc", "auto f = std::async(work);"}},
       {{"libs/base/executor.cc", "std::thread worker(run);"},
        {"libs/rpc/a_test.cc", "std::thread worker(run);"},
        {"libs/rpc/a.cc", "std::this_thread::yield();"}}},
      {"Abseil's mutex",
       {{"libs/base/a.h", "absl::Mutex mutex_;"},
        {"libs/base/a_test.cc", "#include \"absl/synchronization/mutex.h\""}},
       {{"libs/base/a.h", "Mutex mutex_;"}, {"libs/base/a.h", "// not absl::Mutex"}}},
      {"standard output",
       {{"libs/round/a.cc", "std::cout << state;"}, {"services/wallet/main.cc", "printf(\"x\");"}},
       {{"tools/demo/a.cc", "std::cout << state;"},
        {"libs/round/a.cc", "std::snprintf(buffer, 8, \"x\");"},
        {"libs/round/a.cc", "std::fputs(text, file);"}}},
      {"flags",
       {{"services/wallet/config.cc", "ABSL_FLAG(int, port, 0, \"\");"},
        {"tools/load/a.cc", "#include \"absl/flags/flag.h\""}},
       {{"services/wallet/config.cc", "app.add_option(\"--listen\", config.listen);"}}},
      {"catch",
       {{"services/wallet/store/a.cc", "} catch (const std::exception& e) {"},
        {"libs/round/a.cc", "} catch (...) {"}},
       {{"libs/pg/pool.cc", "} catch (const pqxx::failure& e) {"},
        {"services/wallet/config.cc", "} catch (const CLI::ParseError& e) {"},
        {"services/wallet/store/a.cc", "Watch (catches);"}}},
      {"floating point",
       {{"libs/ledger/a.h", "double rake;"},
        {"libs/variants/chaozhou/a.cc", "const float share = 0.5f;"},
        {"services/wallet/store/a_test.cc", "static_cast<double>(coins)"}},
       {{"libs/obs/a.h", "double seconds;"},
        {"libs/ledger/a.h", "int doubled;"},
        {"libs/ledger/a.h", "// no double here"}}},
      {"using namespace",
       {{"libs/round/a.cc", "using namespace std;"},
        {"libs/round/a_test.cc", "using namespace mj;"}},
       {{"libs/round/a.cc", "namespace fs = std::filesystem;"}}},
      {"left-over",
       {{"libs/round/a.cc", "// FIXME: later"},
        {"dev", "# TODO"},
        {"migrations/0001_wallet.sql", "-- XXX"}},
       {{"tools/dev/a.sh", "mktemp -d /tmp/a.XXXXXX"}, {"libs/round/a.cc", "// PREFIXMEANT"}}},
      {"stub",
       {{"services/wallet/rpc/a.cc", "return absl::UnimplementedError(\"\");"},
        {"services/wallet/rpc/a.cc", "// not implemented yet"}},
       {{"services/wallet/rpc/a_test.cc", "EXPECT_EQ(code, grpc::StatusCode::UNIMPLEMENTED);"},
        {"libs/rpc/a.cc", "kUnimplemented"}}},
      {"sleeping test",
       {{"libs/round/a_test.cc", "GTEST_SKIP() << \"slow\";"},
        {"libs/round/a_test.cc", "TEST(RoundTest, DISABLED_) {"}},
       {{"libs/round/a_test.cc", "TEST(RoundTest, RobbingIsDisabled) {"}}},
  };
  return examples;
}

class BanTest : public ::testing::TestWithParam<Example> {};

TEST_P(BanTest, RefusesAndNamesTheCure) {
  const Ban* ban = FindBan(GetParam().ban);
  ASSERT_NE(ban, nullptr);
  for (const Snippet& snippet : GetParam().refused) {
    const Findings findings =
        CheckBan(*ban, Parse(std::string(snippet.path), "\n" + std::string(snippet.line)));
    ASSERT_EQ(findings.size(), 1u) << snippet.path << ": " << snippet.line;
    EXPECT_EQ(findings[0].line, 2);
    EXPECT_TRUE(findings[0].what.ends_with(ban->cure)) << findings[0].what;
  }
}

TEST_P(BanTest, LetsPass) {
  const Ban* ban = FindBan(GetParam().ban);
  ASSERT_NE(ban, nullptr);
  for (const Snippet& snippet : GetParam().passed) {
    EXPECT_TRUE(CheckBan(*ban, Parse(std::string(snippet.path), snippet.line)).empty())
        << snippet.path << ": " << snippet.line;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, BanTest, ::testing::ValuesIn(Examples()), [](const auto& test) {
  std::string name(test.param.ban);
  std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
  return name;
});

TEST(BansTest, EachHasAnExampleOfBothKinds) {
  for (const Ban& ban : Bans()) {
    const auto& examples = Examples();
    const auto found = std::find_if(examples.begin(), examples.end(),
                                    [&ban](const Example& e) { return e.ban == ban.name; });
    ASSERT_NE(found, examples.end()) << ban.name;
    EXPECT_FALSE(found->refused.empty()) << ban.name;
    EXPECT_FALSE(found->passed.empty()) << ban.name;
  }
}

TEST(BansTest, EachWordIsFoundAndEachExceptionHolds) {
  for (const Ban& ban : Bans()) {
    const std::string home =
        ban.within.empty() ? "libs/matching/" : std::string(ban.within.front());
    for (std::string_view word : ban.words) {
      EXPECT_EQ(CheckBan(ban, Parse(home + "a.cc", word)).size(), 1u) << ban.name << ": " << word;
      for (const Exception& exception : ban.exceptions) {
        std::string path(exception.path);
        if (const auto star = path.find('*'); star != std::string::npos) path.replace(star, 1, "x");
        if (path.ends_with('/')) path += "a.cc";
        EXPECT_TRUE(CheckBan(ban, Parse(path, word)).empty()) << ban.name << ": " << path;
        EXPECT_FALSE(exception.reason.empty()) << ban.name << ": " << exception.path;
      }
    }
  }
}

TEST(HasWordTest, WholeWordsOnly) {
  EXPECT_TRUE(HasWord("float x", "float"));
  EXPECT_TRUE(HasWord("(float)", "float"));
  EXPECT_TRUE(HasWord("float", "float"));
  EXPECT_FALSE(HasWord("floats", "float"));
  EXPECT_FALSE(HasWord("a_float", "float"));
  EXPECT_TRUE(HasWord("floats float", "float"));
  EXPECT_TRUE(HasWord("x(printf(", "printf("));
  EXPECT_FALSE(HasWord("", "float"));
}

TEST(PathMatchesTest, FilesFoldersAndStars) {
  EXPECT_TRUE(PathMatches("libs/base/", "libs/base/a/b.cc"));
  EXPECT_FALSE(PathMatches("libs/base/", "libs/based/a.cc"));
  EXPECT_TRUE(PathMatches("libs/base/a.cc", "libs/base/a.cc"));
  EXPECT_FALSE(PathMatches("libs/base/a.cc", "libs/base/a.cc2"));
  EXPECT_TRUE(PathMatches("services/*/config.cc", "services/wallet/config.cc"));
  EXPECT_FALSE(PathMatches("services/*/config.cc", "services/wallet/app/config.cc"));
  EXPECT_FALSE(PathMatches("services/*/config.cc", "services/config.cc"));
}

}  // namespace
}  // namespace mj::tidy
