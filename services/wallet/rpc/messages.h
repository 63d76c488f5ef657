// The wallet's messages: requests into the application's words, answers out of them.
#pragma once

#include "absl/status/statusor.h"
#include "mahjong/wallet/v1/wallet_service.pb.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet::rpc {

namespace proto = ::mahjong::wallet::v1;

// Each refuses UNKNOWN_ENUM_VALUE with its field; all else is checked by the application.
[[nodiscard]] absl::StatusOr<OpenAccountRequest> FromProto(const proto::OpenAccountRequest& in);
[[nodiscard]] absl::StatusOr<AccountKey> FromProto(const proto::GetAccountRequest& in);
[[nodiscard]] absl::StatusOr<MoneyRequest> FromProto(const proto::DepositRequest& in);
[[nodiscard]] absl::StatusOr<MoneyRequest> FromProto(const proto::WithdrawRequest& in);
[[nodiscard]] absl::StatusOr<StakeTierRequest> FromProto(const proto::GetStakeTierRequest& in);
[[nodiscard]] absl::StatusOr<SettleRoundRequest> FromProto(const proto::SettleRoundRequest& in);
[[nodiscard]] absl::StatusOr<ListEntriesRequest> FromProto(const proto::ListEntriesRequest& in);

void ToProto(const Account& account, proto::Account& out);
void ToProto(const StakeTierAnswer& answer, proto::GetStakeTierResponse& out);
void ToProto(const SettleRoundAnswer& answer, proto::SettleRoundResponse& out);
void ToProto(const ListEntriesAnswer& answer, proto::ListEntriesResponse& out);

}  // namespace mj::wallet::rpc
