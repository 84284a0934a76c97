import { inParallel } from '../../tools/in-parallel.ts';
import type { Report } from '../report/findings.ts';
import { startLoopbackSeller } from './loopback-prober.ts';

/** 100,000 probes must leave the process as small as the first 10,000 did. */
const WARM = 10_000;
const TOTAL = 100_000;
const IN_FLIGHT = 16;
const GROWTH_MAX_MB = 60;

const rssMb = () => process.memoryUsage().rss / 2 ** 20;

export async function benchProbeMemory(): Promise<Report> {
  const seller = await startLoopbackSeller();
  const probeTimes = (count: number) =>
    inParallel(IN_FLIGHT, Array(count).keys(), async () => {
      const outcome = await seller.prober.probe({ target: seller.target, method: 'GET' });
      if (outcome.kind !== 'answered') throw new Error(`the probe ended as ${outcome.kind}`);
    });
  await probeTimes(WARM);
  const warm = rssMb();
  const start = process.hrtime.bigint();
  await probeTimes(TOTAL - WARM);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const end = rssMb();
  seller.close();
  const finding = {
    what: `RSS after ${TOTAL} probes, ${((TOTAL - WARM) / seconds).toFixed(0)} a second`,
    measured: `${end.toFixed(0)} MB`,
    bare: `${warm.toFixed(0)} MB after ${WARM}`,
    ratio: end / warm,
    bound: `<= ${GROWTH_MAX_MB} MB more`,
    kept: end - warm <= GROWTH_MAX_MB,
  };
  return { about: 'One process, prober and seller together.', findings: [finding] };
}
