// Writes a few records of rounds for tests of what shows them: NAME.mjr in the folder that is given.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>

#include "libs/variants/registry.h"
#include "libs/wire/kept_round.h"
#include "tests/proof/made_testing.h"

namespace {

using mj::proof::Ending;

bool Write(const std::string& path, const mj::record::RoundRecord& record) {
  mahjong::record::v1::RoundRecord message;
  mj::wire::ToRecord(record, message);
  std::ofstream file(path, std::ios::binary);
  file << mj::wire::Serialized(message);
  return file.flush().good();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: mj-sample-records FOLDER\n";
    return 2;
  }
  const std::string folder = std::string(argv[1]) + "/";
  bool good = true;
  for (const mj::rules::Variant* game : mj::variants::All()) {
    const std::string id(game->info().id);
    mj::testing::Random random(7);
    good &= Write(folder + id + ".mjr", mj::proof::MakeRecord(*game, random));
    good &= Write(folder + id + "-escape.mjr",
                  mj::proof::MakeRecord(*game, random, {.ending = Ending::kEscape}));
  }
  // One whose players are called what no player may be called: a page must show it as text.
  mj::testing::Random random(8);
  mj::record::RoundRecord hostile = mj::proof::MakeRecord(
      *mj::variants::All().front(), random, {.ending = Ending::kOperator, .incidents = false});
  hostile.players[mj::rules::Seat::k0] = "</script><script>alert(1)</script>";
  hostile.players[mj::rules::Seat::k1] = "<img src=x onerror=alert(1)>";
  hostile.table_id = "\"'><b>&amp;{{js}}";
  good &= Write(folder + "hostile.mjr", hostile);
  hostile.ended_at = hostile.began_at;
  good &= Write(folder + "wrong.mjr", hostile);
  if (!good) std::cerr << "mj-sample-records: " << folder << ": cannot be written\n";
  return good ? 0 : 1;
}
