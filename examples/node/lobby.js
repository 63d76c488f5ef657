// From wanting to play to a seat.
import { call, open } from './client.js';
import { failureOf } from './failure.js';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// snippet: queue
// Takes a ticket. The request id is the app's own name for this wish: sent again it is the same ticket.
export async function takeTicket(backend, requestId, { playerId, variant, base = '0' }) {
  try {
    const { ticket } = await call(backend.matchmaking, 'CreateTicket', {
      request_id: requestId, player_id: playerId, variant, base, currency: 'CURRENCY_COIN',
    });
    return ticket.ticket_id;
  } catch (failure) {
    // From another device, or before the app was closed: that one is as good.
    if (failure.reason === 'TICKET_EXISTS') return failure.metadata.ticket_id;
    throw failure;
  }
}
// end

// snippet: watch-ticket
// Waits until the ticket has a seat, which it returns; `onWait` hears how long it will take.
export async function awaitSeat(backend, ticketId, onWait = () => {}) {
  for (;;) {
    const stream = open(backend.matchmaking, 'WatchTicket', { ticket_id: ticketId });
    try {
      for await (const { ticket } of stream) {
        if (ticket.state === 'TICKET_STATE_ASSIGNED') return ticket.assignment;
        if (ticket.state === 'TICKET_STATE_QUEUED') onWait(ticket.estimated_wait);
        else if (ticket.state !== 'TICKET_STATE_MATCHED') {
          throw new Error(`no seat: ${ticket.state} ${ticket.failure_reason}`);
        }
      }
    } catch (error) {
      if (typeof error.code !== 'number') throw error; // not gRPC's
      // The process that was watched ends: another one knows the ticket as well.
      if (!failureOf(error).passing) throw failureOf(error);
    } finally {
      stream.cancel();
    }
    await pause(200);
  }
}
// end

// snippet: come-back
// Where a player is, for an app that starts: in the queue, at a table, or nowhere.
export async function locate(backend, playerId) {
  const { ticket, seat, round_id } = await call(backend.matchmaking, 'LocatePlayer', {
    player_id: playerId,
  });
  return { ticketId: ticket?.ticket_id, seat, roundId: round_id };
}
// end

// snippet: lobby
// A game's tables that have a free seat, whichever process holds them.
export async function openTables(backend, variant, base = '0') {
  const { tables } = await call(backend.anyTable, 'ListTables', {
    variant, base, currency: 'CURRENCY_COIN', free_seats: true, page_size: 100,
  });
  return tables;
}

// Sits down at one of them, on any free seat. Where one sits already it is the same seat again.
export async function sitDown(backend, tableId, playerId) {
  let stub = backend.anyTable;
  for (let tries = 0; ; ++tries) {
    try {
      const { table, seat } = await call(stub, 'JoinTable', { table_id: tableId, player_id: playerId });
      return { seat, address: table.address };
    } catch (failure) {
      const { address } = failure.metadata;
      if (failure.reason !== 'TABLE_MOVED' || !address || tries === 3) throw failure;
      stub = backend.tableAt(address); // one process holds the table, and another one was asked
    }
  }
}
// end
