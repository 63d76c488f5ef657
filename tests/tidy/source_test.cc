#include "tests/tidy/source.h"

#include <gtest/gtest.h>

namespace mj::tidy {
namespace {

TEST(ParseTest, CommentsAreInRawOnly) {
  const Source source = Parse("libs/x/x.cc", "int a;  // float\n/* float\n float */ int b;\n");
  ASSERT_EQ(source.lines.size(), 3u);
  EXPECT_EQ(source.lines[0].code, "int a;          ");
  EXPECT_EQ(source.lines[0].text, "int a;          ");
  EXPECT_EQ(source.lines[0].raw, "int a;  // float");
  EXPECT_EQ(source.lines[1].code, "        ");
  EXPECT_EQ(source.lines[2].code, "          int b;");
}

TEST(ParseTest, LiteralsAreInText) {
  const Source source = Parse("libs/x/x.cc", R"cc(f("a // \"b\"", 'c', 1'000);  // d)cc");
  ASSERT_EQ(source.lines.size(), 1u);
  EXPECT_EQ(source.lines[0].text, R"(f("a // \"b\"", 'c', 1'000);      )");
  EXPECT_EQ(source.lines[0].code, R"(f("          ", ' ', 1'000);      )");
}

TEST(ParseTest, RawStringsKeepTheirLines) {
  const Source source = Parse("libs/x/x.cc", "auto s = R\"sql(select\n\" // x\n)sql\"; int y;\n");
  ASSERT_EQ(source.lines.size(), 3u);
  EXPECT_EQ(source.lines[1].text, "\" // x");
  EXPECT_EQ(source.lines[1].code, "      ");
  EXPECT_EQ(source.lines[2].code, "     ; int y;");
}

TEST(ParseTest, UnterminatedTextReachesToTheEnd) {
  EXPECT_EQ(Parse("a.cc", "int a; /* b\nc").lines.size(), 2u);
  EXPECT_EQ(Parse("a.cc", "R\"(").lines.size(), 1u);
  EXPECT_EQ(Parse("a.cc", "R\"").lines.size(), 1u);
  EXPECT_EQ(Parse("a.cc", "\"a").lines.size(), 1u);
  EXPECT_TRUE(Parse("a.cc", "").lines.empty());
}

TEST(ParseTest, Includes) {
  const Source source = Parse("libs/x/x.cc",
                              "#include <map>\n"
                              "  # include \"libs/y/y.h\"  // for Y\n"
                              "// #include <set>\n"
                              "#define A \"#include <list>\"\n"
                              "#include MACRO\n");
  ASSERT_EQ(source.includes.size(), 2u);
  EXPECT_EQ(source.includes[0].path, "map");
  EXPECT_TRUE(source.includes[0].angled);
  EXPECT_EQ(source.includes[0].line, 1);
  EXPECT_EQ(source.includes[1].path, "libs/y/y.h");
  EXPECT_FALSE(source.includes[1].angled);
  EXPECT_EQ(source.includes[1].line, 2);
}

TEST(ParseTest, OtherTextStaysAsItIs) {
  const Source source = Parse("tools/x.sh", "echo \"a // b\"  # c\n");
  ASSERT_EQ(source.lines.size(), 1u);
  EXPECT_EQ(source.lines[0].code, source.lines[0].raw);
}

TEST(SourceTest, FilesOfTests) {
  for (const char* path :
       {"libs/x/a_test.cc", "libs/x/a_pg_test.cc", "libs/x/a_bench.cc", "libs/x/a_testing.h",
        "services/x/app/a_contract.h", "tests/e2e/play.cc"}) {
    EXPECT_TRUE(Parse(path, "").IsTest()) << path;
  }
  for (const char* path : {"libs/x/a.cc", "libs/x/attest.cc", "services/x/main.cc"}) {
    EXPECT_FALSE(Parse(path, "").IsTest()) << path;
  }
}

}  // namespace
}  // namespace mj::tidy
