#include "services/matchmaking/app/wish.h"

#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "libs/rules/options.h"
#include "libs/variants/registry.h"

namespace mj::matchmaking {
namespace {

using base::Cat;
using base::Error;
using base::Reason;

absl::Status Refuse(const rules::OptionRefusal& refusal) {
  const std::string field = Cat("options.", refusal.name);
  switch (refusal.fault) {
    case rules::OptionFault::kUnknown:
      return Error(Reason::kUnknownOption, Cat(field, ": no such option"), {.field = field});
    case rules::OptionFault::kNotAValue:
    case rules::OptionFault::kOutOfRange:
      break;
  }
  return Error(Reason::kOptionOutOfRange, Cat(field, ": not a value of this option"),
               {.field = field});
}

}  // namespace

absl::StatusOr<Wish> ReadWish(const TicketRequest& request) {
  const rules::Variant* game = variants::Find(request.variant);
  if (game == nullptr) {
    return Error(Reason::kUnknownVariant, "variant: no such game", {.field = "variant"});
  }
  const auto options = rules::ParseOptions(game->options(), request.options);
  if (const auto* refusal = std::get_if<rules::OptionRefusal>(&options)) return Refuse(*refusal);

  const std::int64_t base = request.asked_base;
  const std::int64_t unit = game->info().units_per_base;
  if (base < 0 || base > kBaseMax || base % unit != 0) {
    return Error(Reason::kBadBase,
                 Cat("base: got ", std::to_string(base), ", want 0 or a multiple of ",
                     std::to_string(unit), " up to ", std::to_string(kBaseMax)),
                 {.field = "base"});
  }

  Wish wish;
  wish.request = request.request;
  wish.player = request.player;
  wish.pool.variant = request.variant;
  wish.pool.options =
      rules::ToTexts(game->options(), std::get<rules::Options>(options), /*all=*/false);
  wish.pool.currency = request.currency;
  wish.asked_base = base;
  return wish;
}

}  // namespace mj::matchmaking
