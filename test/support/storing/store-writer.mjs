/**
 * A process of its own on stores, for tests. It imports the built files, because it runs without the test runner.
 * Arguments: a task, the settings of stores by name, and what the task needs. It says 'ready', waits for a line, then
 * does the task on every store and answers in lines.
 */
import { once } from 'node:events';
import { decodeCrawlReceipt, decodeCrawlRun } from '../../../dist/adapters/store/crawl/crawl-codec.js';
import { openPostgres } from '../../../dist/adapters/store/postgres/open.js';
import { decodeLiveReceipt } from '../../../dist/adapters/store/receipts/receipt-codec.js';
import { openSqlite } from '../../../dist/adapters/store/sqlite/open.js';
import { sequence } from './sequence-log.mjs';

const say = (line) => process.stdout.write(`${line}\n`);
const hex = (n, digits) => n.toString(16).padStart(digits, '0');

/** Asks for uses of each pair in parallel and says which were granted. */
async function reserve(store, { rounds, calls, limit }) {
  const window = '2026-11-15';
  for (let round = 0; round < rounds; round += 1) {
    const pair = [
      { key: `caller-${round}`, window, limit },
      { key: `address-${round}`, window, limit: 1_000 },
    ];
    const answers = await Promise.all(Array.from({ length: calls }, () => store.counters.reserve(pair)));
    for (const { granted, used } of answers) if (granted) say(`${round}:${used.join()}`);
  }
  await store.close();
}

/** Claims each payment many times in parallel and says how that ended. */
async function claim(store, { rounds, calls }) {
  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: calls }, (_, n) =>
        store.payments.claim(claimOf(`key-${round}`, `${process.pid}-${n}`)),
      ),
    );
    for (const { kind } of answers) say(`${round}:${kind}`);
  }
  await store.close();
}

function claimOf(key, holder) {
  const [claimedAt, heldUntil] = [new Date('2026-11-15T12:00:00Z'), new Date('2026-11-15T12:01:00Z')];
  return { key, requestKey: 'request', identifier: `name of ${key}`, holder, claimedAt, heldUntil };
}

/** Begins calls of a cent in parallel, a day a round, and says how that ended. */
async function spend(store, { rounds, calls, perDay }) {
  const caps = { perDay: BigInt(perDay), total: 1_000_000_000n };
  for (let round = 0; round < rounds; round += 1) {
    const day = { serviceId: 'service', calledAt: new Date(Date.UTC(2026, 10, round + 1, 12)), payTo: '0x' };
    const answers = await Promise.all(
      Array.from({ length: calls }, (_, n) =>
        store.paidCalls.begin({ ...day, id: `${process.pid}-${round}-${n}`, amount: 10_000n }, caps),
      ),
    );
    for (const answer of answers) say(`${round}:${answer}`);
  }
  await store.close();
}

/** Starts probes at one target in parallel, half of them of the same URL, and says which were given a slot. */
async function takeSlots(store, { rounds, calls }) {
  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: calls }, (_, n) => {
        const urlKey = n % 2 === 0 ? 'same' : `${process.pid}-${n}`;
        const start = {
          targetKey: `target-${round}`,
          holder: `${process.pid}-${n}`,
          key: { urlKey: `${round} ${urlKey}`, method: 'GET' },
          addressKeys: [],
          newerThan: new Date(0),
          counters: [],
        };
        return store.checks.start(start, 600_000);
      }),
    );
    for (const [n, { kind }] of answers.entries()) {
      if (kind === 'started') say(`${round}:${n % 2 === 0 ? 'same URL' : 'a slot'}`);
    }
  }
  await store.close();
}

const sequenceLog = (store, needs) => sequence(store, needs, say);

/** Writes to every table at once until it is killed; says each thing only after its promise is kept. */
async function writeForEver(store, needs, name) {
  const tell = (what, value) => say(`${name} ${what} ${value}`);
  const lanes = (count, write) =>
    Array.from({ length: count }, async (_, lane) => {
      for (let n = lane; ; n += count) await write(n);
    });
  await Promise.all([
    ...lanes(3, (n) => checkOnce(store, needs, n, tell)),
    ...lanes(2, (n) => sellOnce(store, needs, n, tell)),
    ...lanes(1, (n) => crawlOnce(store, needs, n, tell)),
  ]);
}

async function checkOnce(store, { receipt, prefix }, n, tell) {
  const id = `${prefix}${hex(n, 8)}`;
  await store.receipts.add({ ...decodeLiveReceipt(receipt), id }, 'key');
  tell('stored', id);
  const { used } = await store.counters.reserve([{ key: prefix, window: '2026-11-15', limit: 1_000_000 }]);
  tell('counted', used[0]);
}

/** The key of a payment is the id of its receipt, which is none of those above. */
async function sellOnce(store, { receipt, prefix }, n, tell) {
  const key = `${prefix}f${hex(n, 7)}`;
  const at = new Date('2026-11-15T12:00:00Z');
  const attempt = { key, holder: 'holder' };
  await store.payments.claim(claimOf(key, 'holder'));
  tell('claimed', key);
  const hidden = { receipt: { ...decodeLiveReceipt(receipt), id: key }, urlKey: 'key' };
  const prepared = { operation: 'spot_check', body: '{}', receipt: hidden };
  await store.payments.prepare(attempt, prepared, 'payment', at);
  tell('prepared', key);
  await store.payments.settle(attempt, { status: 200, headers: {}, body: `answer of ${key}` }, '0xtx', at);
  tell('settled', key);
}

/** Twelve rows in two steps; each listing has a second page that starts after its eighth row. */
async function crawlOnce(store, { row, run, prefix }, n, tell) {
  const runId = `${prefix}-${n}`;
  const rows = Array.from({ length: 12 }, (_, index) => {
    const id = `${prefix.slice(-3)}${hex(n * 12 + index, 7)}`;
    const url = `https://a.example/${hex(index, 2)}`;
    return { urlKey: `key-${index}`, receipt: { ...decodeCrawlReceipt(row), id, url } };
  });
  await store.runs.begin(runId, new Date('2026-11-15T12:00:00Z'));
  await store.runs.add(runId, rows.slice(0, 6));
  await store.runs.add(runId, rows.slice(6));
  const starts = [rows[7].receipt];
  await store.runs.publish({ ...decodeCrawlRun(run), id: runId }, { all: starts, skip: starts });
  tell('published', runId);
}

const [task, settings, needs] = process.argv.slice(2);
say('ready');
await once(process.stdin, 'data');
process.stdin.destroy();
const places = JSON.parse(settings);
await Promise.all(
  Object.entries(places).map(async ([name, place]) => {
    const store = await ('file' in place ? openSqlite(place) : openPostgres(place));
    const tasks = { reserve, claim, spend, takeSlots, writeForEver, sequence: sequenceLog };
    await tasks[task](store, JSON.parse(needs), name);
  }),
);
