#include "tools/mahjongctl/input.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

namespace mj::mahjongctl {
namespace {

std::optional<std::string> ReadAll(std::FILE* file) {
  std::string text;
  std::array<char, 64 * 1024> chunk{};
  while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), file)) {
    text.append(chunk.data(), got);
  }
  if (std::ferror(file) != 0) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::string> ReadInput(const std::string& path) {
  errno = 0;
  if (path == "-") return ReadAll(stdin);
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (file == nullptr) return std::nullopt;
  return ReadAll(file.get());
}

}  // namespace mj::mahjongctl
