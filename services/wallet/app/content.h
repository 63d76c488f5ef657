// What a request says, as bytes in a fixed order: compared to tell a retry from another request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mj::wallet {

// Collects a request's fields. Never over serialised protobuf: a newer program, with newer fields,
// has to recognise the requests that an older one has seen. So an order is fixed for ever under its
// version; a request that gains a field gains a version, and old versions stay written down.
//
// Every field is preceded by its length, so that no two requests collect the same bytes.
class Content {
 public:
  // `version` counts the orders of fields of this rpc, from 1.
  Content(std::string_view rpc, int version) : version_(version) { Text(rpc).Number(version); }

  Content& Text(std::string_view text);
  Content& Number(std::int64_t number);

  [[nodiscard]] int version() const { return version_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  int version_;
  std::string bytes_;
};

}  // namespace mj::wallet
