#include "tools/demo/agreement.h"

#include <sstream>
#include <utility>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/console/text.h"
#include "libs/player/lobby.h"
#include "libs/player/table_player.h"
#include "libs/rpc/client.h"
#include "tools/demo/print.h"
#include "tools/demo/together.h"

namespace mj::demo {
namespace {

using base::Cat;
using console::Grouped;
using ::mahjong::table::v1::TableService;
using table::TableEvent;
using Stub = TableService::StubInterface;

// Enough for the bases up to 100, for 50 with something to spare.
constexpr std::int64_t kCoins = 8'000;
constexpr std::int64_t kBase = 50;
constexpr std::int64_t kPauseMs = 20;

template <typename Request, typename Response>
absl::StatusOr<Response> Call(const Stubs& stubs,
                              grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                           Response*),
                              const std::type_identity_t<Request>& request) {
  return rpc::Invoke(*stubs.table, method, request, {.timeout = player::kCallTimeout});
}

absl::StatusOr<std::string> MakeEmptyTable(const Stubs& stubs, const std::string& request_id) {
  table::CreateTableRequest request;
  request.set_request_id(request_id);
  request.set_variant("guangdong");
  auto& settings = *request.mutable_settings();
  settings["auto_play_ms"] = kPauseMs;
  settings["claim_pause_ms"] = kPauseMs;
  MJ_ASSIGN_OR_RETURN(const table::CreateTableResponse response,
                      Call(stubs, &Stub::CreateTable, request));
  return response.table().table_id();
}

// Whether the lobby shows the table, empty and without a base.
absl::StatusOr<bool> IsListed(const Stubs& stubs, const std::string& table_id) {
  table::ListTablesRequest request;
  request.set_variant("guangdong");
  request.set_free_seats(true);
  do {
    MJ_ASSIGN_OR_RETURN(const table::ListTablesResponse page,
                        Call(stubs, &Stub::ListTables, request));
    for (const table::TableListing& listed : page.tables()) {
      if (listed.table_id() != table_id) continue;
      for (const std::string& player : listed.player_ids()) {
        if (!player.empty()) return false;
      }
      return listed.base() == 0;
    }
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  return false;
}

absl::StatusOr<std::string> RoomsLine(const Stubs& stubs) {
  table::ListRoomsRequest request;
  request.set_variant("guangdong");
  MJ_ASSIGN_OR_RETURN(const table::ListRoomsResponse response,
                      Call(stubs, &Stub::ListRooms, request));
  if (response.rooms().empty()) return absl::NotFoundError("there are no rooms");
  const table::Room& least = response.rooms(0);
  const table::Room& most = response.rooms(response.rooms_size() - 1);
  return Cat(std::to_string(response.rooms_size()), " rooms 房间, from base 底分 ",
             Grouped(least.base()), " for who has ", Grouped(least.minimum_balance()), " to ",
             Grouped(most.base()), " for who has ", Grouped(most.minimum_balance()));
}

absl::Status Join(const Stubs& stubs, const std::string& table_id, const std::string& player,
                  std::uint32_t seat) {
  table::JoinTableRequest request;
  request.set_table_id(table_id);
  request.set_player_id(player);
  request.set_seat(seat);
  return Call(stubs, &Stub::JoinTable, request).status();
}

// All four play a round and leave; the first one's stream tells all that there is to tell.
absl::Status Play(const Stubs& stubs, const std::string& table_id,
                  const std::vector<std::string>& players, std::uint64_t seed,
                  std::vector<TableEvent>& told) {
  return PlayTogether([&](int seat, player::Halt& halt) {
    return player::PlayAtTable(
        *stubs.table,
        {.table_id = table_id,
         .player_id = players[static_cast<std::size_t>(seat)],
         .seed = seed * rules::kSeatCount + static_cast<std::uint64_t>(seat),
         .base = kBase},
        [&told, seat](const TableEvent& event) {
          if (seat == 0) told.push_back(event);  // its own thread alone
        },
        halt);
  });
}

void TellBases(const table::Decision& decision, std::ostream& out) {
  for (int i = 0; i < decision.offers().bases_size(); ++i) {
    out << (i == 0 ? "" : ", ") << Grouped(decision.offers().bases(i));
  }
}

// What led to the round, line by line; how often it was proposed, and accepted.
std::pair<int, int> TellAgreement(const std::vector<TableEvent>& told, std::ostream& out) {
  int proposed = 0;
  int accepted = 0;
  for (const TableEvent& event : told) {
    if (event.has_stakes_asked()) {
      out << "  " << NameOfStranger(event.stakes_asked().seat())
          << " sits down first and is asked for the base 设置底分: ";
      TellBases(event.stakes_asked().decision(), out);
      out << '\n';
    } else if (event.has_player_joined()) {
      out << "  " << NameOfStranger(event.player_joined().seat()) << " sits down\n";
    } else if (event.has_stakes_proposed()) {
      ++proposed;
      out << "  " << NameOfStranger(event.stakes_proposed().seat()) << " proposes 提出 "
          << Grouped(event.stakes_proposed().base()) << "; the others are asked 是否同意\n";
    } else if (event.has_stakes_accepted()) {
      ++accepted;
      out << "  " << NameOfStranger(event.stakes_accepted().seat()) << " accepts 同意\n";
    }
  }
  return {proposed, accepted};
}

}  // namespace

Agreement ShowAgreement(const Stubs& stubs, const std::string& prefix, std::uint64_t seed,
                        std::ostream& page) {
  Agreement agreement;
  std::vector<TableEvent> told;
  std::string rooms;
  bool listed = false;
  agreement.status = [&]() -> absl::Status {
    agreement.players = IdsOfStrangers(prefix);
    for (const std::string& id : agreement.players) {
      MJ_RETURN_IF_ERROR(player::OpenFunded(*stubs.wallet, id, kCoins));
    }
    MJ_ASSIGN_OR_RETURN(rooms, RoomsLine(stubs));
    MJ_ASSIGN_OR_RETURN(agreement.table, MakeEmptyTable(stubs, Cat(prefix, "-table")));
    MJ_ASSIGN_OR_RETURN(listed, IsListed(stubs, agreement.table));
    for (std::uint32_t seat = 0; seat < agreement.players.size(); ++seat) {
      MJ_RETURN_IF_ERROR(Join(stubs, agreement.table, agreement.players[seat], seat));
    }
    return Play(stubs, agreement.table, agreement.players, seed, told);
  }();
  if (!agreement.status.ok()) return agreement;

  std::ostringstream out;
  out << Heading("a table formed in the lobby 大厅开桌  广东麻将") << '\n'
      << rooms << "\ntable 牌桌 " << agreement.table << ", empty 空桌\n";
  const auto [proposed, accepted] = TellAgreement(told, out);
  std::int64_t base = 0;
  for (const TableEvent& event : told) {
    if (event.has_round_began()) base = event.round_began().base();
    if (!event.has_round_settled()) continue;
    ++agreement.settled;
    out << "  round 1 第1局 for 底分 " << Grouped(base) << ", settled 已结算:";
    for (const table::SeatResult& seat : event.round_settled().seats()) {
      agreement.balances.push_back(seat.balance());
      out << "  " << NameOfStranger(seat.seat()) << ' ' << console::Signed(seat.net());
    }
    out << '\n';
  }
  if (!listed || proposed != 1 || accepted != 3 || base != kBase || agreement.settled != 1) {
    ++agreement.problems;
    out << "PROBLEM: the table was not formed as the text says\n";
  }
  out << '\n';
  Emit(out.str(), page);
  return agreement;
}

}  // namespace mj::demo
