#include "services/table/rpc/table_server_testing.h"

#include <utility>

#include "libs/base/check.h"
#include "libs/base/periodic.h"
#include "libs/rpc/connected_testing.h"
#include "libs/wire/kept_round.h"
#include "services/table/app/journal.h"
#include "services/table/rpc/operator_service.h"
#include "services/table/rpc/service.h"

namespace mj::table::rpc {

TableServer::TableServer(TableServerOptions options) : options_(options), entropy_(options.seed) {
  Restart();
}

TableServer::~TableServer() = default;

void TableServer::Restart() {
  stub_ = nullptr;
  operators_ = nullptr;
  channel_ = nullptr;
  service_ = nullptr;
  mj::rpc::Environment environment;
  environment.entropy = &entropy_;
  environment.log_line = [](std::string_view) {};
  auto started = mj::rpc::StartService(
      "table", {}, [this](mj::rpc::Bindings& bindings) { return Bind(bindings); }, environment);
  MJ_CHECK(started.ok());
  service_ = *std::move(started);
  channel_ = mj::rpc::ConnectedChannel({.target = service_->address()});
  stub_ = proto::TableService::NewStub(channel_);
  operators_ = proto::TableOperatorService::NewStub(channel_);
}

absl::Status TableServer::Bind(mj::rpc::Bindings& bindings) {
  auto& queues = bindings.Own(std::make_unique<base::Executor>(
      base::ExecutorOptions{.name = "tables", .threads = 2, .queue_max = 10'000}));
  auto& journal =
      bindings.Own(std::make_unique<Journal>(log, bindings.executor(), bindings.clock(), monitor));
  auto& tables = bindings.Own(std::make_unique<Tables>(
      Surroundings{log, journal, scorer, wallet, queues, bindings.executor(), bindings.clock(),
                   bindings.entropy(), bindings.ids(), monitor, memory,
                   OwnerId(bindings.ids().Next()), options_.limits},
      TablesOptions{.settings = options_.settings}));
  auto& records = bindings.Own(std::make_unique<Records>(rounds, wallet));
  auto& tail = bindings.Own(std::make_unique<OutboxTail>(outbox));
  auto& turns = bindings.Own(std::make_unique<base::Periodic>("outbox", [&tail] { tail.Turn(); }));
  bindings.AddService<proto::TableService>(std::make_unique<TableService>(
      bindings.front(), tables, memory, records, tail, bindings.clock(), queues,
      [&bindings] { return bindings.ServedAt(); }));
  bindings.AddService<proto::TableOperatorService>(std::make_unique<OperatorService>(
      bindings.front(), tables, memory, bindings.clock(), bindings.executor(),
      [&bindings] { return bindings.ServedAt(); }));
  bindings.OnDrain("tables", [&tables, &journal] {
    tables.Stop();
    journal.Stop();
  });
  bindings.OnStop("tables", [&queues, &turns] {
    turns.Stop();
    queues.Stop();
  });
  turns.Start(std::chrono::milliseconds(1));
  // As one that has ended long ago: what it held is nobody's, and is taken when it is asked for.
  return absl::OkStatus();
}

std::string TableServer::Written(const record::RoundRecord& record) {
  ::mahjong::record::v1::RoundRecord message;
  wire::ToRecord(record, message);
  return wire::Serialized(message);
}

std::string TableServer::MakeTable(const std::string& request,
                                   const std::vector<std::string>& players,
                                   const std::string& variant) const {
  proto::CreateTableRequest create;
  create.set_request_id(request);
  create.set_variant(variant);
  create.set_base(100);
  for (const std::string& player : players) create.add_player_ids(player);
  const auto made = Call(&proto::TableService::StubInterface::CreateTable, create);
  return made.ok() ? made->table().table_id() : "";
}

}  // namespace mj::table::rpc
