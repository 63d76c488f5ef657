-- migrate:up
CREATE SCHEMA matchmaking;
COMMENT ON SCHEMA matchmaking IS
  'Who waits for a game, who was matched with whom, and who is held to sit at a table. The matchmaking service keeps nothing of this in memory.';

CREATE TABLE matchmaking.tickets (
  id             text        PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  request_id     text        NOT NULL CHECK (request_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  player_id      text        NOT NULL CHECK (player_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  variant        text        NOT NULL CHECK (variant <> ''),
  options        jsonb       NOT NULL CHECK (jsonb_typeof(options) = 'object'),
  base           bigint      NOT NULL CHECK (base BETWEEN 1 AND 10000),
  currency       text        NOT NULL CHECK (currency IN ('COIN', 'PRACTICE')),
  asked_base     bigint      NOT NULL CHECK (asked_base BETWEEN 0 AND 10000),
  state          text        NOT NULL DEFAULT 'queued'
                 CHECK (state IN ('queued', 'matched', 'assigned', 'cancelled', 'expired', 'failed')),
  match_id       text,
  failure_reason text,
  queued_at      timestamptz NOT NULL DEFAULT now(),
  expires_at     timestamptz NOT NULL,
  changed_at     timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT tickets_request_id_key UNIQUE (request_id),
  CONSTRAINT tickets_match_set CHECK ((state IN ('matched', 'assigned')) = (match_id IS NOT NULL)),
  CONSTRAINT tickets_failure_set CHECK ((state = 'failed') = (failure_reason IS NOT NULL)),
  CONSTRAINT tickets_expire_later CHECK (expires_at > queued_at)
);
CREATE UNIQUE INDEX tickets_live_player_key ON matchmaking.tickets (player_id)
  WHERE state IN ('queued', 'matched');
CREATE INDEX tickets_pool_key ON matchmaking.tickets (variant, base, currency, options, queued_at, id)
  WHERE state = 'queued';
CREATE INDEX tickets_expiry_key ON matchmaking.tickets (expires_at) WHERE state = 'queued';
CREATE INDEX tickets_match_key ON matchmaking.tickets (match_id) WHERE match_id IS NOT NULL;

COMMENT ON TABLE matchmaking.tickets IS
  'A player''s wish to play. Final states (assigned, cancelled, expired, failed) never change again.';
COMMENT ON COLUMN matchmaking.tickets.id IS 'The ticket''s id: UUIDv7 as text.';
COMMENT ON COLUMN matchmaking.tickets.request_id IS
  'The caller''s id of the request that took it. The same request never takes a second ticket.';
COMMENT ON COLUMN matchmaking.tickets.player_id IS 'The player: the id of its wallet account.';
COMMENT ON COLUMN matchmaking.tickets.variant IS 'The game''s id. An open set: checked by the service against its registry, not here.';
COMMENT ON COLUMN matchmaking.tickets.options IS
  'The game''s options that differ from its defaults: name to value, both text. Only alike ones are matched.';
COMMENT ON COLUMN matchmaking.tickets.base IS 'Base stake in coins of the tier in which it is queued.';
COMMENT ON COLUMN matchmaking.tickets.currency IS 'What is played for.';
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
COMMENT ON CONSTRAINT tickets_request_id_key ON matchmaking.tickets IS 'A request takes one ticket.';
COMMENT ON INDEX matchmaking.tickets_live_player_key IS 'A player has one live ticket.';
COMMENT ON INDEX matchmaking.tickets_pool_key IS 'The queue of each pool, oldest first.';
COMMENT ON INDEX matchmaking.tickets_expiry_key IS 'Whose time runs out next.';
COMMENT ON INDEX matchmaking.tickets_match_key IS 'The tickets of a match.';

CREATE TABLE matchmaking.matches (
  id              text        PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  variant         text        NOT NULL CHECK (variant <> ''),
  options         jsonb       NOT NULL CHECK (jsonb_typeof(options) = 'object'),
  base            bigint      NOT NULL CHECK (base BETWEEN 1 AND 10000),
  currency        text        NOT NULL CHECK (currency IN ('COIN', 'PRACTICE')),
  state           text        NOT NULL DEFAULT 'proposed'
                  CHECK (state IN ('proposed', 'assigned', 'abandoned', 'released')),
  table_id        text        CHECK (table_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  table_address   text        CHECK (table_address <> ''),
  attempts        integer     NOT NULL DEFAULT 1 CHECK (attempts > 0),
  next_attempt_at timestamptz NOT NULL,
  last_reason     text,
  made_at         timestamptz NOT NULL DEFAULT now(),
  changed_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT matches_table_set CHECK
    ((state = 'assigned') = (table_id IS NOT NULL) AND (table_id IS NULL) = (table_address IS NULL))
);
CREATE INDEX matches_due_key ON matchmaking.matches (next_attempt_at)
  WHERE state IN ('proposed', 'abandoned');
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

CREATE TABLE matchmaking.match_members (
  match_id    text        NOT NULL REFERENCES matchmaking.matches (id),
  seat        smallint    NOT NULL CHECK (seat BETWEEN 0 AND 3),
  ticket_id   text        NOT NULL REFERENCES matchmaking.tickets (id),
  player_id   text        NOT NULL CHECK (player_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  released_at timestamptz,
  PRIMARY KEY (match_id, seat),
  CONSTRAINT match_members_player_key UNIQUE (match_id, player_id)
);
CREATE UNIQUE INDEX match_members_ticket_key ON matchmaking.match_members (ticket_id)
  WHERE released_at IS NULL;

COMMENT ON TABLE matchmaking.match_members IS 'Who is in a match, by seat.';
COMMENT ON COLUMN matchmaking.match_members.match_id IS 'The match.';
COMMENT ON COLUMN matchmaking.match_members.seat IS 'Place 0 to 3 at the table; 0 waited longest.';
COMMENT ON COLUMN matchmaking.match_members.ticket_id IS 'The ticket by which the player came.';
COMMENT ON COLUMN matchmaking.match_members.player_id IS 'The player, as in the ticket.';
COMMENT ON COLUMN matchmaking.match_members.released_at IS
  'When the match was released without a table, by the database''s clock; the ticket may then be in another one.';
COMMENT ON CONSTRAINT match_members_player_key ON matchmaking.match_members IS 'Nobody plays with themselves.';
COMMENT ON INDEX matchmaking.match_members_ticket_key IS 'A ticket is in one match at a time.';

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
  FOR EACH ROW WHEN (ROW (OLD.id, OLD.request_id, OLD.player_id, OLD.variant, OLD.options, OLD.base, OLD.currency, OLD.asked_base, OLD.queued_at)
         IS DISTINCT FROM ROW (NEW.id, NEW.request_id, NEW.player_id, NEW.variant, NEW.options, NEW.base, NEW.currency, NEW.asked_base, NEW.queued_at))
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
