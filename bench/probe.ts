import { Client } from 'undici';
import { startLoopbackSeller } from './loopback-prober.ts';
import { median, printTable } from './measure.ts';

/** What a probe costs over a bare request with the same HTTP client on a fresh connection; the two take turns. */
const ROUNDS = 1_500;
const ADDED_MS_MAX = 1.5;

const seller = await startLoopbackSeller();

async function bare(): Promise<void> {
  const client = new Client(`http://127.0.0.1:${seller.port}`);
  const { body } = await client.request({ path: '/data', method: 'GET', reset: true });
  await body.text();
  await client.destroy();
}

async function probe(): Promise<void> {
  const outcome = await seller.prober.probe({ target: seller.target, method: 'GET' });
  if (outcome.kind !== 'answered' || outcome.status !== 402)
    throw new Error(`the probe ended as ${outcome.kind}`);
}

async function millisecondsOf(run: () => Promise<void>): Promise<number> {
  const start = process.hrtime.bigint();
  await run();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

const times = { bare: [] as number[], probe: [] as number[] };
for (let round = 0; round < ROUNDS; round += 1) {
  times.bare.push(await millisecondsOf(bare));
  times.probe.push(await millisecondsOf(probe));
}
seller.close();

const [bareMs, probeMs] = [median(times.bare), median(times.probe)];
const added = probeMs - bareMs;
printTable(
  ['one after another', 'median ms', 'per second'],
  [
    ['bare request, fresh connection', bareMs.toFixed(3), (1_000 / bareMs).toFixed(0)],
    ['probe', probeMs.toFixed(3), (1_000 / probeMs).toFixed(0)],
    ['added by the probe', added.toFixed(3), `limit ${ADDED_MS_MAX}`],
  ],
);
if (added > ADDED_MS_MAX) process.exitCode = 1;
