#include "services/scoring/wiring.h"

#include <memory>

#include "services/scoring/rpc/service.h"

namespace mj::scoring {

absl::Status Bind(const Config& /*config*/, mj::rpc::Bindings& bindings) {
  bindings.AddService<::mahjong::scoring::v1::ScoringService>(
      std::make_unique<rpc::ScoringService>(bindings.front()));
  return absl::OkStatus();
}

}  // namespace mj::scoring
