-- Finance, second part: what happened. Rounds and what they moved, money in and out, corrections,
-- accounts, and the lists that have to be empty.

-- migrate:up

-- Rounds -----------------------------------------------------------------------------------------

CREATE VIEW finance.rounds AS
  SELECT r.round_id, r.table_id, r.variant, r.rulebook_version, r.currency, r.base, r.tier_id,
         ARRAY(SELECT a.account_id FROM unnest(r.account_nos) WITH ORDINALITY s (account_no, seat)
               JOIN wallet.accounts a ON a.account_no = s.account_no ORDER BY s.seat) AS players,
         r.begun_at, r.close_due, c.how AS closed_by, c.journal_no, j.written_at AS closed_at,
         (j.written_at AT TIME ZONE 'UTC')::date AS day, j.actor, j.reason
  FROM wallet.rounds r
  LEFT JOIN wallet.round_closes c ON c.round_no = r.round_no
  LEFT JOIN wallet.journal j ON j.journal_no = c.journal_no;
COMMENT ON VIEW finance.rounds IS 'Every round that was begun, and how it was closed.';
COMMENT ON COLUMN finance.rounds.round_id IS 'The round.';
COMMENT ON COLUMN finance.rounds.table_id IS 'Where it was played.';
COMMENT ON COLUMN finance.rounds.variant IS 'The game.';
COMMENT ON COLUMN finance.rounds.rulebook_version IS 'The rulebook by which it was scored.';
COMMENT ON COLUMN finance.rounds.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.rounds.base IS 'Base stake in coins.';
COMMENT ON COLUMN finance.rounds.tier_id IS 'The room.';
COMMENT ON COLUMN finance.rounds.players IS 'The four players, by seat.';
COMMENT ON COLUMN finance.rounds.begun_at IS 'When it began (database clock).';
COMMENT ON COLUMN finance.rounds.close_due IS 'By when it has to be closed.';
COMMENT ON COLUMN finance.rounds.closed_by IS
  'settlement: played to its end; penalty: someone escaped; void: nobody pays; NULL: still open.';
COMMENT ON COLUMN finance.rounds.journal_no IS 'The business event that closed it.';
COMMENT ON COLUMN finance.rounds.closed_at IS 'When that was written.';
COMMENT ON COLUMN finance.rounds.day IS 'The day of that.';
COMMENT ON COLUMN finance.rounds.actor IS 'Who closed it.';
COMMENT ON COLUMN finance.rounds.reason IS 'Why, for penalties and voids.';

CREATE VIEW finance.rounds_without_settlement AS
  SELECT round_id, table_id, variant, currency, tier_id, players, begun_at, close_due,
         now() - close_due AS overdue
  FROM finance.rounds WHERE journal_no IS NULL AND close_due < now();
COMMENT ON VIEW finance.rounds_without_settlement IS
  'Rounds that were begun, are not closed, and are past their time: has to be empty. Their players '
  'cannot withdraw until an operator has them closed.';
COMMENT ON COLUMN finance.rounds_without_settlement.round_id IS 'The round.';
COMMENT ON COLUMN finance.rounds_without_settlement.table_id IS 'Its table.';
COMMENT ON COLUMN finance.rounds_without_settlement.variant IS 'The game.';
COMMENT ON COLUMN finance.rounds_without_settlement.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.rounds_without_settlement.tier_id IS 'The room.';
COMMENT ON COLUMN finance.rounds_without_settlement.players IS 'The four players, by seat.';
COMMENT ON COLUMN finance.rounds_without_settlement.begun_at IS 'When it began.';
COMMENT ON COLUMN finance.rounds_without_settlement.close_due IS 'By when it had to be closed.';
COMMENT ON COLUMN finance.rounds_without_settlement.overdue IS 'For how long it has been late.';

CREATE VIEW finance.settlements AS
  SELECT s.journal_no, j.written_at, (j.written_at AT TIME ZONE 'UTC')::date AS day, j.happened_at,
         j.round_id, j.table_id, s.variant, j.rulebook_version, s.currency, s.base,
         (SELECT coalesce(sum(t.coins), 0) FROM wallet.settlement_transfers t
          WHERE t.journal_no = s.journal_no) AS owed,
         (SELECT coalesce(sum(o.coins), 0) FROM wallet.settlement_set_offs o
          WHERE o.journal_no = s.journal_no) AS set_off,
         (SELECT coalesce(sum(t.coins), 0) FROM wallet.settlement_transfers t
          WHERE t.journal_no = s.journal_no)
         - (SELECT coalesce(sum(o.coins), 0) FROM wallet.settlement_set_offs o
            WHERE o.journal_no = s.journal_no)
         - (SELECT coalesce(sum(m.coins), 0) FROM wallet.shortfalls m
            WHERE m.journal_no = s.journal_no AND m.payee_no = ANY (s.account_nos)) AS paid,
         (SELECT coalesce(sum(m.coins), 0) FROM wallet.shortfalls m
          WHERE m.journal_no = s.journal_no AND m.payee_no = ANY (s.account_nos)) AS shortfall,
         4 * s.rake AS rake_due, (SELECT sum(p) FROM unnest(s.rake_paid) p) AS rake_taken,
         x.journal_no AS reversed_by
  FROM wallet.settlements s
  JOIN wallet.journal j ON j.journal_no = s.journal_no
  LEFT JOIN wallet.journal x ON x.reverses_journal_no = s.journal_no;
COMMENT ON VIEW finance.settlements IS
  'One line for each settled round. owed = set_off + paid + shortfall.';
COMMENT ON COLUMN finance.settlements.journal_no IS 'The business event.';
COMMENT ON COLUMN finance.settlements.written_at IS 'When it was written (database clock).';
COMMENT ON COLUMN finance.settlements.day IS 'The day of that.';
COMMENT ON COLUMN finance.settlements.happened_at IS 'When it happened (service''s clock).';
COMMENT ON COLUMN finance.settlements.round_id IS 'The round.';
COMMENT ON COLUMN finance.settlements.table_id IS 'Its table.';
COMMENT ON COLUMN finance.settlements.variant IS 'The game.';
COMMENT ON COLUMN finance.settlements.rulebook_version IS 'The rulebook by which it was scored.';
COMMENT ON COLUMN finance.settlements.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.settlements.base IS 'Base stake in coins.';
COMMENT ON COLUMN finance.settlements.owed IS 'What the players owed each other, by the rules.';
COMMENT ON COLUMN finance.settlements.set_off IS 'What of it met in a circle and cancelled.';
COMMENT ON COLUMN finance.settlements.paid IS 'What of it was paid.';
COMMENT ON COLUMN finance.settlements.shortfall IS 'What of it a payer could not cover.';
COMMENT ON COLUMN finance.settlements.rake_due IS 'Rake due from the four together.';
COMMENT ON COLUMN finance.settlements.rake_taken IS 'Rake taken, as far as it was covered.';
COMMENT ON COLUMN finance.settlements.reversed_by IS 'The reversal, if it was undone.';

CREATE VIEW finance.settlement_seats AS
  SELECT s.journal_no, j.written_at, (j.written_at AT TIME ZONE 'UTC')::date AS day, j.round_id,
         s.currency, seat.seat - 1 AS seat, a.account_id AS player_id, seat.net,
         s.rake AS rake_due, seat.rake_paid, seat.balance_after
  FROM wallet.settlements s
  JOIN wallet.journal j ON j.journal_no = s.journal_no
  CROSS JOIN LATERAL unnest(s.account_nos, s.net, s.rake_paid, s.balance_after) WITH ORDINALITY
    seat (account_no, net, rake_paid, balance_after, seat)
  JOIN wallet.accounts a ON a.account_no = seat.account_no;
COMMENT ON VIEW finance.settlement_seats IS 'What each settlement did to each of its four players.';
COMMENT ON COLUMN finance.settlement_seats.journal_no IS 'The settlement.';
COMMENT ON COLUMN finance.settlement_seats.written_at IS 'When it was written (database clock).';
COMMENT ON COLUMN finance.settlement_seats.day IS 'The day of that.';
COMMENT ON COLUMN finance.settlement_seats.round_id IS 'The round.';
COMMENT ON COLUMN finance.settlement_seats.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.settlement_seats.seat IS 'The seat, 0 to 3.';
COMMENT ON COLUMN finance.settlement_seats.player_id IS 'The player.';
COMMENT ON COLUMN finance.settlement_seats.net IS 'Coins received minus coins paid, rake included.';
COMMENT ON COLUMN finance.settlement_seats.rake_due IS 'Rake due from this player.';
COMMENT ON COLUMN finance.settlement_seats.rake_paid IS 'Rake taken from this player.';
COMMENT ON COLUMN finance.settlement_seats.balance_after IS 'Coins of this player right after.';

CREATE VIEW finance.settlement_transfers AS
  SELECT t.journal_no, t.line_no, j.written_at, (j.written_at AT TIME ZONE 'UTC')::date AS day,
         j.round_id, j.table_id, s.variant, j.rulebook_version, s.currency, t.rule_id,
         payer.account_id AS payer, payee.account_id AS payee, t.coins AS owed
  FROM wallet.settlement_transfers t
  JOIN wallet.settlements s ON s.journal_no = t.journal_no
  JOIN wallet.journal j ON j.journal_no = t.journal_no
  JOIN wallet.accounts payer ON payer.account_no = s.account_nos[t.from_seat + 1]
  JOIN wallet.accounts payee ON payee.account_no = s.account_nos[t.to_seat + 1];
COMMENT ON VIEW finance.settlement_transfers IS
  'Who owed whom what by which rule, line by line, as it was scored. settlement_payments tells '
  'what came of it.';
COMMENT ON COLUMN finance.settlement_transfers.journal_no IS 'The settlement.';
COMMENT ON COLUMN finance.settlement_transfers.line_no IS 'Counts its lines from 1.';
COMMENT ON COLUMN finance.settlement_transfers.written_at IS 'When it was written.';
COMMENT ON COLUMN finance.settlement_transfers.day IS 'The day of that.';
COMMENT ON COLUMN finance.settlement_transfers.round_id IS 'The round.';
COMMENT ON COLUMN finance.settlement_transfers.table_id IS 'Its table.';
COMMENT ON COLUMN finance.settlement_transfers.variant IS 'The game.';
COMMENT ON COLUMN finance.settlement_transfers.rulebook_version IS 'The rulebook with the rule.';
COMMENT ON COLUMN finance.settlement_transfers.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.settlement_transfers.rule_id IS 'The rule.';
COMMENT ON COLUMN finance.settlement_transfers.payer IS 'The player who owed.';
COMMENT ON COLUMN finance.settlement_transfers.payee IS 'The player who was owed.';
COMMENT ON COLUMN finance.settlement_transfers.owed IS 'Coins owed.';

CREATE VIEW finance.settlement_payments AS
  SELECT t.journal_no, j.written_at, (j.written_at AT TIME ZONE 'UTC')::date AS day, j.round_id,
         s.currency, payer.account_id AS payer, payee.account_id AS payee, t.owed,
         coalesce(o.coins, 0) AS set_off,
         t.owed - coalesce(o.coins, 0) - coalesce(m.coins, 0) AS paid,
         coalesce(m.coins, 0) AS shortfall
  FROM (SELECT journal_no, from_seat, to_seat, sum(coins) AS owed
        FROM wallet.settlement_transfers GROUP BY journal_no, from_seat, to_seat) t
  JOIN wallet.settlements s ON s.journal_no = t.journal_no
  JOIN wallet.journal j ON j.journal_no = t.journal_no
  JOIN wallet.accounts payer ON payer.account_no = s.account_nos[t.from_seat + 1]
  JOIN wallet.accounts payee ON payee.account_no = s.account_nos[t.to_seat + 1]
  LEFT JOIN wallet.settlement_set_offs o ON o.journal_no = t.journal_no
    AND o.from_seat = t.from_seat AND o.to_seat = t.to_seat
  LEFT JOIN wallet.shortfalls m ON m.journal_no = t.journal_no
    AND m.payer_no = payer.account_no AND m.payee_no = payee.account_no;
COMMENT ON VIEW finance.settlement_payments IS
  'What came of what two players of a round owed each other: owed = set_off + paid + shortfall.';
COMMENT ON COLUMN finance.settlement_payments.journal_no IS 'The settlement.';
COMMENT ON COLUMN finance.settlement_payments.written_at IS 'When it was written.';
COMMENT ON COLUMN finance.settlement_payments.day IS 'The day of that.';
COMMENT ON COLUMN finance.settlement_payments.round_id IS 'The round.';
COMMENT ON COLUMN finance.settlement_payments.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.settlement_payments.payer IS 'The player who owed.';
COMMENT ON COLUMN finance.settlement_payments.payee IS 'The player who was owed.';
COMMENT ON COLUMN finance.settlement_payments.owed IS 'Coins owed, over all rules.';
COMMENT ON COLUMN finance.settlement_payments.set_off IS
  'What of it met other debts of the round in a circle and cancelled.';
COMMENT ON COLUMN finance.settlement_payments.paid IS 'What of it was paid.';
COMMENT ON COLUMN finance.settlement_payments.shortfall IS 'What of it the payer could not cover.';

-- What the house takes ---------------------------------------------------------------------------

CREATE VIEW finance.rake_by_day AS
  SELECT day, currency, variant, base, sum(rounds) AS rounds, sum(due) AS rake_due,
         sum(taken) AS rake_taken, sum(due - taken) AS rake_missed, sum(returned) AS rake_returned,
         sum(taken - returned) AS rake_net
  FROM (
    SELECT (j.written_at AT TIME ZONE 'UTC')::date AS day, s.currency, s.variant, s.base,
           1 AS rounds, 4 * s.rake AS due, (SELECT sum(p) FROM unnest(s.rake_paid) p) AS taken,
           0 AS returned
    FROM wallet.settlements s JOIN wallet.journal j ON j.journal_no = s.journal_no
    UNION ALL
    SELECT (x.written_at AT TIME ZONE 'UTC')::date, s.currency, s.variant, s.base, 0, 0, 0,
           (SELECT sum(p) FROM unnest(s.rake_paid) p)
    FROM wallet.settlements s JOIN wallet.journal x ON x.reverses_journal_no = s.journal_no) r
  GROUP BY day, currency, variant, base;
COMMENT ON VIEW finance.rake_by_day IS
  'Rake per day and room. The sum of rake_net is what the account house_rake holds.';
COMMENT ON COLUMN finance.rake_by_day.day IS
  'Day of the settlements; of rake_returned the day of the reversals.';
COMMENT ON COLUMN finance.rake_by_day.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.rake_by_day.variant IS 'The game.';
COMMENT ON COLUMN finance.rake_by_day.base IS 'Base stake: with the game, the room.';
COMMENT ON COLUMN finance.rake_by_day.rounds IS 'How many rounds were settled.';
COMMENT ON COLUMN finance.rake_by_day.rake_due IS 'What the room''s terms ask of them.';
COMMENT ON COLUMN finance.rake_by_day.rake_taken IS 'What players'' balances covered of that.';
COMMENT ON COLUMN finance.rake_by_day.rake_missed IS 'What they did not cover.';
COMMENT ON COLUMN finance.rake_by_day.rake_returned IS
  'Rake given back by reversals of settlements, of whatever day.';
COMMENT ON COLUMN finance.rake_by_day.rake_net IS 'Taken minus returned.';

CREATE VIEW finance.penalties AS
  SELECT p.journal_no, j.written_at, (j.written_at AT TIME ZONE 'UTC')::date AS day, j.happened_at,
         j.round_id, j.table_id, r.variant, r.tier_id, p.currency, a.account_id AS player_id,
         p.penalty AS due, p.taken, p.share AS share_each, p.house AS house_part, p.shortfall,
         j.reason, x.journal_no AS reversed_by
  FROM wallet.penalties p
  JOIN wallet.journal j ON j.journal_no = p.journal_no
  JOIN wallet.accounts a ON a.account_no = p.account_nos[p.escaper + 1]
  JOIN wallet.round_closes c ON c.journal_no = p.journal_no
  JOIN wallet.rounds r ON r.round_no = c.round_no
  LEFT JOIN wallet.journal x ON x.reverses_journal_no = p.journal_no;
COMMENT ON VIEW finance.penalties IS
  'Escapes: rounds that ended because a player left. due = taken + shortfall; taken = 3 share_each '
  '+ house_part.';
COMMENT ON COLUMN finance.penalties.journal_no IS 'The business event.';
COMMENT ON COLUMN finance.penalties.written_at IS 'When it was written (database clock).';
COMMENT ON COLUMN finance.penalties.day IS 'The day of that.';
COMMENT ON COLUMN finance.penalties.happened_at IS 'When it happened (service''s clock).';
COMMENT ON COLUMN finance.penalties.round_id IS 'The round.';
COMMENT ON COLUMN finance.penalties.table_id IS 'Its table.';
COMMENT ON COLUMN finance.penalties.variant IS 'The game.';
COMMENT ON COLUMN finance.penalties.tier_id IS 'The room, whose terms set the penalty.';
COMMENT ON COLUMN finance.penalties.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.penalties.player_id IS 'The player who left.';
COMMENT ON COLUMN finance.penalties.due IS 'What leaving costs.';
COMMENT ON COLUMN finance.penalties.taken IS 'What the player''s balance covered of it.';
COMMENT ON COLUMN finance.penalties.share_each IS 'What each of the other three got.';
COMMENT ON COLUMN finance.penalties.house_part IS 'What the account penalties got.';
COMMENT ON COLUMN finance.penalties.shortfall IS 'What was not covered; never collected later.';
COMMENT ON COLUMN finance.penalties.reason IS 'How it ended, in the caller''s words.';
COMMENT ON COLUMN finance.penalties.reversed_by IS 'The reversal, if it was undone.';

CREATE VIEW finance.shortfalls AS
  SELECT m.journal_no, j.written_at, (j.written_at AT TIME ZONE 'UTC')::date AS day,
         j.kind AS event, j.round_id, j.table_id, payer.currency, payer.account_id AS payer,
         payee.account_id AS payee, payee.kind AS payee_kind, m.owed, m.coins AS shortfall
  FROM wallet.shortfalls m
  JOIN wallet.journal j ON j.journal_no = m.journal_no
  JOIN wallet.accounts payer ON payer.account_no = m.payer_no
  JOIN wallet.accounts payee ON payee.account_no = m.payee_no;
COMMENT ON VIEW finance.shortfalls IS
  'What payers could not cover, to whom it was owed. Recorded, never collected later.';
COMMENT ON COLUMN finance.shortfalls.journal_no IS 'The business event.';
COMMENT ON COLUMN finance.shortfalls.written_at IS 'When it was written (database clock).';
COMMENT ON COLUMN finance.shortfalls.day IS 'The day of that.';
COMMENT ON COLUMN finance.shortfalls.event IS 'settlement or penalty.';
COMMENT ON COLUMN finance.shortfalls.round_id IS 'The round.';
COMMENT ON COLUMN finance.shortfalls.table_id IS 'Its table.';
COMMENT ON COLUMN finance.shortfalls.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.shortfalls.payer IS 'The player who owed.';
COMMENT ON COLUMN finance.shortfalls.payee IS
  'A player; house_rake for rake; penalties for a penalty, whoever would have shared it.';
COMMENT ON COLUMN finance.shortfalls.payee_kind IS 'The kind of the payee''s account.';
COMMENT ON COLUMN finance.shortfalls.owed IS 'Coins owed between the two, before set-off.';
COMMENT ON COLUMN finance.shortfalls.shortfall IS 'Coins of these that were not covered.';

-- Money in and out -------------------------------------------------------------------------------

CREATE VIEW finance.external_movements AS
  SELECT m.journal_no, j.written_at, (j.written_at AT TIME ZONE 'UTC')::date AS day, j.happened_at,
         a.account_id AS player_id, a.currency, m.flow, m.provider, m.external_reference, e.coins,
         j.actor, j.reason, x.journal_no AS reversed_by
  FROM wallet.money_movements m
  JOIN wallet.journal j ON j.journal_no = m.journal_no
  JOIN wallet.entries e ON e.journal_no = j.journal_no AND e.written_at = j.written_at
    AND e.sequence IS NOT NULL
  JOIN wallet.accounts a ON a.account_no = e.account_no
  LEFT JOIN wallet.journal x ON x.reverses_journal_no = m.journal_no;
COMMENT ON VIEW finance.external_movements IS
  'Deposits and withdrawals, to be reconciled with the payment provider: each flow, provider and '
  'external reference is here at most once.';
COMMENT ON COLUMN finance.external_movements.journal_no IS 'The business event.';
COMMENT ON COLUMN finance.external_movements.written_at IS 'When it was written (database clock).';
COMMENT ON COLUMN finance.external_movements.day IS 'The day of that.';
COMMENT ON COLUMN finance.external_movements.happened_at IS 'When it happened (service''s clock).';
COMMENT ON COLUMN finance.external_movements.player_id IS 'The player.';
COMMENT ON COLUMN finance.external_movements.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.external_movements.flow IS
  'purchase: bought; grant: given; refund: a purchase that we took back; chargeback: one that the '
  'payer''s bank took back; payout: paid out.';
COMMENT ON COLUMN finance.external_movements.provider IS
  'Who moved the money; NULL: nobody outside.';
COMMENT ON COLUMN finance.external_movements.external_reference IS 'The provider''s name of it.';
COMMENT ON COLUMN finance.external_movements.coins IS 'Coins in (above zero) or out (below zero).';
COMMENT ON COLUMN finance.external_movements.actor IS 'Who asked for it.';
COMMENT ON COLUMN finance.external_movements.reason IS 'Why, in their words.';
COMMENT ON COLUMN finance.external_movements.reversed_by IS 'The reversal, if it was undone.';

CREATE VIEW finance.coins_issued AS
  SELECT day, currency, flow, count(*) AS events, sum(coins) AS coins
  FROM (
    SELECT (j.written_at AT TIME ZONE 'UTC')::date AS day, e.currency,
           coalesce(m.flow, j.kind) AS flow, -e.coins AS coins
    FROM wallet.accounts a
    JOIN wallet.entries e ON e.account_no = a.account_no AND e.sequence IS NULL
    JOIN wallet.journal j ON j.journal_no = e.journal_no
    LEFT JOIN wallet.money_movements m ON m.journal_no = e.journal_no
    WHERE a.kind = 'issue') i
  GROUP BY day, currency, flow;
COMMENT ON VIEW finance.coins_issued IS
  'Coins that came into being (above zero) or went out of it (below zero), per day and cause. '
  'Their sum is what players and house hold together.';
COMMENT ON COLUMN finance.coins_issued.day IS 'Day on which it was written.';
COMMENT ON COLUMN finance.coins_issued.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.coins_issued.flow IS
  'As in external_movements; reversal: deposits and withdrawals that were undone.';
COMMENT ON COLUMN finance.coins_issued.events IS 'How many business events.';
COMMENT ON COLUMN finance.coins_issued.coins IS 'Coins issued, minus coins taken out.';

-- Corrections ------------------------------------------------------------------------------------

CREATE VIEW finance.reversals AS
  SELECT x.journal_no, x.written_at, (x.written_at AT TIME ZONE 'UTC')::date AS day, x.happened_at,
         x.reverses_journal_no, j.kind AS reversed_event, j.written_at AS reversed_written_at,
         j.round_id, j.table_id, e.currency, e.coins, e.covered, x.actor AS requested_by,
         x.approver AS approved_by, x.reason
  FROM wallet.journal x
  JOIN wallet.journal j ON j.journal_no = x.reverses_journal_no
  CROSS JOIN LATERAL (
    SELECT min(e.currency) AS currency,
           coalesce(sum(e.coins) FILTER (WHERE e.coins > 0), 0) AS coins,
           coalesce(-sum(e.coins) FILTER (WHERE e.purpose = 'cover' AND e.sequence IS NULL), 0)
             AS covered
    FROM wallet.entries e
    WHERE e.journal_no = x.journal_no AND e.written_at = x.written_at) e
  WHERE x.kind = 'reversal';
COMMENT ON VIEW finance.reversals IS
  'Business events that were undone by another: by whom, who agreed, and what it cost the house.';
COMMENT ON COLUMN finance.reversals.journal_no IS 'The reversal.';
COMMENT ON COLUMN finance.reversals.written_at IS 'When it was written (database clock).';
COMMENT ON COLUMN finance.reversals.day IS 'The day of that.';
COMMENT ON COLUMN finance.reversals.happened_at IS 'When it happened (service''s clock).';
COMMENT ON COLUMN finance.reversals.reverses_journal_no IS 'The event that was undone.';
COMMENT ON COLUMN finance.reversals.reversed_event IS 'Its kind.';
COMMENT ON COLUMN finance.reversals.reversed_written_at IS 'When that had been written.';
COMMENT ON COLUMN finance.reversals.round_id IS 'Its round, if it had closed one.';
COMMENT ON COLUMN finance.reversals.table_id IS 'The table of that.';
COMMENT ON COLUMN finance.reversals.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.reversals.coins IS 'Coins that were given back.';
COMMENT ON COLUMN finance.reversals.covered IS
  'Coins of these that the house bore, because the receiver no longer had them.';
COMMENT ON COLUMN finance.reversals.requested_by IS 'Who asked for it.';
COMMENT ON COLUMN finance.reversals.approved_by IS 'Who agreed: somebody else.';
COMMENT ON COLUMN finance.reversals.reason IS 'Why.';

CREATE VIEW finance.adjustments AS
  SELECT j.journal_no, j.written_at, (j.written_at AT TIME ZONE 'UTC')::date AS day, j.happened_at,
         a.account_id AS player_id, a.currency, e.coins, j.actor AS requested_by,
         j.approver AS approved_by, j.reason, x.journal_no AS reversed_by
  FROM wallet.journal j
  JOIN wallet.entries e ON e.journal_no = j.journal_no AND e.written_at = j.written_at
    AND e.sequence IS NOT NULL
  JOIN wallet.accounts a ON a.account_no = e.account_no
  LEFT JOIN wallet.journal x ON x.reverses_journal_no = j.journal_no
  WHERE j.kind = 'adjustment';
COMMENT ON VIEW finance.adjustments IS
  'Balances that two people put right by hand, at the expense of the account house_loss.';
COMMENT ON COLUMN finance.adjustments.journal_no IS 'The business event.';
COMMENT ON COLUMN finance.adjustments.written_at IS 'When it was written (database clock).';
COMMENT ON COLUMN finance.adjustments.day IS 'The day of that.';
COMMENT ON COLUMN finance.adjustments.happened_at IS 'When it happened (service''s clock).';
COMMENT ON COLUMN finance.adjustments.player_id IS 'The player.';
COMMENT ON COLUMN finance.adjustments.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.adjustments.coins IS 'Coins given (above zero) or taken (below zero).';
COMMENT ON COLUMN finance.adjustments.requested_by IS 'Who asked for it.';
COMMENT ON COLUMN finance.adjustments.approved_by IS 'Who agreed: somebody else.';
COMMENT ON COLUMN finance.adjustments.reason IS 'Why.';
COMMENT ON COLUMN finance.adjustments.reversed_by IS 'The reversal, if it was undone.';

-- Accounts ---------------------------------------------------------------------------------------

-- A hold counts until its time is over, or while its round is open.
CREATE VIEW finance.accounts AS
  SELECT a.account_id AS player_id, a.currency, b.coins AS balance, h.held,
         CASE WHEN b.round_no IS NOT NULL OR b.frozen OR b.closed THEN 0 ELSE b.coins - h.held END
           AS available,
         CASE WHEN b.closed THEN 'closed' WHEN b.frozen THEN 'frozen' ELSE 'open' END AS status,
         r.round_id, a.opened_at, b.last_sequence AS entries
  FROM wallet.accounts a
  JOIN wallet.balances b ON b.account_no = a.account_no
  CROSS JOIN LATERAL (SELECT
    CASE WHEN b.round_no IS NOT NULL OR b.held_until > now() THEN b.held ELSE 0 END AS held) h
  LEFT JOIN wallet.rounds r ON r.round_no = b.round_no;
COMMENT ON VIEW finance.accounts IS 'Every player''s account as it stands.';
COMMENT ON COLUMN finance.accounts.player_id IS 'The player.';
COMMENT ON COLUMN finance.accounts.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.accounts.balance IS 'Coins owned.';
COMMENT ON COLUMN finance.accounts.held IS 'Coins of these that are held for a seat.';
COMMENT ON COLUMN finance.accounts.available IS
  'Coins that can be withdrawn: those not held; none in a begun round, or of a frozen account.';
COMMENT ON COLUMN finance.accounts.status IS 'open, frozen or closed.';
COMMENT ON COLUMN finance.accounts.round_id IS 'The begun round that the player is in.';
COMMENT ON COLUMN finance.accounts.opened_at IS 'When it was opened (database clock).';
COMMENT ON COLUMN finance.accounts.entries IS 'How many entries it has.';

CREATE VIEW finance.account_events AS
  SELECT v.event_no, v.happened_at, (v.happened_at AT TIME ZONE 'UTC')::date AS day,
         a.account_id AS player_id, a.currency, v.kind AS event, v.actor, v.reason
  FROM wallet.account_events v JOIN wallet.accounts a ON a.account_no = v.account_no;
COMMENT ON VIEW finance.account_events IS 'Accounts frozen, unfrozen and closed, by whom and why.';
COMMENT ON COLUMN finance.account_events.event_no IS 'Counts these events; rises.';
COMMENT ON COLUMN finance.account_events.happened_at IS 'When (database clock).';
COMMENT ON COLUMN finance.account_events.day IS 'The day of that.';
COMMENT ON COLUMN finance.account_events.player_id IS 'The player.';
COMMENT ON COLUMN finance.account_events.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.account_events.event IS 'frozen, unfrozen or closed.';
COMMENT ON COLUMN finance.account_events.actor IS 'Who asked for it.';
COMMENT ON COLUMN finance.account_events.reason IS 'Why.';

CREATE VIEW finance.open_reservations AS
  SELECT a.account_id AS player_id, a.currency, b.held_table AS table_id, v.tier_id,
         b.held AS coins, v.reserved_at, b.held_until, r.round_id
  FROM wallet.balances b
  JOIN wallet.accounts a ON a.account_no = b.account_no
  LEFT JOIN wallet.reservations v ON v.reservation_no = b.reservation_no
  LEFT JOIN wallet.rounds r ON r.round_no = b.round_no
  WHERE b.held_table IS NOT NULL AND (b.round_no IS NOT NULL OR b.held_until > now());
COMMENT ON VIEW finance.open_reservations IS
  'Coins that are held for a seat at this moment. One whose time is over is not here, unless its '
  'round is still open.';
COMMENT ON COLUMN finance.open_reservations.player_id IS 'The player.';
COMMENT ON COLUMN finance.open_reservations.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.open_reservations.table_id IS 'The table.';
COMMENT ON COLUMN finance.open_reservations.tier_id IS 'The room.';
COMMENT ON COLUMN finance.open_reservations.coins IS 'Coins held.';
COMMENT ON COLUMN finance.open_reservations.reserved_at IS 'When the seat was first reserved.';
COMMENT ON COLUMN finance.open_reservations.held_until IS
  'When the hold ends, unless a round is open then or begins before.';
COMMENT ON COLUMN finance.open_reservations.round_id IS 'The begun round; NULL between rounds.';

CREATE VIEW finance.stake_tiers AS
  SELECT tier_id, variant, currency, base, minimum, rake AS rake_per_player, escape_penalty,
         escape_compensation, valid_from, valid_until,
         valid_from <= now() AND coalesce(valid_until > now(), true)
           AND NOT EXISTS (SELECT FROM wallet.stake_tiers n
                           WHERE n.variant = t.variant AND n.base = t.base
                             AND n.currency = t.currency AND n.valid_from > t.valid_from
                             AND n.valid_from <= now()) AS in_force
  FROM wallet.stake_tiers t;
COMMENT ON VIEW finance.stake_tiers IS 'The rooms'' terms: now, before and to come.';
COMMENT ON COLUMN finance.stake_tiers.tier_id IS 'The room, the same over all its periods.';
COMMENT ON COLUMN finance.stake_tiers.variant IS 'The game.';
COMMENT ON COLUMN finance.stake_tiers.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.stake_tiers.base IS 'Base stake in coins.';
COMMENT ON COLUMN finance.stake_tiers.minimum IS 'Coins that a player has to have to sit down.';
COMMENT ON COLUMN finance.stake_tiers.rake_per_player IS 'Rake of each player, each round.';
COMMENT ON COLUMN finance.stake_tiers.escape_penalty IS 'What leaving a round costs.';
COMMENT ON COLUMN finance.stake_tiers.escape_compensation IS
  'How much of that the three who stay share; the rest is the house''s.';
COMMENT ON COLUMN finance.stake_tiers.valid_from IS 'From when on these terms hold.';
COMMENT ON COLUMN finance.stake_tiers.valid_until IS
  'When they end; NULL: when the room''s next ones begin.';
COMMENT ON COLUMN finance.stake_tiers.in_force IS 'Whether they hold now.';

-- migrate:down

DROP VIEW finance.rounds_without_settlement, finance.rounds, finance.settlements,
  finance.settlement_seats, finance.settlement_transfers, finance.settlement_payments,
  finance.rake_by_day, finance.penalties, finance.shortfalls, finance.external_movements,
  finance.coins_issued, finance.reversals, finance.adjustments, finance.accounts,
  finance.account_events, finance.open_reservations, finance.stake_tiers;
