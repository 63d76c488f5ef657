// ListVariants and GetRulebook over real gRPC: the tables that the code runs, as data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/tiles/mpsz.h"
#include "libs/variants/registry.h"
#include "services/scoring/rpc/server_testing.h"

namespace mj::scoring::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using ::testing::ElementsAre;

v1::GetRulebookRequest RulebookOf(std::string_view variant) {
  v1::GetRulebookRequest request;
  request.set_variant(std::string(variant));
  return request;
}

TEST(ListVariantsTest, GivesEveryGameInShort) {
  const auto response = Call(v1::ListVariantsRequest());
  ASSERT_THAT(response, IsOk());
  ASSERT_EQ(static_cast<std::size_t>(response->variants_size()), variants::All().size());
  for (int i = 0; i < response->variants_size(); ++i) {
    const v1::Variant& variant = response->variants(i);
    const rules::Variant& game = *variants::All()[static_cast<std::size_t>(i)];
    SCOPED_TRACE(variant.id());
    EXPECT_EQ(variant.id(), game.info().id);
    EXPECT_EQ(variant.name().zh_hans(), game.info().name_zh);
    EXPECT_EQ(variant.name().en(), game.info().name_en);
    EXPECT_EQ(variant.rulebook_version(), rules::RulebookVersion(game));
    EXPECT_EQ(variant.served_rulebook_versions(0), variant.rulebook_version());
    EXPECT_GE(variant.wall_tiles(), 100u);
    EXPECT_EQ(static_cast<std::size_t>(variant.options_size()), game.options().size());
    for (const v1::OptionInfo& option : variant.options()) {
      EXPECT_FALSE(option.name().zh_hans().empty()) << option.key();
      EXPECT_FALSE(option.name().en().empty()) << option.key();
      EXPECT_FALSE(option.rule_id().empty()) << option.key();
      EXPECT_NE(option.type(), v1::OPTION_TYPE_UNSPECIFIED) << option.key();
      EXPECT_EQ(option.type() == v1::OPTION_TYPE_CHOICE, option.choices_size() > 1);
    }
  }
}

TEST(ListVariantsTest, GivesOneOrRefuses) {
  v1::ListVariantsRequest request;
  request.set_variant("chaozhou");
  const auto one = Call(request);
  ASSERT_THAT(one, IsOk());
  ASSERT_EQ(one->variants_size(), 1);
  EXPECT_EQ(one->variants(0).options(0).key(), "max_multiplier");
  EXPECT_EQ(one->variants(0).options(0).default_value(), "10");
  request.set_variant("bridge");
  EXPECT_THAT(Call(request), FailsWith(Reason::kUnknownVariant));
}

TEST(GetRulebookTest, GivesEveryTableOfEveryGame) {
  for (const rules::Variant* game : variants::All()) {
    SCOPED_TRACE(game->info().id);
    const auto response = Call(RulebookOf(game->info().id));
    ASSERT_THAT(response, IsOk());
    const v1::Rulebook& book = response->rulebook();
    EXPECT_EQ(book.rulebook_version(), rules::RulebookVersion(*game));
    EXPECT_EQ(book.variant().rulebook_version(), book.rulebook_version());

    std::set<std::string> ids;
    ASSERT_EQ(static_cast<std::size_t>(book.patterns_size()), game->patterns().size());
    for (int i = 0; i < book.patterns_size(); ++i) {
      const v1::PatternInfo& pattern = book.patterns(i);
      const rules::Pattern& row = game->patterns()[static_cast<std::size_t>(i)];
      SCOPED_TRACE(pattern.id());
      EXPECT_TRUE(ids.insert(pattern.id()).second);
      EXPECT_EQ(pattern.id(), row.id);
      EXPECT_EQ(pattern.name().zh_hans(), row.name_zh);
      EXPECT_EQ(pattern.name().en(), row.name_en);
      EXPECT_EQ(pattern.value(), row.value);
      EXPECT_EQ(pattern.big(), row.big);
      EXPECT_EQ(pattern.source(), row.source);
      EXPECT_NE(pattern.unit(), v1::PATTERN_UNIT_UNSPECIFIED);
      EXPECT_EQ(static_cast<std::size_t>(pattern.implies_size()), row.implies.size());
      EXPECT_FALSE(pattern.name().zh_hans().empty());
      EXPECT_FALSE(pattern.name().en().empty());
      EXPECT_FALSE(pattern.source().empty());
    }
    ASSERT_EQ(static_cast<std::size_t>(book.rules_size()), game->rules().size());
    for (const v1::RuleInfo& rule : book.rules()) {
      EXPECT_TRUE(ids.insert(rule.id()).second) << rule.id();
      EXPECT_FALSE(rule.name().zh_hans().empty()) << rule.id();
      EXPECT_FALSE(rule.name().en().empty()) << rule.id();
      EXPECT_FALSE(rule.source().empty()) << rule.id();
    }
    const rules::Options defaults = rules::DefaultOptions(game->options());
    const rules::PlayRules play = game->play(defaults);
    EXPECT_EQ(tiles::ParseCounts(book.wall()), play.wall);
    EXPECT_EQ(book.options().size(), game->options().size());
    EXPECT_EQ(book.shapes(0), "standard");
    EXPECT_EQ(book.play().chow(), play.chow);
    EXPECT_EQ(book.play().winds(), play.winds);
    EXPECT_EQ(static_cast<int>(book.play().horses()), play.horses);
    EXPECT_NE(book.play().missed_win(), v1::MISSED_WIN_UNSPECIFIED);
    EXPECT_NE(book.play().wild(), v1::WILD_MODE_UNSPECIFIED);
    EXPECT_EQ(static_cast<int>(book.counting().units_per_base()), game->info().units_per_base);
    EXPECT_EQ(book.counting().counts_horses(), game->info().counts_horses);
  }
}

TEST(GetRulebookTest, GivesPointsForTheOnePatternThatCounts) {
  const auto shaoguan = Call(RulebookOf("shaoguan"));
  ASSERT_THAT(shaoguan, IsOk());
  EXPECT_EQ(shaoguan->rulebook().patterns(0).unit(), v1::PATTERN_UNIT_POINTS);
  const auto chaozhou = Call(RulebookOf("chaozhou"));
  ASSERT_THAT(chaozhou, IsOk());
  EXPECT_EQ(chaozhou->rulebook().patterns(0).unit(), v1::PATTERN_UNIT_FAN);
  EXPECT_EQ(chaozhou->rulebook().patterns(1).unit(), v1::PATTERN_UNIT_MULTIPLIER);
}

// What hangs on options is told for those that were asked about.
TEST(GetRulebookTest, NamesKongsInTheWordsOfEachText) {
  const auto names = [](std::string_view variant) {
    const auto answer = Call(RulebookOf(variant));
    if (!answer.ok()) return std::vector<std::string>{answer.status().ToString()};
    const v1::KongNames& kong = answer->rulebook().kong_names();
    return std::vector<std::string>{kong.discard().zh_hans(), kong.added().zh_hans(),
                                    kong.concealed().zh_hans()};
  };
  EXPECT_THAT(names("chaozhou"), ElementsAre("点杠", "明杠", "暗杠"));
  EXPECT_THAT(names("guangdong"), ElementsAre("明杠", "上杠", "暗杠"));
  EXPECT_THAT(names("shaoguan"), ElementsAre("放杠", "明杠", "暗杠"));
  EXPECT_THAT(names("jieyang"), ElementsAre("点杠", "明杠", "暗杠"));
}

TEST(GetRulebookTest, HasTheWordsOfEachText) {
  const auto words = [](std::string_view variant) {
    const auto answer = Call(RulebookOf(variant));
    if (!answer.ok()) return std::vector<std::string>{answer.status().ToString()};
    const v1::GameWords& own = answer->rulebook().words();
    return std::vector<std::string>{own.base().zh_hans(), own.self_draw().zh_hans(),
                                    own.discard_win().zh_hans(), own.robbed_kong().zh_hans()};
  };
  EXPECT_THAT(words("chaozhou"), ElementsAre("底注", "自摸", "点炮胡", "抢杠胡"));
  EXPECT_THAT(words("guangdong"), ElementsAre("底分", "自摸", "放炮", "抢杠和"));
  EXPECT_THAT(words("shaoguan"), ElementsAre("底分", "自摸", "点炮胡", "抢杠胡"));
  EXPECT_THAT(words("jieyang"), ElementsAre("底注", "自摸", "点炮胡", "抢杠胡"));
}

TEST(GetRulebookTest, GoesByTheOptions) {
  v1::GetRulebookRequest request = RulebookOf("shaoguan");
  (*request.mutable_options())["with_characters"] = "false";
  (*request.mutable_options())["horses"] = "2";
  const auto response = Call(request);
  ASSERT_THAT(response, IsOk());
  const v1::Rulebook& book = response->rulebook();
  EXPECT_EQ(tiles::ParseCounts(book.wall())->total(), 100);
  EXPECT_EQ(book.play().horses(), 2u);
  EXPECT_EQ(book.options().at("horses"), "2");
  EXPECT_EQ(book.options().at("seven_pairs"), "pure");
  EXPECT_THAT(book.shapes(), ::testing::ElementsAre("standard", "seven_pairs"));

  request = RulebookOf("jieyang");
  (*request.mutable_options())["wild"] = "white";
  const auto wild = Call(request);
  ASSERT_THAT(wild, IsOk());
  EXPECT_EQ(wild->rulebook().play().wild(), v1::WILD_MODE_FIXED);
  EXPECT_EQ(wild->rulebook().play().fixed_wild(), "5z");
}

TEST(GetRulebookTest, RefusesWhatIsNotServed) {
  v1::GetRulebookRequest request = RulebookOf("bridge");
  EXPECT_THAT(Call(request), FailsWith(Reason::kUnknownVariant));
  EXPECT_EQ(FieldOf(Call(request)), "variant");
  EXPECT_THAT(Call(v1::GetRulebookRequest()), FailsWith(Reason::kUnknownVariant));
  request = RulebookOf("chaozhou");
  (*request.mutable_options())["max_multiplier"] = "1001";
  EXPECT_THAT(Call(request), FailsWith(Reason::kOptionOutOfRange));
  EXPECT_EQ(FieldOf(Call(request)), "options.max_multiplier");
  (*request.mutable_options())[std::string(5000, 'x')] = "1";
  request.mutable_options()->erase("max_multiplier");
  EXPECT_THAT(Call(request), FailsWith(Reason::kUnknownOption));
  EXPECT_EQ(FieldOf(Call(request)), "options");
}

}  // namespace
}  // namespace mj::scoring::rpc
