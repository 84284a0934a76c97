import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../../src/adapters/store/postgres/open.ts';
import { crawl } from '../../../src/flows/crawl/crawl.ts';
import { joinCrawl } from '../../../src/flows/crawl/join-crawl.ts';
import { startRounds } from '../../../src/main/serve/start-rounds.ts';
import { type Server, startServer } from '../../../tools/store-server.ts';
import {
  type CrawlWorld,
  generatedRows,
  listOf,
  startCrawlWorld,
} from '../../support/crawling/crawl-world.ts';

const ROWS = generatedRows(900, 30);
/** Longer than the store waits by itself. */
const AWAY_MS = 2_500;

let server: Server;
let world: CrawlWorld;
beforeAll(async () => {
  server = await startServer();
  world = await startCrawlWorld([listOf('first', ROWS)]);
});
afterAll(async () => {
  await world.close();
  await server.stop();
});

/** As if the minute of a lead, and the seconds of a host and of its slots, were over; the server's own clock decides. */
async function lapseAll(): Promise<void> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query('update jobs set held_until = 0');
  await client.query('update crawl_hosts set lease_until = 0');
  await client.query('update target_slots set until = 0');
  await client.end();
}

it('a crawl and its worker outlive a database that goes down in the middle, twice', async ({ skip }) => {
  const { url, power } = server;
  if (power === null) return skip('the server is not ours to stop');
  const [leader, worker] = [await openPostgres({ url }), await openPostgres({ url })];
  const state = { receipts: 0, stopped: false, isPublished: false };
  const shared = {
    hostsAtOnce: 4,
    isStopped: () => state.stopped,
    onReceipt: () => {
      state.receipts += 1;
    },
  };
  const parts = world.parts(leader, {
    ...shared,
    onPhase({ kind }) {
      if (kind === 'published') state.isPublished = true;
    },
  });
  const [errors, says]: [unknown[], string[]] = [[], []];
  const leading = startRounds(100, () => crawl({ always: false }, parts), {
    log: { error: (...said: unknown[]) => void errors.push(said) },
    pause: () => wait(100),
  });
  const along = joinCrawl({
    ...world.parts(worker, shared),
    pause: () => wait(50),
    onFault: (fault, inARow) => {
      if (inARow === 1) says.push(`fault: ${fault instanceof Error}`);
    },
    onRecovered: () => void says.push('going on'),
  });
  for (const goal of [100, 400]) {
    while (state.receipts < goal) await wait(1);
    await power.off();
    await wait(AWAY_MS);
    await power.on();
    await lapseAll();
  }
  while (!state.isPublished) await wait(20);
  const run = await leader.runs.latest();
  expect(run?.summary.endpointsCovered).toBe(ROWS.length);
  // Once, and again what was in flight when the database went: three requests to each of eight hosts, twice.
  const again = [...world.seen.requests].filter(([path, times]) => times > 1 && !path.includes('?'));
  expect(again.length).toBeLessThanOrEqual(2 * 8 * 3);
  expect(world.seen.mostPerHost).toBeLessThanOrEqual(3);
  // Both felt it: the worker said so once for each time, and that it goes on when its next round is over.
  expect(errors.length).toBeGreaterThan(0);
  await expect.poll(() => says.slice(0, 2)).toEqual(['fault: true', 'going on']);
  state.stopped = true;
  await Promise.all([leading.stop(), along]);
  await Promise.all([leader.close(), worker.close()]);
});
