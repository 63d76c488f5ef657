#include "services/table/rpc/client_testing.h"

#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "libs/rpc/grpc_status.h"
#include "libs/wire/choice.h"
#include "libs/wire/seat_events.h"

namespace mj::table::rpc {

using Stub = proto::TableService::StubInterface;

void Client::SubscribeOn(Stub& stub) {
  proto::SubscribeRequest request;
  request.set_table_id(table_);
  request.set_player_id(id_);
  request.set_after_sequence(last());
  context_ = std::make_unique<grpc::ClientContext>();
  // A test that fails ends; it does not hang.
  mj::rpc::Prepare(*context_, {.timeout = std::chrono::minutes(2)});
  stream_ = stub.Subscribe(context_.get(), request);
}

void Client::Hang() {
  context_->TryCancel();
  proto::SubscribeResponse rest;
  while (stream_->Read(&rest)) {
  }
  end = mj::rpc::FromGrpc(stream_->Finish());
  stream_ = nullptr;
  unread_.clear();
}

bool Client::Receive() {
  proto::SubscribeResponse response;
  if (!stream_->Read(&response)) {
    end = mj::rpc::FromGrpc(stream_->Finish());
    stream_ = nullptr;
    return false;
  }
  if (response.has_notice()) observers_ = response.notice().observers();
  unread_.insert(unread_.end(), response.events().begin(), response.events().end());
  return true;
}

bool Client::Read() {
  while (unread_.empty()) {
    if (stream_ == nullptr || !Receive()) return false;
  }
  events_.push_back(std::move(unread_.front()));
  unread_.pop_front();
  Follow(events_.back());
  return true;
}

bool Client::ReadUntilWatchedBy(std::uint32_t observers) {
  while (observers_ != observers) {
    if (!Receive()) return false;
  }
  return true;
}

bool Client::ReadUntil(const std::function<bool(const proto::TableEvent&)>& stop) {
  while (Read()) {
    if (stop(events_.back())) return true;
  }
  return false;
}

void Client::Follow(const proto::TableEvent& event) {
  auto played = wire::PlayedFromProto(event);
  MJ_CHECK(played.ok());
  Shown shown{event.sequence(), {}, nullptr};
  if (played->has_value()) {
    const std::uint64_t decision = (*played)->decision_id;
    if (auto* asked = std::get_if<round::YouAreAsked>(&(*played)->event)) {
      asked->ask.decision = static_cast<round::DecisionId>(decision & 0xffff'ffffU);
    }
    shown.event = std::make_shared<const ShownEvent>(
        PlayShown{static_cast<int>(decision >> 32U), (*played)->event, {}, {}, {}});
  } else if (event.has_round_ended()) {
    shown.event = std::make_shared<const ShownEvent>(RoundOver{});
  } else {
    shown.event = std::make_shared<const ShownEvent>(TableClosed{});
  }
  player_.See(shown);
}

absl::Status Client::Ready(std::uint32_t round, const std::string& nonce_hash) {
  proto::ReadyRequest request;
  request.set_table_id(table_);
  request.set_player_id(id_);
  request.set_round_number(round);
  request.set_nonce_hash(nonce_hash);
  return server_->Call(&Stub::Ready, request).status();
}

absl::Status Client::Reveal(std::uint32_t round, const std::string& nonce) {
  proto::RevealNonceRequest request;
  request.set_table_id(table_);
  request.set_player_id(id_);
  request.set_round_number(round);
  request.set_nonce(nonce);
  return server_->Call(&Stub::RevealNonce, request).status();
}

absl::Status Client::Act(std::uint64_t decision, const proto::Choice& choice) {
  proto::ActRequest request;
  request.set_table_id(table_);
  request.set_player_id(id_);
  request.set_decision_id(decision);
  *request.mutable_choice() = choice;
  return server_->Call(&Stub::Act, request).status();
}

std::optional<Client::Wish> Client::wish() const {
  const auto wish = player_.wish();
  if (!wish) return std::nullopt;
  Wish out{wish->decision, {}};
  wire::ToProto(wish->choice, out.choice);
  return out;
}

bool Client::Play(int rounds) {
  int begun = 0;
  int settled = 0;
  for (const proto::TableEvent& event : events_) {
    begun += event.has_round_began() ? 1 : 0;
    settled += event.has_round_settled() ? 1 : 0;
  }
  // In the middle of a round nobody is waited for.
  if (begun == settled && !Ready().ok()) return false;
  const int wanted = settled + rounds;
  while (settled < wanted) {
    if (!Read()) return false;
    const proto::TableEvent& event = events_.back();
    if (event.has_decision_offered() && !Answer()) return false;
    if (event.has_round_settled() && ++settled < wanted && !Ready().ok()) return false;
  }
  return true;
}

bool Client::Answer() {
  const auto wish = this->wish();
  const absl::Status acted = Act(wish->decision, wish->choice);
  // Another's claim may have closed the window, or ended the round, before.
  return acted.ok() || base::HasReason(acted, base::Reason::kDecisionStale) ||
         base::HasReason(acted, base::Reason::kRoundNotInProgress);
}

Watcher::~Watcher() {
  if (stream_ != nullptr) Hang();
}

void Watcher::WatchOn(Stub& stub) {
  proto::WatchRequest request;
  request.set_table_id(table_);
  request.set_player_id(id_);
  request.set_seat(seat_);
  request.set_after_sequence(last());
  context_ = std::make_unique<grpc::ClientContext>();
  mj::rpc::Prepare(*context_, {.timeout = std::chrono::minutes(2)});
  stream_ = stub.Watch(context_.get(), request);
}

bool Watcher::Read() {
  proto::WatchResponse response;
  if (!stream_->Read(&response)) {
    end = mj::rpc::FromGrpc(stream_->Finish());
    stream_ = nullptr;
    return false;
  }
  events_.push_back(response.event());
  return true;
}

bool Watcher::ReadUntil(const std::function<bool(const proto::WatchedEvent&)>& stop) {
  while (Read()) {
    if (stop(events_.back())) return true;
  }
  return false;
}

void Watcher::Hang() {
  context_->TryCancel();
  proto::WatchResponse rest;
  while (stream_->Read(&rest)) {
  }
  end = mj::rpc::FromGrpc(stream_->Finish());
  stream_ = nullptr;
}

}  // namespace mj::table::rpc
