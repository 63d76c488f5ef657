// The words for what happens at a table.
#pragma once

#include <string>
#include <string_view>

#include "libs/receipt/names.h"
#include "libs/record/events.h"
#include "libs/round/event.h"

namespace mj::narration {

using receipt::Words;

// "throws 出牌": both languages in one line, as terminals show them.
[[nodiscard]] std::string Both(const Words& words);

// The table.
inline constexpr Words kTableMade = {"开桌", "table made"};
inline constexpr Words kTakesASeat = {"入座", "takes a seat"};
inline constexpr Words kIsReady = {"准备", "is ready"};
inline constexpr Words kPlayOn = {"是否继续", "play on?"};
inline constexpr Words kLeaves = {"离开", "leaves"};
inline constexpr Words kTableClosed = {"牌桌关闭", "table closed"};

// The round.
inline constexpr Words kDealer = {"庄", "dealer"};
inline constexpr Words kRoundWind = {"圈风", "round wind"};
inline constexpr Words kDice = {"骰子", "dice"};
inline constexpr Words kDealt = {"起手", "thirteen tiles to each"};
inline constexpr Words kTurned = {"翻出", "turned"};
inline constexpr Words kWild = {"鬼牌", "wild"};
inline constexpr Words kDraws = {"摸牌", "draws"};
inline constexpr Words kDrawsForKong = {"补牌", "draws for its kong"};
inline constexpr Words kLeft = {"余牌", "left"};
inline constexpr Words kThrows = {"出牌", "throws"};
inline constexpr Words kFrom = {"取自", "from"};
inline constexpr Words kWins = {"胡", "wins"};
inline constexpr Words kHorses = {"买马", "horses"};
inline constexpr Words kExhausted = {"流局", "exhausted wall"};
inline constexpr Words kVoid = {"作废", "void"};
inline constexpr Words kOver = {"本局结束", "the round is over"};
inline constexpr Words kPaid = {"结算", "paid"};

// Decisions.
inline constexpr Words kMay = {"可", "may"};
inline constexpr Words kChooses = {"选择", "chooses"};
inline constexpr Words kPass = {"过", "pass"};
inline constexpr Words kWin = {"胡", "win"};
inline constexpr Words kRoll = {"掷骰", "roll the dice"};
inline constexpr Words kDiscard = {"打", "throw"};

// The system in a player's place.
inline constexpr Words kSystemPlays = {"托管", "the system plays for it"};
inline constexpr Words kPlaysAgain = {"取消托管", "plays again"};
inline constexpr Words kClocksRestarted = {"计时重新开始", "every clock begins anew"};

inline constexpr Words kHandShown = {"手牌可旁观", "lets its hand be watched"};
inline constexpr Words kHandHidden = {"手牌不再可旁观", "hides its hand again"};

[[nodiscard]] Words WordsFor(round::VoidReason reason);
// Of a whole round: "it could not begin" besides.
[[nodiscard]] Words WordsFor(record::VoidReason reason);
[[nodiscard]] Words WordsFor(record::LeaveReason reason);

// Why somebody else answered; empty for the player itself.
[[nodiscard]] Words WordsFor(round::AnswerBy by);

}  // namespace mj::narration
