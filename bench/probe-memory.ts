import { startLoopbackSeller } from './loopback-prober.ts';
import { printTable } from './measure.ts';

/** 100,000 probes must leave the process as small as the first 10,000 did. */
const WARM = 10_000;
const TOTAL = 100_000;
const IN_FLIGHT = 16;
const GROWTH_MAX_MB = 60;

const seller = await startLoopbackSeller();
const rssMb = () => process.memoryUsage().rss / 2 ** 20;
let sent = 0;

async function probeUntil(count: number): Promise<void> {
  const lane = async () => {
    while (sent < count) {
      sent += 1;
      const outcome = await seller.prober.probe({ target: seller.target, method: 'GET' });
      if (outcome.kind !== 'answered') throw new Error(`the probe ended as ${outcome.kind}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
}

await probeUntil(WARM);
const warm = rssMb();
const start = process.hrtime.bigint();
await probeUntil(TOTAL);
const seconds = Number(process.hrtime.bigint() - start) / 1e9;
const end = rssMb();
seller.close();

printTable(
  ['probes', 'RSS MB', 'per second'],
  [
    [String(WARM), warm.toFixed(0), ''],
    [String(TOTAL), end.toFixed(0), ((TOTAL - WARM) / seconds).toFixed(0)],
    ['growth', (end - warm).toFixed(0), `limit ${GROWTH_MAX_MB} MB`],
  ],
);
if (end - warm > GROWTH_MAX_MB) process.exitCode = 1;
