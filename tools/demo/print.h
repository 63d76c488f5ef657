// Rounds and books as a person wants to read them: at most 100 columns, no colours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "libs/rules/seat.h"
#include "libs/rules/variant.h"
#include "tools/demo/books.h"
#include "tools/demo/deal_check.h"
#include "tools/demo/story.h"

namespace mj::demo {

inline constexpr int kColumns = 100;

// Who sits where.
struct Guest {
  std::string player_id;
  std::string name;          // short, for display
  std::int64_t coins = 0;    // deposited at first
  std::string join_token{};  // opens its seat

  bool operator==(const Guest&) const = default;
};

struct Sitting {
  std::string table_id;
  const rules::Variant* game = nullptr;
  rules::Options options;
  std::int64_t base = 0;
  rules::PerSeat<Guest> guests;
};

// What is shown, and how tiles are written.
void PrintLegend(std::size_t tables, std::uint32_t rounds, std::ostream& out);

// The game, the table, the four players with their coins.
void PrintSitting(const Sitting& sitting, std::ostream& out);

// REQUIRES: the story was told to its end and was settled.
void PrintRound(const Sitting& sitting, const RoundStory& story, const CheckResult& deal,
                std::ostream& out);

void PrintBooks(const Books& books, std::ostream& out);

// "── title ───…", as wide as a page.
std::string Heading(std::string_view title);

// The text line by line without blanks at the ends of lines.
void Emit(std::string_view text, std::ostream& out);

}  // namespace mj::demo
