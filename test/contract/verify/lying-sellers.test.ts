import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpFacilitator } from '../../../src/adapters/facilitator/http-facilitator.ts';
import type { Store } from '../../../src/adapters/store/store.ts';
import { factsOnlyReason } from '../../../src/core/catalog/rank-services.ts';
import { readCatalog, type Service } from '../../../src/core/catalog/read-catalog.ts';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import type { Buyer } from '../../../src/ports/verify/own-calls.ts';
import { type LocalChain, startLocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import { startFacilitatorServer } from '../../../src/sandbox/facilitator-server.ts';
import { type LoopbackServer, serveLoopback } from '../../../src/sandbox/loopback-server.ts';
import { answering, type Behave, hangingUp, selling } from '../../../src/sandbox/sellers/behaviours.ts';
import { cents, SHOP, STRANGER } from '../../../src/sandbox/sellers/sale-terms.ts';
import { createStops } from '../../../src/sandbox/stops.ts';
import { transfersOn } from '../../support/own-calls.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';
import { type Run, verifyOn } from '../../support/verifying.ts';

const stops = createStops();
let chain: LocalChain;
let seller: LoopbackServer;
let place: Place;
let store: Store;
/** What the seller does, call by call; the last one for all that follow. */
let script: readonly Behave[] = [];
let calls = 0;

beforeAll(async () => {
  chain = await startLocalChain();
  const server = await startFacilitatorServer({ rpcUrl: chain.rpcUrl, gasKey: chain.accounts.gas.key });
  const facilitator = createHttpFacilitator({ url: server.url });
  seller = await serveLoopback({
    handle: (request) => {
      const behave = script[Math.min(calls, script.length - 1)] ?? hangingUp;
      calls += 1;
      const url = `${seller.url}/goods`;
      return behave(request, { url, about: 'Goods.', versions: 'v2', facilitator, now: Date.now });
    },
  });
  for (const stop of [seller.stop, server.stop, chain.stop]) stops.add(stop);
});
afterAll(() => stops.stopAll());
beforeEach(async () => {
  calls = 0;
  place = await newSqlitePlace();
  store = await place.open();
});
afterEach(() => place.remove());

function goods(): Service {
  const reading = readCatalog([
    {
      id: 'goods',
      name: 'Goods',
      provider: 'a seller',
      category: 'test',
      description: 'Goods.',
      endpoint: `${seller.url}/goods`,
      method: 'GET',
      price_usd: '0.01',
      network: 'eip155:8453',
      pay_to: SHOP,
      tasks: ['goods'],
      source: { list: 'test', seen_on: '2026-11-15' },
    },
  ]);
  const [service] = reading.kind === 'catalog' ? reading.services : [];
  if (service === undefined) throw new Error('not a service');
  return service;
}

const FAIR = cents(1n);
const verify = (run: Run = {}) =>
  verifyOn({ chain, store, urls: [seller.url] }, [goods()], { only: [goods()], ...run });
const stored = async () => (await store.paidCalls.callsOf(['goods'], 20)).get('goods') ?? [];

/** Takes the money and answers with an error. */
const takingAndFailing: Behave = async (request, stall) => {
  const answer = await selling(FAIR)(request, stall);
  return answer.kind === 'json' && answer.status === 200 ? { kind: 'json', status: 500, body: '{}' } : answer;
};

/** The right terms, which nobody may sign any more. */
const expired: Behave = async (request, stall) => {
  const answer = await selling(FAIR)(request, stall);
  if (answer.kind !== 'json') return answer;
  const terms = JSON.parse(Buffer.from(answer.headers?.['payment-required'] ?? '', 'base64').toString());
  const accepts = terms.accepts.map((offer: object) => ({ ...offer, validBefore: 1_700_000_000 }));
  const text = JSON.stringify({ ...terms, accepts });
  return { ...answer, body: text, headers: { 'payment-required': Buffer.from(text).toString('base64') } };
};

describe('a seller that asks for something else than a moment ago', () => {
  it.each<[string, Behave, string]>([
    ['more', selling(cents(5n)), 'terms_changed'],
    ['less', selling({ ...FAIR, amount: microUsd(9_999n) }), 'terms_changed'],
    ['money for a stranger', selling({ ...FAIR, payTo: STRANGER }), 'terms_changed'],
    ['another network', selling({ ...FAIR, network: 'eip155:137' }), 'terms_changed'],
    ['a test network', selling({ ...FAIR, network: 'eip155:84532' }), 'terms_changed'],
    ['another token', selling({ ...FAIR, asset: STRANGER }), 'terms_changed'],
    ['nothing', answering(200), 'no_challenge'],
    ['nothing that can be read', answering(402, { 'payment-required': '{' }), 'terms_changed'],
    ['nothing, because it hangs up', hangingUp, 'no_answer'],
  ])('%s is not paid', async (_, second, why) => {
    script = [selling(FAIR), second];
    const { result, transfers } = await transfersOn(chain, verify);
    expect(result).toEqual({ goods: { kind: 'not_paid', why } });
    expect(transfers).toEqual([]);
    expect(await stored()).toMatchObject([
      { tx: null, charged: null, ourFault: true, quality: 'not_graded' },
    ]);
    expect(await store.paidCalls.spent(new Date())).toEqual({ day: 0n, total: 0n });
  });

  it.each<[string, Behave, string]>([
    ['asks an absurd price', selling({ ...FAIR, amount: microUsd(1_000_000_000n) }), 'price_mismatch'],
    ['asks until a moment that is over', expired, 'bad_challenge'],
    ['asks on a test network', selling({ ...FAIR, network: 'eip155:84532' }), 'network_mismatch'],
    ['swapped its payee', selling({ ...FAIR, payTo: STRANGER }), 'pay_to_mismatch'],
    ['is out of order', answering(503), 'server_error'],
    ['has no paywall', answering(200), 'no_paywall'],
  ])('one that %s is not even asked again', async (_, behave, why) => {
    script = [behave];
    expect(await verify()).toEqual({ goods: { kind: 'not_paid', why } });
    expect([calls, await stored()]).toEqual([1, []]);
  });
});

describe('a seller that takes money and delivers nothing', () => {
  it('shows with facts alone after three such calls, and is back after one that delivers', async () => {
    script = [takingAndFailing];
    for (let n = 0; n < 3; n += 1) {
      expect(factsOnlyReason(await stored(), null)).toBeNull();
      await verify();
    }
    expect(await stored()).toMatchObject(
      Array.from({ length: 3 }, () => ({
        charged: 10_000n,
        delivered: false,
        httpStatus: 500,
        ourFault: false,
      })),
    );
    expect(factsOnlyReason(await stored(), null)).toBe('the last 3 paid calls delivered nothing');
    script = [selling(FAIR)];
    await verify();
    expect(factsOnlyReason(await stored(), null)).toBeNull();
  });

  it('and hangs up, is recorded as paid: the chain is asked, not the seller', async () => {
    const takingAndHangingUp: Behave = async (request, stall) => {
      const answer = await selling(FAIR)(request, stall);
      return answer.kind === 'json' && answer.status === 200 ? { kind: 'hang_up' } : answer;
    };
    script = [takingAndHangingUp];
    const { transfers } = await transfersOn(chain, verify);
    expect(await stored()).toMatchObject([
      { tx: transfers[0]?.tx, charged: 10_000n, delivered: false, httpStatus: null },
    ]);
  });
});

describe('an honest seller', () => {
  it('whose answer is larger than we read has delivered', async () => {
    const generous: Behave = async (request, stall) => {
      const answer = await selling(FAIR)(request, stall);
      if (answer.kind !== 'json' || answer.status !== 200) return answer;
      return { ...answer, body: JSON.stringify({ data: 'x'.repeat(1_500_000) }) };
    };
    script = [generous];
    await verify();
    expect(await stored()).toMatchObject([
      {
        charged: 10_000n,
        delivered: true,
        quality: 'not_graded',
        qualityReason: 'the answer was too large to be graded',
      },
    ]);
  });
});

describe('a seller that keeps a signature for later', () => {
  /** Takes it, says it failed, and settles when it likes. */
  const keeping: Behave = async (request, stall) => {
    const isPaid = request.header('payment-signature') !== null;
    return isPaid ? { kind: 'json', status: 500, body: '{}' } : selling(FAIR)(request, stall);
  };
  /** Nobody has time for the patience of the real one. */
  const hasty = { changes: { wait: async () => {} } };

  it('gets no second one, however often it is its turn', async () => {
    script = [keeping];
    expect(await verify(hasty)).toEqual({ goods: { kind: 'open' } });
    for (let round = 0; round < 3; round += 1)
      expect(await verify(hasty)).toEqual({ goods: { kind: 'open' } });
    expect(await verifyOn({ chain, store, urls: [seller.url] }, [goods()], hasty)).toEqual({});
    expect(await store.paidCalls.unfinished(new Date(Date.now() + 1_000), 9)).toHaveLength(1);
    expect((await store.paidCalls.spent(new Date())).total).toBe(10_000n);
  });
});

describe('a runner that dies', () => {
  /** Signs and sends, and never comes back. */
  const dying = (): Partial<Run> => ({
    changes: {
      wait: () => Promise.reject(new Error('killed')),
      authorizationLog: { useOf: () => Promise.reject(new Error('killed')) },
    },
  });

  it('leaves a call that the next one finishes, with what the chain knows', async () => {
    script = [selling(FAIR)];
    const { transfers } = await transfersOn(chain, async () => {
      await expect(verify(dying())).rejects.toThrow('killed');
    });
    expect(transfers).toHaveLength(1);
    expect(await stored()).toEqual([]);
    expect((await store.paidCalls.spent(new Date())).total).toBe(10_000n);
    const later = () => new Date(Date.now() + 700_000);
    await verifyOn({ chain, store, urls: [] }, [], { changes: { now: later } });
    // The answer had come before the end, so it counts.
    expect(await stored()).toMatchObject([
      { tx: transfers[0]?.tx, charged: 10_000n, delivered: true, ourFault: false },
    ]);
  });

  it('before anything was signed leaves nothing but a call that cost nothing', async () => {
    const buyer: Buyer = {
      address: '0x0',
      balance: async () => microUsd(1n),
      pay: () => Promise.reject(new Error('killed')),
    };
    script = [selling(FAIR)];
    await expect(verify({ changes: { buyer } })).rejects.toThrow('killed');
    const later = () => new Date(Date.now() + 700_000);
    await verifyOn({ chain, store, urls: [] }, [], { changes: { now: later } });
    expect(await stored()).toMatchObject([{ tx: null, charged: null, ourFault: true }]);
    expect((await store.paidCalls.spent(new Date())).total).toBe(0n);
  });
});
