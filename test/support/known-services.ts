import type { Store } from '../../src/adapters/store/store.ts';
import { buildTaskIndex } from '../../src/core/catalog/task-index.ts';
import { microUsd } from '../../src/core/money/micro-usd.ts';
import { aService } from '../../tools/samples/catalog.ts';
import { storeCalls } from './asking.ts';

export const PAYEE = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
export const LISTED = '0x857b06519E91e3A54538791bDbb0E22373e36b66';
export const TX = `0x${'ab'.repeat(32)}`;
/** What a browser says that it likes. */
export const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

export const pass = { quality: 'pass' } as const;
const fail = { quality: 'fail', qualityReason: 'check 1 failed' } as const;
const undelivered = {
  quality: 'not_graded',
  qualityReason: 'nothing came back',
  delivered: false,
  httpStatus: 500,
} as const;
export const at = (time: string) => ({ calledAt: new Date(`2026-11-15T${time}.000Z`) });
export const KNOWN_ANSWER = {
  input: 'Berlin at noon',
  pass_if: 'a temperature within 2 degrees of the weather office',
  predicates: [{ kind: 'at_least', path: '$.t', items: 1 }],
};
export const HOSTILE = '"><script>alert(1)</script>';

/** Services with different pasts. */
export const INDEX = buildTaskIndex([
  aService({
    id: 'in-full',
    tasks: ['weather', 'weather-forecast'],
    pay_to: LISTED,
    known_answer: KNOWN_ANSWER,
  }),
  aService({ id: 'never-called', network: 'eip155:137' }),
  aService({ id: 'broken' }),
  aService({ id: 'pinned', facts_only: 'asks for a login' }),
  aService({ id: 'busy' }),
  aService({ id: 'strange', name: `Strange ${HOSTILE}`, description: `<img src=x onerror='alert(1)'>` }),
]);

/** What was found out about them. */
export async function storePasts(store: Pick<Store, 'paidCalls'>): Promise<void> {
  await storeCalls(store, 'in-full', [
    { ...pass, ...at('09:00:00') },
    { ...fail, ...at('10:00:00') },
    { ...undelivered, ...at('11:00:00'), tx: null, charged: null, httpStatus: null, latencyMs: null },
  ]);
  await store.paidCalls.keepCheck('in-full', {
    checkedAt: new Date('2026-11-15T08:00:00.000Z'),
    reachable: true,
    x402Challenge: true,
    quotedPrice: microUsd(50_000n),
    priceMatchesListing: false,
  });
  await storeCalls(
    store,
    'broken',
    [pass, undelivered, undelivered, undelivered].map((call, n) => ({ ...call, ...at(`0${n}:00:00`) })),
  );
  await storeCalls(
    store,
    'busy',
    Array.from({ length: 25 }, (_, n) => ({
      ...(n < 5 ? fail : pass),
      calledAt: new Date(Date.UTC(2026, 10, 14, n)),
    })),
  );
  await storeCalls(store, 'strange', [
    { ...fail, qualityReason: HOSTILE, tx: `0x${HOSTILE}`, payTo: HOSTILE },
  ]);
}
