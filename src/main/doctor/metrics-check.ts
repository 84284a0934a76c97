import { boundedGet, reasonOf } from './bounded-get.ts';
import { type Check, type DoctorParts, reachable } from './doctor-parts.ts';
import { failure, off, ok, type Verdict } from './finding.ts';

export const METRICS_CHECK: Check = { name: 'metrics', look };

async function look({ config, fetch }: DoctorParts): Promise<Verdict> {
  const { metricsHost, metricsPort } = config;
  if (metricsPort === null) return off('no alarm can be raised without them: set METRICS_PORT');
  const address = `${reachable(metricsHost)}:${metricsPort}`;
  const got = await boundedGet(fetch, `http://${address}/metrics`).catch(reasonOf);
  const fix = 'start the service, or run this on its machine';
  if (typeof got === 'string') return failure(`${address} does not answer: ${got}`, fix);
  if (got.status !== 200 || !got.text.includes('assay_'))
    return failure(`${address} serves no metrics of ours`, fix);
  return ok(`served on ${address}`);
}
