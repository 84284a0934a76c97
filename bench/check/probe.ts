import { Client } from 'undici';
import { median } from '../../tools/measure.ts';
import type { Report } from '../report/findings.ts';
import { startLoopbackSeller } from './loopback-prober.ts';

/** What a probe costs over a bare request with the same HTTP client on a fresh connection; the two take turns. */
const ROUNDS = 1_500;
const ADDED_MS_MAX = 1.5;

type Seller = Awaited<ReturnType<typeof startLoopbackSeller>>;

async function bare(seller: Seller): Promise<void> {
  const client = new Client(`http://127.0.0.1:${seller.port}`);
  const { body } = await client.request({ path: '/data', method: 'GET', reset: true });
  await body.text();
  await client.destroy();
}

async function probe(seller: Seller): Promise<void> {
  const outcome = await seller.prober.probe({ target: seller.target, method: 'GET' });
  if (outcome.kind !== 'answered' || outcome.status !== 402)
    throw new Error(`the probe ended as ${outcome.kind}`);
}

async function millisecondsOf(run: () => Promise<void>): Promise<number> {
  const start = process.hrtime.bigint();
  await run();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

export async function benchProbe(): Promise<Report> {
  const seller = await startLoopbackSeller();
  const times = { bare: [] as number[], probe: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.bare.push(await millisecondsOf(() => bare(seller)));
    times.probe.push(await millisecondsOf(() => probe(seller)));
  }
  seller.close();
  const [bareMs, probeMs] = [median(times.bare), median(times.probe)];
  const finding = {
    what: 'one probe on loopback, fresh connection',
    measured: `${probeMs.toFixed(3)} ms`,
    bare: `${bareMs.toFixed(3)} ms`,
    ratio: probeMs / bareMs,
    bound: `<= ${ADDED_MS_MAX} ms more`,
    kept: probeMs - bareMs <= ADDED_MS_MAX,
  };
  const about = `One after another; bare is a request with the same client. Medians of ${ROUNDS}.`;
  return { about, findings: [finding] };
}
