#include "libs/casefile/fields.h"

namespace mj::casefile {
namespace {

constexpr std::size_t kQuotedLength = 40;

std::string Quantity(std::size_t n) { return std::to_string(n); }

}  // namespace

Fields::Fields(const Json& object, std::string path, Mistakes& mistakes)
    : object_(object.is_object() ? &object : nullptr), path_(std::move(path)), mistakes_(mistakes) {
  if (object_ == nullptr) {
    mistakes_.Add(path_, std::string("got ") + object.type_name() + ", want an object");
  }
}

const Fields::Json* Fields::Find(std::string_view name) {
  if (object_ == nullptr) return nullptr;
  known_.emplace(name);
  const auto found = object_->find(std::string(name));
  return found == object_->end() ? nullptr : &*found;
}

const Fields::Json* Fields::Need(std::string_view name) {
  const Json* value = Find(name);
  if (value == nullptr) Mistake(name, "missing");
  return value;
}

std::string Fields::NeedText(std::string_view name) {
  if (Need(name) == nullptr) return {};
  return FindText(name).value_or("");
}

std::optional<std::string> Fields::FindText(std::string_view name) {
  const Json* value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (const auto* text = value->get_ptr<const std::string*>()) return *text;
  Mistake(name, std::string("got ") + value->type_name() + ", want a string");
  return std::nullopt;
}

std::int64_t Fields::NeedNumber(std::string_view name, std::int64_t min, std::int64_t max) {
  const Json* value = Need(name);
  return value == nullptr ? min : Number(name, *value, min, max);
}

std::optional<std::int64_t> Fields::FindNumber(std::string_view name, std::int64_t min,
                                               std::int64_t max) {
  const Json* value = Find(name);
  if (value == nullptr) return std::nullopt;
  return Number(name, *value, min, max);
}

std::int64_t Fields::Number(std::string_view name, const Json& value, std::int64_t min,
                            std::int64_t max) {
  if (!value.is_number_integer()) {
    Mistake(name, std::string("got ") + (value.is_number() ? value.dump() : value.type_name()) +
                      ", want a whole number");
    return min;
  }
  const bool too_great = value.is_number_unsigned() &&
                         value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (too_great || value.get<std::int64_t>() < min || value.get<std::int64_t>() > max) {
    Mistake(name,
            "got " + value.dump() + ", want " + std::to_string(min) + " to " + std::to_string(max));
    return min;
  }
  return value.get<std::int64_t>();
}

const Fields::Json* Fields::NeedList(std::string_view name, std::size_t most) {
  const Json* value = Need(name);
  if (value == nullptr) return nullptr;
  if (!value->is_array()) {
    Mistake(name, std::string("got ") + value->type_name() + ", want a list");
    return nullptr;
  }
  if (value->size() > most) {
    Mistake(name, "got " + Quantity(value->size()) + " entries, want at most " + Quantity(most));
    return nullptr;
  }
  return value;
}

void Fields::NoOthers() {
  if (object_ == nullptr) return;
  for (const auto& item : object_->items()) {
    if (!known_.contains(item.key())) {
      mistakes_.Add(path_, "unknown field " + Quoted(item.key()));
    }
  }
}

void Fields::Mistake(std::string_view name, std::string text) {
  mistakes_.Add(PathOf(name), std::move(text));
}

std::string Fields::PathOf(std::string_view name) const {
  return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

std::string ElementPath(std::string_view list_path, std::size_t index) {
  return std::string(list_path) + "[" + std::to_string(index) + "]";
}

std::string Quoted(std::string_view text) {
  const bool cut = text.size() > kQuotedLength;
  const nlohmann::json quoted = std::string(text.substr(0, kQuotedLength)) + (cut ? "..." : "");
  // A cut may fall into the middle of a character: such bytes are shown as U+FFFD.
  return quoted.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace mj::casefile
