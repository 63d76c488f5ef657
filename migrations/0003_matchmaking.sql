-- migrate:up
CREATE SCHEMA matchmaking;
COMMENT ON SCHEMA matchmaking IS
  'Who waits for a game, who was matched with whom, and who is held to sit at a table. The matchmaking service keeps nothing of this in memory.';

CREATE TABLE matchmaking.rooms (
  id         text        PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  code       text        NOT NULL CHECK (code ~ '^[0-9]{6}$'),
  owner_id   text        NOT NULL CHECK (owner_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  variant    text        NOT NULL CHECK (variant <> ''),
  options    jsonb       NOT NULL CHECK (jsonb_typeof(options) = 'object'),
  base       bigint      NOT NULL CHECK (base BETWEEN 1 AND 10000),
  currency   text        NOT NULL CHECK (currency IN ('COIN', 'PRACTICE')),
  media      text        NOT NULL CHECK (media IN ('none', 'video')),
  opened_at  timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  closed_at  timestamptz,
  CONSTRAINT rooms_expire_later CHECK (expires_at > opened_at)
);
CREATE UNIQUE INDEX rooms_open_code_key ON matchmaking.rooms (code) WHERE closed_at IS NULL;

COMMENT ON TABLE matchmaking.rooms IS
  'Private rooms: four who know the code play together. Who is in one has a ticket in its pool.';
COMMENT ON COLUMN matchmaking.rooms.id IS 'The room''s id: UUIDv7 as text. Tickets name it as their pool''s room.';
COMMENT ON COLUMN matchmaking.rooms.code IS 'Six digits by which friends find it. Another room may have it once this one is closed.';
COMMENT ON COLUMN matchmaking.rooms.owner_id IS 'The player who opened it.';
COMMENT ON COLUMN matchmaking.rooms.variant IS 'The game, as in tickets.';
COMMENT ON COLUMN matchmaking.rooms.options IS 'The options, as in tickets.';
COMMENT ON COLUMN matchmaking.rooms.base IS 'Base stake in coins, as in tickets.';
COMMENT ON COLUMN matchmaking.rooms.currency IS 'What is played for.';
COMMENT ON COLUMN matchmaking.rooms.media IS 'As in tickets.';
COMMENT ON COLUMN matchmaking.rooms.opened_at IS 'When it was opened, by the database''s clock.';
COMMENT ON COLUMN matchmaking.rooms.expires_at IS 'From when on nobody can enter, by the database''s clock; its tickets expire with it.';
COMMENT ON COLUMN matchmaking.rooms.closed_at IS 'When its four were seated, or it was found to have expired.';
COMMENT ON INDEX matchmaking.rooms_open_code_key IS 'A code opens one room.';

CREATE TABLE matchmaking.tickets (
  id             text        PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  request_id     text        NOT NULL CHECK (request_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  place          smallint    NOT NULL DEFAULT 0,
  party_id       text        CHECK (party_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  party_size     smallint    NOT NULL DEFAULT 1 CHECK (party_size BETWEEN 1 AND 4),
  player_id      text        NOT NULL CHECK (player_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  variant        text        NOT NULL CHECK (variant <> ''),
  options        jsonb       NOT NULL CHECK (jsonb_typeof(options) = 'object'),
  base           bigint      NOT NULL CHECK (base BETWEEN 1 AND 10000),
  currency       text        NOT NULL CHECK (currency IN ('COIN', 'PRACTICE')),
  media          text        NOT NULL DEFAULT 'none' CHECK (media IN ('none', 'video')),
  room_id        text        NOT NULL DEFAULT '',
  asked_base     bigint      NOT NULL CHECK (asked_base BETWEEN 0 AND 10000),
  asked_room     text        NOT NULL DEFAULT '',
  device_id      text        NOT NULL DEFAULT '',
  network        text        NOT NULL DEFAULT '',
  latency        jsonb       NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(latency) = 'object'),
  avoid          text[]      NOT NULL DEFAULT '{}' CHECK (cardinality(avoid) <= 100),
  rating         bigint      NOT NULL DEFAULT 25000000,
  state          text        NOT NULL DEFAULT 'queued'
                 CHECK (state IN ('queued', 'matched', 'assigned', 'cancelled', 'expired', 'failed')),
  match_id       text,
  failure_reason text,
  queued_at      timestamptz NOT NULL DEFAULT now(),
  expires_at     timestamptz NOT NULL,
  changed_at     timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT tickets_request_id_key UNIQUE (request_id, place),
  CONSTRAINT tickets_party_set CHECK
    ((party_id IS NULL) = (party_size = 1) AND place >= 0 AND place < party_size),
  CONSTRAINT tickets_room_set CHECK ((room_id = '') = (asked_room = '')),
  CONSTRAINT tickets_match_set CHECK ((state IN ('matched', 'assigned')) = (match_id IS NOT NULL)),
  CONSTRAINT tickets_failure_set CHECK ((state = 'failed') = (failure_reason IS NOT NULL)),
  CONSTRAINT tickets_expire_later CHECK (expires_at > queued_at)
);
CREATE UNIQUE INDEX tickets_live_player_key ON matchmaking.tickets (player_id)
  WHERE state IN ('queued', 'matched');
CREATE INDEX tickets_pool_key ON matchmaking.tickets
  (variant, base, currency, media, room_id, options, queued_at, id)
  WHERE state = 'queued';
CREATE INDEX tickets_expiry_key ON matchmaking.tickets (expires_at) WHERE state = 'queued';
CREATE INDEX tickets_party_key ON matchmaking.tickets (party_id) WHERE party_id IS NOT NULL;
CREATE INDEX tickets_match_key ON matchmaking.tickets (match_id) WHERE match_id IS NOT NULL;

COMMENT ON TABLE matchmaking.tickets IS
  'A player''s wish to play. Final states (assigned, cancelled, expired, failed) never change again.';
COMMENT ON COLUMN matchmaking.tickets.id IS 'The ticket''s id: UUIDv7 as text.';
COMMENT ON COLUMN matchmaking.tickets.request_id IS
  'The caller''s id of the request that took it. The same request never takes a second ticket.';
COMMENT ON COLUMN matchmaking.tickets.place IS 'The player''s place in the request: 0 asked, 1 to 3 are the friends. Each has a ticket of its own.';
COMMENT ON COLUMN matchmaking.tickets.party_id IS
  'For friends who are to sit at one table: the id of the ticket of place 0. Matched, cancelled and failed together. NULL: alone.';
COMMENT ON COLUMN matchmaking.tickets.party_size IS 'How many they are, 1 to 4.';
COMMENT ON COLUMN matchmaking.tickets.player_id IS 'The player: the id of its wallet account.';
COMMENT ON COLUMN matchmaking.tickets.variant IS 'The game''s id. An open set: checked by the service against its registry, not here.';
COMMENT ON COLUMN matchmaking.tickets.options IS
  'The game''s options that differ from its defaults: name to value, both text. Only alike ones are matched.';
COMMENT ON COLUMN matchmaking.tickets.base IS 'Base stake in coins of the tier in which it is queued.';
COMMENT ON COLUMN matchmaking.tickets.currency IS 'What is played for.';
COMMENT ON COLUMN matchmaking.tickets.media IS 'none or video: whether players see each other. Only alike ones are matched.';
COMMENT ON COLUMN matchmaking.tickets.room_id IS 'The private room in which the player waits; empty: open to everybody.';
COMMENT ON COLUMN matchmaking.tickets.asked_room IS 'new: the request opened the room; six digits: it entered by this code; empty: neither.';
COMMENT ON COLUMN matchmaking.tickets.device_id IS 'The device, as the backend knows it; empty: not told. Two of one device never share a staked table.';
COMMENT ON COLUMN matchmaking.tickets.network IS
  'The part of the network address that is compared: all of IPv4, the first 64 bits of IPv6; empty: not told. As for the device.';
COMMENT ON COLUMN matchmaking.tickets.latency IS 'Region to milliseconds; {}: plays anywhere.';
COMMENT ON COLUMN matchmaking.tickets.avoid IS 'Players with whom this one is not to be seated.';
COMMENT ON COLUMN matchmaking.tickets.rating IS 'The mean of the player''s rating in this game when the ticket was taken, in millionths.';
COMMENT ON COLUMN matchmaking.tickets.asked_base IS
  'The base that the request asked for; 0 when it left the choice to the player''s tier. Tells a repeated request from another one.';
COMMENT ON COLUMN matchmaking.tickets.state IS
  'queued: waits; matched: in a match whose table is being made; assigned: seated; cancelled: taken back; expired: waited too long; failed: cannot be seated. A queued ticket past expires_at counts as expired, swept or not.';
COMMENT ON COLUMN matchmaking.tickets.match_id IS 'The match that it is in, while matched and once assigned.';
COMMENT ON COLUMN matchmaking.tickets.failure_reason IS 'Why it failed: a reason of ErrorInfo.';
COMMENT ON COLUMN matchmaking.tickets.queued_at IS
  'When it was taken, by the database''s clock. Never changes: a ticket that comes back from a failed match has lost no waiting time.';
COMMENT ON COLUMN matchmaking.tickets.expires_at IS 'From when on it is not matched any more, by the database''s clock.';
COMMENT ON COLUMN matchmaking.tickets.changed_at IS 'When the state last changed, by the database''s clock.';
COMMENT ON CONSTRAINT tickets_request_id_key ON matchmaking.tickets IS 'A request takes one ticket for each of its players.';
COMMENT ON INDEX matchmaking.tickets_live_player_key IS 'A player has one live ticket.';
COMMENT ON INDEX matchmaking.tickets_pool_key IS 'The queue of each pool, oldest first.';
COMMENT ON INDEX matchmaking.tickets_expiry_key IS 'Whose time runs out next.';
COMMENT ON INDEX matchmaking.tickets_party_key IS 'The tickets of a party.';
COMMENT ON INDEX matchmaking.tickets_match_key IS 'The tickets of a match.';

CREATE TABLE matchmaking.matches (
  id              text        PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  variant         text        NOT NULL CHECK (variant <> ''),
  options         jsonb       NOT NULL CHECK (jsonb_typeof(options) = 'object'),
  base            bigint      NOT NULL CHECK (base BETWEEN 1 AND 10000),
  currency        text        NOT NULL CHECK (currency IN ('COIN', 'PRACTICE')),
  media           text        NOT NULL DEFAULT 'none' CHECK (media IN ('none', 'video')),
  media_room_id   text        CHECK (media_room_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  room_id         text        NOT NULL DEFAULT '',
  region          text        NOT NULL DEFAULT '',
  latency_ms      integer     NOT NULL DEFAULT 0,
  rating_apart    bigint      NOT NULL DEFAULT 0,
  rating_window   bigint,
  parties         smallint    NOT NULL DEFAULT 4 CHECK (parties BETWEEN 1 AND 4),
  met_again       smallint    NOT NULL DEFAULT 0,
  state           text        NOT NULL DEFAULT 'proposed'
                  CHECK (state IN ('proposed', 'assigned', 'abandoned', 'released')),
  table_id        text        CHECK (table_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  table_address   text        CHECK (table_address <> ''),
  attempts        integer     NOT NULL DEFAULT 1 CHECK (attempts > 0),
  next_attempt_at timestamptz NOT NULL,
  last_reason     text,
  made_at         timestamptz NOT NULL DEFAULT now(),
  changed_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT matches_media_set CHECK ((media = 'video') = (media_room_id IS NOT NULL)),
  CONSTRAINT matches_table_set CHECK
    ((state = 'assigned') = (table_id IS NOT NULL) AND (table_id IS NULL) = (table_address IS NULL))
);
CREATE INDEX matches_due_key ON matchmaking.matches (next_attempt_at)
  WHERE state IN ('proposed', 'abandoned');
CREATE INDEX matches_waits_key ON matchmaking.matches
  (variant, base, currency, media, room_id, options, changed_at) WHERE state = 'assigned';
ALTER TABLE matchmaking.tickets ADD CONSTRAINT tickets_match_fkey
  FOREIGN KEY (match_id) REFERENCES matchmaking.matches (id);

COMMENT ON TABLE matchmaking.matches IS
  'Four tickets that were put together, and how far their table has come. Whichever replica finds an unfinished one that is due goes on with it.';
COMMENT ON COLUMN matchmaking.matches.id IS
  'The match''s id: UUIDv7 as text. The table service makes at most one table for it.';
COMMENT ON COLUMN matchmaking.matches.variant IS 'The game, as in its tickets.';
COMMENT ON COLUMN matchmaking.matches.options IS 'The options, as in its tickets.';
COMMENT ON COLUMN matchmaking.matches.base IS 'Base stake in coins, as in its tickets.';
COMMENT ON COLUMN matchmaking.matches.currency IS 'What is played for, as in its tickets.';
COMMENT ON COLUMN matchmaking.matches.media IS 'As in its tickets.';
COMMENT ON COLUMN matchmaking.matches.media_room_id IS 'With video: the id under which the client''s provider opens a room for the four. Nothing else is known of it here.';
COMMENT ON COLUMN matchmaking.matches.room_id IS 'The private room, as in its tickets.';
COMMENT ON COLUMN matchmaking.matches.region IS 'Why these four: where they play; empty: nobody named a region.';
COMMENT ON COLUMN matchmaking.matches.latency_ms IS 'Why these four: the longest way to that region.';
COMMENT ON COLUMN matchmaking.matches.rating_apart IS 'Why these four: between the highest and the lowest rating, a party counting by its mean, in millionths.';
COMMENT ON COLUMN matchmaking.matches.rating_window IS 'Why these four: how far apart they were allowed to be then; NULL: as far as may be.';
COMMENT ON COLUMN matchmaking.matches.parties IS 'Why these four: how many of them came separately, 1 to 4.';
COMMENT ON COLUMN matchmaking.matches.met_again IS 'Why these four: pairs who had met not long before.';
COMMENT ON COLUMN matchmaking.matches.state IS
  'proposed: the table is being made; assigned: it stands and the tickets know it; abandoned: the tickets are back in the pool, but a table may have been made, so its players are matched with nobody else yet; released: over, there is no table.';
COMMENT ON COLUMN matchmaking.matches.table_id IS 'The table, once assigned.';
COMMENT ON COLUMN matchmaking.matches.table_address IS 'host:port of the process that held the table when it was assigned.';
COMMENT ON COLUMN matchmaking.matches.attempts IS 'How often a replica has set out to make the table.';
COMMENT ON COLUMN matchmaking.matches.next_attempt_at IS
  'From when on any replica may go on with it, by the database''s clock: until then the one that took it is at it.';
COMMENT ON COLUMN matchmaking.matches.last_reason IS 'Why the last attempt came to nothing: a reason of ErrorInfo, or a status.';
COMMENT ON COLUMN matchmaking.matches.made_at IS 'When the four were put together, by the database''s clock.';
COMMENT ON COLUMN matchmaking.matches.changed_at IS 'When the state last changed, by the database''s clock.';
COMMENT ON INDEX matchmaking.matches_due_key IS 'The unfinished matches by when they are due.';
COMMENT ON INDEX matchmaking.matches_waits_key IS 'How long was waited in a pool lately.';

CREATE TABLE matchmaking.match_members (
  match_id    text        NOT NULL REFERENCES matchmaking.matches (id),
  seat        smallint    NOT NULL CHECK (seat BETWEEN 0 AND 3),
  ticket_id   text        NOT NULL REFERENCES matchmaking.tickets (id),
  player_id   text        NOT NULL CHECK (player_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  released_at timestamptz,
  seated_at   timestamptz,
  PRIMARY KEY (match_id, seat),
  CONSTRAINT match_members_player_key UNIQUE (match_id, player_id)
);
CREATE UNIQUE INDEX match_members_ticket_key ON matchmaking.match_members (ticket_id)
  WHERE released_at IS NULL;
CREATE INDEX match_members_met_key ON matchmaking.match_members (player_id, seated_at)
  WHERE seated_at IS NOT NULL;

COMMENT ON TABLE matchmaking.match_members IS 'Who is in a match, by seat.';
COMMENT ON COLUMN matchmaking.match_members.match_id IS 'The match.';
COMMENT ON COLUMN matchmaking.match_members.seat IS 'Place 0 to 3 at the table; 0 waited longest.';
COMMENT ON COLUMN matchmaking.match_members.ticket_id IS 'The ticket by which the player came.';
COMMENT ON COLUMN matchmaking.match_members.player_id IS 'The player, as in the ticket.';
COMMENT ON COLUMN matchmaking.match_members.released_at IS
  'When the match was released without a table, by the database''s clock; the ticket may then be in another one.';
COMMENT ON COLUMN matchmaking.match_members.seated_at IS
  'When the match was assigned its table, by the database''s clock: who was seated together has met.';
COMMENT ON CONSTRAINT match_members_player_key ON matchmaking.match_members IS 'Nobody plays with themselves.';
COMMENT ON INDEX matchmaking.match_members_ticket_key IS 'A ticket is in one match at a time.';
COMMENT ON INDEX matchmaking.match_members_met_key IS 'Whom a player has met lately.';

CREATE TABLE matchmaking.live_seats (
  player_id   text        PRIMARY KEY,
  match_id    text        NOT NULL,
  seat        smallint    NOT NULL,
  taken_at    timestamptz NOT NULL DEFAULT now(),
  check_after timestamptz NOT NULL DEFAULT 'infinity',
  CONSTRAINT live_seats_place_key UNIQUE (match_id, seat),
  FOREIGN KEY (match_id, seat) REFERENCES matchmaking.match_members (match_id, seat)
);
CREATE INDEX live_seats_check_key ON matchmaking.live_seats (check_after);

COMMENT ON TABLE matchmaking.live_seats IS
  'Who sits, or may be about to sit, at a table through a match. The primary key is what keeps anybody from being seated twice. A row goes when its match is released, or when the table no longer has the player.';
COMMENT ON COLUMN matchmaking.live_seats.player_id IS 'The player.';
COMMENT ON COLUMN matchmaking.live_seats.match_id IS 'The match that seated the player.';
COMMENT ON COLUMN matchmaking.live_seats.seat IS 'The place in that match, 0 to 3.';
COMMENT ON COLUMN matchmaking.live_seats.taken_at IS 'When the player was matched, by the database''s clock.';
COMMENT ON COLUMN matchmaking.live_seats.check_after IS
  'From when on the table is to be asked whether the player still sits there, by the database''s clock; infinity while there is no table yet.';
COMMENT ON CONSTRAINT live_seats_place_key ON matchmaking.live_seats IS 'A place is held for one player.';
COMMENT ON INDEX matchmaking.live_seats_check_key IS 'Whose table is to be asked next.';

CREATE TABLE matchmaking.ratings (
  player_id  text        NOT NULL CHECK (player_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  variant    text        NOT NULL CHECK (variant <> ''),
  mean       bigint      NOT NULL CHECK (mean BETWEEN -1000000000 AND 1000000000),
  spread     bigint      NOT NULL CHECK (spread BETWEEN 1 AND 25000000),
  rounds     bigint      NOT NULL CHECK (rounds > 0),
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (player_id, variant)
);
COMMENT ON TABLE matchmaking.ratings IS
  'How good players probably are, by game. Who has no row is a newcomer: mean 25000000, spread 8333333.';
COMMENT ON COLUMN matchmaking.ratings.player_id IS 'The player.';
COMMENT ON COLUMN matchmaking.ratings.variant IS 'The game.';
COMMENT ON COLUMN matchmaking.ratings.mean IS 'The mean of the belief in the player''s skill, in millionths.';
COMMENT ON COLUMN matchmaking.ratings.spread IS 'Its standard deviation, in millionths.';
COMMENT ON COLUMN matchmaking.ratings.rounds IS 'How many rounds have gone into it.';
COMMENT ON COLUMN matchmaking.ratings.changed_at IS 'When it last changed, by the database''s clock.';

CREATE TABLE matchmaking.rated_rounds (
  round_id text        PRIMARY KEY CHECK (round_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  variant  text        NOT NULL CHECK (variant <> ''),
  rated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE matchmaking.rated_rounds IS
  'The rounds that have gone into ratings. The primary key is what keeps a round from counting twice.';
COMMENT ON COLUMN matchmaking.rated_rounds.round_id IS 'The round.';
COMMENT ON COLUMN matchmaking.rated_rounds.variant IS 'The game.';
COMMENT ON COLUMN matchmaking.rated_rounds.rated_at IS 'When it was counted, by the database''s clock.';

CREATE TABLE matchmaking.rating_changes (
  round_id      text   NOT NULL REFERENCES matchmaking.rated_rounds (round_id),
  player_id     text   NOT NULL CHECK (player_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  coins         bigint NOT NULL,
  mean_before   bigint NOT NULL,
  spread_before bigint NOT NULL,
  mean_after    bigint NOT NULL,
  spread_after  bigint NOT NULL,
  PRIMARY KEY (round_id, player_id)
);
COMMENT ON TABLE matchmaking.rating_changes IS 'What each counted round changed, so that every rating can be followed back.';
COMMENT ON COLUMN matchmaking.rating_changes.round_id IS 'The round.';
COMMENT ON COLUMN matchmaking.rating_changes.player_id IS 'The player.';
COMMENT ON COLUMN matchmaking.rating_changes.coins IS 'What the player won (or lost: negative). Only the order within the round counts.';
COMMENT ON COLUMN matchmaking.rating_changes.mean_before IS 'The mean before the round, in millionths.';
COMMENT ON COLUMN matchmaking.rating_changes.spread_before IS 'The spread before the round, in millionths.';
COMMENT ON COLUMN matchmaking.rating_changes.mean_after IS 'The mean after the round, in millionths.';
COMMENT ON COLUMN matchmaking.rating_changes.spread_after IS 'The spread after the round, in millionths.';

CREATE FUNCTION matchmaking.option_lines(options jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(string_agg(o.key || '=' || o.value, E'\n' ORDER BY o.key), '')
    FROM jsonb_each_text(options) o
$$;
COMMENT ON FUNCTION matchmaking.option_lines(jsonb) IS
  'Options as lines "name=value", sorted by name. Neither holds an equals sign or a line break: both come from the games'' own tables.';

-- What the service never does, the database does not allow it to do.
CREATE FUNCTION matchmaking.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% %: % refused', TG_TABLE_NAME, OLD.id, TG_NAME
    USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END
$$;
COMMENT ON FUNCTION matchmaking.refuse_change() IS 'Trigger: refuses the row that it is asked about.';

CREATE TRIGGER tickets_final BEFORE UPDATE ON matchmaking.tickets
  FOR EACH ROW WHEN (OLD.state IN ('assigned', 'cancelled', 'expired', 'failed'))
  EXECUTE FUNCTION matchmaking.refuse_change();
COMMENT ON TRIGGER tickets_final ON matchmaking.tickets IS 'A ticket that is no longer live never changes.';

CREATE TRIGGER tickets_content BEFORE UPDATE ON matchmaking.tickets
  FOR EACH ROW WHEN (ROW (OLD.id, OLD.request_id, OLD.place, OLD.party_id, OLD.party_size,
                          OLD.player_id, OLD.variant, OLD.options, OLD.base, OLD.currency, OLD.media,
                          OLD.room_id, OLD.asked_base, OLD.asked_room, OLD.device_id, OLD.network,
                          OLD.latency, OLD.avoid, OLD.rating, OLD.queued_at)
    IS DISTINCT FROM ROW (NEW.id, NEW.request_id, NEW.place, NEW.party_id, NEW.party_size,
                          NEW.player_id, NEW.variant, NEW.options, NEW.base, NEW.currency, NEW.media,
                          NEW.room_id, NEW.asked_base, NEW.asked_room, NEW.device_id, NEW.network,
                          NEW.latency, NEW.avoid, NEW.rating, NEW.queued_at))
  EXECUTE FUNCTION matchmaking.refuse_change();
COMMENT ON TRIGGER tickets_content ON matchmaking.tickets IS
  'What a ticket asks for, and since when, stays as it was taken: waiting time is never lost.';

CREATE TRIGGER matches_final BEFORE UPDATE ON matchmaking.matches
  FOR EACH ROW WHEN (OLD.state IN ('assigned', 'released'))
  EXECUTE FUNCTION matchmaking.refuse_change();
COMMENT ON TRIGGER matches_final ON matchmaking.matches IS
  'A match that was assigned or released stays so: of two replicas that finish it, one does.';

-- migrate:down
DROP SCHEMA matchmaking CASCADE;
