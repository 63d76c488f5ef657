#include "libs/casefile/documents.h"

#include <gtest/gtest.h>

#include <string>

namespace mj::casefile {
namespace {

using Json = nlohmann::json;

// Each document as text; an error as "error: …".
std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> texts;
  for (const Document& document : SplitDocuments(text)) {
    if (const auto* json = std::get_if<Json>(&document)) {
      texts.push_back(json->dump());
    } else {
      texts.push_back("error: " + std::get<FormatError>(document).ToText());
    }
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(SplitDocumentsTest, TakesAList) {
  EXPECT_EQ(Split("[{\"a\":1},\n {\"b\":[1,2]}]\n"), (Texts{R"({"a":1})", R"({"b":[1,2]})"}));
  EXPECT_EQ(Split(" [ ] "), Texts{});
}

TEST(SplitDocumentsTest, TakesLines) {
  EXPECT_EQ(Split("{\"a\":1}\n\n  \r\n{\"b\":2}\r\n"), (Texts{R"({"a":1})", R"({"b":2})"}));
}

TEST(SplitDocumentsTest, TakesOneDocumentOverSeveralLines) {
  EXPECT_EQ(Split("{\n \"a\": 1\n}\n"), (Texts{R"({"a":1})"}));
}

TEST(SplitDocumentsTest, HasNothingInEmptyText) {
  EXPECT_EQ(Split(""), Texts{});
  EXPECT_EQ(Split(" \n\t"), Texts{});
  EXPECT_EQ(Split("\xEF\xBB\xBF"), Texts{});
}

TEST(SplitDocumentsTest, SkipsAByteOrderMark) {
  EXPECT_EQ(Split("\xEF\xBB\xBF[{\"a\":1}]"), (Texts{R"({"a":1})"}));
}

TEST(SplitDocumentsTest, GoesOnAfterABrokenLine) {
  const Texts texts = Split("{\"a\":1}\n{\"a\":\n{\"b\":2}");
  ASSERT_EQ(texts.size(), 3u);
  EXPECT_EQ(texts[0], R"({"a":1})");
  EXPECT_TRUE(texts[1].starts_with("error: parse error at line 1, column 6")) << texts[1];
  EXPECT_EQ(texts[2], R"({"b":2})");
}

TEST(SplitDocumentsTest, GoesOnAfterABrokenEntry) {
  const Texts texts = Split(R"([{"a":1}, {"a" 1}, , {"t":"],}\""}, 1e999])");
  ASSERT_EQ(texts.size(), 5u);
  EXPECT_EQ(texts[0], R"({"a":1})");
  EXPECT_TRUE(texts[1].starts_with("error: parse error")) << texts[1];
  EXPECT_TRUE(texts[2].starts_with("error: parse error")) << texts[2];
  EXPECT_EQ(texts[3], R"({"t":"],}\""})");
  EXPECT_TRUE(texts[4].starts_with("error: number overflow")) << texts[4];
}

TEST(SplitDocumentsTest, SaysWhenAListDoesNotEnd) {
  EXPECT_EQ(Split(R"([{"a":1}, {"b":2)"),
            (Texts{R"({"a":1})", "error: the list does not end: `]` is missing"}));
  EXPECT_EQ(Split("["), (Texts{"error: the list does not end: `]` is missing"}));
}

TEST(SplitDocumentsTest, RefusesWhatFollowsTheList) {
  EXPECT_EQ(Split("[1] 2"), (Texts{"1", "error: there is more after the list"}));
}

TEST(ParseDocumentTest, RefusesAFieldThatStandsTwice) {
  EXPECT_EQ(Split(R"({"a":1,"b":{"a":2},"a":3})"),
            (Texts{"error: field \"a\" stands twice in one object"}));
}

TEST(ParseDocumentTest, RefusesDepthAndBytesThatAreNoText) {
  EXPECT_EQ(Split("{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}"),
            (Texts{"error: nested too deeply"}));
  const Texts texts = Split("{\"a\":\"\xFF\"}");
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_TRUE(texts[0].starts_with("error: parse error")) << texts[0];
}

}  // namespace
}  // namespace mj::casefile
