import { CHALLENGE_BODY_MAX_BYTES } from '../../core/limits.ts';
import type { ProbeAnswer } from '../../core/verdict/probe-outcome.ts';
import { GuardRefused } from '../guard-refused.ts';
import { readAtMost } from '../read-at-most.ts';
import type { Written402 } from './form.ts';

/** A seller that dribbles its 402 must not hold the buyer. */
const READ_WITHIN_MS = 10_000;

/** The very bytes that the payer would have read. What is cut off counts as the start of other terms. */
export async function read402(response: Response): Promise<ProbeAnswer> {
  const bytes = await readAtMost(response.body, CHALLENGE_BODY_MAX_BYTES, READ_WITHIN_MS);
  if (bytes === 'too_late') {
    throw new GuardRefused('timeout', { words: 'The seller did not finish its 402 within 10 seconds.' });
  }
  const isWhole = bytes !== 'too_much';
  return {
    kind: 'answered',
    status: 402,
    headers: [...response.headers],
    body: isWhole ? bytes : new TextEncoder().encode('{'),
    bodyComplete: isWhole,
  };
}

/** The 402 as the guard passes it on. Other fields are left out: another protocol's payment could stand there. */
export function response402({ paymentRequired, body }: Written402, url: string): Response {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (paymentRequired !== null) headers['payment-required'] = paymentRequired;
  return atUrl(new Response(body, { status: 402, statusText: 'Payment Required', headers }), url);
}

/** A response that was made here has no URL of its own; payers ask for it. */
export function atUrl(response: Response, url: string): Response {
  return Object.defineProperty(response, 'url', { value: url, configurable: true });
}

const CLOCK_SKEW_MAX_MS = 300_000;

/** A clock that is wrong signs authorizations that live too long, or are dead already. */
export function refuseWrongClock(response: Response, now: Date): void {
  const sent = Date.parse(response.headers.get('date') ?? '');
  const age = response.headers.get('age') ?? '';
  // A cache may have kept it for so long, and may have written its own time.
  const ahead = now.getTime() - sent - (SECONDS.test(age) ? Number(age) * 1_000 : 0);
  const behind = sent - now.getTime();
  if (ahead > CLOCK_SKEW_MAX_MS || behind > CLOCK_SKEW_MAX_MS) throw new GuardRefused('clock_wrong');
}

const SECONDS = /^[0-9]{1,9}$/;
