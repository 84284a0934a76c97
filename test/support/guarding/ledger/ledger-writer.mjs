/**
 * A process of its own on a ledger in a file, for tests. It imports the built files, because it runs without the test runner.
 * Arguments: the file, a task and what the task needs as JSON. It says 'ready', waits for a line, does the task and answers in lines.
 */
import { once } from 'node:events';
import { sqliteLedger } from '../../../../dist/guard/ledger/sqlite-ledger.js';

const [file, task, needs] = process.argv.slice(2);
const say = (line) => process.stdout.write(`${line}\n`);
const at = new Date('2026-11-18T12:00:00.000Z');
const ledger = sqliteLedger(file);

/** With the amounts and times that JSON does not have. */
function purchaseOf(sample, changed) {
  const { authorization } = sample;
  const whole = (name) => BigInt(authorization[name]);
  return {
    ...sample,
    amount: BigInt(sample.amount),
    createdAt: at,
    updatedAt: at,
    authorization: {
      ...authorization,
      value: whole('value'),
      validAfter: whole('validAfter'),
      validBefore: whole('validBefore'),
    },
    ...changed,
  };
}

/** A task with a budget of its own in each round, and one key that both processes want. */
async function race({ sample, rounds, calls, max }) {
  for (let round = 0; round < rounds; round += 1) {
    const task = `round ${round}`;
    const limits = [{ code: 'over_task_limit', max: BigInt(max), task }];
    for (let call = 0; call < calls; call += 1) {
      const id = `${process.pid}-${round}-${call}`;
      const key = call === 0 ? `shared ${round}` : id;
      const { kind } = await ledger.reserve(purchaseOf(sample, { id, key, task }), limits);
      const moved = kind === 'reserved' && (await ledger.move(id, { from: ['reserved'], to: 'signed', at }));
      if (moved) say(`${task}:${key}`);
    }
  }
}

/** Whoever is behind finds files that exist, which is faster, so that processes stay together. */
async function create({ rounds }) {
  for (let round = 0; round < rounds; round += 1) {
    const fresh = sqliteLedger(`${file}.${round}`);
    await fresh.open('key');
    await fresh.close();
  }
}

/** Does one write, says so, and waits to be killed. */
async function writeOnce({ sample, what }) {
  const moves = [
    { from: ['reserved'], to: 'signed', at, facts: { payment: 'signed' }, durable: true },
    { from: ['signed'], to: 'sent', at, facts: { attempts: [{ at: at.toISOString(), status: null }] } },
    { from: ['sent'], to: 'delivered', at, facts: { payment: null } },
  ];
  if (what === 'frozen') await ledger.freeze(true);
  else {
    await ledger.reserve(purchaseOf(sample, { id: 'a', key: 'key' }), []);
    const until = moves.findIndex(({ to }) => to === what);
    for (const move of moves.slice(0, until + 1)) await ledger.move('a', move);
  }
  say('written');
  await new Promise(() => setInterval(() => {}, 1_000));
}

say('ready');
await once(process.stdin, 'data');
await { race, create, writeOnce }[task](JSON.parse(needs));
await ledger.close();
process.exit();
