import { describe, expect, it } from 'vitest';
import type { GuardRefused } from '../../src/guard/index.ts';
import {
  GOODS,
  goods,
  guardFor,
  inProcessSeller,
  payer,
} from '../support/guarding/sellers/in-process-seller.ts';

const PAID = 'https://seller.example/paid';

describe('concurrent callers of one request', () => {
  it('five identical requests at once are one purchase, and all get the answer', async () => {
    const seller = inProcessSeller();
    const pay = payer(guardFor(seller).fetch);
    const answers = await Promise.all(Array.from({ length: 5 }, async () => (await pay(PAID)).text()));
    expect(answers).toEqual([GOODS, GOODS, GOODS, GOODS, GOODS]);
    expect(seller.payments()).toBe(1);
  });

  it('whoever waits for the answer of another may give up, and the other goes on', async () => {
    let deliver = () => {};
    const seller = inProcessSeller(undefined, async (request, before) => {
      await new Promise<void>((resolve) => {
        deliver = resolve;
      });
      return goods(request, before);
    });
    const pay = payer(guardFor(seller).fetch);
    const first = pay(PAID);
    await expect.poll(() => seller.payments()).toBe(1);
    const waiting = new AbortController();
    const second = pay(PAID, { signal: waiting.signal });
    await new Promise((resolve) => setImmediate(resolve));
    waiting.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    deliver();
    expect(await (await first).text()).toBe(GOODS);
  });

  it('an answer is not shared with a caller who has other credentials', async () => {
    const seller = inProcessSeller(
      undefined,
      ({ headers }) =>
        new Response(`{"for":"${headers.get('authorization')}"}`, {
          headers: { 'content-type': 'application/json' },
        }),
    );
    const pay = payer(guardFor(seller).fetch);
    const as = (name: string) => pay(PAID, { headers: { authorization: name } });
    const outcomes = await Promise.all(
      ['alice', 'bob'].map((name) =>
        as(name).then(
          (answer) => answer.text(),
          (fault: GuardRefused) => fault.code,
        ),
      ),
    );
    expect(
      outcomes.filter((outcome) => outcome === 'second_payment' || outcome === 'bought_already'),
    ).toHaveLength(1);
    expect(outcomes.some((outcome) => outcome === '{"for":"alice"}' || outcome === '{"for":"bob"}')).toBe(
      true,
    );
    expect(seller.payments()).toBe(1);
  });
});
