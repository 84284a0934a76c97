import { boundedGet, reasonOf } from './bounded-get.ts';
import { type Check, type DoctorParts, serviceAddress } from './doctor-parts.ts';
import { failure, off, ok, type Verdict, warning } from './finding.ts';

const WARN_MS = 2_000;
const FAIL_MS = 30_000;
const FIX = 'synchronize the clocks of both machines (NTP)';

export function clockVerdict(aheadMs: number): Verdict {
  const apart = Math.abs(aheadMs);
  const says = `${(apart / 1_000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this machine`;
  if (apart > FAIL_MS) return failure(says, FIX);
  if (apart > WARN_MS) return warning(says, FIX);
  return ok(says);
}

/** Another clock: the facilitator, which refuses payments that are not yet or no longer valid, else our own proxy. */
export const CLOCK_CHECK: Check = { name: 'clock of the network', look };

async function look(parts: DoctorParts): Promise<Verdict> {
  const { fetch, now } = parts;
  const asked = addressOf(parts);
  if (asked === null) return off('no clock to compare with: set BASE_URL, or PAY_TO and FACILITATOR_URL');
  const before = now().getTime();
  const got = await boundedGet(fetch, asked.url).catch(reasonOf);
  const fix = `see ${asked.check}`;
  if (typeof got === 'string') return warning(`${asked.who} does not answer: ${got}`, fix);
  const date = Date.parse(got.headers.get('date') ?? '');
  if (Number.isNaN(date)) return warning(`${asked.who} sends no date`, fix);
  // The field has whole seconds, rounded down.
  const verdict = clockVerdict(date + HALF_SECOND_MS - (before + now().getTime()) / 2);
  return { ...verdict, says: `${asked.who} is ${verdict.says}` };
}

const HALF_SECOND_MS = 500;

function addressOf({ config }: DoctorParts) {
  const { facilitator, payTo } = config;
  if (payTo !== null && facilitator.kind === 'http') {
    const url = `${facilitator.url.replace(/\/+$/, '')}/supported`;
    return { url, who: 'the facilitator', check: 'facilitator' };
  }
  const address = config.baseUrl === null ? null : serviceAddress(config);
  return address === null ? null : { url: `${address}/healthz`, who: 'BASE_URL', check: 'public address' };
}
