#pragma once

// The floor plan as data: what each room may include.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mj::tidy {

// The libraries that a source may name, and the C++ standard library, which every room may use.
enum class Library {
  kStd,
  kPosix,
  kSodium,
  kZstd,
  kPqxx,
  kPq,
  kGrpc,
  kProtobuf,  // the runtime and every generated message (*.pb.h)
  kAbsl,
  kPrometheus,
  kSpdlog,  // and fmt
  kCli11,
  kJson,
  kJwt,      // cpp-jwt
  kOpenSsl,  // libcrypto
  kTest,     // gtest, gmock, benchmark, rapidcheck
};

[[nodiscard]] std::string_view Name(Library library);

// One row of the table. A `*` in `folder` stands for one path component, and a `*` in `rooms` for the
// same one: services/*/rpc may include services/*/app of its own service only.
struct Row {
  std::string_view folder;
  std::vector<std::string_view> rooms;  // besides itself; a folder stands for all below it
  std::vector<Library> libraries;       // besides the standard library
};

[[nodiscard]] std::span<const Row> Table();

// What files of tests may include besides what their room may.
[[nodiscard]] const Row& TestRow();

// A library that only few files of a room may name, although the row lists it.
struct Narrowing {
  Library library;
  std::string_view within;     // folder prefix
  std::string_view file_name;  // the only file name there
};
[[nodiscard]] std::span<const Narrowing> Narrowings();

// The row that holds for a path: the longest `folder` that matches. `star` gets what `*` stands for.
[[nodiscard]] const Row* FindRow(std::string_view path, std::string* star);

// `pattern` with its `*` replaced by `star`.
[[nodiscard]] std::string Fill(std::string_view pattern, std::string_view star);

// Which library an include path belongs to; nothing for one that the house does not know. Paths into
// the repository (libs/, services/, tools/, tests/) are no library.
[[nodiscard]] std::optional<Library> LibraryOf(std::string_view include_path);
[[nodiscard]] bool IsRepositoryPath(std::string_view include_path);

}  // namespace mj::tidy
