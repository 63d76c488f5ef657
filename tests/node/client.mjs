// A mobile backend in Node: the services over @grpc/grpc-js, as `npm install` gives it.
//
//   node client.mjs WALLET_ADDRESS SCORING_ADDRESS
//
// Exit 0 when everything is as the protos say; else 1, with the assertion on stderr.
import assert from 'node:assert/strict';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';
import protobuf from 'protobufjs'; // what proto-loader itself is made of

const [walletAddress, scoringAddress] = process.argv.slice(2);
const protos = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', 'protos');
const { mahjong } = grpc.loadPackageDefinition(
  protoLoader.loadSync(
    ['mahjong/wallet/v1/wallet_service.proto', 'mahjong/scoring/v1/scoring_service.proto'],
    { includeDirs: [protos], keepCase: true, longs: String, enums: String, defaults: true, oneofs: true },
  ),
);
const plain = grpc.credentials.createInsecure();
const wallet = new mahjong.wallet.v1.WalletService(walletAddress, plain);
const scoring = new mahjong.scoring.v1.ScoringService(scoringAddress, plain);

const errors = new protobuf.Root();
errors.resolvePath = (origin, target) =>
  target.startsWith('google/protobuf/') ? target : path.join(protos, target);
await errors.load(['google/rpc/status.proto', 'google/rpc/error_details.proto']);

// One call as a promise; `language` becomes accept-language.
function call(client, method, request, language) {
  const metadata = new grpc.Metadata();
  if (language) metadata.set('accept-language', language);
  const deadline = new Date(Date.now() + 20_000);
  return new Promise((resolve, reject) => {
    client[method](request, metadata, { deadline }, (error, response) =>
      error ? reject(error) : resolve(response),
    );
  });
}

// A call that must fail: its code, and its details by their names.
async function refusal(client, method, request, language) {
  const error = await call(client, method, request, language).then(
    () => assert.fail(`${method} was not refused`),
    (failed) => failed,
  );
  const [bytes] = error.metadata.get('grpc-status-details-bin');
  assert.ok(bytes, `no details: ${error.message}`);
  const details = {};
  for (const any of errors.lookupType('google.rpc.Status').decode(bytes).details) {
    const name = any.type_url.split('/').pop();
    details[name.split('.').pop()] = errors.lookupType(name).decode(any.value);
  }
  return { code: error.code, details };
}

async function wallets() {
  const account = { account_id: 'node-ming', currency: 'CURRENCY_COIN' };
  const opened = await call(wallet, 'OpenAccount', {
    request_id: 'node-open', kind: 'ACCOUNT_KIND_PLAYER', ...account,
  });
  assert.equal(opened.account.balance, '0');

  const deposit = { request_id: 'node-deposit', coins: '9007199254740991', reason: '充值', ...account };
  const first = await call(wallet, 'Deposit', deposit);
  assert.equal(first.balance, '9007199254740991'); // every coin of 2^53 - 1, not a rounded double
  assert.deepEqual(await call(wallet, 'Deposit', deposit), first); // once, however often it is sent

  const reused = await refusal(wallet, 'Deposit', { ...deposit, coins: '1' });
  assert.equal(reused.code, grpc.status.ALREADY_EXISTS);
  assert.equal(reused.details.ErrorInfo.reason, 'REQUEST_ID_REUSED');

  const read = await call(wallet, 'GetAccount', account);
  assert.equal(read.account.balance, first.balance);
  const { entries } = await call(wallet, 'ListEntries', account);
  assert.deepEqual(entries.map((entry) => [entry.coins, entry.reason]), [[deposit.coins, '充值']]);
}

const round = {
  variant: 'chaozhou', base: '100', dealer: 0, end: 'ROUND_END_WIN',
  wins: [{
    seat: 2, concealed: '3335557779s', tile: '9s', how: 'WIN_METHOD_SELF_DRAW',
    melds: [{ kind: 'MELD_KIND_PUNG', tiles: '222s', from: 1 }],
  }],
};

async function scores() {
  const { score } = await call(scoring, 'ScoreRound', { round });
  assert.equal(score.wins[0].legal, true);
  assert.deepEqual(score.wins[0].patterns.map((hit) => hit.id), ['CZ-22', 'CZ-24']);
  assert.equal(score.wins[0].patterns[1].name.zh_hans, '清一色');
  assert.deepEqual(score.net, ['-1200', '-1200', '3600', '-1200']);
  assert.equal(score.receipt.lines[0].arithmetic, '100 x 2 x 2 x 3 = 1200');

  const { variants } = await call(scoring, 'ListVariants', {});
  const game = variants.find((variant) => variant.id === 'chaozhou');
  assert.equal(game.rulebook_version, score.rulebook_version);
  assert.equal(game.wall_tiles, 136);
  assert.equal(game.options.find((option) => option.key === 'max_multiplier').default_value, '10');
}

// One failure, told in three languages.
async function languages() {
  const bad = structuredClone(round);
  bad.wins[0].concealed = '2235557779s'; // with the pung of 2s: five of a kind
  const words = {};
  for (const language of ['zh-Hans', 'zh-Hant', 'en']) {
    const { code, details } = await refusal(scoring, 'ScoreRound', { round: bad }, language);
    assert.equal(code, grpc.status.INVALID_ARGUMENT);
    assert.equal(details.ErrorInfo.domain, 'mahjong');
    assert.equal(details.ErrorInfo.reason, 'TOO_MANY_COPIES');
    assert.equal(details.ErrorInfo.metadata.tile, '2s');
    assert.equal(details.BadRequest.fieldViolations[0].field, 'round.wins[0]');
    assert.equal(details.LocalizedMessage.locale, language);
    words[language] = details.LocalizedMessage.message;
  }
  assert.equal(words['zh-Hans'], '同一种牌超过四张');
  assert.equal(words['zh-Hant'], '同一種牌超過四張');
  assert.match(words.en, /copies of a tile/);
}

await wallets();
await scores();
await languages();
wallet.close();
scoring.close();
console.log('ok');
