// What the builds of mutants are made of.
#include <gtest/gtest.h>

#include "tests/coverage/mutants.h"

namespace mj::coverage {
namespace {

TEST(IncludesTest, OnlyThoseInQuotes) {
  EXPECT_EQ(IncludesIn("#include <vector>\n#include \"libs/a.h\"\n\n#include \"libs/b.h\"\n"),
            (std::vector<std::string>{"libs/a.h", "libs/b.h"}));
  EXPECT_TRUE(IncludesIn("").empty());
}

TEST(RecompileTest, TheMutantsFolderIsSearchedFirst) {
  EXPECT_EQ(Recompile("c++ -DX -I/root -O1 -o a.o -c /root/a.cc", "/w", "/w/a.cc", "/w/0.o"),
            "c++ -DX -I'/w' -I/root -O1 -O0 -g0 -w -o '/w/0.o' -c '/w/a.cc'");
  EXPECT_EQ(Recompile("c++ -c a.cc", "/w", "a", "b"), "");
}

TEST(RelinkTest, AnObjectTakesItsPlaceAndAMemberOfALibraryGoesInFront) {
  const std::string link = ": && c++ -O1 t/a.o t/b.o -o t/test  t/libx.a && :";
  EXPECT_EQ(Relink(link, {{"t/b.o", "/w/0.o"}}, "/w/test"),
            ": && c++ -O1 t/a.o '/w/0.o' -o '/w/test'  t/libx.a && :");
  EXPECT_EQ(Relink(link, {{"t/CMakeFiles/x.dir/c.o", "/w/1.o"}}, "/w/test"),
            ": && c++ -O1 t/a.o t/b.o '/w/1.o' -o '/w/test'  t/libx.a && :");
  EXPECT_EQ(Relink("", {}, "/w/test"), "");
}

TEST(LibraryOfTest, FollowsCMakesNames) {
  EXPECT_EQ(LibraryOf("libs/round/CMakeFiles/mj_round.dir/apply.cc.o"), "libs/round/libmj_round.a");
  EXPECT_EQ(LibraryOf("apply.cc.o"), "");
}

TEST(BuildTest, SaysWhenThereIsNone) {
  EXPECT_EQ(Build("/nowhere", "/nowhere").fault(), "/nowhere/compile_commands.json cannot be read");
}

}  // namespace
}  // namespace mj::coverage
