#include "services/wallet/app/trail.h"

#include <array>
#include <chrono>

#include "libs/base/page_token.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/app/checks.h"

namespace mj::wallet {
namespace {

using base::Reason;

constexpr std::int64_t kPageDefault = 20;
constexpr std::int64_t kPageMax = 100;

std::string TextOf(const TrailPlace& place) {
  return base::Cat(std::to_string(place.time.time_since_epoch().count()), ".",
                   std::to_string(place.source), ".", std::to_string(place.number), ".",
                   std::to_string(place.account_no));
}

std::optional<TrailPlace> PlaceOf(std::string_view text) {
  const auto parts = base::Split(text, '.');
  if (parts.size() != 4) return std::nullopt;
  std::array<std::int64_t, 4> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = base::ParseInt64(parts[i]);
    if (!number) return std::nullopt;
    numbers[i] = *number;
  }
  return TrailPlace{base::WallTime(std::chrono::microseconds(numbers[0])), numbers[1], numbers[2],
                    numbers[3]};
}

}  // namespace

absl::StatusOr<TrailPage> ListTrail(Trail& trail, const TrailFilter& filter, std::int64_t page_size,
                                    std::string_view token, base::MonotonicTime deadline) {
  MJ_RETURN_IF_ERROR(base::CheckIdIfAny("account_id", filter.account_id));
  MJ_RETURN_IF_ERROR(base::CheckIdIfAny("operator", filter.who));
  if (page_size < 0 || page_size > kPageMax) {
    return base::Error(Reason::kBadPageSize,
                       base::Cat("page_size: got ", std::to_string(page_size)),
                       {.field = "page_size"});
  }
  const auto mark = {std::string_view(filter.account_id), std::string_view(filter.who)};
  std::optional<TrailPlace> before;
  if (!token.empty()) {
    const auto position = base::ReadPageToken("w1", mark, token);
    if (position) before = PlaceOf(*position);
    if (!before) return base::Error(Reason::kBadPageToken, {}, {.field = "page_token"});
  }
  const std::int64_t size = page_size == 0 ? kPageDefault : page_size;
  TrailPage page;
  MJ_ASSIGN_OR_RETURN(page.lines, trail.List(filter, before, size + 1, deadline));
  if (static_cast<std::int64_t>(page.lines.size()) > size) {
    page.lines.resize(static_cast<std::size_t>(size));
    page.next = base::MakePageToken("w1", mark, TextOf(page.lines.back().place));
  }
  return page;
}

}  // namespace mj::wallet
