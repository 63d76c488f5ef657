#include "libs/ledger/coins.h"

namespace mj::ledger {
namespace {

__extension__ using Wide = __int128;

}  // namespace

Coins Proportion(Coins amount, Coins part, Coins whole) {
  const Wide product = static_cast<Wide>(amount.value()) * part.value();
  return Coins::From(static_cast<std::int64_t>(product / whole.value())).value();
}

}  // namespace mj::ledger
