#include "services/table/app/memory_event_log_testing.h"

#include "services/table/app/event_log_contract_testing.h"

namespace mj::table {
namespace {

class MemoryFixture final : public EventLogFixture {
 public:
  EventLog& log() override { return log_; }
  void TakeOver(const TableId& table) override { log_.TakeOver(table); }

 private:
  MemoryEventLog log_;
};

INSTANTIATE_TEST_SUITE_P(Memory, EventLogContract,
                         ::testing::Values([] { return std::make_unique<MemoryFixture>(); }));

}  // namespace
}  // namespace mj::table
