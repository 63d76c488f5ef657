// A game's rules as a page for people, made from its tables alone.
#pragma once

#include <string>

#include "libs/rules/variant.h"

namespace mj::rules {

// Markdown, ends with a newline: what the game is, its options, patterns and other rules with
// their ids, Chinese and English names and sources. The same tables give the same text.
std::string RulesDocument(const Variant& variant);

}  // namespace mj::rules
