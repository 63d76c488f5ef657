#include "libs/proof/content.h"

#include <gtest/gtest.h>

namespace mj::proof {
namespace {

// The same hashes as in services/wallet/app/content_golden_test.cc: what was asked of the wallet.
TEST(ContentTest, HashesAreTheWallets) {
  record::RoundRecord record;
  record.table_id = "table-1";
  record.variant = "chaozhou";
  record.rulebook_version = "v1";
  record.base = 10;
  record.players = rules::PerSeat<std::string>({"a", "b", "c", "d"});
  using rules::Seat;
  EXPECT_EQ(audit::ToHex(SettlementContent(
                record, {{Seat::k2, Seat::k0, 20, "CZ-40"}, {Seat::k1, Seat::k0, 20, "CZ-40"}})),
            "5fa1dd378b35be697163bc206cfce7f5b07f85448aaecf63cf233cd5447bd968");
  EXPECT_EQ(audit::ToHex(PenaltyContent(Seat::k1, "left")),
            "afa93cbf735a110a4b4e8cc65335b5796d82655940dc9ddb2d86bcce4d3c8490");
  EXPECT_EQ(audit::ToHex(VoidContent("broken", "kim")),
            "78dc180674b79548ebcde2b44760157e75de6b299955a9e20ad9aaf845402c8f");
}

}  // namespace
}  // namespace mj::proof
