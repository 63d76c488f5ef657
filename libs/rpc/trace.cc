#include "libs/rpc/trace.h"

#include <algorithm>
#include <cstddef>

#include "libs/base/strings.h"

namespace mj::rpc {
namespace {

constexpr std::size_t kTraceId = 32;
constexpr std::size_t kSpanId = 16;
constexpr std::size_t kHeader = 2 + 1 + kTraceId + 1 + kSpanId + 1 + 2;

thread_local const Trace* current = nullptr;

bool IsHexDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool IsHex(std::string_view text) { return std::all_of(text.begin(), text.end(), IsHexDigit); }

bool IsTraceId(std::string_view text) {
  return IsHex(text) && text.find_first_not_of('0') != std::string_view::npos;
}

bool IsOdd(char hex) { return (hex >= 'a' ? hex - 'a' : hex - '0') % 2 == 1; }

}  // namespace

std::optional<Trace> ParseTraceParent(std::string_view header) {
  if (header.size() < kHeader || header[2] != '-' || header[35] != '-' || header[52] != '-') {
    return std::nullopt;
  }
  const std::string_view version = header.substr(0, 2);
  const std::string_view trace_id = header.substr(3, kTraceId);
  const std::string_view span_id = header.substr(36, kSpanId);
  const std::string_view flags = header.substr(53, 2);
  if (!IsHex(version) || version == "ff" || !IsTraceId(trace_id) || !IsTraceId(span_id) ||
      !IsHex(flags)) {
    return std::nullopt;
  }
  const bool longer = header.size() > kHeader;
  if (longer && (version == "00" || header[kHeader] != '-')) return std::nullopt;
  return Trace{std::string(trace_id), std::string(span_id), IsOdd(flags[1]), {}};
}

std::string TraceParentOf(const Trace& trace) {
  return base::Cat("00-", trace.trace_id, "-", trace.span_id, trace.sampled ? "-01" : "-00");
}

std::optional<Trace> TraceOfId(std::string_view id) {
  constexpr std::size_t kUuid = 36;
  if (id.size() != kUuid) return std::nullopt;
  std::string hex;
  for (std::size_t i = 0; i < kUuid; ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash != (id[i] == '-')) return std::nullopt;
    if (!dash) hex.push_back(id[i]);
  }
  const std::string span = hex.substr(kSpanId);
  if (!IsTraceId(hex) || !IsTraceId(span)) return std::nullopt;
  return Trace{hex, span, false, {}};
}

TraceScope::TraceScope(const Trace& trace) : before_(current) { current = &trace; }

TraceScope::~TraceScope() { current = before_; }

const Trace* CurrentTrace() { return current; }

}  // namespace mj::rpc
