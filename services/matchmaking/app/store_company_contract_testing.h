// What every Store must do for players who know each other: parties, private rooms, meetings; and
// what it tells of where players are and how long they waited. As store_contract_testing.h.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "services/matchmaking/app/store_contract_testing.h"

namespace mj::matchmaking {

template <typename Harness>
class CompanyContract : public StoreContract<Harness> {
 protected:
  static constexpr Millis kRoom{3'600'000};

  // One request of these players.
  static std::vector<Wish> Party(const std::vector<std::string>& players,
                                 const std::string& request) {
    std::vector<Wish> wishes;
    for (const std::string& player : players) {
      wishes.push_back(CompanyContract::WishOf(player, request));
    }
    return wishes;
  }
  absl::StatusOr<Taking> TakeParty(const std::vector<Wish>& wishes,
                                   const std::string& prefix = "ticket-") {
    std::vector<TicketId> ids;
    for (const Wish& wish : wishes) ids.push_back(TicketId(prefix + wish.player.value()));
    return this->store().TakeTickets(ids, wishes, this->kLifetime);
  }
  std::vector<TicketId> QueueParty(const std::vector<std::string>& players) {
    const auto taking = TakeParty(Party(players, "party-of-" + players.front()));
    EXPECT_THAT(taking, base::IsOk());
    this->Advance(Millis(1));
    std::vector<TicketId> ids;
    if (!taking.ok()) return ids;
    for (const Ticket& ticket : std::get<Tickets>(*taking)) ids.push_back(ticket.id);
    return ids;
  }
  std::vector<matching::Ticket> OfferedTickets(const matching::Pool& pool, Millis met_for) {
    std::vector<matching::Ticket> offered;
    EXPECT_THAT(this->store().MakeMatches(pool, {.met_for = met_for},
                                          [&](std::span<const matching::Ticket> tickets, auto) {
                                            offered.assign(tickets.begin(), tickets.end());
                                            return std::vector<NewMatch>();
                                          }),
                base::IsOk());
    return offered;
  }

  static Room SomeRoom(const std::string& code = "012345", const std::string& owner = "ann") {
    Room room;
    room.id = "room-" + code + "-" + owner;
    room.code = code;
    room.owner = PlayerId(owner);
    room.pool = CompanyContract::SomePool();
    room.pool.media = matching::Media::kVideo;
    room.pool.room = room.id;
    return room;
  }
  static Wish WishIn(const Room& room, const std::string& player, const std::string& request = "") {
    Wish wish = CompanyContract::WishOf(player, request);
    wish.pool = room.pool;
    wish.asked_room = room.owner.value() == player ? std::string(kNewRoom) : room.code;
    return wish;
  }
  absl::StatusOr<Taking> Open(const Room& room, Millis lifetime = kRoom) {
    const Wish wish = WishIn(room, room.owner.value());
    return this->store().OpenRoom(room, TicketId("ticket-" + wish.request.value()), wish, lifetime);
  }
  absl::StatusOr<Taking> Enter(const Room& room, const std::string& player) {
    return this->Take(WishIn(room, player));
  }
};

TYPED_TEST_SUITE_P(CompanyContract);

// --- parties ---

TYPED_TEST_P(CompanyContract, FriendsHaveATicketEachAndKnowOfEachOther) {
  std::vector<Wish> wishes = this->Party({"ann", "bob", "cid"}, "r");
  wishes[0].client = {"phone-a", "203.0.113.7", {{"east", 10}, {"west", 200}}};
  wishes[1].avoid = {PlayerId("dan"), PlayerId("eve")};
  const auto taking = this->TakeParty(wishes);
  ASSERT_THAT(taking, base::IsOk());
  const Tickets tickets = std::get<Tickets>(*taking);
  ASSERT_EQ(tickets.size(), 3u);
  const std::vector<PlayerId> party = {PlayerId("ann"), PlayerId("bob"), PlayerId("cid")};
  for (std::size_t i = 0; i < tickets.size(); ++i) {
    EXPECT_EQ(tickets[i].wish, wishes[i]);
    EXPECT_EQ(tickets[i].party, party);
    EXPECT_EQ(tickets[i].queued_at, tickets[0].queued_at);
    EXPECT_EQ(this->Find(tickets[i].id), tickets[i]);
  }
  const auto again = this->TakeParty(wishes, "other-");
  ASSERT_THAT(again, base::IsOk());
  EXPECT_EQ(std::get<Tickets>(*again), tickets);
}

TYPED_TEST_P(CompanyContract, ARequestIsForTheSameFriendsInTheSameOrder) {
  this->QueueParty({"ann", "bob"});
  for (const std::vector<std::string>& others :
       std::vector<std::vector<std::string>>{{"bob", "ann"}, {"ann"}, {"ann", "bob", "cid"}}) {
    const auto wishes = this->Party(others, "party-of-ann");
    EXPECT_THAT(this->TakeParty(wishes, "other-"),
                base::FailsWith(base::Reason::kRequestIdReused, "request_id"));
    EXPECT_THAT(this->store().Foresee(wishes),
                base::FailsWith(base::Reason::kRequestIdReused, "request_id"));
  }
}

TYPED_TEST_P(CompanyContract, OneFriendWhoIsQueuedKeepsAllOut) {
  const TicketId bob = this->Queue("bob");
  const auto taking = this->TakeParty(this->Party({"ann", "bob", "cid"}, "r"));
  EXPECT_THAT(taking, base::FailsWith(base::Reason::kTicketExists, "player_id"));
  const auto metadata = base::CarriedBy(taking.status())->details.metadata;
  EXPECT_EQ(metadata.at("ticket_id"), bob.value());
  EXPECT_EQ(metadata.at("player_id"), "bob");
  EXPECT_EQ(this->Offered(), 1u) << "nothing was written";
  EXPECT_THAT(this->store().CancelTicket(bob), base::IsOk());
  EXPECT_THAT(this->TakeParty(this->Party({"ann", "bob", "cid"}, "r")), base::IsOk());
}

TYPED_TEST_P(CompanyContract, OneFriendWhoIsSeatedKeepsAllOut) {
  this->QueueFour();
  const Match match = this->MakeOne();
  this->Assign(match);
  const auto taking = this->TakeParty(this->Party({"ann", "p2"}, "r"));
  ASSERT_THAT(taking, base::IsOk());
  EXPECT_EQ(std::get<LiveSeat>(*taking), (LiveSeat{PlayerId("p2"), match.id, this->Place(), 2}));
  EXPECT_EQ(this->Offered(), 0u);
}

TYPED_TEST_P(CompanyContract, MatchingSeesWhoBelongsTogether) {
  this->QueueParty({"ann", "bob"});
  this->Queue("cid");
  const auto offered = this->OfferedTickets(this->SomePool(), Millis(1'000));
  ASSERT_EQ(offered.size(), 3u);
  EXPECT_EQ(offered[0].party, offered[1].party);
  EXPECT_NE(offered[0].party, "");
  EXPECT_EQ(offered[0].party_size, 2);
  EXPECT_EQ(offered[2].party, "");
  EXPECT_EQ(offered[2].party_size, 1);
}

TYPED_TEST_P(CompanyContract, MatchingSeesWhatWasToldOfAPlayer) {
  Wish wish = this->WishOf("ann");
  wish.client = {"phone-a", "203.0.113.7", {{"east", 10}, {"west", 200}}};
  wish.avoid = {PlayerId("bob"), PlayerId("cid")};
  ASSERT_THAT(this->Take(wish), base::IsOk());
  const auto offered = this->OfferedTickets(this->SomePool(), Millis(1'000));
  ASSERT_EQ(offered.size(), 1u);
  EXPECT_EQ(offered[0].device, "phone-a");
  EXPECT_EQ(offered[0].network, "203.0.113.7");
  EXPECT_EQ(offered[0].latency, (std::map<std::string, int>{{"east", 10}, {"west", 200}}));
  EXPECT_EQ(offered[0].avoid, (std::set<std::string>{"bob", "cid"}));
  EXPECT_EQ(offered[0].rating, 25'000'000) << "a newcomer's";
}

TYPED_TEST_P(CompanyContract, CancellingOneTakesAllFriendsOut) {
  const std::vector<TicketId> ids = this->QueueParty({"ann", "bob", "cid"});
  const TicketId stranger = this->Queue("dan");
  const auto cancelled = this->store().CancelTicket(ids[1]);
  ASSERT_THAT(cancelled, base::IsOk());
  EXPECT_EQ(cancelled->id, ids[1]);
  EXPECT_EQ(this->States(ids), std::vector<TicketState>(3, TicketState::kCancelled));
  EXPECT_THAT(this->store().CancelTicket(ids[0]), base::IsOk());
  EXPECT_EQ(this->Find(stranger).state, TicketState::kQueued);
}

TYPED_TEST_P(CompanyContract, IfOneCannotBeSeatedTheFriendsFailTooTheOthersAreBack) {
  const std::vector<TicketId> friends = this->QueueParty({"ann", "bob"});
  const TicketId cid = this->Queue("cid");
  const TicketId dan = this->Queue("dan");
  const Match match = this->MakeOne();
  const Failure failure{PlayerId("bob"), "INSUFFICIENT_FUNDS"};
  EXPECT_THAT(this->store().ReleaseMatch(match, failure.reason, std::span(&failure, 1)),
              base::IsOk());
  EXPECT_EQ(this->States(friends), std::vector<TicketState>(2, TicketState::kFailed));
  EXPECT_EQ(this->Find(friends[0]).failure_reason, "INSUFFICIENT_FUNDS");
  EXPECT_THAT(this->States({cid, dan}),
              ::testing::ElementsAre(TicketState::kQueued, TicketState::kQueued));
  EXPECT_EQ(this->Offered(), 2u);
}

TYPED_TEST_P(CompanyContract, AnAbandonedMatchIsNotAssignedWithoutAParty) {
  const std::vector<TicketId> friends = this->QueueParty({"ann", "bob"});
  this->Queue("cid");
  this->Queue("dan");
  const Match match = this->MakeOne();
  EXPECT_THAT(this->store().AbandonMatch(match, "UNAVAILABLE", Millis(1)), base::IsOk());
  EXPECT_THAT(this->store().CancelTicket(friends[0]), base::IsOk());
  EXPECT_EQ(this->Assign(match), Assigned::kMemberGone);
}

// --- matches of any kind ---

TYPED_TEST_P(CompanyContract, PoolsDifferInMediaToo) {
  for (int i = 0; i < 8; ++i) {
    Wish wish = this->WishOf("p" + std::to_string(i));
    if (i % 2 == 1) wish.pool.media = matching::Media::kVideo;
    ASSERT_THAT(this->Take(wish), base::IsOk());
  }
  matching::Pool video = this->SomePool();
  video.media = matching::Media::kVideo;
  EXPECT_THAT(this->store().FullPools(),
              base::IsOkAndHolds(::testing::UnorderedElementsAre(this->SomePool(), video)));
  const auto made = this->store().MakeMatches(video, {.lease = Millis(0)}, [](auto, auto) {
    matching::Why why;
    why.region = {"east", 70};
    return std::vector<NewMatch>{{MatchId("m"), {0, 1, 2, 3}, why, "media-room"}};
  });
  ASSERT_THAT(made, base::IsOkAndHolds(::testing::SizeIs(1)));
  EXPECT_EQ(made->front().pool, video);
  EXPECT_EQ(made->front().media_room, "media-room");
  const auto claimed = this->store().ClaimDueMatches(1, Millis(1));
  ASSERT_THAT(claimed, base::IsOkAndHolds(::testing::SizeIs(1)));
  EXPECT_EQ(claimed->front().media_room, "media-room") << "known to whoever goes on with it";
  this->Assign(made->front());
  const Ticket ticket = this->Find(made->front().members[1].ticket);
  EXPECT_EQ(ticket.assignment, (Assignment{MatchId("m"), this->Place(), 1, "east", "media-room"}));
  const auto located = this->store().Locate(ticket.wish.player);
  ASSERT_THAT(located, base::IsOk());
  EXPECT_EQ(located->seat->media_room, "media-room");
}

TYPED_TEST_P(CompanyContract, SeveralMatchesAreAssignedAtOnceEachForItself) {
  for (const char* prefix : {"p", "q", "r", "s"}) this->QueueFour(prefix);
  const std::vector<Match> made = this->MakeAll();
  ASSERT_EQ(made.size(), 4u);
  EXPECT_THAT(this->store().AbandonMatch(made[1], "X", Millis(1)), base::IsOk());
  EXPECT_THAT(this->store().CancelTicket(made[1].members[0].ticket), base::IsOk());
  EXPECT_THAT(this->store().ReleaseMatch(made[2], "X", {}), base::IsOk());
  std::vector<Standing> standings;
  for (const Match& match : made) {
    standings.push_back({match.id, this->Place("table-of-" + match.id.value())});
  }
  EXPECT_THAT(this->store().AssignMatches(standings, Millis(1)),
              base::IsOkAndHolds(::testing::ElementsAre(Assigned::kDone, Assigned::kMemberGone,
                                                        Assigned::kReleased, Assigned::kDone)));
  EXPECT_EQ(this->Find(made[3].members[2].ticket).assignment->place, standings[3].place);
  EXPECT_EQ(this->Find(made[1].members[2].ticket).state, TicketState::kQueued);
  EXPECT_THAT(this->store().AssignMatches({}, Millis(1)), base::IsOkAndHolds(::testing::IsEmpty()));
}

TYPED_TEST_P(CompanyContract, WhoWasSeatedTogetherHasMetForAWhile) {
  this->QueueFour();
  const Match match = this->MakeOne();
  this->Advance(this->kShort);
  this->Assign(match);
  std::vector<PlayerId> players;
  for (const Member& member : match.members) players.push_back(member.player);
  EXPECT_THAT(this->store().FreeSeats(match.id, players), base::IsOk());
  for (const char* player : {"p1", "p3", "stranger"}) {
    ASSERT_THAT(this->Take(this->WishOf(player, std::string("again-") + player)), base::IsOk());
    this->Advance(Millis(1));
  }
  const auto met = [&] {
    std::vector<std::set<std::string>> sets;
    for (const auto& ticket : this->OfferedTickets(this->SomePool(), Millis(5'000))) {
      sets.push_back(ticket.met);
    }
    return sets;
  };
  using Sets = std::vector<std::set<std::string>>;
  EXPECT_EQ(met(), (Sets{{"p3"}, {"p1"}, {}}));
  this->Advance(Millis(5'000));
  EXPECT_EQ(met(), (Sets{{}, {}, {}}));
}

TYPED_TEST_P(CompanyContract, AMatchWithoutATableIsNoMeeting) {
  this->QueueFour();
  EXPECT_THAT(this->store().ReleaseMatch(this->MakeOne(), "X", {}), base::IsOk());
  for (const auto& ticket : this->OfferedTickets(this->SomePool(), Millis(60'000))) {
    EXPECT_TRUE(ticket.met.empty());
  }
}

TYPED_TEST_P(CompanyContract, WaitsAreThoseOfThePoolsLastMatches) {
  EXPECT_THAT(this->store().RecentWaits(this->SomePool(), 10),
              base::IsOkAndHolds(::testing::IsEmpty()));
  this->QueueFour("p");
  this->Assign(this->MakeOne("first"), this->Place("table-1"));
  this->Advance(Millis(10));
  this->QueueFour("q");
  const Match second = this->MakeOne("second");
  this->Advance(Millis(1'000));
  EXPECT_THAT(
      this->store().RecentWaits(this->SomePool(), 10),
      base::IsOkAndHolds(::testing::ElementsAre(Millis(4), Millis(3), Millis(2), Millis(1))))
      << "who is not seated has not waited to an end";
  this->Assign(second, this->Place("table-2"));
  EXPECT_THAT(this->store().RecentWaits(this->SomePool(), 5),
              base::IsOkAndHolds(::testing::ElementsAre(Millis(1'004), Millis(1'003), Millis(1'002),
                                                        Millis(1'001), Millis(4))));
  EXPECT_THAT(this->store().RecentWaits(this->SomePool(1'000), 5),
              base::IsOkAndHolds(::testing::IsEmpty()));
}

TYPED_TEST_P(CompanyContract, APlayerIsLocatedFromTheQueueToTheTable) {
  const PlayerId player("p2");
  const auto where = [&] {
    const auto found = this->store().Locate(player);
    EXPECT_THAT(found, base::IsOk());
    return found.value_or(Whereabouts());
  };
  EXPECT_FALSE(where().ticket || where().seat);
  const std::vector<TicketId> ids = this->QueueFour();
  EXPECT_EQ(where().ticket, this->Find(ids[2]));
  const Match match = this->MakeOne();
  EXPECT_EQ(where().ticket, this->Find(ids[2])) << "matched";
  EXPECT_EQ(where().seat, std::nullopt) << "there is no table yet";
  this->Assign(match);
  EXPECT_EQ(where().ticket, std::nullopt);
  EXPECT_EQ(where().seat, (LiveSeat{player, match.id, this->Place(), 2}));
  EXPECT_THAT(this->store().FreeSeats(match.id, std::span(&player, 1)), base::IsOk());
  EXPECT_FALSE(where().ticket || where().seat);
}

TYPED_TEST_P(CompanyContract, AnOverdueTicketIsNowhere) {
  this->Queue("ann", this->kShort);
  this->Advance(this->kShort);
  const auto found = this->store().Locate(PlayerId("ann"));
  ASSERT_THAT(found, base::IsOk());
  EXPECT_EQ(found->ticket, std::nullopt);
}

// --- private rooms ---

TYPED_TEST_P(CompanyContract, ARoomIsFoundByItsCodeWithWhoIsInIt) {
  const Room room = this->SomeRoom();
  const auto taking = this->Open(room);
  ASSERT_THAT(taking, base::IsOk());
  const Ticket owner = std::get<Tickets>(*taking).front();
  EXPECT_EQ(owner.wish.pool, room.pool);
  this->Advance(Millis(1));
  ASSERT_THAT(this->Enter(room, "bob"), base::IsOk());
  Room want = room;
  want.players = {PlayerId("ann"), PlayerId("bob")};
  want.expires_at = owner.expires_at;
  EXPECT_THAT(this->store().FindRoom("012345"), base::IsOkAndHolds(want));
  EXPECT_THAT(this->store().GetRoom(room.id), base::IsOkAndHolds(want));
  EXPECT_EQ(owner.expires_at - owner.queued_at, this->kRoom);
  EXPECT_THAT(this->store().FindRoom("543210"), base::FailsWith(base::Reason::kRoomNotFound));
  EXPECT_THAT(this->store().GetRoom("none"), base::FailsWith(base::Reason::kRoomNotFound));
}

TYPED_TEST_P(CompanyContract, ACodeOpensOneRoomAtATime) {
  ASSERT_THAT(this->Open(this->SomeRoom("012345", "ann")), base::IsOk());
  const auto second = this->Open(this->SomeRoom("012345", "bob"));
  EXPECT_THAT(second, base::HasCode(absl::StatusCode::kAlreadyExists));
  EXPECT_FALSE(base::CarriedBy(second.status())) << "to be tried with another code";
  EXPECT_THAT(this->store().Locate(PlayerId("bob")),
              base::IsOkAndHolds(::testing::Field(&Whereabouts::ticket, std::nullopt)));
  this->Advance(this->kRoom);
  EXPECT_THAT(this->Open(this->SomeRoom("012345", "bob")), base::IsOk()) << "expired, swept or not";
}

TYPED_TEST_P(CompanyContract, OpeningAgainByTheSameRequestIsTheSameRoom) {
  const auto first = this->Open(this->SomeRoom("012345"));
  ASSERT_THAT(first, base::IsOk());
  Room other = this->SomeRoom("999999");
  const auto again = this->Open(other);
  ASSERT_THAT(again, base::IsOk());
  EXPECT_EQ(std::get<Tickets>(*again), std::get<Tickets>(*first));
  EXPECT_THAT(this->store().FindRoom("999999"), base::FailsWith(base::Reason::kRoomNotFound));
}

TYPED_TEST_P(CompanyContract, WhoIsQueuedOpensAndEntersNoRoom) {
  this->Queue("ann");
  Room room = this->SomeRoom();
  EXPECT_THAT(
      this->store().OpenRoom(room, TicketId("x"), this->WishIn(room, "ann", "r"), this->kRoom),
      base::FailsWith(base::Reason::kTicketExists));
  EXPECT_THAT(this->store().FindRoom(room.code), base::FailsWith(base::Reason::kRoomNotFound));
}

TYPED_TEST_P(CompanyContract, ARoomHasFourPlaces) {
  const Room room = this->SomeRoom();
  ASSERT_THAT(this->Open(room), base::IsOk());
  for (const char* player : {"bob", "cid", "dan"}) {
    ASSERT_THAT(this->Enter(room, player), base::IsOk());
    this->Advance(Millis(1));
  }
  EXPECT_THAT(this->Enter(room, "eve"), base::FailsWith(base::Reason::kRoomFull, "code"));
  EXPECT_THAT(this->store().CancelTicket(TicketId("ticket-request-cid")), base::IsOk());
  EXPECT_THAT(this->Enter(room, "eve"), base::IsOk()) << "somebody left";
  EXPECT_THAT(this->store().FullPools(), base::IsOkAndHolds(::testing::ElementsAre(room.pool)));
}

TYPED_TEST_P(CompanyContract, ARoomClosesWhenItsFourAreSeated) {
  const Room room = this->SomeRoom();
  ASSERT_THAT(this->Open(room), base::IsOk());
  for (const char* player : {"bob", "cid", "dan"}) {
    ASSERT_THAT(this->Enter(room, player), base::IsOk());
  }
  const auto made = this->store().MakeMatches(room.pool, {}, [](auto, auto) {
    return std::vector<NewMatch>{{MatchId("m"), {0, 1, 2, 3}, {}, "media-room"}};
  });
  ASSERT_THAT(made, base::IsOkAndHolds(::testing::SizeIs(1)));
  EXPECT_THAT(this->Enter(room, "eve"), base::FailsWith(base::Reason::kRoomFull))
      << "matched, but it may come to nothing";
  this->Assign(made->front());
  EXPECT_THAT(this->store().FindRoom(room.code), base::FailsWith(base::Reason::kRoomNotFound));
  EXPECT_THAT(this->Enter(room, "eve"), base::FailsWith(base::Reason::kRoomNotFound, "code"));
  const auto again = this->Enter(room, "bob");
  ASSERT_THAT(again, base::IsOk()) << "the same request, answered as ever";
  EXPECT_EQ(std::get<Tickets>(*again).front().state, TicketState::kAssigned);
}

TYPED_TEST_P(CompanyContract, AnExpiredRoomIsEnteredByNobody) {
  const Room room = this->SomeRoom();
  ASSERT_THAT(this->Open(room, this->kShort), base::IsOk());
  ASSERT_THAT(this->Enter(room, "bob"), base::IsOk());
  this->Advance(this->kShort);
  EXPECT_THAT(this->Enter(room, "cid"), base::FailsWith(base::Reason::kRoomNotFound, "code"));
  EXPECT_EQ(this->Find(TicketId("ticket-request-bob")).state, TicketState::kExpired)
      << "though tickets live longer elsewhere";
  EXPECT_THAT(this->store().CloseExpiredRooms(10), base::IsOkAndHolds(1u));
  EXPECT_THAT(this->store().CloseExpiredRooms(10), base::IsOkAndHolds(0u));
}

TYPED_TEST_P(CompanyContract, OneDeviceOrNetworkIsInAStakedRoomOnce) {
  const Room room = this->SomeRoom();
  Wish owner = this->WishIn(room, "ann");
  owner.client = {"phone", "203.0.113.7", {}};
  ASSERT_THAT(this->store().OpenRoom(room, TicketId("a"), owner, this->kRoom), base::IsOk());
  Wish other = this->WishIn(room, "bob");
  other.client = {"phone", "203.0.113.7", {}};
  const auto device = this->Take(other);
  EXPECT_THAT(device, base::FailsWith(base::Reason::kSharedDevice, "client.device_id"));
  EXPECT_EQ(base::CarriedBy(device.status())->details.metadata.at("player_id"), "ann");
  other.client.device = "tablet";
  EXPECT_THAT(this->Take(other),
              base::FailsWith(base::Reason::kSharedNetwork, "client.network_address"));
  other.client.network = "203.0.113.8";
  EXPECT_THAT(this->Take(other), base::IsOk());
}

// Bots have the seats of those who are missing.
TYPED_TEST_P(CompanyContract, AMatchMayHaveFewerMembersThanSeats) {
  using matching::Bots;
  Wish wish = this->WishOf("ann");
  wish.pool.currency = "PRACTICE";
  wish.bots = Bots::kAtOnce;
  wish.bot_strength = matching::BotStrength::kStrong;
  const matching::Pool pool = wish.pool;
  Wish other = this->WishOf("bob");
  other.pool = pool;
  ASSERT_THAT(this->Take(other), base::IsOk());
  EXPECT_THAT(this->store().FullPools(), base::IsOkAndHolds(::testing::IsEmpty()));
  const auto taking = this->Take(wish);
  ASSERT_THAT(taking, base::IsOk());
  const TicketId id = std::get<Tickets>(*taking).front().id;
  EXPECT_EQ(this->Find(id).wish, wish);
  EXPECT_THAT(this->store().FullPools(), base::IsOkAndHolds(::testing::ElementsAre(pool)));

  const auto made = this->store().MakeMatches(pool, {.lease = this->kLease},
                                              [](std::span<const matching::Ticket> tickets, auto) {
                                                std::vector<NewMatch> matches;
                                                for (std::size_t i = 0; i < tickets.size(); ++i) {
                                                  if (tickets[i].bots != Bots::kAtOnce) continue;
                                                  NewMatch match{MatchId("m"), {i}};
                                                  match.bot_strength = tickets[i].bot_strength;
                                                  matches.push_back(match);
                                                }
                                                return matches;
                                              });
  ASSERT_THAT(made, base::IsOkAndHolds(::testing::SizeIs(1)));
  EXPECT_THAT(made->front().members, ::testing::ElementsAre(Member{id, PlayerId("ann")}));
  EXPECT_EQ(made->front().bot_strength, matching::BotStrength::kStrong);
  this->Advance(this->kLease);
  const auto due = this->store().ClaimDueMatches(10, this->kLease);
  ASSERT_THAT(due, base::IsOkAndHolds(::testing::SizeIs(1)));
  EXPECT_EQ(due->front().members, made->front().members);
  EXPECT_EQ(due->front().bot_strength, matching::BotStrength::kStrong);
  EXPECT_EQ(this->Assign(due->front()), Assigned::kDone);
  EXPECT_EQ(this->Find(id).assignment->seat, 0);
  EXPECT_EQ(this->Find(TicketId("ticket-request-bob")).state, TicketState::kQueued);
}

REGISTER_TYPED_TEST_SUITE_P(
    CompanyContract, AMatchMayHaveFewerMembersThanSeats, FriendsHaveATicketEachAndKnowOfEachOther,
    ARequestIsForTheSameFriendsInTheSameOrder, OneFriendWhoIsQueuedKeepsAllOut,
    OneFriendWhoIsSeatedKeepsAllOut, MatchingSeesWhoBelongsTogether,
    MatchingSeesWhatWasToldOfAPlayer, CancellingOneTakesAllFriendsOut,
    IfOneCannotBeSeatedTheFriendsFailTooTheOthersAreBack,
    AnAbandonedMatchIsNotAssignedWithoutAParty, PoolsDifferInMediaToo,
    SeveralMatchesAreAssignedAtOnceEachForItself, WhoWasSeatedTogetherHasMetForAWhile,
    AMatchWithoutATableIsNoMeeting, WaitsAreThoseOfThePoolsLastMatches,
    APlayerIsLocatedFromTheQueueToTheTable, AnOverdueTicketIsNowhere,
    ARoomIsFoundByItsCodeWithWhoIsInIt, ACodeOpensOneRoomAtATime,
    OpeningAgainByTheSameRequestIsTheSameRoom, WhoIsQueuedOpensAndEntersNoRoom, ARoomHasFourPlaces,
    ARoomClosesWhenItsFourAreSeated, AnExpiredRoomIsEnteredByNobody,
    OneDeviceOrNetworkIsInAStakedRoomOnce);

}  // namespace mj::matchmaking
