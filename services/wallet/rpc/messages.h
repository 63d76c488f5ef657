// The wallet's messages: requests into the application's words, answers out of them.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "mahjong/wallet/v1/wallet_service.pb.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet::rpc {

namespace proto = ::mahjong::wallet::v1;

// Each refuses UNKNOWN_ENUM_VALUE, and BAD_PERIOD for a time that is none, with its field; all else
// is checked by the application.
[[nodiscard]] absl::StatusOr<OpenAccountRequest> FromProto(const proto::OpenAccountRequest& in);
[[nodiscard]] absl::StatusOr<AccountKey> FromProto(const proto::GetAccountRequest& in);
[[nodiscard]] absl::StatusOr<MoneyRequest> FromProto(const proto::DepositRequest& in);
[[nodiscard]] absl::StatusOr<MoneyRequest> FromProto(const proto::WithdrawRequest& in);
[[nodiscard]] absl::StatusOr<AdjustRequest> FromProto(const proto::AdjustRequest& in);
[[nodiscard]] absl::StatusOr<ReverseRequest> FromProto(const proto::ReverseRequest& in);
[[nodiscard]] absl::StatusOr<AccountControlRequest> FromProto(const proto::FreezeRequest& in);
[[nodiscard]] absl::StatusOr<AccountControlRequest> FromProto(const proto::UnfreezeRequest& in);
[[nodiscard]] absl::StatusOr<AccountControlRequest> FromProto(const proto::CloseAccountRequest& in);
[[nodiscard]] absl::StatusOr<ListStakeTiersRequest> FromProto(
    const proto::ListStakeTiersRequest& in);
[[nodiscard]] absl::StatusOr<StakeTierRequest> FromProto(const proto::GetStakeTierRequest& in);
[[nodiscard]] absl::StatusOr<PutStakeTierRequest> FromProto(const proto::PutStakeTierRequest& in);
[[nodiscard]] absl::StatusOr<ReserveRequest> FromProto(const proto::ReserveRequest& in);
[[nodiscard]] absl::StatusOr<ReleaseRequest> FromProto(const proto::ReleaseRequest& in);
[[nodiscard]] absl::StatusOr<BeginRoundRequest> FromProto(const proto::BeginRoundRequest& in);
[[nodiscard]] absl::StatusOr<SettleRoundRequest> FromProto(const proto::SettleRoundRequest& in);
[[nodiscard]] absl::StatusOr<ApplyPenaltyRequest> FromProto(const proto::ApplyPenaltyRequest& in);
[[nodiscard]] absl::StatusOr<VoidRoundRequest> FromProto(const proto::VoidRoundRequest& in);
[[nodiscard]] absl::StatusOr<ListEntriesRequest> FromProto(const proto::ListEntriesRequest& in);
[[nodiscard]] absl::StatusOr<ListSettlementsRequest> FromProto(
    const proto::ListSettlementsRequest& in);
[[nodiscard]] absl::StatusOr<GetSettlementRequest> FromProto(const proto::GetSettlementRequest& in);
[[nodiscard]] absl::StatusOr<GetJournalRowRequest> FromProto(const proto::GetJournalRowRequest& in);
[[nodiscard]] absl::StatusOr<VerifyLedgerRequest> FromProto(const proto::VerifyLedgerRequest& in);
[[nodiscard]] absl::StatusOr<WatchRequest> FromProto(const proto::WatchAccountRequest& in);
[[nodiscard]] absl::StatusOr<WatchRequest> FromProto(const proto::ExportStatementRequest& in);

void ToProto(const Account& account, proto::Account& out);
void ToProto(const ListedEntry& entry, proto::Entry& out);
void ToProto(const Tier& tier, proto::StakeTier& out);
void ToProto(const SettledRound& round, proto::Settlement& out);

void ToProto(const ReverseAnswer& answer, proto::ReverseResponse& out);
void ToProto(const StakeTierAnswer& answer, proto::GetStakeTierResponse& out);
void ToProto(const std::vector<Tier>& tiers, proto::ListStakeTiersResponse& out);
void ToProto(const Tier& tier, proto::PutStakeTierResponse& out);
void ToProto(const ReserveAnswer& answer, proto::ReserveResponse& out);
void ToProto(bool released, proto::ReleaseResponse& out);
void ToProto(const BegunRound& round, proto::BeginRoundResponse& out);
void ToProto(const SettleRoundAnswer& answer, proto::SettleRoundResponse& out);
void ToProto(const ApplyPenaltyAnswer& answer, proto::ApplyPenaltyResponse& out);
void ToProto(const VoidRoundAnswer& answer, proto::VoidRoundResponse& out);
void ToProto(const ListEntriesAnswer& answer, proto::ListEntriesResponse& out);
void ToProto(const ListSettlementsAnswer& answer, proto::ListSettlementsResponse& out);
void ToProto(const SettledRound& round, proto::GetSettlementResponse& out);
void ToProto(const HashedRow& row, proto::GetJournalRowResponse& out);
void ToProto(const VerifyLedgerAnswer& answer, proto::VerifyLedgerResponse& out);

// The answers that several responses hold: Open, Get, Freeze, …; Deposit, Withdraw, Adjust.
template <typename Response>
  requires requires(Response& out) { out.mutable_account(); }
void ToProto(const Account& account, Response& out) {
  ToProto(account, *out.mutable_account());
}
template <typename Response>
void ToProto(const MoneyAnswer& answer, Response& out) {
  out.set_journal_id(answer.journal_id);
  out.set_balance(answer.balance.value());
}

}  // namespace mj::wallet::rpc
