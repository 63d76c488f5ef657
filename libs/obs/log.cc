#include "libs/obs/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <array>
#include <charconv>
#include <cmath>
#include <mutex>
#include <utility>

#include "libs/base/strings.h"

namespace mj::obs {
namespace {

constexpr std::array<std::string_view, 4> kLevelNames{"debug", "info", "warn", "error"};

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

class FunctionSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit FunctionSink(std::function<void(std::string_view)> write) : write_(std::move(write)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    write_({message.payload.data(), message.payload.size()});
  }
  void flush_() override {}

  std::function<void(std::string_view)> write_;
};

void AppendText(std::string& out, std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  const bool utf8 = base::IsUtf8(text);
  out.push_back('"');
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (c == '\n') {
      out.append("\\n");
    } else if (byte < 0x20 || byte == 0x7F) {
      out.append("\\u00");
      out.push_back(kDigits[byte >> 4]);
      out.push_back(kDigits[byte & 0xF]);
    } else if (byte >= 0x80 && !utf8) {
      out.append("\\ufffd");
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

template <typename Number>
void AppendNumber(std::string& out, Number value) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  out.append(text.data(), end);
}

void AppendField(std::string& out, const LogField& field) {
  out.push_back(',');
  AppendText(out, field.key);
  out.push_back(':');
  std::visit(
      [&out](auto value) {
        using T = decltype(value);
        if constexpr (std::is_same_v<T, std::string_view>) {
          AppendText(out, value);
        } else if constexpr (std::is_same_v<T, bool>) {
          out.append(value ? "true" : "false");
        } else if constexpr (std::is_same_v<T, double>) {
          if (std::isfinite(value)) {
            AppendNumber(out, value);
          } else {
            out.append("null");
          }
        } else {
          AppendNumber(out, value);
        }
      },
      field.value);
}

}  // namespace

struct Logger::Sink {
  std::string service;
  const base::Clock& clock;
  std::shared_ptr<spdlog::logger> out;
};

std::optional<LogLevel> ParseLogLevel(std::string_view text) {
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    if (text == kLevelNames[i]) {
      return static_cast<LogLevel>(i);
    }
  }
  return std::nullopt;
}

Logger::Logger(std::string_view service, LogLevel level, const base::Clock& clock) {
  auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  sink->set_pattern("%v");
  auto out = std::make_shared<spdlog::logger>(std::string(service), std::move(sink));
  out->set_level(ToSpdlog(level));
  sink_ = std::make_shared<Sink>(Sink{std::string(service), clock, std::move(out)});
}

Logger::Logger(std::string_view service, LogLevel level, const base::Clock& clock,
               std::function<void(std::string_view)> write) {
  auto out = std::make_shared<spdlog::logger>(std::string(service),
                                              std::make_shared<FunctionSink>(std::move(write)));
  out->set_level(ToSpdlog(level));
  sink_ = std::make_shared<Sink>(Sink{std::string(service), clock, std::move(out)});
}

Logger Logger::With(const LogField& field) const {
  Logger bound = *this;
  AppendField(bound.bound_, field);
  return bound;
}

bool Logger::Writes(LogLevel level) const { return sink_->out->should_log(ToSpdlog(level)); }

void Logger::Write(LogLevel level, std::string_view message, Fields fields) const {
  if (!Writes(level)) {
    return;
  }
  std::string line = R"({"ts":")";
  line.append(base::FormatUtc(sink_->clock.Now()));
  line.append(R"(","level":")");
  line.append(kLevelNames[static_cast<std::size_t>(level)]);
  line.append(R"(","service":)");
  AppendText(line, sink_->service);
  line.append(R"(,"msg":)");
  AppendText(line, message);
  line.append(bound_);
  for (const LogField& field : fields) {
    AppendField(line, field);
  }
  line.push_back('}');
  sink_->out->log(ToSpdlog(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace mj::obs
