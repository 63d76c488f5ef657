#include "libs/player/seat_calls.h"

#include <cstddef>
#include <span>
#include <utility>

#include "libs/base/bytes.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/player/halt.h"
#include "libs/player/lobby.h"
#include "libs/rules/seat.h"

namespace mj::player {
namespace {

using base::Reason;
using Service = table::TableService::StubInterface;

constexpr std::size_t kNonceBytes = 32;

}  // namespace

SeatCalls::SeatCalls(TableRoute& route, std::string table_id, std::string player_id,
                     base::Entropy* entropy)
    : route_(route),
      table_id_(std::move(table_id)),
      player_id_(std::move(player_id)),
      entropy_(entropy) {}

template <typename Request, typename Response>
absl::Status SeatCalls::Call(grpc::Status (Service::*method)(grpc::ClientContext*, const Request&,
                                                             Response*),
                             Request request) {
  request.set_table_id(table_id_);
  request.set_player_id(player_id_);
  while (true) {
    const absl::Status status =
        rpc::Invoke(route_.stub(), method, request, {.timeout = kCallTimeout, .player = player_id_})
            .status();
    if (status.ok()) route_.Reached();
    if (status.ok() || !route_.FindAgain(status)) return status;
  }
}

absl::Status SeatCalls::SayReady(std::uint32_t round) {
  if (entropy_ != nullptr && nonce_round_ != round) {
    nonce_round_ = round;
    nonce_.resize(kNonceBytes);
    entropy_->Fill(std::as_writable_bytes(std::span(nonce_)));
  }
  table::ReadyRequest request;
  request.set_round_number(round);
  if (entropy_ != nullptr) request.set_nonce_hash(base::TextOf(fairness::CommitNonce(nonce_)));
  return Call(&Service::Ready, std::move(request));
}

absl::Status SeatCalls::Reveal(const table::RoundBegan& began, std::uint32_t own_seat) {
  if (nonce_.empty() || nonce_round_ != began.round_number() ||
      began.nonce_hashes_size() != rules::kSeatCount || own_seat >= rules::kSeatCount ||
      began.nonce_hashes(static_cast<int>(own_seat)) !=
          base::TextOf(fairness::CommitNonce(nonce_))) {
    return absl::OkStatus();
  }
  table::RevealNonceRequest request;
  request.set_round_number(began.round_number());
  request.set_nonce(base::TextOf(nonce_));
  const absl::Status revealed = Call(&Service::RevealNonce, std::move(request));
  return IsTooLate(revealed) ? absl::OkStatus() : revealed;
}

absl::Status SeatCalls::Act(std::uint64_t decision, const table::Choice& choice) {
  table::ActRequest request;
  request.set_decision_id(decision);
  *request.mutable_choice() = choice;
  const absl::Status acted = Call(&Service::Act, std::move(request));
  return IsTooLate(acted) ? absl::OkStatus() : acted;
}

absl::Status SeatCalls::Leave() {
  table::LeaveTableRequest request;
  request.set_reason(table::LEAVE_REASON_LEFT);
  const absl::Status left = Call(&Service::LeaveTable, std::move(request));
  // Where the first answer was lost it has left already.
  const bool gone =
      base::HasReason(left, Reason::kNotSeated) || base::HasReason(left, Reason::kTableClosed);
  return gone ? absl::OkStatus() : left;
}

}  // namespace mj::player
