#include "libs/narration/words.h"

namespace mj::narration {

std::string Both(const Words& words) {
  std::string both(words.en);
  if (words.zh.empty() || words.zh == words.en) return both;
  if (!both.empty()) both += ' ';
  return both.append(words.zh);
}

Words WordsFor(round::VoidReason reason) {
  switch (reason) {
    case round::VoidReason::kEscape:
      return {"主动逃跑", "escape"};
    case round::VoidReason::kConnectionLost:
      return {"断线逃跑", "connection lost"};
    case round::VoidReason::kAllAbsent:
      return {"全部断线", "all were absent"};
    case round::VoidReason::kOperator:
      return {"由管理员结束", "ended by the operator"};
  }
  return {};
}

Words WordsFor(record::VoidReason reason) {
  switch (reason) {
    case record::VoidReason::kEscape:
      return WordsFor(round::VoidReason::kEscape);
    case record::VoidReason::kConnectionLost:
      return WordsFor(round::VoidReason::kConnectionLost);
    case record::VoidReason::kAllAbsent:
      return WordsFor(round::VoidReason::kAllAbsent);
    case record::VoidReason::kOperator:
      return WordsFor(round::VoidReason::kOperator);
    case record::VoidReason::kRefused:
      return {"未能开局", "it could not begin"};
  }
  return {};
}

Words WordsFor(record::LeaveReason reason) {
  switch (reason) {
    case record::LeaveReason::kLeft:
      return {"主动离开", "of its own will"};
    case record::LeaveReason::kClientClosed:
      return {"关闭客户端", "client closed"};
    case record::LeaveReason::kBelowMinimum:
      return {"积分不足", "too few coins"};
    case record::LeaveReason::kRefused:
      return {"座位未保留", "its seat is not held"};
    case record::LeaveReason::kNoAnswer:
      return {"未答复", "no answer"};
    case record::LeaveReason::kConnectionLost:
      return {"断线", "connection lost"};
    case record::LeaveReason::kDisagreed:
      return {"不同意底分", "did not agree to the stakes"};
    case record::LeaveReason::kOperator:
      return {"由管理员移出", "removed by the operator"};
  }
  return {};
}

Words WordsFor(round::AnswerBy by) {
  switch (by) {
    case round::AnswerBy::kPlayer:
      return {};
    case round::AnswerBy::kOverrun:
      return {"超时", "too late, the system answers"};
    case round::AnswerBy::kAutoPlay:
      return {"托管", "the system plays for it"};
    case round::AnswerBy::kAbsence:
      return {"已离开", "it has left"};
  }
  return {};
}

}  // namespace mj::narration
