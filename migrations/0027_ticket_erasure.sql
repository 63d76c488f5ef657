-- What a ticket tells of a person goes when it is of no use any more; that an operator has asked for it is
-- written down.

-- migrate:up

CREATE FUNCTION matchmaking.is_erasure(before matchmaking.tickets, after matchmaking.tickets)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  before.device_id := '';
  before.network := '';
  before.latency := '{}';
  before.avoid := '{}';
  RETURN before IS NOT DISTINCT FROM after;
END
$$;
COMMENT ON FUNCTION matchmaking.is_erasure(matchmaking.tickets, matchmaking.tickets) IS
  'Whether nothing of a ticket is changed but that it tells nothing of a person any more.';

DROP TRIGGER tickets_final ON matchmaking.tickets;
CREATE TRIGGER tickets_final BEFORE UPDATE ON matchmaking.tickets
  FOR EACH ROW WHEN (OLD.state IN ('assigned', 'cancelled', 'expired', 'failed')
                     AND NOT matchmaking.is_erasure(OLD, NEW))
  EXECUTE FUNCTION matchmaking.refuse_change();
COMMENT ON TRIGGER tickets_final ON matchmaking.tickets IS
  'A ticket that is no longer live never changes, but that it is emptied of what tells of a person.';

DROP TRIGGER tickets_content ON matchmaking.tickets;
CREATE TRIGGER tickets_content BEFORE UPDATE ON matchmaking.tickets
  FOR EACH ROW WHEN (OLD.state IN ('queued', 'matched')
                     AND ROW (OLD.id, OLD.request_id, OLD.place, OLD.party_id, OLD.party_size,
                          OLD.player_id, OLD.variant, OLD.options, OLD.base, OLD.currency, OLD.media,
                          OLD.room_id, OLD.asked_base, OLD.asked_room, OLD.device_id, OLD.network,
                          OLD.latency, OLD.avoid, OLD.rating, OLD.bots, OLD.bot_strength,
                          OLD.queued_at)
    IS DISTINCT FROM ROW (NEW.id, NEW.request_id, NEW.place, NEW.party_id, NEW.party_size,
                          NEW.player_id, NEW.variant, NEW.options, NEW.base, NEW.currency, NEW.media,
                          NEW.room_id, NEW.asked_base, NEW.asked_room, NEW.device_id, NEW.network,
                          NEW.latency, NEW.avoid, NEW.rating, NEW.bots, NEW.bot_strength,
                          NEW.queued_at))
  EXECUTE FUNCTION matchmaking.refuse_change();
COMMENT ON TRIGGER tickets_content ON matchmaking.tickets IS
  'What a live ticket asks for, and since when, stays as it was taken: waiting time is never lost.';

CREATE INDEX tickets_unseated_key ON matchmaking.tickets (changed_at)
  WHERE state IN ('cancelled', 'expired', 'failed')
    AND (device_id <> '' OR network <> '' OR latency <> '{}' OR avoid <> '{}');
COMMENT ON INDEX matchmaking.tickets_unseated_key IS 'What is to be erased soon.';
CREATE INDEX tickets_seated_key ON matchmaking.tickets (changed_at)
  WHERE state = 'assigned'
    AND (device_id <> '' OR network <> '' OR latency <> '{}' OR avoid <> '{}');
COMMENT ON INDEX matchmaking.tickets_seated_key IS 'What is to be erased later.';
CREATE INDEX tickets_personal_player_key ON matchmaking.tickets (player_id)
  WHERE state IN ('assigned', 'cancelled', 'expired', 'failed')
    AND (device_id <> '' OR network <> '' OR latency <> '{}' OR avoid <> '{}');
COMMENT ON INDEX matchmaking.tickets_personal_player_key IS 'What a player can have erased.';

CREATE TABLE matchmaking.erasures (
  number     bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  request_id text        NOT NULL CHECK (request_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  operator   text        NOT NULL CHECK (operator ~ '^[A-Za-z0-9_-]{1,64}$'),
  reason     text        NOT NULL CHECK (octet_length(reason) BETWEEN 1 AND 200),
  player_id  text        NOT NULL CHECK (player_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  tickets    bigint      NOT NULL CHECK (tickets >= 0),
  db_user    text        NOT NULL DEFAULT session_user,
  written_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT erasures_request_key UNIQUE (request_id)
);
COMMENT ON TABLE matchmaking.erasures IS
  'Who had a player''s tickets emptied, and why. Append-only, for ever.';
COMMENT ON COLUMN matchmaking.erasures.number IS 'Rises, with gaps.';
COMMENT ON COLUMN matchmaking.erasures.request_id IS 'The operator''s id for it.';
COMMENT ON COLUMN matchmaking.erasures.operator IS 'Who asked for it.';
COMMENT ON COLUMN matchmaking.erasures.reason IS 'Why, in the operator''s words.';
COMMENT ON COLUMN matchmaking.erasures.player_id IS 'Whose tickets.';
COMMENT ON COLUMN matchmaking.erasures.tickets IS 'How many had something to erase.';
COMMENT ON COLUMN matchmaking.erasures.db_user IS 'The role by which it was written.';
COMMENT ON COLUMN matchmaking.erasures.written_at IS 'When, by the database''s clock.';
COMMENT ON CONSTRAINT erasures_request_key ON matchmaking.erasures IS 'A request is done once.';

CREATE FUNCTION matchmaking.refuse_alteration() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%.% is append-only: % refused', TG_TABLE_SCHEMA, TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'restrict_violation';
END
$$;
COMMENT ON FUNCTION matchmaking.refuse_alteration() IS
  'Trigger of append-only relations: refuses whatever it is asked about.';
CREATE TRIGGER erasures_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON matchmaking.erasures
  FOR EACH STATEMENT EXECUTE FUNCTION matchmaking.refuse_alteration();
COMMENT ON TRIGGER erasures_append_only ON matchmaking.erasures IS 'The trail is never altered.';

DO $$
BEGIN
  IF to_regrole('matchmaking_service') IS NOT NULL THEN
    GRANT SELECT, INSERT ON matchmaking.erasures TO matchmaking_service;
  END IF;
END
$$;

-- migrate:down
DROP TABLE matchmaking.erasures;
DROP FUNCTION matchmaking.refuse_alteration();
DROP INDEX matchmaking.tickets_personal_player_key;
DROP INDEX matchmaking.tickets_seated_key;
DROP INDEX matchmaking.tickets_unseated_key;
DROP TRIGGER tickets_content ON matchmaking.tickets;
CREATE TRIGGER tickets_content BEFORE UPDATE ON matchmaking.tickets
  FOR EACH ROW WHEN (ROW (OLD.id, OLD.request_id, OLD.place, OLD.party_id, OLD.party_size,
                          OLD.player_id, OLD.variant, OLD.options, OLD.base, OLD.currency, OLD.media,
                          OLD.room_id, OLD.asked_base, OLD.asked_room, OLD.device_id, OLD.network,
                          OLD.latency, OLD.avoid, OLD.rating, OLD.bots, OLD.bot_strength,
                          OLD.queued_at)
    IS DISTINCT FROM ROW (NEW.id, NEW.request_id, NEW.place, NEW.party_id, NEW.party_size,
                          NEW.player_id, NEW.variant, NEW.options, NEW.base, NEW.currency, NEW.media,
                          NEW.room_id, NEW.asked_base, NEW.asked_room, NEW.device_id, NEW.network,
                          NEW.latency, NEW.avoid, NEW.rating, NEW.bots, NEW.bot_strength,
                          NEW.queued_at))
  EXECUTE FUNCTION matchmaking.refuse_change();
COMMENT ON TRIGGER tickets_content ON matchmaking.tickets IS
  'What a ticket asks for, and since when, stays as it was taken: waiting time is never lost.';
DROP TRIGGER tickets_final ON matchmaking.tickets;
CREATE TRIGGER tickets_final BEFORE UPDATE ON matchmaking.tickets
  FOR EACH ROW WHEN (OLD.state IN ('assigned', 'cancelled', 'expired', 'failed'))
  EXECUTE FUNCTION matchmaking.refuse_change();
COMMENT ON TRIGGER tickets_final ON matchmaking.tickets IS 'A ticket that is no longer live never changes.';
DROP FUNCTION matchmaking.is_erasure(matchmaking.tickets, matchmaking.tickets);
