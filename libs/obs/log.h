// Structured logs: one JSON object a line.
//
//   log.Info("round settled", {{"round_id", id}, {"transfers", 6}});
//   {"ts":"2026-01-01T00:00:00.000000Z","level":"info","service":"table","msg":"round settled",
//    "round_id":"0194…","transfers":6}
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "libs/base/clock.h"

namespace mj::obs {

enum class LogLevel { kDebug, kInfo, kWarn, kError };

// "debug", "info", "warn" or "error"; nullopt for anything else.
[[nodiscard]] std::optional<LogLevel> ParseLogLevel(std::string_view text);

// A further fact of a line. Keys are lower_snake; text that is not UTF-8 is made so.
struct LogField {
  using Value = std::variant<std::string_view, std::int64_t, std::uint64_t, double, bool>;

  LogField(std::string_view k, std::string_view v) : key(k), value(v) {}
  LogField(std::string_view k, const char* v) : key(k), value(std::string_view(v)) {}
  LogField(std::string_view k, const std::string& v) : key(k), value(std::string_view(v)) {}
  LogField(std::string_view k, bool v) : key(k), value(v) {}
  LogField(std::string_view k, double v) : key(k), value(v) {}
  template <std::signed_integral T>
  LogField(std::string_view k, T v) : key(k), value(static_cast<std::int64_t>(v)) {}
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  LogField(std::string_view k, T v) : key(k), value(static_cast<std::uint64_t>(v)) {}

  std::string_view key;
  Value value;
};

// Writes lines of one service. Cheap to copy; thread-safe. Never throws, never fails: a line that
// cannot be written is lost.
class Logger {
 public:
  using Fields = std::initializer_list<LogField>;

  // To stderr. `clock` must outlive the logger and its copies.
  Logger(std::string_view service, LogLevel level, const base::Clock& clock);

  // To a function, which is called with one line at a time, without the line's end.
  Logger(std::string_view service, LogLevel level, const base::Clock& clock,
         std::function<void(std::string_view)> write);

  // The same with `field` on every line.
  [[nodiscard]] Logger With(const LogField& field) const;

  void Debug(std::string_view message, Fields fields = {}) const {
    Write(LogLevel::kDebug, message, fields);
  }
  void Info(std::string_view message, Fields fields = {}) const {
    Write(LogLevel::kInfo, message, fields);
  }
  void Warn(std::string_view message, Fields fields = {}) const {
    Write(LogLevel::kWarn, message, fields);
  }
  void Error(std::string_view message, Fields fields = {}) const {
    Write(LogLevel::kError, message, fields);
  }
  void Write(LogLevel level, std::string_view message, Fields fields) const;

  // Whether lines of this level are written.
  [[nodiscard]] bool Writes(LogLevel level) const;

 private:
  struct Sink;
  std::shared_ptr<const Sink> sink_;
  std::string bound_;  // the fields of With, as they stand in a line
};

}  // namespace mj::obs
