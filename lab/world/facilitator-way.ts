import { setTimeout as wait } from 'node:timers/promises';
import { type LoopbackAnswer, serveLoopback } from '../../src/sandbox/loopback-server.ts';

/** What becomes of a question on its way to the facilitator and back. */
export type Fate =
  | { readonly kind: 'fine' }
  /** Passed on, and answered late. */
  | { readonly kind: 'slow'; readonly milliseconds: number }
  /** Passed on, and the answer is another one. */
  | { readonly kind: 'wrong'; readonly how: WrongAnswer }
  /** Passed on, and nothing comes back. */
  | { readonly kind: 'cut' }
  /** Nobody is there. */
  | { readonly kind: 'gone' };

/** A page for people, a refusal of what was settled, somebody else's payment, and a megabyte of nothing. */
export type WrongAnswer = 'html' | 'refusal' | 'other_payer' | 'megabyte';

export interface FacilitatorWay {
  readonly url: string;
  treat(fate: Fate): void;
  fate(): Fate;
  /** How often each route was passed on. */
  readonly counts: { verify: number; settle: number };
  stop(): Promise<void>;
}

const PASS_MS = 30_000;

/** A small way on loopback in front of a facilitator, which passes everything on, or does not. */
export async function openWay(to: string): Promise<FacilitatorWay> {
  let fate: Fate = { kind: 'fine' };
  const counts = { verify: 0, settle: 0 };
  const way = await serveLoopback({
    async handle({ method, path, body }) {
      const now = fate;
      if (now.kind === 'gone') return { kind: 'hang_up' };
      if (path === '/verify') counts.verify += 1;
      if (path === '/settle') counts.settle += 1;
      const answer = await passOn(to + path, method, body);
      if (now.kind === 'slow') await wait(now.milliseconds);
      if (now.kind === 'cut' || answer === null) return { kind: 'hang_up' };
      return now.kind === 'wrong' ? wrongAnswer(now.how, path) : answer;
    },
  });
  return {
    url: way.url,
    treat(next) {
      fate = next;
    },
    fate: () => fate,
    counts,
    stop: way.stop,
  };
}

async function passOn(url: string, method: string, body: string): Promise<LoopbackAnswer | null> {
  try {
    const response = await fetch(url, {
      method,
      ...(method === 'POST' ? { body, headers: { 'content-type': 'application/json' } } : {}),
      signal: AbortSignal.timeout(PASS_MS),
    });
    return { kind: 'json', status: response.status, body: await response.text() };
  } catch {
    return null;
  }
}

const NOBODY = '0x000000000000000000000000000000000000dEaD';
const MEGABYTE = 1_048_576;

function wrongAnswer(how: WrongAnswer, path: string): LoopbackAnswer {
  switch (how) {
    case 'html':
      return { kind: 'json', status: 200, body: '<!doctype html><title>Sign in</title>' };
    case 'megabyte':
      return { kind: 'json', status: 200, body: `{"success":true,"note":"${'x'.repeat(MEGABYTE)}"}` };
    case 'refusal':
      return json({
        success: false,
        isValid: false,
        errorReason: 'unexpected_settle_error',
        invalidReason: 'x',
      });
    case 'other_payer':
      return path === '/verify'
        ? json({ isValid: true, payer: NOBODY })
        : json({ success: true, payer: NOBODY, transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:8453' });
  }
}

function json(body: object): LoopbackAnswer {
  return { kind: 'json', status: 200, body: JSON.stringify(body) };
}
