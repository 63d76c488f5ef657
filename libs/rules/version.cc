#include <cstdint>
#include <string>
#include <string_view>

#include "libs/rules/variant.h"

namespace mj::rules {
namespace {

// FNV-1a: enough to tell one rulebook from another; nobody gains by a collision.
class Hash {
 public:
  void Add(std::string_view text) {
    for (char c : text) Byte(static_cast<unsigned char>(c));
    Byte(0);
  }
  void Add(std::int64_t number) { Add(std::string_view(std::to_string(number))); }
  std::string Hex() const {
    std::string hex(16, '0');
    for (std::size_t i = 0; i < 16; ++i) hex[i] = "0123456789abcdef"[(value_ >> (60 - 4 * i)) & 15];
    return hex;
  }

 private:
  void Byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3ULL; }
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

void AddPlay(Hash& hash, const PlayRules& play) {
  for (Tile tile : tiles::kAllKinds) hash.Add(play.wall[tile]);
  for (bool flag : {play.chow, play.winds, play.dealer_rolls, play.feeder_may_not_rob, play.kill,
                    play.horses_on_robbed_kong}) {
    hash.Add(flag);
  }
  for (int number : {static_cast<int>(play.missed_win), static_cast<int>(play.lock_ends),
                     play.horses, static_cast<int>(play.wild), play.fixed_wild.index()}) {
    hash.Add(number);
  }
}

}  // namespace

std::string RulebookVersion(const Variant& variant) {
  Hash hash;
  const VariantInfo& info = variant.info();
  hash.Add(info.id);
  hash.Add(info.revision);
  hash.Add(info.units_per_base);
  for (const OptionDef& option : variant.options()) {
    hash.Add(option.name);
    for (std::int64_t number :
         {static_cast<std::int64_t>(option.type), option.fallback, option.min, option.max}) {
      hash.Add(number);
    }
    for (std::string_view choice : option.choices) hash.Add(choice);
  }
  for (const Pattern& pattern : variant.patterns()) {
    hash.Add(pattern.id);
    hash.Add(static_cast<std::int64_t>(pattern.role));
    hash.Add(pattern.value);
    for (RuleId implied : pattern.implies) hash.Add(implied);
  }
  for (const RuleText& rule : variant.rules()) hash.Add(rule.id);
  AddPlay(hash, variant.play(DefaultOptions(variant.options())));
  return std::string(info.id) + "-" + hash.Hex();
}

}  // namespace mj::rules
