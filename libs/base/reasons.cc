#include "libs/base/reasons.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

#include "absl/strings/cord.h"
#include "libs/base/check.h"
#include "libs/base/strings.h"

namespace mj::base {
namespace {

constexpr std::array kTable = {
#define MJ_REASON(enumerator, name, code, transient, hans, hant, en) \
  ReasonInfo{Reason::enumerator, name, absl::StatusCode::code, transient, hans, hant, en},
#include "libs/base/reasons.inc"
#undef MJ_REASON
};

constexpr absl::string_view kPayloadUrl = "mahjong/error";

// The payload is a list of texts, each as "length:bytes": reason, field, retry_after in milliseconds
// (empty if none), then keys and values.
void PutText(std::string& out, std::string_view text) {
  out.append(std::to_string(text.size())).push_back(':');
  out.append(text);
}

std::optional<std::string> TakeText(std::string_view& in) {
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(in.data(), in.data() + in.size(), size);
  const auto digits = static_cast<std::size_t>(end - in.data());
  if (error != std::errc{} || digits >= in.size() || in[digits] != ':' ||
      in.size() - digits - 1 < size) {
    return std::nullopt;
  }
  std::string text(in.substr(digits + 1, size));
  in.remove_prefix(digits + 1 + size);
  return text;
}

}  // namespace

std::string_view ReasonInfo::Words(Language language) const {
  switch (language) {
    case Language::kZhHans:
      return zh_hans;
    case Language::kZhHant:
      return zh_hant;
    case Language::kEn:
      return en;
  }
  return zh_hans;
}

std::span<const ReasonInfo> AllReasons() { return kTable; }

const ReasonInfo& InfoOf(Reason reason) {
  const auto index = static_cast<std::size_t>(reason);
  MJ_CHECK(index < kTable.size());
  return kTable[index];
}

std::optional<Reason> ReasonByName(std::string_view name) {
  for (const ReasonInfo& info : kTable) {
    if (info.name == name) {
      return info.reason;
    }
  }
  return std::nullopt;
}

absl::Status Error(Reason reason, std::string_view message, const ErrorDetails& details) {
  const ReasonInfo& info = InfoOf(reason);
  absl::Status status(info.code, ToAbsl(message.empty() ? info.en : message));
  Carry(status, {std::string(info.name), details});
  return status;
}

absl::Status InField(std::string_view prefix, const absl::Status& status) {
  auto carried = CarriedBy(status);
  if (!carried || carried->details.field.empty()) {
    return status;
  }
  absl::Status moved = status;
  carried->details.field =
      Cat(prefix, carried->details.field.front() == '[' ? "" : ".", carried->details.field);
  Carry(moved, *carried);
  return moved;
}

std::optional<CarriedError> CarriedBy(const absl::Status& status) {
  const auto payload = status.GetPayload(kPayloadUrl);
  if (!payload.has_value()) {
    return std::nullopt;
  }
  const std::string bytes(*payload);
  std::string_view in = bytes;
  CarriedError error;
  auto reason = TakeText(in);
  auto field = TakeText(in);
  auto retry = TakeText(in);
  if (!reason || !field || !retry) {
    return std::nullopt;
  }
  error.reason = *std::move(reason);
  error.details.field = *std::move(field);
  if (const auto ms = ParseInt64(*retry)) {
    error.details.retry_after = std::chrono::milliseconds(*ms);
  }
  while (!in.empty()) {
    auto key = TakeText(in);
    auto value = TakeText(in);
    if (!key || !value) {
      return std::nullopt;
    }
    error.details.metadata.emplace(*std::move(key), *std::move(value));
  }
  return error;
}

void Carry(absl::Status& status, const CarriedError& error) {
  std::string bytes;
  PutText(bytes, error.reason);
  PutText(bytes, error.details.field);
  PutText(bytes, error.details.retry_after ? std::to_string(error.details.retry_after->count())
                                           : std::string());
  for (const auto& [key, value] : error.details.metadata) {
    PutText(bytes, key);
    PutText(bytes, value);
  }
  status.SetPayload(kPayloadUrl, absl::Cord(bytes));
}

bool HasReason(const absl::Status& status, Reason reason) {
  const auto carried = CarriedBy(status);
  return carried && carried->reason == InfoOf(reason).name;
}

Reason ReasonToTell(const absl::Status& status) {
  MJ_CHECK(!status.ok());
  if (const auto carried = CarriedBy(status)) {
    if (const auto reason = ReasonByName(carried->reason)) {
      return *reason;
    }
  }
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
      return Reason::kUnavailable;
    case absl::StatusCode::kDeadlineExceeded:
      return Reason::kDeadlineExceeded;
    case absl::StatusCode::kCancelled:
      return Reason::kCancelled;
    case absl::StatusCode::kResourceExhausted:
      return Reason::kOverloaded;
    case absl::StatusCode::kAborted:
      return Reason::kConflict;
    case absl::StatusCode::kUnimplemented:
      return Reason::kUnimplemented;
    default:
      return Reason::kInternal;
  }
}

}  // namespace mj::base
