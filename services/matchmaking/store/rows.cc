#include "services/matchmaking/store/rows.h"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::matchmaking::store {
namespace {

using std::int64_t;
using std::optional;
using std::string;

constexpr std::array<std::pair<std::string_view, TicketState>, 6> kStates = {{
    {"queued", TicketState::kQueued},
    {"matched", TicketState::kMatched},
    {"assigned", TicketState::kAssigned},
    {"cancelled", TicketState::kCancelled},
    {"expired", TicketState::kExpired},
    {"failed", TicketState::kFailed},
}};

absl::Status Unreadable(std::string_view what, std::string_view got) {
  return absl::InternalError(base::ToAbsl(base::Cat(what, ": got \"", got, "\"")));
}

absl::StatusOr<TicketState> ParseState(std::string_view text) {
  for (const auto& [name, state] : kStates) {
    if (name == text) return state;
  }
  return Unreadable("tickets.state", text);
}

}  // namespace

OptionArrays ToArrays(const std::map<string, string>& options) {
  OptionArrays arrays;
  for (const auto& [name, value] : options) {
    arrays.names.push_back(name);
    arrays.values.push_back(value);
  }
  return arrays;
}

absl::StatusOr<std::map<string, string>> ParseOptionLines(std::string_view lines) {
  std::map<string, string> options;
  if (lines.empty()) return options;
  for (const std::string_view line : base::Split(lines, '\n')) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return Unreadable("option_lines", line);
    options.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  return options;
}

string PoolKey(const matching::Pool& pool) {
  string key = base::Cat("matchmaking pool\n", pool.variant, "\n", std::to_string(pool.base), "\n",
                         pool.currency, "\n", ToText(pool.media), "\n", pool.room);
  for (const auto& [name, value] : pool.options) key += base::Cat("\n", name, "=", value);
  return key;
}

string ToJson(const std::map<string, int>& latency) {
  string json = "{";
  for (const auto& [region, milliseconds] : latency) {
    if (json.size() > 1) json += ",";
    json += base::Cat("\"", region, "\":", std::to_string(milliseconds));
  }
  return json + "}";
}

std::vector<PlayerId> SplitIds(std::string_view text) {
  std::vector<PlayerId> ids;
  if (text.empty()) return ids;
  for (const std::string_view id : base::Split(text, ',')) ids.push_back(PlayerId(string(id)));
  return ids;
}

std::string_view ToText(matching::Media media) {
  return media == matching::Media::kVideo ? "video" : "none";
}

absl::StatusOr<matching::Media> ParseMedia(std::string_view text) {
  for (const auto media : {matching::Media::kNone, matching::Media::kVideo}) {
    if (ToText(media) == text) return media;
  }
  return Unreadable("media", text);
}

std::string_view ToText(matching::Bots bots) {
  switch (bots) {
    case matching::Bots::kNone:
      return "none";
    case matching::Bots::kAtOnce:
      return "at_once";
    case matching::Bots::kAfterWait:
      return "after_wait";
  }
  return "";
}

absl::StatusOr<matching::Bots> ParseBots(std::string_view text) {
  for (const auto bots :
       {matching::Bots::kNone, matching::Bots::kAtOnce, matching::Bots::kAfterWait}) {
    if (ToText(bots) == text) return bots;
  }
  return Unreadable("tickets.bots", text);
}

int64_t ToNumber(matching::BotStrength strength) { return static_cast<int64_t>(strength); }

absl::StatusOr<matching::BotStrength> ParseStrength(int64_t number) {
  if (number >= 0 && number <= ToNumber(matching::BotStrength::kStrong)) {
    return static_cast<matching::BotStrength>(number);
  }
  return Unreadable("bot_strength", std::to_string(number));
}

absl::StatusOr<std::map<string, int>> ParseLatencyLines(std::string_view lines) {
  MJ_ASSIGN_OR_RETURN(const auto texts, ParseOptionLines(lines));
  std::map<string, int> latency;
  for (const auto& [region, text] : texts) {
    const auto milliseconds = base::ParseInt64(text);
    if (!milliseconds) return Unreadable("tickets.latency", text);
    latency.emplace(region, static_cast<int>(*milliseconds));
  }
  return latency;
}

absl::StatusOr<matching::Pool> ReadPool(std::string_view variant, std::string_view option_lines,
                                        std::int64_t base, std::string_view currency,
                                        std::string_view media, std::string_view room) {
  matching::Pool pool;
  pool.variant = string(variant);
  MJ_ASSIGN_OR_RETURN(pool.options, ParseOptionLines(option_lines));
  pool.base = base;
  pool.currency = string(currency);
  MJ_ASSIGN_OR_RETURN(pool.media, ParseMedia(media));
  pool.room = string(room);
  return pool;
}

absl::StatusOr<std::vector<Ticket>> ReadTickets(const pg::Result& result) {
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (result.Rows<string, string, string, string, string, int64_t, string, string, string, int64_t,
                   string, string, string, string, string, string, int64_t, string,
                   optional<string>, optional<string>, base::WallTime, base::WallTime,
                   optional<string>, optional<string>, optional<int64_t>, optional<string>,
                   optional<string>, string, int64_t, optional<string>>()));
  std::vector<Ticket> tickets;
  tickets.reserve(rows.size());
  for (const auto& [id, request, player, variant, options, base, currency, media, room, asked_base,
                    asked_room, device, network, latency, avoid, party, rating, state, match,
                    failure, queued_at, expires_at, table, address, seat, region, media_room, bots,
                    strength, token] : rows) {
    Ticket& ticket = tickets.emplace_back();
    ticket.id = TicketId(id);
    Wish& wish = ticket.wish;
    wish.request = RequestId(request);
    wish.player = PlayerId(player);
    MJ_ASSIGN_OR_RETURN(wish.pool, ReadPool(variant, options, base, currency, media, room));
    wish.asked_base = asked_base;
    wish.asked_room = asked_room;
    wish.client.device = device;
    wish.client.network = network;
    MJ_ASSIGN_OR_RETURN(wish.client.latency, ParseLatencyLines(latency));
    for (PlayerId& avoided : SplitIds(avoid)) wish.avoid.insert(std::move(avoided));
    MJ_ASSIGN_OR_RETURN(wish.bots, ParseBots(bots));
    MJ_ASSIGN_OR_RETURN(wish.bot_strength, ParseStrength(strength));
    ticket.party = SplitIds(party);
    ticket.rating = rating;
    MJ_ASSIGN_OR_RETURN(ticket.state, ParseState(state));
    ticket.match = MatchId(match.value_or(""));
    ticket.failure_reason = failure.value_or("");
    ticket.queued_at = queued_at;
    ticket.expires_at = expires_at;
    if (table && address && seat) {
      ticket.assignment =
          Assignment{ticket.match,        {TableId(*table), *address}, static_cast<int>(*seat),
                     region.value_or(""), media_room.value_or(""),     token.value_or("")};
    }
  }
  return tickets;
}

absl::StatusOr<std::vector<matching::Ticket>> ReadQueue(const pg::Result& result,
                                                        const matching::Pool& pool) {
  MJ_ASSIGN_OR_RETURN(const auto rows,
                      (result.Rows<string, string, optional<string>, int64_t, int64_t, string,
                                   string, string, string, int64_t, int64_t, string, int64_t>()));
  std::vector<matching::Ticket> queue;
  queue.reserve(rows.size());
  for (const auto& [id, player, party, party_size, rating, device, network, latency, avoid,
                    queued_at, expires_at, bots, strength] : rows) {
    matching::Ticket& ticket = queue.emplace_back();
    MJ_ASSIGN_OR_RETURN(ticket.bots, ParseBots(bots));
    MJ_ASSIGN_OR_RETURN(ticket.bot_strength, ParseStrength(strength));
    ticket.id = id;
    ticket.player = player;
    ticket.pool = pool;
    ticket.queued_at = queued_at;
    ticket.expires_at = expires_at;
    ticket.party = party.value_or("");
    ticket.party_size = static_cast<int>(party_size);
    ticket.rating = rating;
    ticket.device = device;
    ticket.network = network;
    MJ_ASSIGN_OR_RETURN(ticket.latency, ParseLatencyLines(latency));
    for (const PlayerId& avoided : SplitIds(avoid)) ticket.avoid.insert(avoided.value());
  }
  return queue;
}

absl::StatusOr<std::vector<matching::Pool>> ReadPools(const pg::Result& result) {
  MJ_ASSIGN_OR_RETURN(const auto rows,
                      (result.Rows<string, string, int64_t, string, string, string>()));
  std::vector<matching::Pool> pools;
  for (const auto& [variant, options, base, currency, media, room] : rows) {
    matching::Pool& pool = pools.emplace_back();
    pool.variant = variant;
    MJ_ASSIGN_OR_RETURN(pool.options, ParseOptionLines(options));
    pool.base = base;
    pool.currency = currency;
    MJ_ASSIGN_OR_RETURN(pool.media, ParseMedia(media));
    pool.room = room;
  }
  return pools;
}

absl::StatusOr<std::vector<Match>> ReadMatches(const pg::Result& result) {
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (result
           .Rows<string, string, string, int64_t, string, string, string, optional<string>, int64_t,
                 string, string, int64_t, optional<string>, optional<string>, string, int64_t>()));
  std::vector<Match> matches;
  for (const auto& [id, variant, options, base, currency, media, room, media_room, attempts, ticket,
                    player, seat, refill_table, refill_address, token, strength] : rows) {
    if (matches.empty() || matches.back().id.value() != id) {
      Match& match = matches.emplace_back();
      match.id = MatchId(id);
      MJ_ASSIGN_OR_RETURN(match.pool, ReadPool(variant, options, base, currency, media, room));
      match.media_room = media_room.value_or("");
      MJ_ASSIGN_OR_RETURN(match.bot_strength, ParseStrength(strength));
      match.attempts = static_cast<int>(attempts);
      if (refill_table) {
        match.refill =
            FreeSeat{{TableId(*refill_table), refill_address.value_or("")}, static_cast<int>(seat)};
      }
    }
    matches.back().members.push_back({TicketId(ticket), PlayerId(player), token});
  }
  for (const Match& match : matches) {
    if (match.members.size() > (match.refill ? 1 : kSeats)) {
      return Unreadable("match_members", match.id.value());
    }
  }
  return matches;
}

absl::StatusOr<std::vector<SeatCheck>> ReadSeatChecks(const pg::Result& result) {
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<string, string, string, string>()));
  std::vector<SeatCheck> checks;
  for (const auto& [match, table, address, player] : rows) {
    if (checks.empty() || checks.back().match.value() != match) {
      checks.push_back({MatchId(match), {TableId(table), address}, {}});
    }
    checks.back().players.push_back(PlayerId(player));
  }
  return checks;
}

}  // namespace mj::matchmaking::store
