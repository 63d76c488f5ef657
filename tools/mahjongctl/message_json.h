// A message of the protos, for programs.
#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace mj::mahjongctl {

// In one line, as the protos' JSON has it, with the fields' own names.
std::string JsonOf(const google::protobuf::Message& message);

}  // namespace mj::mahjongctl
