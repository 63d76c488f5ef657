// The wallet's enums and times on the wire.
#pragma once

#include <optional>

#include "absl/status/statusor.h"
#include "libs/rpc/time.h"
#include "mahjong/common/v1/common.pb.h"
#include "mahjong/wallet/v1/wallet_service.pb.h"
#include "services/wallet/app/types.h"

namespace mj::wallet::rpc {

namespace common = ::mahjong::common::v1;
namespace proto = ::mahjong::wallet::v1;

// UNKNOWN_ENUM_VALUE with the field's name.
[[nodiscard]] absl::StatusOr<Currency> FromProto(common::Currency currency);
[[nodiscard]] absl::StatusOr<AccountKind> FromProto(proto::AccountKind kind);
[[nodiscard]] absl::StatusOr<std::optional<Flow>> FromProto(proto::MoneyFlow flow);

[[nodiscard]] common::Currency ToProto(Currency currency);
[[nodiscard]] proto::AccountKind ToProto(AccountKind kind);
[[nodiscard]] proto::JournalKind ToProto(JournalKind kind);

using mj::rpc::ToProto;
// BAD_PERIOD with the field's name for a time that is none, or beyond the year 9999.
[[nodiscard]] absl::StatusOr<base::WallTime> FromProto(const google::protobuf::Timestamp& in,
                                                       std::string_view field);

}  // namespace mj::wallet::rpc
