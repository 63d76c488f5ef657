// docs/finance.md is a golden file: each query in it prints what stands below it, on the story.
// MJ_WRITE_BOOK=1 writes what the queries print into it instead.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/finance/psql_testing.h"
#include "tests/finance/story_testing.h"

namespace mj::finance {
namespace {

constexpr const char* kBook = "docs/finance.md";
constexpr std::string_view kQuery = "```sql\n";
constexpr std::string_view kOutput = "```text\n";
constexpr std::string_view kEnd = "```\n";

struct Example {
  std::string query;
  std::string output;
  std::size_t output_begin = 0;  // in the book
};

std::string ReadBook() {
  std::ifstream in(kBook);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// A query is followed by its output, with nothing in between.
std::vector<Example> Examples(const std::string& book) {
  std::vector<Example> examples;
  for (std::size_t at = 0; (at = book.find(kQuery, at)) != std::string::npos;) {
    Example example;
    at += kQuery.size();
    const std::size_t query_end = book.find(kEnd, at);
    example.query = book.substr(at, query_end - at);
    at = query_end + kEnd.size();
    EXPECT_EQ(book.compare(at, kOutput.size(), kOutput), 0) << "no output after " << example.query;
    example.output_begin = at + kOutput.size();
    // An empty output ends where it begins.
    const std::size_t end = book.compare(example.output_begin, kEnd.size(), kEnd) == 0
                                ? example.output_begin
                                : book.find("\n```\n", example.output_begin) + 1;
    example.output = book.substr(example.output_begin, end - example.output_begin);
    examples.push_back(example);
    at = end;
  }
  return examples;
}

// psql ends a table with an empty line, and pads the cells of its last column.
std::string Trimmed(const std::string& printed) {
  std::string text;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) text += line + "\n";
  }
  return text;
}

TEST(BookTest, EveryExamplePrintsWhatTheBookShows) {
  const Story story;
  std::string book = ReadBook();
  const std::vector<Example> examples = Examples(book);
  ASSERT_GE(examples.size(), 20U) << kBook;
  const bool write = std::getenv("MJ_WRITE_BOOK") != nullptr;
  for (auto example = examples.rbegin(); example != examples.rend(); ++example) {
    const std::string printed =
        Trimmed(Psql(story.database().url(), "finance_reader", example->query));
    if (write) {
      book.replace(example->output_begin, example->output.size(), printed);
    } else {
      EXPECT_EQ(printed, example->output) << example->query;
    }
  }
  if (write) std::ofstream(kBook) << book;
}

TEST(BookTest, ShowsEveryViewAndFunction) {
  const pg::testing::Database database;
  std::istringstream names(database.Execute(R"sql(
      SELECT string_agg(name, ' ') FROM (
        SELECT relname AS name FROM pg_class
          WHERE relnamespace = 'finance'::regnamespace AND relkind = 'v'
        UNION SELECT proname FROM pg_proc WHERE pronamespace = 'finance'::regnamespace) o)sql"));
  std::string queries;
  for (const Example& example : Examples(ReadBook())) queries += example.query;
  int seen = 0;
  for (std::string name; names >> name; ++seen) {
    EXPECT_THAT(queries, ::testing::ContainsRegex("finance[.]" + name + "([^a-z_]|$)")) << name;
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace mj::finance
