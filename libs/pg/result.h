// Rows on their way out, typed, and safe on NULL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "libs/pg/param.h"

namespace mj::pg {

// What a statement answered. Holds its own copy of everything; cheap to copy.
//
//   MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute("SELECT id, coins FROM …", table));
//   MJ_ASSIGN_OR_RETURN(const auto rows, (found.Rows<std::string, std::optional<std::int64_t>>()));
//   for (const auto& [id, coins] : rows) …
//
// Columns are read by position into: std::int64_t, bool, std::string, Bytes,
// std::vector<std::int64_t> (a bigint[]), base::WallTime (selected as whole microseconds:
// (extract(epoch from t) * 1000000)::bigint), or std::optional of one of these. NULL where the type
// is not optional, text that is not of the type, or another number of columns is INTERNAL: the
// statement and the code that reads it do not fit together.
class Result {
 public:
  // Cells by row, then column; nullopt is NULL.
  using Cells = std::vector<std::vector<std::optional<std::string>>>;

  Result() = default;
  Result(Cells cells, std::int64_t affected)
      : cells_(std::make_shared<const Cells>(std::move(cells))), affected_(affected) {}

  // How many rows it has.
  [[nodiscard]] std::size_t size() const { return cells_ == nullptr ? 0 : cells_->size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }

  // How many rows an INSERT, UPDATE or DELETE touched.
  [[nodiscard]] std::int64_t affected() const { return affected_; }

  // Every row.
  template <typename... T>
  [[nodiscard]] absl::StatusOr<std::vector<std::tuple<T...>>> Rows() const;

  // The only row; nullopt if there is none; INTERNAL if there are several.
  template <typename... T>
  [[nodiscard]] absl::StatusOr<std::optional<std::tuple<T...>>> AtMostOne() const;

  // The only row; INTERNAL if there is none or several.
  template <typename... T>
  [[nodiscard]] absl::StatusOr<std::tuple<T...>> One() const;

 private:
  std::shared_ptr<const Cells> cells_;
  std::int64_t affected_ = 0;
};

namespace internal {

using Cell = std::optional<std::string>;

[[nodiscard]] bool Decode(const std::string& text, std::int64_t& out);
[[nodiscard]] bool Decode(const std::string& text, bool& out);
[[nodiscard]] bool Decode(const std::string& text, std::string& out);
[[nodiscard]] bool Decode(const std::string& text, Bytes& out);
[[nodiscard]] bool Decode(const std::string& text, std::vector<std::int64_t>& out);
[[nodiscard]] bool Decode(const std::string& text, base::WallTime& out);

template <typename T>
bool DecodeCell(const Cell& cell, T& out) {
  return cell.has_value() && Decode(*cell, out);
}

template <typename T>
bool DecodeCell(const Cell& cell, std::optional<T>& out) {
  if (!cell) {
    out.reset();
    return true;
  }
  return Decode(*cell, out.emplace());
}

[[nodiscard]] absl::Status WrongCell(std::size_t column, const Cell& cell);
[[nodiscard]] absl::Status WrongShape(std::string_view what, std::size_t got, std::size_t want);

template <typename... T, std::size_t... I>
absl::Status DecodeRow(const std::vector<Cell>& cells, std::tuple<T...>& out,
                       std::index_sequence<I...>) {
  if (cells.size() != sizeof...(T)) return WrongShape("columns", cells.size(), sizeof...(T));
  absl::Status status;
  ((status.ok() && !DecodeCell(cells[I], std::get<I>(out)) ? void(status = WrongCell(I, cells[I]))
                                                           : void()),
   ...);
  return status;
}

}  // namespace internal

template <typename... T>
absl::StatusOr<std::vector<std::tuple<T...>>> Result::Rows() const {
  std::vector<std::tuple<T...>> rows(size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    absl::Status status =
        internal::DecodeRow((*cells_)[row], rows[row], std::index_sequence_for<T...>());
    if (!status.ok()) return status;
  }
  return rows;
}

template <typename... T>
absl::StatusOr<std::optional<std::tuple<T...>>> Result::AtMostOne() const {
  if (size() > 1) return internal::WrongShape("rows", size(), 1);
  auto rows = Rows<T...>();
  if (!rows.ok()) return std::move(rows).status();
  std::optional<std::tuple<T...>> row;
  if (!rows->empty()) row = std::move(rows->front());
  return row;
}

template <typename... T>
absl::StatusOr<std::tuple<T...>> Result::One() const {
  auto row = AtMostOne<T...>();
  if (!row.ok()) return std::move(row).status();
  if (!row->has_value()) return internal::WrongShape("rows", 0, 1);
  return *std::move(*row);
}

}  // namespace mj::pg
