// Coins. Accounts and deposits are the operator's backend's to make, never a phone's; reading one's own
// statement is an app's.
import { call, open } from './client.js';
import { failureOf } from './failure.js';

// snippet: deposit
// Opens a player's account and puts coins into it. Sent twice it happens once: the ids say so, and
// what they are made of has to be the same the next time.
export async function openFunded(backend, playerId, coins) {
  const account = { account_id: playerId, currency: 'CURRENCY_COIN' };
  await call(backend.wallet, 'OpenAccount', {
    request_id: `open-${playerId}`, kind: 'ACCOUNT_KIND_PLAYER', ...account,
  });
  const { balance } = await call(backend.wallet, 'Deposit', {
    request_id: `fund-${playerId}`, coins: String(coins), reason: 'opening balance', ...account,
  });
  return balance;
}
// end

// snippet: statement
// The player's account as CSV, line by line. Whoever keeps the file goes on with it after its last line.
export async function statement(backend, playerId, afterSequence = '0') {
  const stream = open(backend.wallet, 'ExportStatement', {
    account_id: playerId, currency: 'CURRENCY_COIN', after_sequence: afterSequence,
  });
  let csv = '';
  try {
    for await (const part of stream) csv += part.csv;
  } catch (error) {
    throw failureOf(error);
  } finally {
    stream.cancel();
  }
  return csv.trimEnd() === '' ? [] : csv.trimEnd().split(/\r?\n/);
}
// end

// snippet: history
// The rounds that a player has played, newest first: a page, and where the next one begins.
export async function rounds(backend, playerId, pageToken = '') {
  const page = await call(backend.anyTable, 'ListRounds', {
    player_id: playerId, page_size: 20, page_token: pageToken,
  });
  return { rounds: page.rounds, next: page.next_page_token };
}
// end
