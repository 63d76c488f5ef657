#include "libs/receipt/arithmetic_testing.h"

#include <cctype>
#include <string_view>

namespace mj::receipt {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<WorkedOut> Line() {
    const std::size_t end = text_.find(" x ");
    Reader first(text_.substr(0, end));
    WorkedOut line;
    line.base = first.Number();
    line.computed = Product();
    if (Take(" / ")) {
      const std::int64_t divisor = Number();
      good_ = good_ && divisor > 0 && line.computed % divisor == 0;
      if (good_) line.computed /= divisor;
    }
    good_ = good_ && Take(" = ");
    line.stated = Number();
    line.arrows = arrows_;
    if (!good_ || !first.good_ || !text_.empty()) return std::nullopt;
    return line;
  }

 private:
  bool Take(std::string_view what) {
    if (!text_.starts_with(what)) return false;
    text_.remove_prefix(what.size());
    return true;
  }
  std::int64_t Number() {
    std::int64_t number = 0;
    std::size_t digits = 0;
    for (; digits < text_.size() && std::isdigit(static_cast<unsigned char>(text_[digits])) != 0;
         ++digits) {
      number = number * 10 + (text_[digits] - '0');
    }
    good_ = good_ && digits > 0 && digits < 18;
    text_.remove_prefix(digits);
    return number;
  }
  std::int64_t Product() {
    std::int64_t product = Term();
    while (good_ && Take(" x ")) product *= Term();
    return product;
  }
  std::int64_t Term() {
    if (Take("2^")) return std::int64_t{1} << Term();
    if (!Take("(")) return Number();
    std::int64_t sum = Product();
    while (good_ && Take(" + ")) sum += Product();
    if (Take(" -> ")) {
      ++arrows_;
      const std::int64_t counts_as = Number();
      good_ = good_ && counts_as != sum;
      sum = counts_as;
    }
    good_ = good_ && Take(")");
    return sum;
  }

  std::string_view text_;
  bool good_ = true;
  int arrows_ = 0;
};

}  // namespace

std::optional<WorkedOut> WorkOut(std::string_view arithmetic) { return Reader(arithmetic).Line(); }

}  // namespace mj::receipt
