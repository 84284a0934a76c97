import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GuardRefused, memoryLedger } from '../../src/guard/index.ts';
import { ENTRY, PAYEE, paywall, THIEF } from '../../tools/samples/challenge.ts';
import {
  type Answering,
  GOODS,
  guardFor,
  inProcessSeller,
  payer,
  responseOf,
} from '../support/guarding/sellers/in-process-seller.ts';
import { sized } from '../support/sized.ts';

const PAID = 'https://seller.example/paid';

/** What a seller may do with a payment. */
const PAID_ANSWERS = {
  delivers: () => new Response(GOODS, { headers: { 'content-type': 'application/json' } }),
  streams: () =>
    new Response(new Blob([GOODS]).stream(), { headers: { 'content-type': 'text/event-stream' } }),
  loses: () => {
    throw new TypeError('fetch failed');
  },
  breaks: () => new Response('no', { status: 500 }),
  empties: () => new Response(null, { status: 200 }),
  redirects: () => new Response(null, { status: 307, headers: { location: 'https://thief.example/' } }),
  asksAgain: () => responseOf(paywall([ENTRY])),
  asksForMore: () => responseOf(paywall([{ ...ENTRY, amount: '900000', payTo: THIEF }])),
} as const satisfies Record<string, Answering>;

/** What it may ask for; the thief costs less than the seller in one of them. */
const CHALLENGES = {
  honest: paywall([ENTRY]),
  thiefFirst: paywall([{ ...ENTRY, amount: '900000', payTo: THIEF }, ENTRY]),
  thiefAtTheSamePrice: paywall([{ ...ENTRY, payTo: THIEF }, ENTRY]),
  thiefOnly: paywall([{ ...ENTRY, payTo: THIEF }]),
  oneYear: paywall([{ ...ENTRY, maxTimeoutSeconds: 31_536_000 }]),
  dearer: paywall([{ ...ENTRY, amount: '20000' }]),
} as const;

const names = <T extends object>(table: T) => fc.constantFrom(...(Object.keys(table) as (keyof T)[]));

const step = fc.record({
  challenge: names(CHALLENGES),
  answers: fc.array(names(PAID_ANSWERS), { minLength: 1, maxLength: 4 }),
  callers: fc.integer({ min: 1, max: 3 }),
  restart: fc.boolean(),
});

it('whatever a seller does, a purchase is paid once, and only as approved', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      let challenge: (typeof CHALLENGES)[keyof typeof CHALLENGES] = CHALLENGES.honest;
      let answers: readonly (keyof typeof PAID_ANSWERS)[] = [];
      let at = 0;
      const seller = inProcessSeller(
        () => challenge,
        () => PAID_ANSWERS[answers[at++ % answers.length] ?? 'delivers'](),
      );
      const ledger = memoryLedger();
      const options = {
        ledger,
        // Long ago and repeated at once are the same here: a second payment for one purchase would show.
        repeatAfterMs: Number.MAX_SAFE_INTEGER,
        expect: () => ({ price: '0.01', payTo: PAYEE }),
      };
      let guard = guardFor(seller, options);
      for (const one of steps) {
        ({ answers } = one);
        challenge = CHALLENGES[one.challenge];
        at = 0;
        if (one.restart) guard = guardFor(seller, options);
        const pay = payer(guard.fetch);
        const calls = Array.from({ length: one.callers }, () =>
          pay(PAID).then((response) => response.text(), refusal),
        );
        await Promise.all(calls);
      }
      expect(seller.payments()).toBeLessThanOrEqual(1);
      for (const { payment } of seller.seen) {
        if (payment === null) continue;
        const { to, value, validBefore } = payment.payload.authorization;
        expect([to.toLowerCase(), value]).toEqual([PAYEE.toLowerCase(), '10000']);
        expect(Number(validBefore)).toBeLessThanOrEqual(Date.now() / 1_000 + 900);
      }
    }),
    { numRuns: sized(40, 400) },
  );
});

function refusal(fault: unknown): string {
  if (fault instanceof GuardRefused) return fault.code;
  throw fault;
}
