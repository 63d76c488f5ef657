// Which calls belong to one another: W3C trace context, level 1. Nothing is collected here; ids are read,
// passed on and logged, for whoever collects.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mj::rpc {

inline constexpr char kTraceParentKey[] = "traceparent";
inline constexpr char kTraceStateKey[] = "tracestate";

// A place in a trace. Lower-case hex, neither id all zeros.
struct Trace {
  std::string trace_id = {};  // 32 characters
  std::string span_id = {};   // 16 characters: of whoever calls, or of the call itself
  bool sampled = false;
  std::string state = {};  // tracestate, passed on as it came

  bool operator==(const Trace&) const = default;
};

// A traceparent as it came; nullopt: none, or not one. Versions to come are read as far as this one goes.
[[nodiscard]] std::optional<Trace> ParseTraceParent(std::string_view header);
[[nodiscard]] std::string TraceParentOf(const Trace& trace);

// The trace of what has an id and no trace yet: the UUID's own 128 bits, so that the id finds it. nullopt:
// the id is no UUID.
[[nodiscard]] std::optional<Trace> TraceOfId(std::string_view id);

// Whose work this thread does: calls that it makes meanwhile and that name no trace go on with this one.
class TraceScope {
 public:
  // `trace` must outlive this.
  explicit TraceScope(const Trace& trace);
  ~TraceScope();
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  const Trace* const before_;
};
// Null: nobody's.
[[nodiscard]] const Trace* CurrentTrace();

}  // namespace mj::rpc
