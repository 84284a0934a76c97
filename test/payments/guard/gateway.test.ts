import { describe, expect, it } from 'vitest';
import type { GuardOptions } from '../../../src/guard/guard-options.ts';
import { createGuard, type Decision, memoryLedger } from '../../../src/guard/index.ts';
import { measurePurchase } from '../../support/guarding/buyers/measure-purchase.ts';
import { countingWallet, PAYERS } from '../../support/guarding/buyers/stock-payers.ts';
import { startGateway } from '../../support/guarding/gateway.ts';
import { useGuardingWorld } from '../../support/guarding/guarding-world.ts';
import { type End, moneyCases } from '../../support/guarding/money-rows.ts';
import { chainOfTheFile } from '../../support/paying/paying-chain.ts';

const chain = await chainOfTheFile();
const LIMITS = { perPayment: '0.10', perDay: '5' };
const CASES = moneyCases().filter(({ payer }) => payer === 'x402Fetch' || payer === 'x402FetchV1');

/** What a client of the gateway sees of a refusal. Once a payment was sent, it is a fault of the seller. */
function statusOf(end: End, signatures: number): End {
  switch (end) {
    case 'asked_again_after_payment':
    case 'outcome_unknown':
      return 502;
    case 'redirected_elsewhere':
      return signatures === 0 ? 403 : 502;
    case 'bad_challenge':
      return 403;
    default:
      return end;
  }
}

describe('what payers behind the gateway pay, on the chain:', () => {
  const world = useGuardingWorld(chain);

  async function gatewayOf(options: Partial<GuardOptions> = {}) {
    const decisions: Decision['kind'][] = [];
    const onDecision = ({ kind }: Decision) => decisions.push(kind);
    const guard = createGuard({ ledger: memoryLedger(), limits: LIMITS, ask: null, onDecision, ...options });
    return { guard, decisions, gateway: await startGateway(guard.fetch) };
  }
  const payerOver = (fetch: typeof globalThis.fetch) =>
    PAYERS.x402Fetch.pays(fetch, countingWallet(world.buyer.key).account);

  it.each(CASES.map((row) => [row.what, PAYERS[row.payer].name, row] as const))(
    '%s, with %s',
    async (_what, _payer, { seller, payer, tries, guarded }) => {
      const { gateway } = await gatewayOf();
      expect(await measurePurchase(world, { seller, payer, tries, fetch: gateway.fetch })).toEqual({
        ...guarded,
        ends: guarded.ends.map((end) => statusOf(end, guarded.signatures)),
      });
    },
  );

  it('nothing to a thief, and the refusal is in our words', async () => {
    const { gateway, decisions } = await gatewayOf({
      expect: () => ({ payTo: chain.accounts.seller.address }),
    });
    const { result, payments, toThief } = await world.moved(() =>
      payerOver(gateway.fetch)(world.open('otherPayee').url),
    );
    expect([payments, toThief, decisions]).toEqual([0, 0n, ['refused']]);
    expect([result.status, result.headers.get('content-type')]).toEqual([403, 'application/problem+json']);
    expect(await result.json()).toEqual({
      type: 'urn:assay:guard:pay_to_mismatch',
      title: 'Payment refused',
      status: 403,
      detail: 'The payee of the live 402 is not the expected payee.',
      code: 'pay_to_mismatch',
      purchase_id: null,
    });
  });

  it('once when no answer ever comes, and the purchase can be looked up', async () => {
    const { gateway, guard, decisions } = await gatewayOf();
    const { result, payments } = await world.moved(() =>
      payerOver(gateway.fetch)(world.open('losesEveryAnswer').url),
    );
    const [purchase] = await guard.purchases();
    expect([result.status, payments, purchase?.state]).toEqual([502, 1, 'unknown']);
    expect(await result.json()).toMatchObject({ code: 'outcome_unknown', purchase_id: purchase?.id });
    expect(decisions).toEqual(['approved', 'sent', 'sent', 'sent', 'unknown', 'refused']);
  });

  it('once for a stream, which arrives event by event', async () => {
    const stall = world.open('streamsEvents');
    const { gateway, guard } = await gatewayOf();
    const { payments } = await world.moved(async () => {
      const answer = await payerOver(gateway.fetch)(stall.url);
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (const event of ['one', 'two', 'three']) {
        // The next event is sent only after this one was read.
        stall.step();
        expect((await reader?.read())?.value).toBe(`data: ${event}\n\n`);
      }
      expect((await reader?.read())?.done).toBe(true);
    });
    expect(payments).toBe(1);
    expect((await guard.purchases()).map(({ state }) => state)).toEqual(['delivered']);
  });

  it('once when the client goes away before the answer, and asks again', async () => {
    const stall = world.open('answersLate');
    const { gateway, guard } = await gatewayOf();
    const pay = payerOver(gateway.fetch);
    const { result, payments } = await world.moved(async () => {
      const leaving = new AbortController();
      const first = pay(stall.url, { signal: leaving.signal }).catch(() => null);
      await expect.poll(() => stall.seen.settled).toBe(1);
      leaving.abort();
      expect(await first).toBeNull();
      await expect.poll(async () => (await guard.purchases())[0]?.state).toBe('unknown');
      return (await pay(stall.url)).text();
    });
    expect([result, payments, stall.seen.paid]).toEqual(['{"delivered":true}', 1, 2]);
  });

  it('within what the headers for the guard say, and sellers do not see them', async () => {
    const { gateway, guard } = await gatewayOf({ limits: { ...LIMITS, perTask: '0.015' } });
    const pay = payerOver(gateway.fetch);
    const [dear, cheap] = [world.open('raisedPrice'), world.open('honest')];
    const buy = async (url: string, headers: Record<string, string>) => {
      const answer = await pay(url, { headers });
      return answer.status === 200 ? 'bought' : ((await answer.json()) as { readonly code: string }).code;
    };
    expect(await buy(dear.url, { 'X-Assay-Max-Price': '0.02' })).toBe('over_payment_limit');
    expect(await buy(cheap.url, { 'X-Assay-Max-Price': 'two cents' })).toBe('not_approved');
    expect(await buy(cheap.url, { 'X-Assay-Task': 'a', 'X-Assay-Purchase': 'first' })).toBe('bought');
    expect(await buy(cheap.url, { 'X-Assay-Task': 'a', 'X-Assay-Purchase': 'second' })).toBe(
      'over_task_limit',
    );
    expect(await buy(cheap.url, { 'X-Assay-Task': 'a', 'X-Assay-Purchase': 'first' })).toBe('bought_already');
    expect((await guard.purchases()).map(({ task, name }) => [task, name])).toEqual([['a', 'first']]);
    const names = [...dear.seen.requests, ...cheap.seen.requests].flatMap(({ headers }) =>
      Object.keys(headers),
    );
    expect(names.filter((name) => name.startsWith('x-assay'))).toEqual([]);
  });
});
