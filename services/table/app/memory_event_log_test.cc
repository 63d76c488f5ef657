#include "services/table/app/memory_event_log_testing.h"

#include "libs/base/simulated_clock_testing.h"
#include "services/table/app/event_log_contract_testing.h"
#include "services/table/app/leases_contract_testing.h"

namespace mj::table {
namespace {

class LogFixture final : public EventLogFixture {
 public:
  EventLog& log() override { return log_; }
  Leases& leases() override { return log_; }

 private:
  MemoryEventLog log_;
};

INSTANTIATE_TEST_SUITE_P(Memory, EventLogContract,
                         ::testing::Values([] { return std::make_unique<LogFixture>(); }));

class LeasedFixture final : public LeasesFixture {
 public:
  EventLog& log() override { return log_; }
  Leases& leases() override { return log_; }
  void Wait(std::chrono::milliseconds time) override { clock_.Advance(time); }

 private:
  base::SimulatedClock clock_;
  MemoryEventLog log_{clock_};
};

INSTANTIATE_TEST_SUITE_P(Memory, LeasesContract,
                         ::testing::Values([] { return std::make_unique<LeasedFixture>(); }));

}  // namespace
}  // namespace mj::table
