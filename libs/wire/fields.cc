#include "libs/wire/fields.h"

#include "libs/tiles/mpsz.h"

namespace mj::wire {

using base::Cat;
using base::Reason;

absl::Status Wrong(Reason reason, std::string_view field, std::string_view what) {
  return base::Error(reason, Cat(field, ": ", what), {.field = std::string(field)});
}

std::string Element(std::string_view list, int index) {
  return Cat(list, "[", std::to_string(index), "]");
}

absl::StatusOr<tiles::Tile> TileFromText(std::string_view text, std::string_view field,
                                         Reason reason) {
  if (const std::optional<tiles::Tile> tile = tiles::ParseTile(text)) return *tile;
  return Wrong(reason, field, Cat("got ", Quoted(text), ", want one tile"));
}

absl::StatusOr<rules::Seat> SeatFromNumber(std::uint32_t number, std::string_view field) {
  if (number < rules::kSeatCount) return static_cast<rules::Seat>(number);
  return Wrong(Reason::kBadSeat, field, Cat("got ", std::to_string(number), ", want 0 to 3"));
}

}  // namespace mj::wire
