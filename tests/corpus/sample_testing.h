// A message with something in every field.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <memory>
#include <set>

namespace mj::corpus {

[[nodiscard]] std::unique_ptr<google::protobuf::Message> NewMessage(
    const google::protobuf::Descriptor& descriptor);

// Sets every field to what its name and number say, messages in it one level deep. Of a oneof the first
// alternative that is among `wanted`, or else its first.
[[nodiscard]] std::unique_ptr<google::protobuf::Message> Sample(
    const google::protobuf::Descriptor& descriptor,
    const std::set<const google::protobuf::FieldDescriptor*>& wanted);

}  // namespace mj::corpus
