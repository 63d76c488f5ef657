// Old bytes of every message still parse to the same text.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "libs/base/files.h"
#include "libs/base/strings.h"
#include "mahjong/matchmaking/v1/matchmaking_service.pb.h"
#include "mahjong/matchmaking/v1/operator_service.pb.h"
#include "mahjong/record/v1/round_record.pb.h"
#include "mahjong/scoring/v1/scoring_service.pb.h"
#include "mahjong/table/v1/operator_service.pb.h"
#include "mahjong/table/v1/table_service.pb.h"
#include "mahjong/wallet/v1/operator_service.pb.h"
#include "mahjong/wallet/v1/wallet_service.pb.h"
#include "tests/corpus/sample_testing.h"

namespace mj::corpus {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;
using google::protobuf::Message;

constexpr const char* kFolder = "tests/corpus/golden/";
constexpr std::size_t kHexWidth = 100;

// One message's bytes and what they say.
struct Section {
  std::string message = {};  // full name
  std::string bytes = {};
  std::string text = {};
};

// The suite's files, and those that they import.
void Gather(const FileDescriptor* file, std::map<std::string, const FileDescriptor*>& files) {
  if (!file->package().starts_with("mahjong.") || !files.emplace(file->name(), file).second) return;
  for (int i = 0; i < file->dependency_count(); ++i) Gather(file->dependency(i), files);
}

std::map<std::string, const FileDescriptor*> Files() {
  std::map<std::string, const FileDescriptor*> files;
  for (const Descriptor* one : {::mahjong::matchmaking::v1::Ticket::descriptor(),
                                ::mahjong::record::v1::RoundRecord::descriptor(),
                                ::mahjong::scoring::v1::ScoreRoundRequest::descriptor(),
                                ::mahjong::table::v1::SubscribeRequest::descriptor(),
                                ::mahjong::table::v1::Operation::descriptor(),
                                ::mahjong::wallet::v1::Operation::descriptor(),
                                ::mahjong::matchmaking::v1::ErasePlayerRequest::descriptor(),
                                ::mahjong::wallet::v1::Account::descriptor()}) {
    Gather(one->file(), files);
  }
  return files;
}

void Gather(const Descriptor* message, std::vector<const Descriptor*>& messages) {
  if (message->options().map_entry()) return;
  messages.push_back(message);
  for (int i = 0; i < message->nested_type_count(); ++i) Gather(message->nested_type(i), messages);
}

std::vector<const Descriptor*> MessagesOf(const FileDescriptor& file) {
  std::vector<const Descriptor*> messages;
  for (int i = 0; i < file.message_type_count(); ++i) Gather(file.message_type(i), messages);
  return messages;
}

// "mahjong/table/v1/feed.proto" has its sections in "mahjong.table.v1.feed.txt".
std::string GoldenPath(const FileDescriptor& file) {
  std::string name = file.name().substr(0, file.name().rfind('.'));
  for (char& c : name) {
    if (c == '/') c = '.';
  }
  return base::Cat(kFolder, name, ".txt");
}

// A section is "== NAME", lines of hexadecimal, "--", and lines of text.
std::vector<Section> ReadSections(const std::string& path) {
  std::vector<Section> sections;
  std::string hex;
  bool in_text = false;
  const auto close = [&] {
    if (!sections.empty()) sections.back().bytes = absl::HexStringToBytes(hex);
    hex.clear();
  };
  std::istringstream in(base::ReadFile(path).value_or(""));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("== ")) {
      close();
      sections.push_back({.message = line.substr(3)});
      in_text = false;
    } else if (line == "--") {
      in_text = true;
    } else if (sections.empty()) {
      continue;
    } else if (in_text) {
      sections.back().text += line + "\n";
    } else {
      hex += line;
    }
  }
  close();
  return sections;
}

std::string Written(const Section& section) {
  std::string out = base::Cat("== ", section.message, "\n");
  const std::string hex = absl::BytesToHexString(section.bytes);
  for (std::size_t at = 0; at < hex.size(); at += kHexWidth) {
    out += hex.substr(at, kHexWidth) + "\n";
  }
  return base::Cat(out, "--\n", section.text);
}

std::string TextOf(const Message& message) {
  std::string text;
  google::protobuf::TextFormat::PrintToString(message, &text);
  return text;
}

std::unique_ptr<Message> Parsed(const Section& section) {
  const Descriptor* descriptor =
      google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(section.message);
  if (descriptor == nullptr) return nullptr;
  std::unique_ptr<Message> message = NewMessage(*descriptor);
  return message->ParseFromString(section.bytes) ? std::move(message) : nullptr;
}

// The fields that no section of this message sets.
std::set<const FieldDescriptor*> Uncovered(const Descriptor& message,
                                           const std::vector<Section>& sections) {
  std::set<const FieldDescriptor*> left;
  for (int i = 0; i < message.field_count(); ++i) left.insert(message.field(i));
  for (const Section& section : sections) {
    if (section.message != message.full_name()) continue;
    const std::unique_ptr<Message> old = Parsed(section);
    if (old == nullptr) continue;
    std::vector<const FieldDescriptor*> set;
    old->GetReflection()->ListFields(*old, &set);
    for (const FieldDescriptor* field : set) left.erase(field);
  }
  return left;
}

bool HasSection(const Descriptor& message, const std::vector<Section>& sections) {
  return std::any_of(sections.begin(), sections.end(), [&](const Section& section) {
    return section.message == message.full_name();
  });
}

// Adds what is missing, and nothing else.
void Complete(const FileDescriptor& file) {
  std::vector<Section> sections = ReadSections(GoldenPath(file));
  std::string added;
  for (const Descriptor* message : MessagesOf(file)) {
    auto left = Uncovered(*message, sections);
    while (!left.empty() || !HasSection(*message, sections)) {
      const std::unique_ptr<Message> sample = Sample(*message, left);
      sections.push_back({.message = message->full_name(),
                          .bytes = sample->SerializeAsString(),
                          .text = TextOf(*sample)});
      added += Written(sections.back());
      left = Uncovered(*message, sections);
    }
  }
  if (added.empty()) return;
  std::filesystem::create_directories(kFolder);
  std::ofstream(GoldenPath(file), std::ios::app) << added;
}

TEST(CorpusTest, OldBytesOfEveryMessageSayWhatTheySaid) {
  std::size_t parsed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    for (const Section& section : ReadSections(entry.path())) {
      const std::unique_ptr<Message> message = Parsed(section);
      ASSERT_NE(message, nullptr) << section.message << " in " << entry.path();
      EXPECT_EQ(TextOf(*message), section.text) << section.message << " in " << entry.path();
      ++parsed;
    }
  }
  EXPECT_GE(parsed, 200U);
}

TEST(CorpusTest, EveryFieldOfEveryMessageHasOldBytes) {
  for (const auto& [name, file] : Files()) {
    if (std::getenv("MJ_UPDATE_GOLDEN") != nullptr) Complete(*file);
    const std::vector<Section> sections = ReadSections(GoldenPath(*file));
    for (const Descriptor* message : MessagesOf(*file)) {
      EXPECT_TRUE(HasSection(*message, sections))
          << message->full_name() << ": cure: MJ_UPDATE_GOLDEN=1";
      for (const FieldDescriptor* field : Uncovered(*message, sections)) {
        ADD_FAILURE() << field->full_name() << ": cure: MJ_UPDATE_GOLDEN=1 adds it";
      }
    }
  }
}

TEST(CorpusTest, ABrokenPromiseIsSeen) {
  // A field that is gone is an unknown one, which the text shows by its number.
  const Section old{.message = "mahjong.wallet.v1.GetAccountRequest",
                    .bytes = std::string("\x0a\x01\x61\xa2\x06\x01\x62", 7)};
  const std::unique_ptr<Message> message = Parsed(old);
  ASSERT_NE(message, nullptr);
  EXPECT_EQ(TextOf(*message), "account_id: \"a\"\n100: \"b\"\n");
  EXPECT_EQ(Parsed({.message = "mahjong.wallet.v1.Gone"}), nullptr);
  EXPECT_EQ(Parsed({.message = old.message, .bytes = "\x0a\x05"}), nullptr);
}

}  // namespace
}  // namespace mj::corpus
