/**
 * A process of its own on stores, for tests. It imports the built files, because it runs without the test runner.
 * Arguments: a task, the settings of stores by name, and what the task needs. It says 'ready', waits for a line, then
 * does the task on every store and answers in lines.
 */
import { once } from 'node:events';
import { openPostgres } from '../../dist/adapters/store/open-postgres.js';
import { openSqlite } from '../../dist/adapters/store/open-sqlite.js';
import { decodeLiveReceipt } from '../../dist/adapters/store/receipt-codec.js';

const say = (line) => process.stdout.write(`${line}\n`);

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

/** Stores and counts, eight at once, until it is killed; says each id and number only after its promise is kept. */
async function writeForEver(store, { receipt, prefix }, name) {
  const counter = { key: prefix, window: '2026-11-15', limit: 1_000_000 };
  const model = decodeLiveReceipt(receipt);
  const writeLane = async (lane) => {
    for (let n = lane; ; n += 8) {
      const id = `${prefix}${n.toString(16).padStart(8, '0')}`;
      await store.receipts.add({ ...model, id }, 'key');
      say(`${name} stored ${id}`);
      const { used } = await store.counters.reserve([counter]);
      say(`${name} counted ${used[0]}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, lane) => writeLane(lane)));
}

const [task, settings, needs] = process.argv.slice(2);
say('ready');
await once(process.stdin, 'data');
process.stdin.destroy();
const places = JSON.parse(settings);
await Promise.all(
  Object.entries(places).map(async ([name, place]) => {
    const store = await ('file' in place ? openSqlite(place) : openPostgres(place));
    await { reserve, writeForEver }[task](store, JSON.parse(needs), name);
  }),
);
