#include "services/table/rpc/service.h"

#include <memory>
#include <utility>
#include <variant>

#include "libs/base/status.h"
#include "services/table/rpc/messages.h"
#include "services/table/rpc/pump.h"
#include "services/table/rpc/requests.h"

namespace mj::table::rpc {
namespace {

using CallPtr = std::shared_ptr<mj::rpc::Call>;

constexpr auto kValidate = [](const auto& request) { return Validate(request); };

// Ends a call with what the app answers; `fill` puts the value into the response.
template <typename T, typename Fill>
Done<T> Answer(mj::rpc::Done done, Fill fill) {
  return [done = std::move(done), fill = std::move(fill)](const absl::StatusOr<T>& value) {
    if (value.ok()) fill(*value);
    done(value.status());
  };
}

// Whoever follows a feed over a stream. Batches that wait for the client are few: the rest waits where it
// is kept.
template <typename Item, typename Response>
class StreamFollower final : public Follower<Item> {
 public:
  explicit StreamFollower(mj::rpc::ServerStream<Response> stream) : stream_(std::move(stream)) {}

  bool Wants() override { return stream_.unsent() < kUnsentMax; }
  void Take(OutboxBatch<Item> batch) override {
    Response response;
    ToProto(batch, response);
    stream_.Send(std::move(response));
  }
  void End(const absl::Status& status) override { stream_.Finish(status); }
  bool Gone() override { return stream_.ended(); }

 private:
  static constexpr std::size_t kUnsentMax = 8;
  const mj::rpc::ServerStream<Response> stream_;
};

// The answer of what a player does at its table.
template <typename Response>
Done<StreamSeq> LastSequence(mj::rpc::Done done, Response& out) {
  return Answer<StreamSeq>(std::move(done),
                           [&out](StreamSeq last) { out.set_last_sequence(last); });
}

}  // namespace

std::string TableService::AddressOf(const TableInfo& table) const {
  return table.address.empty() ? address_() : table.address;
}

grpc::ServerUnaryReactor* TableService::CreateTable(grpc::CallbackServerContext* context,
                                                    const proto::CreateTableRequest* request,
                                                    proto::CreateTableResponse* response) {
  return front_.UnaryAsync(
      context, "CreateTable", request, response, kValidate,
      [this](const CallPtr& call, const auto& in, auto& out, mj::rpc::Done done) {
        const absl::StatusOr<Creating> creating = Read(in);
        if (!creating.ok()) return done(creating.status());
        call->Note("match_id", creating->request.value());
        tables_.Create(creating->request, creating->spec, creating->settings,
                       Answer<TableInfo>(std::move(done), [this, call, &out](const TableInfo& t) {
                         call->Note("table_id", t.id.value());
                         ToProto(t, AddressOf(t), *out.mutable_table());
                       }));
      });
}

grpc::ServerUnaryReactor* TableService::ListRooms(grpc::CallbackServerContext* context,
                                                  const proto::ListRoomsRequest* request,
                                                  proto::ListRoomsResponse* response) {
  return front_.UnaryAsync(
      context, "ListRooms", request, response, kValidate,
      [this](const CallPtr&, const auto& in, auto& out, mj::rpc::Done done) {
        const absl::StatusOr<RoomsOf> asked = Read(in);
        if (!asked.ok()) return done(asked.status());
        tables_.ListRooms(asked->variant, asked->currency,
                          Answer<RoomList>(std::move(done),
                                           [&out](const RoomList& rooms) { ToProto(rooms, out); }));
      });
}

grpc::ServerUnaryReactor* TableService::ListTables(grpc::CallbackServerContext* context,
                                                   const proto::ListTablesRequest* request,
                                                   proto::ListTablesResponse* response) {
  return front_.Unary(
      context, "ListTables", request, response, kValidate,
      [this](mj::rpc::Call&, const auto& in, auto& out) -> absl::Status {
        MJ_ASSIGN_OR_RETURN(const Listing asked, Read(in));
        MJ_ASSIGN_OR_RETURN(
            const LobbyPage page,
            mj::table::ListTables(lobby_, asked.filter, asked.page_size, asked.page_token));
        ToProto(page, out);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* TableService::JoinTable(grpc::CallbackServerContext* context,
                                                  const proto::JoinTableRequest* request,
                                                  proto::JoinTableResponse* response) {
  return front_.UnaryAsync(
      context, "JoinTable", request, response, kValidate,
      [this](const CallPtr& call, const auto& in, auto& out, mj::rpc::Done done) {
        const auto seat = SeatAskedFor(in);
        if (!seat.ok()) return done(seat.status());
        const auto token_hash = TokenHashOf(in);
        if (!token_hash.ok()) return done(token_hash.status());
        const Caller caller = CallerOf(in);
        call->Note("table_id", caller.table.value());
        tables_.Join(
            caller.table, caller.player, *seat, *token_hash,
            Answer<Table::Seated>(std::move(done), [this, &out](const Table::Seated& seated) {
              ToProto(seated.table, AddressOf(seated.table), *out.mutable_table());
              out.set_seat(static_cast<std::uint32_t>(rules::IndexOf(seated.seat)));
            }));
      });
}

grpc::ServerUnaryReactor* TableService::Ready(grpc::CallbackServerContext* context,
                                              const proto::ReadyRequest* request,
                                              proto::ReadyResponse* response) {
  return front_.UnaryAsync(
      context, "Ready", request, response, kValidate,
      [this](const CallPtr& call, const auto& in, auto& out, mj::rpc::Done done) {
        const auto nonce_hash = NonceHashOf(in);
        if (!nonce_hash.ok()) return done(nonce_hash.status());
        const Caller caller = CallerOf(in);
        call->Note("table_id", caller.table.value());
        tables_.Ready(caller.table, caller.player, RoundNumberOf(in.round_number()), *nonce_hash,
                      LastSequence(std::move(done), out));
      });
}

grpc::ServerUnaryReactor* TableService::RevealNonce(grpc::CallbackServerContext* context,
                                                    const proto::RevealNonceRequest* request,
                                                    proto::RevealNonceResponse* response) {
  return front_.UnaryAsync(
      context, "RevealNonce", request, response, kValidate,
      [this](const CallPtr& call, const auto& in, auto& out, mj::rpc::Done done) {
        const Caller caller = CallerOf(in);
        call->Note("table_id", caller.table.value());
        tables_.RevealNonce(caller.table, caller.player, RoundNumberOf(in.round_number()),
                            NonceOf(in), LastSequence(std::move(done), out));
      });
}

grpc::ServerUnaryReactor* TableService::Act(grpc::CallbackServerContext* context,
                                            const proto::ActRequest* request,
                                            proto::ActResponse* response) {
  return front_.UnaryAsync(
      context, "Act", request, response, kValidate,
      [this](const CallPtr& call, const auto& in, auto& out, mj::rpc::Done done) {
        const auto action = ActionOf(in);
        if (!action.ok()) return done(action.status());
        const Caller caller = CallerOf(in);
        call->Note("table_id", caller.table.value());
        auto told = LastSequence(std::move(done), out);
        if (const auto* stakes = std::get_if<StakesAnswer>(&*action)) {
          return tables_.AnswerStakes(caller.table, caller.player, in.decision_id(), *stakes,
                                      std::move(told));
        }
        tables_.Act(caller.table, caller.player, in.decision_id(), std::get<round::Choice>(*action),
                    std::move(told));
      });
}

grpc::ServerUnaryReactor* TableService::LeaveTable(grpc::CallbackServerContext* context,
                                                   const proto::LeaveTableRequest* request,
                                                   proto::LeaveTableResponse* response) {
  return front_.UnaryAsync(
      context, "LeaveTable", request, response, kValidate,
      [this](const CallPtr& call, const auto& in, auto& out, mj::rpc::Done done) {
        const auto reason = ReasonOf(in);
        if (!reason.ok()) return done(reason.status());
        const Caller caller = CallerOf(in);
        call->Note("table_id", caller.table.value());
        tables_.Leave(caller.table, caller.player, *reason,
                      Answer<Table::Left>(std::move(done), [&out](Table::Left left) {
                        out.set_escaped(left == Table::Left::kEscaped);
                        out.set_pending(left == Table::Left::kNotYet);
                      }));
      });
}

grpc::ServerUnaryReactor* TableService::TakeOver(grpc::CallbackServerContext* context,
                                                 const proto::TakeOverRequest* request,
                                                 proto::TakeOverResponse* response) {
  return front_.UnaryAsync(
      context, "TakeOver", request, response, kValidate,
      [this](const CallPtr& call, const auto& in, auto& out, mj::rpc::Done done) {
        const Caller caller = CallerOf(in);
        call->Note("table_id", caller.table.value());
        tables_.TakeOver(caller.table, caller.player, LastSequence(std::move(done), out));
      });
}

grpc::ServerUnaryReactor* TableService::ShowHand(grpc::CallbackServerContext* context,
                                                 const proto::ShowHandRequest* request,
                                                 proto::ShowHandResponse* response) {
  return front_.UnaryAsync(
      context, "ShowHand", request, response, kValidate,
      [this](const CallPtr& call, const auto& in, auto& out, mj::rpc::Done done) {
        const Caller caller = CallerOf(in);
        call->Note("table_id", caller.table.value());
        tables_.ShowHand(caller.table, caller.player, in.show(),
                         LastSequence(std::move(done), out));
      });
}

grpc::ServerUnaryReactor* TableService::GetTable(grpc::CallbackServerContext* context,
                                                 const proto::GetTableRequest* request,
                                                 proto::GetTableResponse* response) {
  return front_.UnaryAsync(
      context, "GetTable", request, response, kValidate,
      [this](const CallPtr& call, const auto& in, auto& out, mj::rpc::Done done) {
        call->Note("table_id", in.table_id());
        if (!in.player_id().empty()) {
          return tables_.GetFor(TableId(in.table_id()), AskerOf(in),
                                Answer<Table::Description>(
                                    std::move(done), [this, &out](const Table::Description& table) {
                                      ToProto(table.info, AddressOf(table.info),
                                              *out.mutable_table());
                                      if (table.deadline)
                                        ToProto(*table.deadline, *out.mutable_deadline());
                                    }));
        }
        tables_.Get(TableId(in.table_id()),
                    Answer<TableInfo>(std::move(done), [this, &out](const TableInfo& table) {
                      ToProto(table, AddressOf(table), *out.mutable_table());
                    }));
      });
}

grpc::ServerUnaryReactor* TableService::GetRoundRecord(grpc::CallbackServerContext* context,
                                                       const proto::GetRoundRecordRequest* request,
                                                       proto::GetRoundRecordResponse* response) {
  return front_.Unary(context, "GetRoundRecord", request, response, kValidate,
                      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
                        call.Note("round_id", in.round_id());
                        MJ_ASSIGN_OR_RETURN(*out.mutable_record(),
                                            records_.Get(RoundId(in.round_id())));
                        return absl::OkStatus();
                      });
}

grpc::ServerUnaryReactor* TableService::ListRounds(grpc::CallbackServerContext* context,
                                                   const proto::ListRoundsRequest* request,
                                                   proto::ListRoundsResponse* response) {
  return front_.Unary(context, "ListRounds", request, response, kValidate,
                      [this](mj::rpc::Call&, const auto& in, auto& out) -> absl::Status {
                        MJ_ASSIGN_OR_RETURN(
                            const RoundPage page,
                            records_.List(FilterOf(in), in.page_size(), in.page_token()));
                        ToProto(page, out);
                        return absl::OkStatus();
                      });
}

grpc::ServerWriteReactor<proto::SubscribeResponse>* TableService::Subscribe(
    grpc::CallbackServerContext* context, const proto::SubscribeRequest* request) {
  using Stream = mj::rpc::ServerStream<proto::SubscribeResponse>;
  return front_.Stream<proto::SubscribeResponse>(
      context, "Subscribe", request, kValidate,
      [this](mj::rpc::Call& call, const auto& in, const Stream& stream) {
        const Caller caller = CallerOf(in);
        call.Note("table_id", caller.table.value());
        tables_.Subscribe(
            caller.table, AskerOf(in), in.after_sequence(),
            [this, stream](absl::StatusOr<std::shared_ptr<Subscription>> subscription) {
              if (!subscription.ok()) return stream.Cut(subscription.status());
              PumpEvents(*std::move(subscription), clock_, stream);
            });
        return absl::OkStatus();
      });
}

grpc::ServerWriteReactor<proto::WatchResponse>* TableService::Watch(
    grpc::CallbackServerContext* context, const proto::WatchRequest* request) {
  using Stream = mj::rpc::ServerStream<proto::WatchResponse>;
  return front_.Stream<proto::WatchResponse>(
      context, "Watch", request, kValidate,
      [this](mj::rpc::Call& call, const auto& in, const Stream& stream) {
        const absl::StatusOr<Seat> seat = SeatToWatch(in);
        if (!seat.ok()) return seat.status();
        const Caller caller = CallerOf(in);
        call.Note("table_id", caller.table.value());
        tables_.Watch(
            caller.table, caller.player, *seat, in.after_sequence(),
            [this, stream](absl::StatusOr<std::shared_ptr<WatchSubscription>> subscription) {
              if (!subscription.ok()) return stream.Cut(subscription.status());
              PumpWatched(*std::move(subscription), clock_, runner_, stream);
            });
        return absl::OkStatus();
      });
}

grpc::ServerWriteReactor<proto::WatchRoundsResponse>* TableService::WatchRounds(
    grpc::CallbackServerContext* context, const proto::WatchRoundsRequest* request) {
  using Stream = mj::rpc::ServerStream<proto::WatchRoundsResponse>;
  return front_.Stream<proto::WatchRoundsResponse>(
      context, "WatchRounds", request, mj::rpc::Front::kNoValidation,
      [this](mj::rpc::Call&, const auto& in, const Stream& stream) {
        return outbox_.FollowRounds(
            in.position(),
            std::make_shared<StreamFollower<EndedRound, proto::WatchRoundsResponse>>(stream));
      });
}

grpc::ServerWriteReactor<proto::WatchOpenSeatsResponse>* TableService::WatchOpenSeats(
    grpc::CallbackServerContext* context, const proto::WatchOpenSeatsRequest* request) {
  using Stream = mj::rpc::ServerStream<proto::WatchOpenSeatsResponse>;
  return front_.Stream<proto::WatchOpenSeatsResponse>(
      context, "WatchOpenSeats", request, mj::rpc::Front::kNoValidation,
      [this](mj::rpc::Call&, const auto& in, const Stream& stream) {
        return outbox_.FollowSeats(
            in.position(),
            std::make_shared<StreamFollower<SeatChange, proto::WatchOpenSeatsResponse>>(stream));
      });
}

}  // namespace mj::table::rpc
