// The ledger's expected "no". Closed: a caller's switch without a default is checked by the
// compiler.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

namespace mj::ledger {

// In descending precedence: when several rules are broken, the first of this list is the answer.
enum class Rejection : std::uint8_t {
  kUnknownParty,       // a party that is not one of the four
  kSameAccount,        // from and to are the same
  kNotPositive,        // an amount that has to be above zero is not, or one may not be below zero
  kTooLarge,           // an amount, a sum or a balance would be beyond 2^53
  kBaseNotWhole,       // the base cannot be divided into the game's units (D-JY-5)
  kUnbalanced,         // entries that do not sum to zero
  kInsufficientFunds,  // a debit of more than is available. The only one that another moment, or
                       // other balances, may turn into a yes: see Transient
};

// Whether the same question may succeed later, when balances have changed.
[[nodiscard]] constexpr bool Transient(Rejection rejection) {
  return rejection == Rejection::kInsufficientFunds;
}

// "kUnknownParty", for logs and test failures; never shown to a client.
[[nodiscard]] std::string_view Name(Rejection rejection);

// A value, or why there is none.
template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : held_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: both convert
  Outcome(Rejection why) : held_(std::in_place_index<1>, why) {}         // NOLINT

  [[nodiscard]] bool ok() const { return held_.index() == 0; }

  // REQUIRES ok().
  [[nodiscard]] const T& value() const& { return std::get<0>(held_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(held_)); }

  // REQUIRES !ok().
  [[nodiscard]] Rejection rejection() const { return std::get<1>(held_); }

 private:
  std::variant<T, Rejection> held_;
};

}  // namespace mj::ledger
