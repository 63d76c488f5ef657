// One finished round, from the bytes of its request to those of its worth.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "libs/wire/flat_writer.h"

namespace mj::scoring::rpc {

// What ScoreRound says of `request`, a serialized ScoreRoundRequest: writes RoundScore as the field
// `field` of the message that is open in `out`. Or fails as that rpc does, with fields as paths
// within the request, and writes nothing; BAD_TEXT for bytes that are no such message. Any thread.
absl::Status ScoreOne(std::string_view request, int field, wire::FlatWriter& out);

}  // namespace mj::scoring::rpc
