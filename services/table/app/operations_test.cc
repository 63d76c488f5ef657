#include "services/table/app/operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "services/table/app/memory_event_log_testing.h"
#include "services/table/app/operations_contract_testing.h"

namespace mj::table {
namespace {

class MemoryFixture final : public OperationsFixture {
 public:
  EventLog& log() override { return memory_; }
  Operations& operations() override { return memory_; }

 private:
  MemoryEventLog memory_;
};

INSTANTIATE_TEST_SUITE_P(Memory, OperationsContract,
                         ::testing::Values([] { return std::make_unique<MemoryFixture>(); }));

}  // namespace
}  // namespace mj::table
