// What the table found and shows, as messages.
#pragma once

#include <string_view>

#include "libs/rpc/time.h"
#include "mahjong/table/v1/table.pb.h"
#include "mahjong/table/v1/table_event.pb.h"
#include "mahjong/table/v1/table_service.pb.h"
#include "mahjong/table/v1/watched_event.pb.h"
#include "services/table/app/lobby.h"
#include "services/table/app/model.h"
#include "services/table/app/outbox.h"
#include "services/table/app/records.h"
#include "services/table/app/shown.h"
#include "services/table/app/tables.h"
#include "services/table/app/watched.h"

namespace mj::table::rpc {

namespace proto = ::mahjong::table::v1;

using mj::rpc::ToProto;

//   address   of the process that holds the table; empty in events.
[[nodiscard]] proto::TableState ToProto(TableStage stage);
void ToProto(const TableInfo& table, std::string_view address, proto::Table& out);

void ToProto(const Shown& shown, proto::TableEvent& out);

// The hand as it may be seen now.
void ToProto(const Watched& watched, proto::WatchedEvent& out);

void ToProto(const RoomList& rooms, proto::ListRoomsResponse& out);
void ToProto(const LobbyPage& page, proto::ListTablesResponse& out);
void ToProto(const RoundPage& page, proto::ListRoundsResponse& out);
void ToProto(const OutboxBatch<EndedRound>& batch, proto::WatchRoundsResponse& out);
void ToProto(const OutboxBatch<SeatChange>& batch, proto::WatchOpenSeatsResponse& out);

}  // namespace mj::table::rpc
