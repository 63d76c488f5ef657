-- migrate:up

ALTER TABLE matchmaking.tickets ADD COLUMN bot_strength smallint NOT NULL DEFAULT 0
  CHECK (bot_strength BETWEEN 0 AND 3);
COMMENT ON COLUMN matchmaking.tickets.bot_strength IS
  'How well the bots are to play: 0 as the table service is configured, 1 weak, 2 medium, 3 strong.';
ALTER TABLE matchmaking.matches ADD COLUMN bot_strength smallint NOT NULL DEFAULT 0
  CHECK (bot_strength BETWEEN 0 AND 3);
COMMENT ON COLUMN matchmaking.matches.bot_strength IS
  'As in tickets: the most modest wish of its members.';

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

-- migrate:down
DROP TRIGGER tickets_content ON matchmaking.tickets;
CREATE TRIGGER tickets_content BEFORE UPDATE ON matchmaking.tickets
  FOR EACH ROW WHEN (ROW (OLD.id, OLD.request_id, OLD.place, OLD.party_id, OLD.party_size,
                          OLD.player_id, OLD.variant, OLD.options, OLD.base, OLD.currency, OLD.media,
                          OLD.room_id, OLD.asked_base, OLD.asked_room, OLD.device_id, OLD.network,
                          OLD.latency, OLD.avoid, OLD.rating, OLD.bots, OLD.queued_at)
    IS DISTINCT FROM ROW (NEW.id, NEW.request_id, NEW.place, NEW.party_id, NEW.party_size,
                          NEW.player_id, NEW.variant, NEW.options, NEW.base, NEW.currency, NEW.media,
                          NEW.room_id, NEW.asked_base, NEW.asked_room, NEW.device_id, NEW.network,
                          NEW.latency, NEW.avoid, NEW.rating, NEW.bots, NEW.queued_at))
  EXECUTE FUNCTION matchmaking.refuse_change();
COMMENT ON TRIGGER tickets_content ON matchmaking.tickets IS
  'What a ticket asks for, and since when, stays as it was taken: waiting time is never lost.';
ALTER TABLE matchmaking.tickets DROP COLUMN bot_strength;
ALTER TABLE matchmaking.matches DROP COLUMN bot_strength;
