import { describe, expect, it } from 'vitest';
import { createGuard, memoryLedger } from '../../../src/guard/index.ts';
import { refusalIn } from '../../support/guarding/buyers/measure-purchase.ts';
import { countingWallet, PAYERS, type PayerName } from '../../support/guarding/buyers/stock-payers.ts';
import { useGuardingWorld } from '../../support/guarding/guarding-world.ts';
import { LARGE_BYTES } from '../../support/guarding/sellers/seller-scripts.ts';
import { chainOfTheFile } from '../../support/paying/paying-chain.ts';

const chain = await chainOfTheFile();
const NAMES: readonly PayerName[] = ['x402Fetch', 'x402FetchV1', 'x402Axios', 'faremeter'];
const FOR_GUARD = { 'x-assay-purchase': 'order-17', 'x-assay-task': 'a task', 'x-assay-max-price': '0.02' };
const LIMITS = { perPayment: '0.10', perDay: '5' };

describe('what a guarded purchase delivers', () => {
  const world = useGuardingWorld(chain);

  function buyer(limits: Partial<Record<'perDay' | 'perHostDay', string>> = {}) {
    const guard = createGuard({ ledger: memoryLedger(), limits: { ...LIMITS, ...limits }, ask: null });
    const { account, signatures } = countingWallet(world.buyer.key);
    return { guard, account, signatures, pay: PAYERS.x402Fetch.pays(guard.fetch, account) };
  }
  const statesOf = async ({ purchases }: ReturnType<typeof createGuard>) =>
    (await purchases()).map(({ state }) => state);

  it('is a stream, event by event as the seller sends them', async () => {
    const stall = world.open('streamsEvents');
    const { guard, pay } = buyer();
    const { result, payments } = await world.moved(async () => {
      const answer = await pay(stall.url);
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      const events: string[] = [];
      for (let event = 0; event < 3; event += 1) {
        // The next event is sent only after this one was read.
        stall.step();
        events.push((await reader?.read())?.value ?? '');
      }
      expect(await reader?.read()).toEqual({ done: true, value: undefined });
      return events;
    });
    expect(result).toEqual(['data: one\n\n', 'data: two\n\n', 'data: three\n\n']);
    expect([payments, await statesOf(guard)]).toEqual([1, ['delivered']]);
  });

  it('is not delivered when the caller lets go of a stream before its first byte', async () => {
    const stall = world.open('streamsEvents');
    const { guard, pay, signatures } = buyer();
    const { payments } = await world.moved(async () => {
      await (await pay(stall.url)).body?.cancel();
      expect(await statesOf(guard)).not.toEqual(['delivered']);
      for (let step = 0; step < 6; step += 1) stall.step();
      expect(await (await pay(stall.url)).text()).toContain('data: three');
    });
    expect([payments, signatures(), await statesOf(guard)]).toEqual([1, 1, ['delivered']]);
  });

  it('is a large answer, to the last byte', async () => {
    const { guard, pay } = buyer();
    const answer = await pay(world.open('deliversMuch').url);
    expect((await answer.arrayBuffer()).byteLength).toBe(LARGE_BYTES);
    expect(await statesOf(guard)).toEqual(['delivered']);
  });

  it('is the seller that is expected, beside a thief at the same price', async () => {
    const expected = () => ({ payTo: chain.accounts.seller.address });
    const guard = createGuard({ ledger: memoryLedger(), limits: LIMITS, ask: null, expect: expected });
    const { account } = countingWallet(world.buyer.key);
    const pay = PAYERS.x402Fetch.pays(guard.fetch, account);
    const { result, toSeller, toThief } = await world.moved(() => pay(world.open('thiefAtSamePrice').url));
    expect([result.status, toSeller, toThief]).toEqual([200, 10_000n, 0n]);
  });

  it('is a compressed answer, readable', async () => {
    const { pay } = buyer();
    expect(await (await pay(world.open('deliversGzip').url)).json()).toEqual({ delivered: true });
  });

  it('is one answer for five identical purchases at once, with one payment', async () => {
    const stall = world.open('answersLate');
    const { signatures, pay } = buyer();
    const { result, payments } = await world.moved(async () => {
      const answers = Array.from({ length: 5 }, async () => (await pay(stall.url)).json());
      await expect.poll(() => stall.seen.settled).toBe(1);
      stall.step();
      return Promise.all(answers);
    });
    expect(result).toEqual(Array.from({ length: 5 }, () => ({ delivered: true })));
    expect([payments, stall.seen.payments.length, signatures()]).toEqual([1, 1, 1]);
  });

  it('is no more than the budget allows to four purchases at once', async () => {
    const { pay } = buyer({ perDay: '0.025' });
    const stalls = Array.from({ length: 4 }, () => world.open('honest'));
    const { result, payments, spent } = await world.moved(() =>
      Promise.all(
        stalls.map(({ url }) =>
          pay(url).then(
            ({ status }) => status,
            (error: unknown) => refusalIn(error) ?? 'thrown',
          ),
        ),
      ),
    );
    expect(result.map(String).sort()).toEqual(['200', '200', 'over_day_limit', 'over_day_limit']);
    expect([payments, spent]).toEqual([2, 20_000n]);
  });

  it('is nothing yet when the caller gives up after the payment was sent; the same payment brings it', async () => {
    const stall = world.open('answersLate');
    const { guard, signatures, pay } = buyer();
    const { payments } = await world.moved(async () => {
      const giving = new AbortController();
      const given = pay(stall.url, { signal: giving.signal }).catch((error: unknown) => error);
      await expect.poll(() => stall.seen.settled).toBe(1);
      giving.abort();
      expect(await given).toMatchObject({ name: 'AbortError' });
      await expect.poll(() => statesOf(guard)).toEqual(['unknown']);
      expect(await (await pay(stall.url)).json()).toEqual({ delivered: true });
    });
    expect([payments, signatures(), await statesOf(guard)]).toEqual([1, 1, ['delivered']]);
  });

  it('is `outcome_unknown` when no answer ever comes, and never a second payment', async () => {
    const stall = world.open('losesEveryAnswer');
    const { guard, signatures, pay } = buyer();
    const { result, payments } = await world.moved(async () => {
      const ends: unknown[] = [];
      for (let n = 0; n < 2; n += 1) ends.push(await pay(stall.url).catch(refusalIn));
      return ends;
    });
    expect(result).toEqual(['outcome_unknown', 'outcome_unknown']);
    expect([payments, signatures(), new Set(stall.seen.payments).size]).toEqual([1, 1, 1]);
    expect(await statesOf(guard)).toEqual(['unknown']);
  });

  it('is `bought_already` when it is asked for again at once, unless the purchase has a new name', async () => {
    const stall = world.open('honest');
    const { pay } = buyer();
    const named = (purchase: string) => ({ headers: { 'x-assay-purchase': purchase } });
    const { result, payments } = await world.moved(async () => [
      (await pay(stall.url)).status,
      await pay(stall.url).catch(refusalIn),
      (await pay(stall.url, named('second'))).status,
      await pay(stall.url, named('second')).catch(refusalIn),
    ]);
    expect([result, payments]).toEqual([[200, 'bought_already', 200, 'bought_already'], 2]);
  });

  it.each(NAMES)(
    'is what was asked for, with %s: body and headers arrive, and what is for the guard does not',
    async (payer) => {
      const stall = world.open('honest');
      const { guard, account } = buyer();
      const pay = PAYERS[payer].pays(guard.fetch, account);
      const headers = { 'content-type': 'application/json', authorization: 'Bearer of a test', ...FOR_GUARD };
      const { result, payments } = await world.moved(async () => {
        const answer = await pay(`${stall.url}?page=2#top`, {
          method: 'POST',
          body: '{"question":1}',
          headers,
        });
        return [answer.status, await answer.json()];
      });
      expect([result, payments]).toEqual([[200, { delivered: true }], 1]);
      expect(stall.seen.requests).toHaveLength(2);
      for (const request of stall.seen.requests) {
        expect(request.body).toBe('{"question":1}');
        expect(request.headers).toMatchObject({
          'content-type': expect.stringMatching(/^application\/json/),
          authorization: 'Bearer of a test',
        });
        expect(Object.keys(request.headers).filter((name) => name.startsWith('x-assay'))).toEqual([]);
      }
      expect((await guard.purchases()).map(({ method, state }) => [method, state])).toEqual([
        ['POST', 'delivered'],
      ]);
    },
  );
});
