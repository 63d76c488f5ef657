#include "libs/auth/access.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"

namespace mj::auth {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;

constexpr std::string_view kDeposit = "/mahjong.wallet.v1.WalletService/Deposit";
constexpr std::string_view kSubscribe = "/mahjong.table.v1.TableService/Subscribe";
constexpr std::string_view kGetTable = "/mahjong.table.v1.TableService/GetTable";
constexpr std::string_view kGetAccount = "/mahjong.wallet.v1.WalletService/GetAccount";

Caller Of(Role role) { return {role, "ann", "k1"}; }

TEST(RoleTest, NamesAreThereAndBack) {
  std::set<std::string_view> names;
  for (const Role role : kRoles) {
    EXPECT_TRUE(names.insert(RoleName(role)).second);
    EXPECT_EQ(RoleByName(RoleName(role)), role);
  }
  EXPECT_EQ(RoleByName("Player"), std::nullopt);
  EXPECT_EQ(RoleByName(""), std::nullopt);
}

TEST(RoleTest, ACertificateIsAServicesByItsSpiffeId) {
  EXPECT_EQ(ServiceOf("spiffe://mahjong/service/table"), Role::kTable);
  EXPECT_EQ(ServiceOf("spiffe://mahjong/service/matchmaking"), Role::kMatchmaking);
  for (const char* other :
       {"", "table", "spiffe://mahjong/service/", "spiffe://mahjong/service/tables",
        "spiffe://mahjong/service/table/", "spiffe://other/service/table",
        "spiffe://mahjong/service/player", "https://mahjong/service/table"}) {
    EXPECT_EQ(ServiceOf(other), std::nullopt) << other;
  }
}

TEST(AccessTest, EachRpcHasOneRowAndEachRowARole) {
  std::set<std::string_view> paths;
  std::set<std::string> requests;
  for (const Access& row : AccessTable()) {
    EXPECT_TRUE(paths.insert(row.path).second) << row.path;
    EXPECT_FALSE(row.roles.empty()) << row.path;
    EXPECT_EQ(FindAccess(row.path), &row);
    EXPECT_TRUE(requests.insert(RequestOf(row.path)).second) << row.path;
    EXPECT_EQ(FindAccessOf(RequestOf(row.path)), &row);
    // Nobody but who is known writes.
    if (row.open) {
      EXPECT_EQ(row.effect, Effect::kReads) << row.path;
    }
    // Whoever speaks of itself only has to be named by what it writes.
    if (row.effect == Effect::kWrites &&
        (row.roles.Has(Role::kPlayer) || row.roles.Has(Role::kObserver))) {
      EXPECT_NE(row.about, About::kNothing) << row.path;
    }
    // An observer changes nothing.
    if (row.roles.Has(Role::kObserver)) {
      EXPECT_EQ(row.effect, Effect::kReads) << row.path;
    }
  }
  EXPECT_EQ(RequestOf(kDeposit), "mahjong.wallet.v1.DepositRequest");
}

TEST(AccessTest, HealthAloneIsOpen) {
  for (const Access& row : AccessTable()) {
    EXPECT_EQ(MayCall(row.path, nullptr).ok(), row.path.starts_with("/grpc.health.v1.Health/"))
        << row.path;
  }
  EXPECT_THAT(MayCall(kDeposit, nullptr), FailsWith(Reason::kUnauthenticatedCaller));
}

TEST(AccessTest, WhatHasNoRowIsNobodys) {
  for (const char* path :
       {"", "/", "/x/y", "/mahjong.wallet.v1.WalletService/deposit",
        "/mahjong.wallet.v1.WalletService/Deposit/", "mahjong.wallet.v1.WalletService/Deposit"}) {
    EXPECT_EQ(FindAccess(path), nullptr) << path;
    EXPECT_THAT(MayCall(path, nullptr), FailsWith(Reason::kUnauthenticatedCaller));
    for (const Role role : kRoles) {
      const Caller caller = Of(role);
      EXPECT_THAT(MayCall(path, &caller), FailsWith(Reason::kRoleNotAllowed));
    }
  }
}

TEST(AccessTest, ASeatsStreamIsForAPlayerAlone) {
  for (const Role role : kRoles) {
    const Caller caller = Of(role);
    EXPECT_EQ(MayCall(kSubscribe, &caller).ok(), role == Role::kPlayer) << RoleName(role);
  }
}

TEST(AccessTest, NoPlayerMovesMoney) {
  for (const Access& row : AccessTable()) {
    if (!row.path.starts_with("/mahjong.wallet.")) continue;
    for (const Role role : {Role::kPlayer, Role::kObserver}) {
      const Caller caller = Of(role);
      EXPECT_FALSE(row.effect == Effect::kWrites && MayCall(row.path, &caller).ok()) << row.path;
    }
  }
}

TEST(AccessTest, APlayerSpeaksOfItself) {
  const Caller ann = Of(Role::kPlayer);
  const Access& subscribe = *FindAccess(kSubscribe);
  EXPECT_THAT(MaySpeakOf(subscribe, ann, {.player = "ann"}), IsOk());
  for (const char* other : {"", "bob", "Ann", "ann "}) {
    EXPECT_THAT(MaySpeakOf(subscribe, ann, {.player = other}),
                FailsWith(Reason::kNotYourPlayer, "player_id"))
        << other;
  }
  EXPECT_FALSE(MaySpeakOf(subscribe, ann, {}).ok());
  EXPECT_FALSE(MaySpeakOf(subscribe, ann, {.account = "ann"}).ok());
  const Access& account = *FindAccess(kGetAccount);
  EXPECT_THAT(MaySpeakOf(account, ann, {.account = "ann"}), IsOk());
  EXPECT_THAT(MaySpeakOf(account, ann, {.account = "bob"}),
              FailsWith(Reason::kNotYourPlayer, "account_id"));
  const Access& table = *FindAccess(kGetTable);
  EXPECT_THAT(MaySpeakOf(table, ann, {.player = ""}), IsOk());
  EXPECT_THAT(MaySpeakOf(table, ann, {.player = "ann"}), IsOk());
  EXPECT_FALSE(MaySpeakOf(table, ann, {.player = "bob"}).ok());
}

TEST(AccessTest, ABackendSpeaksOfAnybody) {
  EXPECT_THAT(MaySpeakOf(*FindAccess(kGetAccount), Of(Role::kBackend), {.account = "bob"}), IsOk());
}

TEST(AccessTest, WhoIsOnDutyAsksInItsOwnName) {
  const Access& freeze = *FindAccess("/mahjong.wallet.v1.WalletService/Freeze");
  const Access& adjust = *FindAccess("/mahjong.wallet.v1.WalletService/Adjust");
  const Access& penalty = *FindAccess("/mahjong.wallet.v1.WalletService/ApplyPenalty");
  const Access& trail = *FindAccess("/mahjong.table.v1.TableOperatorService/ListOperations");
  const auto by = [](std::string_view name) { return Named{.asker = name, .asker_field = "who"}; };
  EXPECT_THAT(MaySpeakOf(freeze, Of(Role::kOperator), by("ann")), IsOk());
  EXPECT_THAT(MaySpeakOf(freeze, Of(Role::kOperator), by("")), IsOk()) << "the handler says so";
  EXPECT_THAT(MaySpeakOf(freeze, Of(Role::kOperator), by("eve")),
              FailsWith(Reason::kNotYourName, "who"));
  EXPECT_THAT(MaySpeakOf(adjust, Of(Role::kFinance), by("eve")),
              FailsWith(Reason::kNotYourName, "who"));
  EXPECT_THAT(MaySpeakOf(trail, Of(Role::kFinance), by("eve")), IsOk()) << "whose trail it is";
  EXPECT_THAT(MaySpeakOf(penalty, Of(Role::kTable), by("referee")), IsOk());
}

}  // namespace
}  // namespace mj::auth
