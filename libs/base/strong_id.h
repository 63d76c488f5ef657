// Ids that the compiler keeps apart: a table's id is no player's.
//
//   using PlayerId = mj::base::StrongId<struct PlayerIdTag>;
#pragma once

#include <compare>
#include <functional>
#include <ostream>
#include <string>
#include <utility>

namespace mj::base {

// An opaque text of kind Tag. Empty means none.
template <typename Tag>
class StrongId {
 public:
  StrongId() = default;
  explicit StrongId(std::string value) : value_(std::move(value)) {}

  [[nodiscard]] const std::string& value() const { return value_; }
  [[nodiscard]] bool empty() const { return value_.empty(); }

  friend bool operator==(const StrongId&, const StrongId&) = default;
  friend auto operator<=>(const StrongId&, const StrongId&) = default;
  friend std::ostream& operator<<(std::ostream& out, const StrongId& id) {
    return out << id.value_;
  }

 private:
  std::string value_;
};

}  // namespace mj::base

template <typename Tag>
struct std::hash<mj::base::StrongId<Tag>> {
  std::size_t operator()(const mj::base::StrongId<Tag>& id) const noexcept {
    return std::hash<std::string>{}(id.value());
  }
};
