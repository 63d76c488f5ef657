// Messages of a call on an arena that is used again by later calls: nested answers then cost few
// allocations, and none to take down.
//
//   rpc::ArenaAllocator<ScoreRoundRequest, ScoreRoundResponse> messages_;  // of a CallbackService
//   SetMessageAllocatorFor_ScoreRound(&messages_);                         // in its constructor
#pragma once

#include <google/protobuf/arena.h>
#include <grpcpp/support/message_allocator.h>

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "libs/base/mutex.h"

namespace mj::rpc {

// Hands out pairs of messages; thread-safe. Must outlive the server. A pair that comes back waits
// with its first block, of kBlockBytes, for the next call, so that kKept of them are the most that
// stay when it is quiet. The block should hold what most calls need: what goes beyond comes in
// blocks as large, from the heap.
template <typename Request, typename Response, std::size_t kBlockBytes = 16 * 1024,
          std::size_t kKept = 64>
class ArenaAllocator final : public grpc::MessageAllocator<Request, Response> {
 public:
  grpc::MessageHolder<Request, Response>* AllocateMessages() override {
    std::unique_ptr<Messages> free;
    {
      base::MutexLock lock(mutex_);
      if (!free_.empty()) {
        free = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (free == nullptr) free = std::make_unique<Messages>(*this);
    free->Begin();
    return free.release();
  }

 private:
  class Messages final : public grpc::MessageHolder<Request, Response> {
   public:
    explicit Messages(ArenaAllocator& owner) : owner_(owner), arena_(Options(*this)) {}

    void Begin() {
      this->set_request(google::protobuf::Arena::CreateMessage<Request>(&arena_));
      this->set_response(google::protobuf::Arena::CreateMessage<Response>(&arena_));
    }

    void Release() override {
      arena_.Reset();  // keeps the first block
      owner_.TakeBack(std::unique_ptr<Messages>(this));
    }

   private:
    static google::protobuf::ArenaOptions Options(Messages& self) {
      google::protobuf::ArenaOptions options;
      options.initial_block = self.block_.data();
      options.initial_block_size = self.block_.size();
      options.max_block_size = self.block_.size();
      return options;
    }

    ArenaAllocator& owner_;
    alignas(std::max_align_t) std::array<char, kBlockBytes> block_;
    google::protobuf::Arena arena_;
  };

  void TakeBack(std::unique_ptr<Messages> messages) {
    base::MutexLock lock(mutex_);
    if (free_.size() < kKept) free_.push_back(std::move(messages));
  }

  base::Mutex mutex_;
  std::vector<std::unique_ptr<Messages>> free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::rpc
