#include "tools/mahjongctl/operate.h"

#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

#include "libs/base/clock.h"
#include "libs/base/entropy.h"
#include "libs/base/moved.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/base/uuid.h"
#include "libs/console/text.h"
#include "libs/player/halt.h"
#include "libs/rpc/client.h"
#include "libs/rpc/time.h"
#include "mahjong/matchmaking/v1/operator_service.grpc.pb.h"
#include "mahjong/table/v1/operator_service.grpc.pb.h"
#include "mahjong/wallet/v1/operator_service.grpc.pb.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "tools/mahjongctl/exit_code.h"
#include "tools/mahjongctl/no_answer.h"

namespace mj::mahjongctl {
namespace {

namespace table = ::mahjong::table::v1;
namespace wallet = ::mahjong::wallet::v1;
namespace matchmaking = ::mahjong::matchmaking::v1;
namespace common = ::mahjong::common::v1;
using base::Cat;
using google::protobuf::Timestamp;
using google::protobuf::util::TimeUtil;
using Tables = table::TableOperatorService::StubInterface;
using Wallet = wallet::WalletService::StubInterface;
using WalletTrail = wallet::WalletOperatorService::StubInterface;
using Matchmaking = matchmaking::MatchmakingOperatorService::StubInterface;

const rpc::CallOptions kOptions{.timeout = std::chrono::seconds(10)};
constexpr std::int32_t kPage = 100;
// A table that has moved is looked for so often, with a pause where nobody holds it.
constexpr int kMovesMax = 40;
constexpr std::chrono::milliseconds kMovePause{250};

std::string JsonOf(const google::protobuf::Message& message) {
  std::string json;
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  // Fails for what is no UTF-8 alone, which the parser has refused.
  (void)google::protobuf::util::MessageToJsonString(message, &json, options);
  return json;
}

std::string When(const Timestamp& time) {
  // To the second: "2026-11-30T22:48:12Z".
  Timestamp whole;
  whole.set_seconds(time.seconds());
  return TimeUtil::ToString(whole);
}

// "waiting" of TABLE_STATE_WAITING.
std::string Short(std::string_view name, std::string_view prefix) {
  std::string text(name.substr(std::min(prefix.size(), name.size())));
  for (char& c : text) c = c == '_' ? '-' : static_cast<char>(c | 0x20);
  return text;
}
std::string NameOf(table::TableState state) {
  return Short(table::TableState_Name(state), "TABLE_STATE_");
}

std::string Players(const google::protobuf::RepeatedPtrField<std::string>& players) {
  std::string text;
  for (const std::string& player : players) {
    text += Cat(text.empty() ? "" : " ", player.empty() ? "–" : player);
  }
  return text;
}

class Operator {
 public:
  Operator(const OpsArguments& arguments, std::ostream& out, std::ostream& err)
      : asked_(arguments), out_(out), err_(err) {
    base::SystemClock clock;
    base::SystemEntropy entropy;
    request_id_ =
        asked_.request_id.empty() ? base::UuidGenerator(clock, entropy).Next() : asked_.request_id;
  }

  int Do() {
    const absl::Status done = Ask();
    if (done.ok()) return kDone;
    const auto carried = base::CarriedBy(done);
    const bool silent = IsNoAnswer(done);
    err_ << "mahjongctl: " << target_ << ": " << (carried ? carried->reason + ": " : "")
         << base::ToStd(done.message()) << (silent ? kNoAnswerCure : "") << '\n';
    if (silent && writes_) {
      err_ << "  It may have been done. To ask again, and have it done once: --request-id "
           << request_id_ << again_ << '\n';
    }
    return silent ? kUnavailable : kFailed;
  }

 private:
  absl::Status Ask() {
    switch (asked_.verb) {
      case OpsVerb::kTables:
        return FindTables();
      case OpsVerb::kInspect:
        return Inspect();
      case OpsVerb::kVoid: {
        auto request = Write<table::VoidRoundRequest>();
        request.set_table_id(asked_.table);
        request.set_round_id(asked_.round);
        return AtTheTable<table::VoidRoundResponse>(&Tables::VoidRound, request, "void");
      }
      case OpsVerb::kClose: {
        auto request = Write<table::CloseTableRequest>();
        request.set_table_id(asked_.table);
        request.set_at_once(asked_.at_once);
        return AtTheTable<table::CloseTableResponse>(&Tables::CloseTable, request, "closed");
      }
      case OpsVerb::kRemove: {
        auto request = Write<table::RemovePlayerRequest>();
        request.set_table_id(asked_.table);
        request.set_player_id(asked_.player);
        return AtTheTable<table::RemovePlayerResponse>(&Tables::RemovePlayer, request, "removed");
      }
      case OpsVerb::kStopRounds:
        return StopRounds();
      case OpsVerb::kResumeRounds: {
        MJ_RETURN_IF_ERROR(
            Call<table::ResumeNewRoundsResponse>(TablesStub(), &Tables::ResumeNewRounds,
                                                 Write<table::ResumeNewRoundsRequest>())
                .status());
        Say("rounds begin again");
        return absl::OkStatus();
      }
      case OpsVerb::kFreeze:
        return Control<wallet::FreezeRequest, wallet::FreezeResponse>(&Wallet::Freeze, "frozen");
      case OpsVerb::kUnfreeze:
        return Control<wallet::UnfreezeRequest, wallet::UnfreezeResponse>(&Wallet::Unfreeze,
                                                                          "not frozen any more");
      case OpsVerb::kCloseAccount:
        return Control<wallet::CloseAccountRequest, wallet::CloseAccountResponse>(
            &Wallet::CloseAccount, "closed for ever");
      case OpsVerb::kAdjust:
        return Adjust();
      case OpsVerb::kReverse:
        return Reverse();
      case OpsVerb::kTrail:
        return Trail();
      case OpsVerb::kAccountsTrail:
        return AccountsTrail();
      case OpsVerb::kErase:
        return Erase();
    }
    return absl::OkStatus();
  }

  // ------------------------------------------------------------------------------------- asking

  std::unique_ptr<Tables> TablesStub() {
    target_ = asked_.table_target;
    return table::TableOperatorService::NewStub(
        rpc::MakeChannel({.target = target_, .retry_safe = true}));
  }
  std::unique_ptr<Wallet> WalletStub() {
    target_ = asked_.wallet_target;
    return wallet::WalletService::NewStub(
        rpc::MakeChannel({.target = target_, .retry_safe = true}));
  }

  // A write of the table service.
  template <typename Request>
  Request Write() {
    writes_ = true;
    Request request;
    request.set_request_id(request_id_);
    request.set_operator_(asked_.who);
    request.set_reason(asked_.reason);
    return request;
  }
  // One of the wallet.
  template <typename Request>
  Request WriteToWallet() {
    writes_ = true;
    Request request;
    request.set_request_id(request_id_);
    request.set_requested_by(asked_.who);
    request.set_reason(asked_.reason);
    request.set_validate_only(asked_.dry_run);
    return request;
  }

  template <typename Response, typename Stub, typename Method, typename Request>
  absl::StatusOr<Response> Call(const std::unique_ptr<Stub>& stub, Method method,
                                const Request& request) {
    return rpc::Invoke<Stub, Stub, Request, Response>(*stub, method, request, kOptions);
  }

  // Shows what there is, at most --limit. `items`: where a page has them.
  template <typename Response, typename Stub, typename Method, typename Request, typename Items>
  absl::Status ShowPages(const std::unique_ptr<Stub>& stub, Method method, Request& request,
                         Items items) {
    for (std::int64_t left = asked_.limit; left > 0;) {
      request.set_page_size(static_cast<std::int32_t>(std::min<std::int64_t>(left, kPage)));
      MJ_ASSIGN_OR_RETURN(const Response page, Call<Response>(stub, method, request));
      for (const auto& item : items(page)) Show(item);
      left -= items(page).size();
      if (page.next_page_token().empty()) break;
      request.set_page_token(page.next_page_token());
    }
    return absl::OkStatus();
  }

  // Wherever the table is.
  template <typename Response, typename Method, typename Request>
  absl::Status AtTheTable(Method method, const Request& request, std::string_view what) {
    std::unique_ptr<Tables> stub = TablesStub();
    for (int tries = 0;; ++tries) {
      const auto done = Call<Response>(stub, method, request);
      if (done.ok()) {
        if (asked_.json) {
          out_ << JsonOf(*done) << '\n';
        } else {
          out_ << (done->pending() ? "granted; it is done when the round allows it" : what) << '\n';
        }
        return absl::OkStatus();
      }
      const auto moved = base::MovedTo(done.status());
      if (!moved || tries == kMovesMax) return done.status();
      if (moved->empty()) {
        halt_.Pause(kMovePause);
        stub = TablesStub();
        continue;
      }
      target_ = *moved;
      stub = table::TableOperatorService::NewStub(
          rpc::MakeChannel({.target = target_, .retry_safe = true}));
    }
  }

  void Say(std::string_view text) {
    if (asked_.json) {
      out_ << "{}\n";
    } else {
      out_ << text << '\n';
    }
  }

  // ------------------------------------------------------------------------------------- tables

  absl::Status FindTables() {
    const auto stub = TablesStub();
    table::FindTablesRequest request;
    request.set_variant(asked_.variant);
    if (!asked_.state.empty()) {
      table::TableState state = table::TABLE_STATE_UNSPECIFIED;
      std::string name = "TABLE_STATE_" + asked_.state;
      for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      (void)table::TableState_Parse(name, &state);
      request.set_state(state);
    }
    request.set_player_id(asked_.player);
    request.set_unsettled_seconds(asked_.unsettled);
    request.set_quiet_seconds(asked_.quiet);
    request.set_unheld(asked_.unheld);
    return ShowPages<table::FindTablesResponse>(
        stub, &Tables::FindTables, request,
        [](const table::FindTablesResponse& page) -> const auto& { return page.tables(); });
  }

  void Show(const table::FoundTable& found) {
    if (asked_.json) {
      out_ << JsonOf(found) << '\n';
      return;
    }
    out_ << found.table_id() << ' ' << console::PadRight(NameOf(found.state()), 8) << ' '
         << console::PadRight(found.variant(), 9) << " base " << found.base() << "  last event "
         << When(found.last_event_time()) << "  at "
         << (found.address().empty() ? "nobody" : found.address()) << "\n    "
         << Players(found.player_ids()) << '\n';
    if (found.round_id().empty()) return;
    out_ << "    round " << found.round_number() << ' ' << found.round_id() << " since "
         << When(found.round_begin_time()) << '\n';
  }

  absl::Status Inspect() {
    table::InspectTableRequest request;
    request.set_table_id(asked_.table);
    MJ_ASSIGN_OR_RETURN(const auto seen, (Call<table::InspectTableResponse>(
                                             TablesStub(), &Tables::InspectTable, request)));
    if (asked_.json) {
      out_ << JsonOf(seen) << '\n';
      return absl::OkStatus();
    }
    out_ << seen.table().table_id() << ' ' << NameOf(seen.table().state()) << ' '
         << seen.table().variant() << " base " << seen.table().base() << " at "
         << seen.table().address() << (seen.closing() ? "  closing" : "") << '\n';
    if (seen.has_no_new_rounds_time()) {
      out_ << "no round begins from " << When(seen.no_new_rounds_time()) << " on\n";
    }
    if (seen.has_round()) {
      const table::InspectedRound& round = seen.round();
      out_ << "round " << round.round_number() << ' ' << round.round_id() << ' ' << round.step()
           << (round.voiding() ? ", to be void" : "") << ", rules " << round.rulebook_version();
      if (round.wall_left() > 0) out_ << ", wall " << round.wall_left();
      out_ << '\n';
    }
    for (const table::InspectedSeat& seat : seen.seats()) Show(seat);
    for (const table::JournalledEvent& event : seen.latest_events()) {
      out_ << "  #" << event.number() << ' ' << When(event.time()) << ' ' << event.kind() << '\n';
    }
    return absl::OkStatus();
  }

  void Show(const table::InspectedSeat& seat) {
    out_ << "seat " << seat.seat() << ' ' << (seat.player_id().empty() ? "–" : seat.player_id());
    if (seat.connected()) out_ << ", connected";
    if (seat.auto_play()) out_ << ", the system plays";
    if (seat.leaving()) out_ << ", leaving";
    if (seat.removing()) out_ << ", to be removed";
    if (seat.has_deadline()) out_ << ", is waited for until " << When(seat.deadline());
    if (seat.concealed() > 0) out_ << ", " << seat.concealed() << " tiles";
    for (const std::string& meld : seat.melds()) out_ << ' ' << meld;
    if (!seat.discards().empty()) out_ << ", threw " << seat.discards();
    out_ << '\n';
  }

  absl::Status StopRounds() {
    auto request = Write<table::StopNewRoundsRequest>();
    if (!asked_.at.empty() && !TimeUtil::FromString(asked_.at, request.mutable_from_time())) {
      return base::Error(base::Reason::kBadPeriod, "--at: want a time as 2026-11-30T23:00:00Z");
    }
    if (asked_.in_seconds) {
      rpc::ToProto(base::SystemClock().Now() + std::chrono::seconds(*asked_.in_seconds),
                   *request.mutable_from_time());
      again_ = " --at " + TimeUtil::ToString(request.from_time()) + " instead of --in";
    }
    MJ_ASSIGN_OR_RETURN(const auto stopped, (Call<table::StopNewRoundsResponse>(
                                                TablesStub(), &Tables::StopNewRounds, request)));
    if (asked_.json) {
      out_ << JsonOf(stopped) << '\n';
    } else {
      out_ << "no round begins from " << When(stopped.from_time())
           << " on; resume-rounds ends it\n";
    }
    return absl::OkStatus();
  }

  // ----------------------------------------------------------------------------------- accounts

  [[nodiscard]] common::Currency Currency() const {
    return asked_.currency == "PRACTICE" ? common::CURRENCY_PRACTICE : common::CURRENCY_COIN;
  }

  template <typename Request, typename Response, typename Method>
  absl::Status Control(Method method, std::string_view what) {
    auto request = WriteToWallet<Request>();
    request.set_account_id(asked_.player);
    request.set_currency(Currency());
    MJ_ASSIGN_OR_RETURN(const auto done, (Call<Response>(WalletStub(), method, request)));
    if (asked_.json) {
      out_ << JsonOf(done.account()) << '\n';
    } else {
      out_ << asked_.player << ": " << (asked_.dry_run ? "could be " : "") << what << ", "
           << console::Grouped(done.account().balance()) << " coins\n";
    }
    return absl::OkStatus();
  }

  absl::Status Adjust() {
    auto request = WriteToWallet<wallet::AdjustRequest>();
    request.set_account_id(asked_.player);
    request.set_currency(Currency());
    request.set_coins(asked_.coins);
    request.set_approved_by(asked_.approver);
    MJ_ASSIGN_OR_RETURN(const auto done,
                        (Call<wallet::AdjustResponse>(WalletStub(), &Wallet::Adjust, request)));
    if (asked_.json) {
      out_ << JsonOf(done) << '\n';
    } else {
      out_ << asked_.player << ": " << console::Signed(asked_.coins) << ", now "
           << console::Grouped(done.balance()) << " coins, journal row "
           << (done.journal_id().empty() ? "–" : done.journal_id()) << '\n';
    }
    return absl::OkStatus();
  }

  absl::Status Reverse() {
    auto request = WriteToWallet<wallet::ReverseRequest>();
    request.set_journal_id(asked_.journal);
    request.set_approved_by(asked_.approver);
    request.set_cover_from_house(asked_.cover);
    MJ_ASSIGN_OR_RETURN(const auto done,
                        (Call<wallet::ReverseResponse>(WalletStub(), &Wallet::Reverse, request)));
    if (asked_.json) {
      out_ << JsonOf(done) << '\n';
    } else {
      out_ << "reversed by journal row " << (done.journal_id().empty() ? "–" : done.journal_id())
           << ", the house paid " << console::Grouped(done.covered()) << " coins\n";
    }
    return absl::OkStatus();
  }

  // -------------------------------------------------------------------------------------- trail

  absl::Status Trail() {
    const auto stub = TablesStub();
    table::ListOperationsRequest request;
    request.set_table_id(asked_.table);
    request.set_player_id(asked_.player);
    request.set_operator_(asked_.of);
    return ShowPages<table::ListOperationsResponse>(
        stub, &Tables::ListOperations, request,
        [](const table::ListOperationsResponse& page) -> const auto& { return page.operations(); });
  }

  void Show(const table::Operation& operation) {
    if (asked_.json) {
      out_ << JsonOf(operation) << '\n';
      return;
    }
    out_ << When(operation.write_time()) << ' ' << operation.operator_() << ' '
         << Short(table::OperationKind_Name(operation.kind()), "OPERATION_KIND_");
    if (!operation.table_id().empty()) out_ << " table " << operation.table_id();
    if (!operation.round_id().empty()) out_ << " round " << operation.round_id();
    if (!operation.player_id().empty()) out_ << " player " << operation.player_id();
    if (operation.at_once()) out_ << " at once";
    if (operation.has_from_time()) out_ << " from " << When(operation.from_time());
    out_ << ": " << operation.reason() << '\n';
  }

  absl::Status AccountsTrail() {
    target_ = asked_.wallet_target;
    const std::unique_ptr<WalletTrail> stub = wallet::WalletOperatorService::NewStub(
        rpc::MakeChannel({.target = target_, .retry_safe = true}));
    wallet::ListOperationsRequest request;
    request.set_account_id(asked_.player);
    request.set_operator_(asked_.of);
    return ShowPages<wallet::ListOperationsResponse>(
        stub, &WalletTrail::ListOperations, request,
        [](const wallet::ListOperationsResponse& page) -> const auto& {
          return page.operations();
        });
  }

  void Show(const wallet::Operation& operation) {
    if (asked_.json) {
      out_ << JsonOf(operation) << '\n';
      return;
    }
    out_ << When(operation.write_time()) << ' ' << operation.requested_by();
    if (!operation.approved_by().empty()) out_ << '+' << operation.approved_by();
    out_ << ' ' << Short(wallet::OperationKind_Name(operation.kind()), "OPERATION_KIND_") << ' '
         << operation.account_id();
    if (operation.currency() == common::CURRENCY_PRACTICE) out_ << " PRACTICE";
    if (!operation.journal_id().empty()) {
      out_ << ' ' << console::Signed(operation.coins()) << " journal row "
           << operation.journal_id();
    }
    out_ << ": " << operation.reason() << '\n';
  }

  absl::Status Erase() {
    target_ = asked_.matchmaking_target;
    const std::unique_ptr<Matchmaking> stub = matchmaking::MatchmakingOperatorService::NewStub(
        rpc::MakeChannel({.target = target_, .retry_safe = true}));
    auto request = Write<matchmaking::ErasePlayerRequest>();
    request.set_player_id(asked_.player);
    MJ_ASSIGN_OR_RETURN(const auto done, (Call<matchmaking::ErasePlayerResponse>(
                                             stub, &Matchmaking::ErasePlayer, request)));
    if (asked_.json) {
      out_ << JsonOf(done) << '\n';
    } else {
      out_ << asked_.player << ": " << done.tickets()
           << " tickets emptied; the ledger keeps the id, which names nobody\n";
    }
    return absl::OkStatus();
  }

  const OpsArguments& asked_;
  std::ostream& out_;
  std::ostream& err_;
  std::string request_id_;
  std::string again_;  // what else a repetition has to say
  std::string target_;
  bool writes_ = false;
  player::Halt halt_;
};

}  // namespace

const char* RoleFor(OpsVerb verb) {
  return verb == OpsVerb::kAdjust || verb == OpsVerb::kReverse ? "finance" : "operator";
}

int Operate(const OpsArguments& arguments, std::ostream& out, std::ostream& err) {
  return Operator(arguments, out, err).Do();
}

}  // namespace mj::mahjongctl
