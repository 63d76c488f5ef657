// A game's tables, as the wire says them.
#pragma once

#include "mahjong/scoring/v1/rulebook.pb.h"
#include "services/scoring/app/game.h"

namespace mj::scoring::rpc {

// A game in short. REQUIRES: it is one of AllGames().
void Fill(const rules::Variant& variant, ::mahjong::scoring::v1::Variant& out);

// All of it: the version and options of `game`; `present` is the version that has its id.
void Fill(const rules::Variant& present, const Game& game, ::mahjong::scoring::v1::Rulebook& out);

}  // namespace mj::scoring::rpc
