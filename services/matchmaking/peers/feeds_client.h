// TableFeeds over gRPC.
#pragma once

#include <grpcpp/client_context.h>

#include <memory>
#include <set>
#include <string>

#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"
#include "services/matchmaking/app/feeds.h"

namespace mj::matchmaking::peers {

// Thread-safe; following blocks. `clock` must outlive it.
class FeedsClient final : public TableFeeds {
 public:
  using Stub = ::mahjong::table::v1::TableService::StubInterface;

  //   stub   reaches the table service, whichever process of it.
  FeedsClient(std::unique_ptr<Stub> stub, const base::Clock& clock)
      : stub_(std::move(stub)), clock_(clock) {}

  absl::Status FollowRounds(const std::string& position, base::MonotonicTime until,
                            const Take<EndedRound>& take) override;
  absl::Status FollowSeats(const std::string& position, base::MonotonicTime until,
                           const Take<SeatChange>& take) override;
  void End() override;

 private:
  // Whether it may begin; then the call is ended by End.
  bool Enter(grpc::ClientContext& context);
  // Whether it was End that ended it.
  bool Leave(grpc::ClientContext& context);

  // Reads a stream. `read` says whether to go on, or why what was sent cannot be.
  template <typename Response, typename Request, typename Open, typename Read>
  absl::Status Follow(const Open& open, const Request& request, base::MonotonicTime until,
                      const Read& read);

  const std::unique_ptr<Stub> stub_;
  const base::Clock& clock_;
  base::Mutex mutex_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  std::set<grpc::ClientContext*> calls_ ABSL_GUARDED_BY(mutex_);
};

// To the table service at `target`; connects when first used.
[[nodiscard]] std::unique_ptr<FeedsClient> ConnectFeeds(const std::string& target,
                                                        const base::Clock& clock);

}  // namespace mj::matchmaking::peers
