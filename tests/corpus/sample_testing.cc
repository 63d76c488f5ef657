#include "tests/corpus/sample_testing.h"

#include <cstdint>
#include <string>

namespace mj::corpus {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::MessageFactory;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;
using Wanted = std::set<const FieldDescriptor*>;

constexpr std::int64_t kCoinsMax = 9'007'199'254'740'992;  // 2^53
constexpr int kDepth = 1;

void Fill(Message& message, const Wanted& wanted, int depth);

// Beyond 0x00 and 0xff: what a text would not survive.
std::string BytesFor(const FieldDescriptor& field) {
  return std::string("\x00\xff", 2) + field.name();
}

void FillRepeated(Message& message, const FieldDescriptor& field, const Wanted& wanted, int depth) {
  const Reflection& r = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
      if (depth > 0 || field.is_map()) Fill(*r.AddMessage(&message, &field), wanted, depth - 1);
      break;
    case FieldDescriptor::CPPTYPE_ENUM:
      for (int i = 0; i < field.enum_type()->value_count(); ++i) {
        r.AddEnum(&message, &field, field.enum_type()->value(i));
      }
      break;
    case FieldDescriptor::CPPTYPE_STRING:
      r.AddString(&message, &field,
                  field.type() == FieldDescriptor::TYPE_BYTES ? BytesFor(field) : field.name());
      r.AddString(&message, &field, "");
      break;
    case FieldDescriptor::CPPTYPE_INT32:
      for (const std::int32_t value : {-field.number(), 0}) r.AddInt32(&message, &field, value);
      break;
    case FieldDescriptor::CPPTYPE_INT64:
      for (const std::int64_t value : {-kCoinsMax + field.number(), std::int64_t{0}}) {
        r.AddInt64(&message, &field, value);
      }
      break;
    case FieldDescriptor::CPPTYPE_UINT32:
      for (const std::uint32_t value : {static_cast<std::uint32_t>(field.number()), 0U}) {
        r.AddUInt32(&message, &field, value);
      }
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      r.AddUInt64(&message, &field, static_cast<std::uint64_t>(kCoinsMax + field.number()));
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      for (const bool value : {true, false}) r.AddBool(&message, &field, value);
      break;
    case FieldDescriptor::CPPTYPE_DOUBLE:
      r.AddDouble(&message, &field, field.number() + 0.5);
      break;
    case FieldDescriptor::CPPTYPE_FLOAT:
      r.AddFloat(&message, &field, static_cast<float>(field.number()) + 0.5F);
      break;
  }
}

void FillOne(Message& message, const FieldDescriptor& field, const Wanted& wanted, int depth) {
  const Reflection& r = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
      if (depth > 0) Fill(*r.MutableMessage(&message, &field), wanted, depth - 1);
      break;
    case FieldDescriptor::CPPTYPE_ENUM: {
      const EnumDescriptor& values = *field.enum_type();
      r.SetEnum(&message, &field, values.value(values.value_count() - 1));
      break;
    }
    case FieldDescriptor::CPPTYPE_STRING:
      r.SetString(&message, &field,
                  field.type() == FieldDescriptor::TYPE_BYTES ? BytesFor(field) : field.name());
      break;
    case FieldDescriptor::CPPTYPE_INT32:
      r.SetInt32(&message, &field, -field.number());
      break;
    case FieldDescriptor::CPPTYPE_INT64:
      r.SetInt64(&message, &field, kCoinsMax - field.number());
      break;
    case FieldDescriptor::CPPTYPE_UINT32:
      r.SetUInt32(&message, &field, static_cast<std::uint32_t>(field.number()));
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      r.SetUInt64(&message, &field, static_cast<std::uint64_t>(kCoinsMax + field.number()));
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      r.SetBool(&message, &field, true);
      break;
    case FieldDescriptor::CPPTYPE_DOUBLE:
      r.SetDouble(&message, &field, field.number() + 0.5);
      break;
    case FieldDescriptor::CPPTYPE_FLOAT:
      r.SetFloat(&message, &field, static_cast<float>(field.number()) + 0.5F);
      break;
  }
}

const FieldDescriptor* Alternative(const OneofDescriptor& oneof, const Wanted& wanted) {
  for (int i = 0; i < oneof.field_count(); ++i) {
    if (wanted.contains(oneof.field(i))) return oneof.field(i);
  }
  return oneof.field(0);
}

void Fill(Message& message, const Wanted& wanted, int depth) {
  const Descriptor& descriptor = *message.GetDescriptor();
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor& field = *descriptor.field(i);
    const OneofDescriptor* oneof = field.real_containing_oneof();
    if (oneof != nullptr && Alternative(*oneof, wanted) != &field) continue;
    if (field.is_repeated()) {
      FillRepeated(message, field, wanted, depth);
    } else {
      FillOne(message, field, wanted, depth);
    }
  }
}

}  // namespace

std::unique_ptr<Message> NewMessage(const Descriptor& descriptor) {
  return std::unique_ptr<Message>(
      MessageFactory::generated_factory()->GetPrototype(&descriptor)->New());
}

std::unique_ptr<Message> Sample(const Descriptor& descriptor, const Wanted& wanted) {
  std::unique_ptr<Message> message = NewMessage(descriptor);
  Fill(*message, wanted, kDepth);
  return message;
}

}  // namespace mj::corpus
