#include "tools/mahjongctl/message_json.h"

#include <google/protobuf/util/json_util.h>

namespace mj::mahjongctl {

std::string JsonOf(const google::protobuf::Message& message) {
  std::string json;
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  // Fails for what is no UTF-8 alone, which no message that was parsed or made here holds.
  (void)google::protobuf::util::MessageToJsonString(message, &json, options);
  return json;
}

}  // namespace mj::mahjongctl
