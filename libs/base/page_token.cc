#include "libs/base/page_token.h"

#include <cstdint>
#include <cstdio>

#include "libs/base/strings.h"

namespace mj::base {
namespace {

// Of everything that a list is filtered by, each preceded by its length.
std::string Mark(std::initializer_list<std::string_view> filter) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto mix = [&hash](unsigned char byte) { hash = (hash ^ byte) * 1099511628211ULL; };
  for (const std::string_view part : filter) {
    mix(static_cast<unsigned char>(part.size()));
    for (const char c : part) mix(static_cast<unsigned char>(c));
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string Head(std::string_view kind, std::initializer_list<std::string_view> filter) {
  return Cat(kind, "-", Mark(filter), "-");
}

}  // namespace

std::string MakePageToken(std::string_view kind, std::initializer_list<std::string_view> filter,
                          std::string_view position) {
  return Cat(Head(kind, filter), position);
}

std::optional<std::string> ReadPageToken(std::string_view kind,
                                         std::initializer_list<std::string_view> filter,
                                         std::string_view token) {
  const std::string head = Head(kind, filter);
  if (token.substr(0, head.size()) != head || token.size() == head.size()) return std::nullopt;
  return std::string(token.substr(head.size()));
}

}  // namespace mj::base
