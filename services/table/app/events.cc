#include "services/table/app/events.h"

namespace mj::table {

fairness::Digest SeedHash(const RoundBegun& begun) { return fairness::CommitSeed(begun.seed); }

}  // namespace mj::table
