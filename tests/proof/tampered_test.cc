// A record that was changed anywhere is refused.
#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/base/strings.h"
#include "libs/fairness/commitment.h"
#include "libs/proof/verify.h"
#include "libs/variants/registry.h"
#include "libs/wire/kept_round.h"
#include "tests/proof/made_testing.h"
#include "tests/support/counts.h"

namespace mj::proof {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using testing::Random;
using Record = ::mahjong::record::v1::RoundRecord;

// ------------------------------------------------------------------- what nobody can notice

// What a forger who also writes the digest anew can change without contradicting anything: nothing
// else in the record hangs on it, and nobody promised it to anyone. Paths without their indexes.
struct Unprovable {
  std::string_view path;
  std::string_view why;
};
constexpr auto kAlways = std::to_array<Unprovable>({
    {"number", "a round does not know how many there were before it"},
    {"drawn", "claims less: dealer and winds are then the round's before it"},
    {"nonces", "two that do not count may change places"},
    {"nonces.hash", "of a nonce that does not count"},
    {"nonces.nonce", "of a nonce that does not count"},
    {"began_us", "times are held to their order alone"},
    {"ended_us", "times are held to their order alone"},
    {"events.time_us", "times are held to their order alone"},
    {"settled.scored_us", "times are held to their order alone"},
    {"events.round_event.answered.by", "late, with the very answer that the system would give"},
    {"events.seat_leaving.reason", "a player says why it leaves, and is believed"},
    {"events.seat_left.reason", "the same, once the play is over"},
    {"events.seat_left.seat", "who leaves behind the end is nobody's coins"},
    {"events.seat_left.player_id", "goes with the seat"},
    {"events.seat_left.why", "the same"},
    {"events.hand_shown.seat", "who watched is nobody's coins"},
    {"events.hand_shown.player_id", "goes with the seat"},
    {"events.hand_shown.show", "whether it was shown before the round is not told"},
});
// Besides, of a round that was void: its row names table, round and rulebook, not terms or players.
constexpr auto kVoid = std::to_array<Unprovable>({
    {"base", "no coins came of it"},
    {"currency", "no coins came of it"},
    {"player_ids", "no coins came of it"},
});
// Of one that was not let begin there is no row at all.
constexpr auto kRefused = std::to_array<Unprovable>({
    {"table_id", "no row"},
    {"dealer", "nothing was played; drawn by the seed, or from the round before"},
    {"round_wind", "the same"},
    {"seat_winds", "the same"},
});

template <typename List>
bool Names(const List& list, std::string_view path) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Unprovable& each) { return each.path == path; });
}

bool CannotBeProved(const Record& record, std::string_view path) {
  if (Names(kAlways, path)) return true;
  if (!record.has_voided()) return false;
  if (Names(kVoid, path)) return true;
  return record.voided().voided().reason() == "refused" && Names(kRefused, path);
}

// ------------------------------------------------------------------------------ every field

// One place in a message, reached from its root.
struct Place {
  std::string path;       // "events.round_event.drawn.tile"
  std::string full_path;  // "events[12].round_event.drawn.tile"
  const FieldDescriptor* field = nullptr;
  std::function<Message*(Message&)> holder;  // in a copy of the message
  int index = -1;                            // of a repeated field; -1 singular
};

class Walker {
 public:
  explicit Walker(Message& root) {
    Walk(root, "", "", [](Message& copy) { return &copy; });
  }

  std::vector<Place> scalars;   // each of them, default values too
  std::vector<Place> repeated;  // fields with elements, index is how many

 private:
  using Find = std::function<Message*(Message&)>;

  static std::string Join(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
  }

  void Walk(Message& message, const std::string& path, const std::string& full, const Find& find) {
    const Reflection& reflection = *message.GetReflection();
    for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
      const FieldDescriptor* field = message.GetDescriptor()->field(i);
      const std::string name = Join(path, field->name());
      const std::string full_name = Join(full, field->name());
      const bool is_message = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
      if (!field->is_repeated()) {
        if (!is_message) {
          scalars.push_back({name, full_name, field, find, -1});
        } else if (reflection.HasField(message, field)) {
          Walk(*reflection.MutableMessage(&message, field), name, full_name,
               [find, field](Message& m) {
                 Message* holder = find(m);
                 return holder->GetReflection()->MutableMessage(holder, field);
               });
        }
        continue;
      }
      const int size = reflection.FieldSize(message, field);
      if (size > 0) repeated.push_back({name, full_name, field, find, size});
      for (int at = 0; at < size; ++at) {
        const std::string element = full_name + "[" + std::to_string(at) + "]";
        if (!is_message) {
          scalars.push_back({name, element, field, find, at});
          continue;
        }
        Walk(*reflection.MutableRepeatedMessage(&message, field, at), name, element,
             [find, field, at](Message& m) {
               Message* holder = find(m);
               return holder->GetReflection()->MutableRepeatedMessage(holder, field, at);
             });
      }
    }
  }
};

// Values that a field has had in any record: what a forger would write.
using Pool = std::map<std::string, std::set<std::string>>;

std::string TextAt(const Message& message, const Place& place) {
  const Reflection& reflection = *message.GetReflection();
  std::string scratch;
  if (place.index >= 0) {
    return reflection.GetRepeatedStringReference(message, place.field, place.index, &scratch);
  }
  return reflection.GetStringReference(message, place.field, &scratch);
}

// What a scalar says, as text.
std::string ValueAt(const Message& message, const Place& place) {
  if (place.field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) return TextAt(message, place);
  std::string text;
  google::protobuf::TextFormat::PrintFieldValueToString(message, place.field, place.index, &text);
  const Reflection& reflection = *message.GetReflection();
  const bool absent = place.field->has_presence() && !reflection.HasField(message, place.field);
  return absent ? "absent" : text;
}

// The paths of all scalars that differ, or stand in one of the two alone.
std::set<std::string> ChangedPaths(Record& before, Record& after) {
  std::map<std::string, std::pair<std::string, std::string>> values;  // full path → path, value
  for (const Place& place : Walker(before).scalars) {
    if (place.path.starts_with("options.")) continue;  // a map: its order means nothing
    values[place.full_path] = {place.path, ValueAt(*place.holder(before), place)};
  }
  std::set<std::string> changed;
  for (const Place& place : Walker(after).scalars) {
    if (place.path.starts_with("options.")) continue;
    const auto was = values.extract(place.full_path);
    if (was.empty() || was.mapped().second != ValueAt(*place.holder(after), place)) {
      changed.insert(place.path);
    }
  }
  for (const auto& [full_path, gone] : values) changed.insert(gone.first);
  const std::map<std::string, std::string> options(before.options().begin(),
                                                   before.options().end());
  if (options !=
      std::map<std::string, std::string>(after.options().begin(), after.options().end())) {
    changed.insert("options");
  }
  changed.erase("digest");
  return changed;
}

// Another value at the place. False where there is no other.
bool Change(Message& root, const Place& place, const Pool& pool, Random& random) {
  Message& holder = *place.holder(root);
  const Reflection& reflection = *holder.GetReflection();
  const FieldDescriptor* field = place.field;
  const bool one = place.index < 0;
  const std::int64_t step = random.OneIn(2) ? 1 : -1;
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING: {
      std::string text = TextAt(holder, place);
      const auto known = pool.find(place.path);
      std::vector<std::string> others;
      if (known != pool.end() && field->type() != FieldDescriptor::TYPE_BYTES) {
        for (const std::string& other : known->second) {
          if (other != text) others.push_back(other);
        }
      }
      if (!others.empty() && !random.OneIn(4)) {
        text = others[static_cast<std::size_t>(random.Below(static_cast<int>(others.size())))];
      } else if (text.empty()) {
        text = "1m";
      } else {
        char& at = text[static_cast<std::size_t>(random.Below(static_cast<int>(text.size())))];
        at = static_cast<char>(at ^ 1);
      }
      if (one) {
        reflection.SetString(&holder, field, text);
      } else {
        reflection.SetRepeatedString(&holder, field, place.index, text);
      }
      return true;
    }
    case FieldDescriptor::CPPTYPE_UINT32: {
      const std::uint32_t now = one ? reflection.GetUInt32(holder, field)
                                    : reflection.GetRepeatedUInt32(holder, field, place.index);
      if (one && field->has_presence() && reflection.HasField(holder, field) && random.OneIn(3)) {
        reflection.ClearField(&holder, field);
        return true;
      }
      const std::uint32_t then = now + static_cast<std::uint32_t>(now == 0 ? 1 : step);
      if (one) {
        reflection.SetUInt32(&holder, field, then);
      } else {
        reflection.SetRepeatedUInt32(&holder, field, place.index, then);
      }
      return true;
    }
    case FieldDescriptor::CPPTYPE_INT64:
      EXPECT_TRUE(one);
      reflection.SetInt64(&holder, field, reflection.GetInt64(holder, field) + step);
      return true;
    case FieldDescriptor::CPPTYPE_BOOL:
      EXPECT_TRUE(one);
      reflection.SetBool(&holder, field, !reflection.GetBool(holder, field));
      return true;
    default:
      ADD_FAILURE() << place.path << ": a kind of field that this test does not know";
      return false;
  }
}

// ------------------------------------------------------------------------------ the records

// Whether it is refused as it stands.
bool Refused(const Record& record) {
  const auto read = wire::FromRecord(record);
  return !read.ok() || !VerifyRecord(*read).fits();
}
// Whether it is refused although its digest was written anew.
bool RefusedAnew(Record record) {
  record.set_digest(wire::DigestOf(record));
  return Refused(record);
}

Record Made(const rules::Variant& game, Random& random, const Making& making) {
  Record record;
  wire::ToRecord(MakeRecord(game, random, making), record);
  EXPECT_FALSE(Refused(record));
  return record;
}

constexpr std::array kEndings = {Ending::kPlayed, Ending::kPlayed,   Ending::kPlayed,
                                 Ending::kEscape, Ending::kOperator, Ending::kRefused};

// Calls `visit` with records of every game, of all endings.
void ForRecords(std::int64_t of_each_game, const std::function<void(Record&, Random&)>& visit) {
  for (const rules::Variant* game : variants::All()) {
    for (std::int64_t i = 0; i < of_each_game; ++i) {
      Random random(static_cast<std::uint64_t>(1000 + i));
      Record record =
          Made(*game, random, {.ending = kEndings[static_cast<std::size_t>(i) % kEndings.size()]});
      SCOPED_TRACE(base::Cat(game->info().id, ", record ", std::to_string(i)));
      visit(record, random);
    }
  }
}

// The paths of a message's type, whatever is in one.
void PathsOf(const google::protobuf::Descriptor& type, const std::string& path,
             std::set<std::string>& paths) {
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor* field = type.field(i);
    const std::string name = path.empty() ? field->name() : path + "." + field->name();
    if (field->message_type() == nullptr) {
      paths.insert(name);
    } else {
      PathsOf(*field->message_type(), name, paths);
    }
  }
}

class TamperedTest : public ::testing::Test {
  google::protobuf::LogSilencer silencer_;  // it complains of half of a character, as it should
};

TEST_F(TamperedTest, EveryFieldChangedIsRefused) {
  Pool pool;
  ForRecords(12, [&](Record& record, Random&) {
    for (const Place& place : Walker(record).scalars) {
      if (place.field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
        pool[place.path].insert(TextAt(*place.holder(record), place));
      }
    }
  });
  std::set<std::string> changed;
  const std::int64_t of_each_path = testing::Count(300);
  ForRecords(testing::Count(1'200), [&](Record& record, Random& random) {
    std::map<std::string, std::vector<Place>> by_path;
    for (Place& place : Walker(record).scalars) by_path[place.path].push_back(std::move(place));
    for (const auto& [path, places] : by_path) {
      changed.insert(path);
      for (std::int64_t i = 0; i < of_each_path; ++i) {
        const Place& place =
            places[static_cast<std::size_t>(random.Below(static_cast<int>(places.size())))];
        Record other = record;
        if (!Change(other, place, pool, random)) continue;
        ASSERT_TRUE(Refused(other)) << place.full_path;
        if (path == "digest" || CannotBeProved(record, path)) continue;
        ASSERT_TRUE(RefusedAnew(other))
            << place.full_path << " was changed, and nobody noticed:\n"
            << place.holder(record)->ShortDebugString().substr(0, 400) << "\n"
            << place.holder(other)->ShortDebugString().substr(0, 400);
      }
    }
  });
  // Every field that there is was met in some record.
  std::set<std::string> all;
  PathsOf(*Record::descriptor(), "", all);
  std::set<std::string> unmet;
  std::set_difference(all.begin(), all.end(), changed.begin(), changed.end(),
                      std::inserter(unmet, unmet.end()));
  EXPECT_THAT(unmet, ::testing::IsSubsetOf({"events.round_event.called.kills"}))
      << "fields that no made record has";
}

TEST_F(TamperedTest, TimesOutOfOrderAreRefused) {
  constexpr std::int64_t kMinute = 60'000'000;  // more than clocks may differ by
  ForRecords(testing::Count(1'200), [&](Record& record, Random& random) {
    Record other = record;
    other.set_ended_us(record.began_us() - kMinute);
    EXPECT_TRUE(RefusedAnew(other));
    other = record;
    other.set_began_us(record.ended_us() + kMinute);
    EXPECT_TRUE(RefusedAnew(other));
    if (record.events().empty()) return;
    other = record;
    other.mutable_events(random.Below(record.events_size()))
        ->set_time_us(record.began_us() - kMinute);
    EXPECT_TRUE(RefusedAnew(other));
    if (!record.has_settled()) return;
    other = record;
    other.mutable_settled()->set_scored_us(record.ended_us() + kMinute);
    EXPECT_TRUE(RefusedAnew(other));
  });
}

// Which events a record could lack, or have elsewhere: clocks that began anew and hands that were
// shown; a seat that was given up behind the end; the last auto-play of a seat that is not asked again.
bool IsPlay(const ::mahjong::record::v1::RecordedEvent& event) {
  return event.has_round_event() || event.has_seat_leaving();
}

TEST_F(TamperedTest, EveryEventDroppedDoubledOrSwappedIsRefused) {
  const std::int64_t each = testing::Count(6'000);
  ForRecords(testing::Count(1'200), [&](Record& record, Random& random) {
    if (record.events().empty()) return;
    for (std::int64_t i = 0; i < each; ++i) {
      const int at = random.Below(record.events_size());
      Record dropped = record;
      dropped.mutable_events()->DeleteSubrange(at, 1);
      EXPECT_TRUE(Refused(dropped)) << at;
      Record doubled = record;
      *doubled.add_events() = record.events(at);
      for (int to = doubled.events_size() - 1; to > at + 1; --to) {
        doubled.mutable_events()->SwapElements(to, to - 1);
      }
      EXPECT_TRUE(Refused(doubled)) << at;
      if (IsPlay(record.events(at))) {
        EXPECT_TRUE(RefusedAnew(dropped)) << at << ": " << record.events(at).ShortDebugString();
        EXPECT_TRUE(RefusedAnew(doubled)) << at << ": " << record.events(at).ShortDebugString();
      }
      if (at + 1 == record.events_size()) continue;
      Record swapped = record;
      swapped.mutable_events()->SwapElements(at, at + 1);
      const auto bytes = [](const google::protobuf::Message& m) { return m.SerializeAsString(); };
      if (bytes(record.events(at)) == bytes(record.events(at + 1))) continue;
      EXPECT_TRUE(Refused(swapped)) << at;
      // Two who answer in one window may do so in any order: the clock alone tells which came first, and
      // clocks of two processes differ.
      const auto in_window = [](const ::mahjong::record::v1::RecordedEvent& event) {
        return event.round_event().has_answered();
      };
      const bool either_way = in_window(record.events(at)) && in_window(record.events(at + 1));
      if (IsPlay(record.events(at)) && IsPlay(record.events(at + 1)) && !either_way) {
        EXPECT_TRUE(RefusedAnew(swapped)) << at << ": " << record.events(at).ShortDebugString();
      }
    }
  });
}

// The same for whatever else stands in lists: choices, hands, wins, debts, entries.
TEST_F(TamperedTest, EveryElementDroppedOrSwappedIsRefused) {
  ForRecords(testing::Count(1'200), [](Record& record, Random& random) {
    const std::vector<Place> lists = Walker(record).repeated;
    for (const Place& list : lists) {
      if (list.path == "events" || (lists.size() > 400 && !random.OneIn(8))) continue;
      const int at = random.Below(list.index);
      Record dropped = record;
      Message* holder = list.holder(dropped);
      const Reflection& reflection = *holder->GetReflection();
      reflection.SwapElements(holder, list.field, at, list.index - 1);
      reflection.RemoveLast(holder, list.field);
      EXPECT_TRUE(Refused(dropped)) << list.full_path;
      if (!CannotBeProved(record, list.path)) {
        EXPECT_TRUE(RefusedAnew(dropped)) << list.full_path;
      }
      if (at + 1 == list.index) continue;
      Record swapped = record;
      holder = list.holder(swapped);
      holder->GetReflection()->SwapElements(holder, list.field, at, at + 1);
      if (wire::Serialized(swapped) == wire::Serialized(record)) continue;
      EXPECT_TRUE(Refused(swapped)) << list.full_path;
      // Four nonces of which none counts, or options, whose order means nothing, are no lists.
      if (!CannotBeProved(record, list.path) && list.path != "options") {
        EXPECT_TRUE(RefusedAnew(swapped)) << list.full_path;
      }
    }
  });
}

TEST_F(TamperedTest, AnotherSeedIsRefused) {
  ForRecords(testing::Count(1'200), [](Record& record, Random& random) {
    for (int i = 0; i < 8; ++i) {
      Record other = record;
      char& byte = (*other.mutable_seed())[static_cast<std::size_t>(random.Below(128))];
      byte = static_cast<char>(byte ^ (1 << random.Below(8)));
      EXPECT_TRUE(RefusedAnew(other));
      // A seed that keeps the promise, and therefore deals another wall.
      const auto read = wire::FromRecord(record);
      ASSERT_THAT(read, base::IsOk());
      record::RoundRecord promised = *read;
      ++promised.seed[0];
      promised.seed_hash = fairness::CommitSeed(promised.seed);
      EXPECT_FALSE(VerifyRecord(promised).fits());
    }
  });
}

// A file with any byte changed is no record, or is refused.
TEST_F(TamperedTest, EveryByteOfAFileCounts) {
  const int stride = testing::LongRun() ? 1 : 37;
  ForRecords(testing::Count(600), [&](Record& record, Random& random) {
    const std::string bytes = wire::Serialized(record);
    for (std::size_t at = static_cast<std::size_t>(random.Below(stride)); at < bytes.size();
         at += static_cast<std::size_t>(stride)) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << random.Below(8)));
      const auto read = wire::ParseRoundRecord(flipped);
      ASSERT_FALSE(read.ok() && VerifyRecord(*read).fits()) << "byte " << at;
    }
    for (const std::string& other : {bytes + '\0', bytes.substr(0, bytes.size() - 1), bytes + bytes,
                                     std::string(), std::string("\x08")}) {
      EXPECT_FALSE(wire::ParseRoundRecord(other).ok());
    }
  });
}

// A forger who also writes the digest anew: every byte that does not fit the list above.
TEST_F(TamperedTest, EveryByteCountsEvenWithTheDigestWrittenAnew) {
  const int stride = testing::LongRun() ? 1 : 37;
  ForRecords(testing::Count(300), [&](Record& record, Random& random) {
    const std::string bytes = wire::Serialized(record);
    for (std::size_t at = static_cast<std::size_t>(random.Below(stride)); at < bytes.size();
         at += static_cast<std::size_t>(stride)) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << random.Below(8)));
      Record other;
      if (!other.ParseFromString(flipped)) continue;
      other.set_digest(wire::DigestOf(other));
      const auto read = wire::FromRecord(other);
      if (!read.ok()) continue;
      const Report report = VerifyRecord(*read);
      if (!report.fits()) continue;
      // It went through: then what differs is on the list.
      for (const std::string& path : ChangedPaths(record, other)) {
        ASSERT_TRUE(CannotBeProved(record, path)) << "byte " << at << ": " << path;
      }
    }
  });
}

}  // namespace
}  // namespace mj::proof
