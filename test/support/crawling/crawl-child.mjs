/**
 * A worker of a crawl in a process of its own, for tests that kill it. It imports the built files, because it runs without
 * the test runner. It says 'ready' and waits for one line, the task as JSON: with a run it helps in it, without one it leads.
 * It says every receipt, and at last how it ended.
 */
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { createHostProber } from '../../../dist/adapters/probe/create-host-prober.js';
import { decodeEndpoint } from '../../../dist/adapters/store/crawl/crawl-work-codec.js';
import { openPostgres } from '../../../dist/adapters/store/postgres/open.js';
import { openSqlite } from '../../../dist/adapters/store/sqlite/open.js';
import { rankLists } from '../../../dist/core/crawl/merge-listed.js';
import { urlKeyOf } from '../../../dist/core/keyed-hash.js';
import { publicWeb } from '../../../dist/core/url/gate.js';
import { publicAddresses } from '../../../dist/core/url/public-address.js';
import { crawl } from '../../../dist/flows/crawl/crawl.js';
import { probeHosts } from '../../../dist/flows/crawl/probe-hosts.js';

const say = (line) => process.stdout.write(`${line}\n`);

/** Every name that is not dead leads to one seller on loopback. */
function proberTo(port) {
  return createHostProber({
    policy: publicWeb({ addresses: publicAddresses([]), ownHosts: new Set() }),
    userAgent: 'Assay-Prober/0',
    timeoutMs: 30_000,
    resolve: async (name) =>
      name.startsWith('dead-') ? { kind: 'not_found' } : { kind: 'addresses', addresses: [ownAddress(name)] },
    async dial() {
      const socket = connect({ host: '127.0.0.1', port });
      await once(socket, 'connect');
      return socket;
    },
  });
}

function listOf(name, endpoints) {
  return {
    name,
    async *read() {
      yield { kind: 'endpoints', endpoints };
      const counts = { items: endpoints.length, leftOut: new Map(), announced: null };
      yield { kind: 'ended', outcome: { kind: 'read', cut: null, ...counts } };
    },
  };
}

function partsOf(store, { owner, rows, sellerPort, aheadMs, hostsAtOnce, secret }) {
  const endpoints = rows.map(decodeEndpoint);
  const names = [...new Set(endpoints.map(({ list }) => list))];
  const ids = { next: 0 };
  return {
    jobs: store.jobs,
    runs: store.runs,
    work: store.crawlWork,
    slots: store.slots,
    openEndpoints: store.openEndpoints,
    entropy: randomBytes,
    lists: names.map((name) =>
      listOf(
        name,
        endpoints.filter(({ list }) => list === name),
      ),
    ),
    openHost: proberTo(sellerPort),
    keyOf: urlKeyOf(secret),
    rank: rankLists(names),
    isBlocked: () => false,
    limit: null,
    hostsAtOnce,
    now: () => new Date(Date.now() + aheadMs),
    wait: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
    stopwatch: () => performance.now(),
    newId: () => `${owner}-${ids.next++}`,
    onPhase: () => {},
    onReceipt: ({ url }) => say(`receipt ${url}`),
    isStopped: () => false,
  };
}

say('ready');
const [line] = await once(createInterface({ input: process.stdin }), 'line');
process.stdin.destroy();
const task = JSON.parse(line);
const store = await ('file' in task.place ? openSqlite(task.place) : openPostgres(task.place));
const parts = partsOf(store, task);
if (task.runId === null) {
  say((await crawl({ always: false }, parts)).kind);
} else {
  await probeHosts(task.runId, parts.newId(), parts);
  say('helped');
}
await store.close();
// The wait before the next renewal of the lead may still run.
process.exit();

/** A public address for each name, as in tools/samples/own-address.ts. */
function ownAddress(name) {
  return `93.${hash('sha256', name, 'buffer').subarray(0, 3).join('.')}`;
}
