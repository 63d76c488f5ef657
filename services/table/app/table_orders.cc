// What operators ask of a table, and what is told of how it stands.
#include <utility>

#include "libs/base/status.h"
#include "services/table/app/orders.h"
#include "services/table/app/table.h"

namespace mj::table {

absl::StatusOr<Table::Description> Table::DescriptionOf(const TableState& state,
                                                        const std::optional<Asker>& who) {
  Description description{state.spec, state.info(), {}};
  if (!who) return description;
  MJ_ASSIGN_OR_RETURN(const Seat seat, OpenSeat(state, *who));
  description.deadline = OwedBy(state, seat);
  return description;
}

void Table::Describe(const std::optional<Asker>& who, Done<Description> done) {
  Enter<Description>(std::move(done), [this, who](const Done<Description>& answer) {
    answer(DescriptionOf(fold_.state, who));
  });
}

void Table::Order(const OperatorActed& order, Done<bool> done) {
  Enter<bool>(std::move(done), [this, order](Done<bool> answer) {
    Submit({[this, order](const TableState& s) { return DecideOrder(s, order, in_.clock.Now()); },
            [this, order, answer = std::move(answer)](const absl::Status& status) {
              if (!status.ok()) return answer(status);
              answer(IsPending(fold_.state, order));
            }});
  });
}

void Table::Inspect(Done<Inspection> done) {
  Enter<Inspection>(std::move(done), [this](const Done<Inspection>& answer) {
    answer(InspectionOf(fold_.state, presence_.away()));
  });
}

void Table::SetStop(const RoundsStopped& stop) {
  queue_.Post([self = shared_from_this(), stop] {
    self->stop_ = stop;
    // Before Start it only is known.
    if (self->started_ && !self->appending_ && !self->lost_ && !self->stopped_) self->GoOn();
  });
}

}  // namespace mj::table
