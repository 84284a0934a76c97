import { describe, expect, it } from 'vitest';
import { lookupResponse } from '../../src/wire/responses/lookup-response.ts';
import { LOOKUP_PAID } from '../support/asking.ts';
import { expectDelivered, settlementIn } from '../support/paying/paying-answers.ts';
import { buy } from '../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../support/paying/paying-chain.ts';
import { usePaying } from '../support/paying/paying-service.ts';
import { DOORS, freshAddress } from '../support/running/running-service.ts';

const chain = await chainOfTheFile();
const READS = 30;

describe.each(DOORS)('a lookup that matches nothing costs nothing (G98), through the %s', (door) => {
  const paying = usePaying({ chain, door, settings: { READS_PER_ADDRESS_MINUTE: String(READS) } });
  const buyer = buyerOf(chain, DOORS.indexOf(door));

  it.each<[string, string]>([
    ['an unknown task', '/v1/lookup?task=wether'],
    ['an unknown task, on the paid route', `${LOOKUP_PAID}?task=wether`],
    ['nothing as cheap as that', `${LOOKUP_PAID}?task=weather&max_price=0.000001`],
    ['an endpoint nobody knows', `${LOOKUP_PAID}?endpoint=https://nobody.example/x`],
  ])('%s: answered, and nothing is settled', async (_, path) => {
    const nothing = await takingsOf(chain, () => buy(paying.ask, path, { buyer }));
    const { answer } = nothing.result;
    expect([answer.status, answer.json.matched, answer.json.results]).toEqual([200, 0, []]);
    expect(lookupResponse.safeParse(answer.json).error).toBeUndefined();
    expect(answer.json.access).toMatchObject({ tier: 'paid', charged_usd: '0', tx: '' });
    expect([settlementIn(answer), nothing.taken]).toEqual([null, []]);
    expect(answer.header('cache-control')).toBe('no-store');
  });

  it('the metered route says that its free lookups are used up (G85), as for a lookup that is sold', async () => {
    const headersOf = async (path: string) => {
      const { answer } = await buy(paying.ask, path, { buyer });
      return [answer.status, answer.header('ratelimit'), answer.header('ratelimit-policy')];
    };
    const usedUp = [200, expect.stringMatching(/^"free-lookups";r=0;t=\d+$/), '"free-lookups";q=5;w=86400'];
    expect(await headersOf('/v1/lookup?task=weather')).toEqual(usedUp);
    expect(await headersOf('/v1/lookup?task=wether')).toEqual(usedUp);
    expect(await headersOf(`${LOOKUP_PAID}?task=wether`)).toEqual([200, null, null]);
  });

  it('counts in the minute of its address: nothing else bounds it (G102)', async () => {
    const { paid } = await buy(paying.ask, `${LOOKUP_PAID}?task=wether`, { buyer });
    const from = freshAddress();
    const asked = async (path: string) => (await paying.ask(path, { ...paid, from })).status;
    const statuses = [];
    for (let n = 0; n < READS + 1; n += 1) statuses.push(await asked(`${LOOKUP_PAID}?task=wether`));
    expect(statuses).toEqual([...Array.from({ length: READS }, () => 200), 429]);
  });

  it('the same payment buys a lookup that finds something', async () => {
    const unspent = await buy(paying.ask, `${LOOKUP_PAID}?task=wether`, { buyer });
    const found = await paying.ask(`${LOOKUP_PAID}?task=weather`, unspent.paid);
    await expectDelivered(chain, { answer: found, signed: unspent.signed }, '0.02');
  });
});
