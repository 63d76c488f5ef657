#include <sstream>

#include "libs/base/strings.h"
#include "libs/console/text.h"
#include "tools/demo/print.h"

namespace mj::demo {

using console::Grouped;
using console::PadLeft;
using console::PadRight;

std::string Heading(std::string_view title) {
  std::string line = base::Cat("── ", title, " ");
  while (console::WidthOf(line) < kColumns) line += "─";
  return line;
}

void Emit(std::string_view text, std::ostream& out) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (line.ends_with(' ')) line.remove_suffix(1);
    out << line << '\n';
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
}

void PrintLegend(std::size_t tables, std::uint32_t rounds, std::ostream& page) {
  std::ostringstream out;
  out << (tables == 1 ? "One table" : base::Cat(std::to_string(tables), " tables at once"))
      << ", four bots at each, " << rounds << (rounds == 1 ? " round" : " rounds")
      << " a table: queued by matchmaking, dealt from a committed\n"
         "seed and played over gRPC, scored with a receipt, paid in the wallet's double-entry "
         "ledger.\n"
         "Tiles: 1-9m 万, 1-9p 筒, 1-9s 条, 1234z 东南西北, 5z 白, 6z 发, 7z 中; [in brackets] "
         "melds.\n\n";
  Emit(out.str(), page);
}

void PrintBooks(const Books& books, std::ostream& page) {
  std::ostringstream out;
  out << Heading("trial balance 试算平衡") << '\n';
  out << "  " << PadRight("account 账户", 34) << PadLeft("deposits 存入", 14)
      << PadLeft("play 输赢", 12) << PadLeft("balance 余额", 14) << '\n';
  for (const AccountLine& line : books.players) {
    out << "  " << PadRight(line.account_id, 34) << PadLeft(Grouped(line.deposited), 14)
        << PadLeft(console::Signed(line.played), 12) << PadLeft(Grouped(line.balance), 14)
        << (line.entries == line.balance ? "" : "  IS NOT THE SUM OF ITS ENTRIES") << '\n';
  }
  out << "\n  " << PadRight("all accounts 全部账户", 34) << PadLeft("number 户数", 14)
      << PadLeft("coins 积分", 26) << '\n';
  for (const KindLine& line : books.kinds) {
    out << "  " << PadRight(line.kind, 34) << PadLeft(Grouped(line.accounts), 14)
        << PadLeft(Grouped(line.coins), 26) << '\n';
  }
  out << "  " << PadRight("total 合计", 34) << PadLeft("", 14) << PadLeft(Grouped(books.total), 26)
      << '\n';
  out << "  journal rows that do not sum to zero: " << books.unbalanced_journal_rows
      << "; balances that are not the sum of their entries: " << books.wrong_balances << '\n';
  out << "  seats reserved 座位预留: " << books.reservations
      << "; rounds begun 开局: " << books.rounds_begun << ", open 未结: " << books.rounds_open
      << '\n';
  out << "  rounds settled 已结算局数: " << books.settlements << "\n\n";
  Emit(out.str(), page);
}

}  // namespace mj::demo
