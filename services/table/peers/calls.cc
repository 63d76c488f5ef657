#include "services/table/peers/calls.h"

namespace mj::table::peers {

Calls::~Calls() { Stop(); }

void Calls::Stop() {
  base::MutexLock lock(mutex_);
  stopped_ = true;
  for (grpc::ClientContext* context : under_way_) context->TryCancel();
  while (!under_way_.empty()) left_.Wait(mutex_);
}

bool Calls::Enter(grpc::ClientContext& context) {
  base::MutexLock lock(mutex_);
  if (stopped_) return false;
  under_way_.insert(&context);
  return true;
}

void Calls::Leave(grpc::ClientContext* context) {
  base::MutexLock lock(mutex_);
  under_way_.erase(context);
  left_.NotifyAll();
}

}  // namespace mj::table::peers
