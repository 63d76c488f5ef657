// A player who sits at a table over gRPC, moved by the test's own hand.
#pragma once

#include <grpcpp/client_context.h>

#include <memory>
#include <string>
#include <vector>

#include "services/table/app/world_testing.h"
#include "services/table/rpc/table_server_testing.h"

namespace mj::table::rpc {

class Client {
 public:
  Client(TableServer& server, std::string table, std::string player, Seat seat)
      : server_(&server),
        table_(std::move(table)),
        id_(std::move(player)),
        player_(PlayerId(id_), seat) {}

  // Opens the stream after what has been seen.
  void Subscribe() { SubscribeOn(server_->stub()); }
  void SubscribeOn(proto::TableService::StubInterface& stub);
  // Closes it.
  void Hang();
  // Reads one event; false when the stream has ended, and `end` says how.
  bool Read();
  // Reads until `stop` holds for an event; false when the stream ended before.
  bool ReadUntil(const std::function<bool(const proto::TableEvent&)>& stop);

  absl::Status Ready(std::uint32_t round = 0, const std::string& nonce_hash = "");
  absl::Status Reveal(std::uint32_t round, const std::string& nonce);
  absl::Status Act(std::uint64_t decision, const proto::Choice& choice);
  // What it would choose now; nothing when it is not asked.
  struct Wish {
    std::uint64_t decision = 0;
    proto::Choice choice;
  };
  [[nodiscard]] std::optional<Wish> wish() const;

  // Does what it wishes now; whether that was well, or too late.
  bool Answer();

  // Plays until `rounds` more rounds are settled or the stream ends; whether they were.
  bool Play(int rounds);

  [[nodiscard]] const std::vector<proto::TableEvent>& events() const { return events_; }
  [[nodiscard]] std::uint64_t last() const {
    return events_.empty() ? 0 : events_.back().sequence();
  }
  // Reads until it is told that so many watch.
  bool ReadUntilWatchedBy(std::uint32_t observers);
  [[nodiscard]] Seat seat() const { return player_.seat(); }
  [[nodiscard]] const std::string& id() const { return id_; }
  absl::Status end;

 private:
  // What comes next, into unread_; false when the stream has ended.
  bool Receive();
  void Follow(const proto::TableEvent& event);

  TableServer* server_;
  std::string table_;
  std::string id_;
  TestPlayer player_;
  std::vector<proto::TableEvent> events_;
  std::deque<proto::TableEvent> unread_;  // what came together with the last of these
  std::uint32_t observers_ = 0;           // how many watch, as it was told last
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientReaderInterface<proto::SubscribeResponse>> stream_;
};

// Somebody who watches a table over gRPC.
class Watcher {
 public:
  Watcher(TableServer& server, std::string table, std::string player, std::uint32_t seat)
      : server_(&server), table_(std::move(table)), id_(std::move(player)), seat_(seat) {}
  ~Watcher();

  // Opens the stream after what has been seen.
  void Watch() { WatchOn(server_->stub()); }
  void WatchOn(proto::TableService::StubInterface& stub);
  // Reads one event; false when the stream has ended, and `end` says how.
  bool Read();
  bool ReadUntil(const std::function<bool(const proto::WatchedEvent&)>& stop);
  void Hang();

  [[nodiscard]] const std::vector<proto::WatchedEvent>& events() const { return events_; }
  [[nodiscard]] std::uint64_t last() const {
    return events_.empty() ? 0 : events_.back().sequence();
  }
  absl::Status end;

 private:
  TableServer* server_;
  std::string table_;
  std::string id_;
  std::uint32_t seat_;
  std::vector<proto::WatchedEvent> events_;
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientReaderInterface<proto::WatchResponse>> stream_;
};

}  // namespace mj::table::rpc
