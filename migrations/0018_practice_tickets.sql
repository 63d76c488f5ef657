-- migrate:up

ALTER TABLE matchmaking.tickets ADD COLUMN bots text NOT NULL DEFAULT 'none'
  CHECK (bots IN ('none', 'at_once', 'after_wait'));
ALTER TABLE matchmaking.tickets ADD CONSTRAINT tickets_bots_practice
  CHECK (bots = 'none' OR currency = 'PRACTICE');
COMMENT ON COLUMN matchmaking.tickets.bots IS
  'Whether bots of the house may take the seats for which nobody is found: none; at_once: nobody else is waited for; after_wait: once a while has passed. A match of fewer than four members has bots on the other seats.';
COMMENT ON CONSTRAINT tickets_bots_practice ON matchmaking.tickets IS 'Bots never sit where coins are played for.';

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

-- migrate:down
DROP TRIGGER tickets_content ON matchmaking.tickets;
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
ALTER TABLE matchmaking.tickets DROP COLUMN bots;
