-- What operators did to accounts is found without reading the whole journal.

-- migrate:up

CREATE INDEX journal_by_hand ON wallet.journal (written_at, journal_no)
  WHERE kind IN ('adjustment', 'reversal');
COMMENT ON INDEX wallet.journal_by_hand IS 'What two people put right.';

-- migrate:down
DROP INDEX wallet.journal_by_hand;
