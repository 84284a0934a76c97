import { describe, expect, it, vi } from 'vitest';
import type { ZodType } from 'zod';
import { judgeAgain } from '../../../src/core/statement/judge-again.ts';
import { readStatement } from '../../../src/core/statement/read-statement.ts';
import { lookupResponse } from '../../../src/wire/responses/lookup-response.ts';
import { packResponse } from '../../../src/wire/responses/pack-response.ts';
import { paidShape } from '../../../src/wire/responses/spot-check-response.ts';
import { paymentHeader, signAuthorization } from '../../../tools/signed-payment.ts';
import { checkOf, EXEMPT, LOOKUP, LOOKUP_PAID, PACK, SPOT_CHECK } from '../../support/asking.ts';
import { balanceOf } from '../../support/paying/chain-reading.ts';
import { expectDelivered, GOODS } from '../../support/paying/paying-answers.ts';
import { type Buying, buy, gate, withPayment } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { usePaying } from '../../support/paying/paying-service.ts';
import { BASE_URL, BOTH_DOORS, type Sent } from '../../support/running/running-service.ts';

const chain = await chainOfTheFile();
const DEAR = 'http://seller.example/dear';
const POST: Sent = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ url: DEAR, claimed_price: '1' }),
};

type Row = [what: string, path: string, sent: Sent, usd: string, units: bigint, shape: ZodType];
const LOOKUPS: Row[] = [
  ['a lookup past the quota', `${LOOKUP}?task=weather`, {}, '0.02', 20_000n, lookupResponse],
  ['a paid lookup', `${LOOKUP_PAID}?task=weather&n=3&limit=1`, {}, '0.02', 20_000n, lookupResponse],
];
const CHECKS: Row[] = [
  ['a spot-check', checkOf(DEAR), {}, '0.1', 100_000n, paidShape],
  ['a spot-check by POST', SPOT_CHECK, POST, '0.1', 100_000n, paidShape],
];
const PACKS: Row[] = [
  ['the pack', PACK, {}, '9', 9_000_000n, packResponse],
  ['the pack by POST (G89)', PACK, { method: 'POST', body: 'is ignored' }, '9', 9_000_000n, packResponse],
];
const VERSIONS = [2, 1] as const;

/** Buys it and holds the books against the chain. */
async function buyExactly(paying: ReturnType<typeof usePaying>, row: Row, buying: Buying) {
  const [, path, sent, usd, units, shape] = row;
  const { buyer } = buying;
  const { seller } = chain.accounts;
  const before = [await balanceOf(chain, buyer.address), await balanceOf(chain, seller.address)] as const;
  const { result, taken } = await takingsOf(chain, () => buy(paying.ask, path, { ...buying, sent }));
  await expectDelivered(chain, result, usd);
  expect(shape.safeParse(result.answer.json).error).toBeUndefined();
  expect(result.answer.text).toMatch(GOODS);
  expect(await balanceOf(chain, buyer.address)).toBe(before[0] - units);
  expect(await balanceOf(chain, seller.address)).toBe(before[1] + units);
  expect(taken).toEqual([{ from: buyer.address, value: units, tx: result.answer.json.access.tx }]);
  expect(paying.facilitator.calls).toEqual({ verify: 1, settle: 1 });
  expect(paying.faults).toEqual([]);
  return result;
}

describe.each(BOTH_DOORS)('what is paid for is delivered, through the %s', (door) => {
  const paying = usePaying({ chain, door });
  const buyer = buyerOf(chain, BOTH_DOORS.indexOf(door));

  describe.each(VERSIONS)('with a payment of version %s (PAY-18)', (version) => {
    it.each([...LOOKUPS, ...CHECKS, ...PACKS])('%s', async (...row) => {
      await buyExactly(paying, row, { buyer, version });
    });
  });

  it.each<[string, 1 | 2, string]>([
    ['a version 1 payment in PAYMENT-SIGNATURE', 1, 'payment-signature'],
    ['a version 2 payment in X-PAYMENT', 2, 'x-payment'],
  ])('%s is as good (G62)', async (_, version, name) => {
    const bought = await buy(
      (path, sent) => {
        const [header] = Object.values(sent?.headers ?? {});
        return paying.ask(path, header === undefined ? sent : { ...sent, headers: { [name]: header } });
      },
      `${LOOKUP_PAID}?task=weather`,
      { buyer, version },
    );
    await expectDelivered(chain, bought, '0.02');
  });

  it('the same payment in both headers is one payment (G62)', async () => {
    const path = `${LOOKUP_PAID}?task=web-search`;
    const { result, taken } = await takingsOf(chain, async () => {
      const bought = await buy(paying.ask, path, { buyer });
      const header = bought.paid.headers?.['payment-signature'] ?? '';
      const both = { ...bought.paid, headers: { 'payment-signature': header, 'x-payment': header } };
      return { bought, again: await paying.ask(path, both) };
    });
    expect(result.again.text).toBe(result.bought.answer.text);
    expect(taken).toHaveLength(1);
  });
});

describe('what a paid answer holds', () => {
  const paying = usePaying({ chain });
  const buyer = buyerOf(chain, 2);

  it.each([...LOOKUPS.slice(1), ...PACKS])(
    'the self-test key buys nothing that always costs (G05): %s',
    async (_, path, sent, usd) => {
      const headers = { ...sent.headers, ...EXEMPT };
      await expectDelivered(chain, await buy(paying.ask, path, { buyer, sent: { ...sent, headers } }), usd);
    },
  );

  it('the services that were looked for', async () => {
    const { answer } = await buy(paying.ask, `${LOOKUP_PAID}?task=weather`, { buyer });
    expect(answer.json.results.map(({ id }: { id: string }) => id)).toEqual([
      'plain-weather',
      'dear-weather',
    ]);
  });

  it('a verdict whose receipt everybody can read', async () => {
    const path = checkOf(DEAR, { claimed_price: '1', ref: 'our-agent' });
    const { answer } = await buy(paying.ask, path, { buyer });
    expect(answer.json).toMatchObject({ verdict: 'pay', reason: 'price_ok', check_type: 'dry-run' });
    const { receipt_id: id, receipt_url: url, payment_terms_sha256: hash } = answer.json;
    expect(url).toBe(`${BASE_URL}/v1/receipts/${id}`);
    const receipt = await paying.ask(`/v1/receipts/${id}`);
    expect([receipt.status, receipt.json.verdict, receipt.json.payment_terms_sha256]).toEqual([
      200,
      'pay',
      hash,
    ]);
    expect(receipt.text).not.toContain(buyer.address.slice(2));
    const { text } = await paying.ask(`/v1/receipts/${id}/statement`);
    const statement = readStatement(text);
    expect(statement === null ? 'unreadable' : judgeAgain(statement)).toEqual([]);
    expect(JSON.parse(text).approved.sha256).toBe(hash);
    expect(text).not.toContain(buyer.address.slice(2));
    const { json: byUrl } = await paying.ask(`/v1/receipts/by-url?url=${DEAR}`);
    expect(byUrl.latest_live.id).toBe(id);
    const { json: listed } = await paying.ask('/v1/receipts?type=live&ref=our-agent');
    expect(listed.receipts.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  it('the whole pack: five prompts, the templates and a PDF', async () => {
    const { answer } = await buy(paying.ask, PACK, { buyer });
    const { prompts, templates, guide } = answer.json.files;
    expect(Object.keys(prompts)).toHaveLength(5);
    expect(Object.values(templates).join('')).toContain('<html');
    expect(Buffer.from(guide.data, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    expect([answer.json.product, answer.json.price_usdc]).toEqual(['overnight-cos-pack', 9]);
  });

  it('PAY-20: the pack is handed out only when its payment is confirmed (G65)', async () => {
    const money = gate();
    const progress: string[] = [];
    paying.facilitator.beforeSettle = async () => {
      progress.push('asked for the money');
      await money.opened;
    };
    const buying = buy(paying.ask, PACK, { buyer }).then((bought) => {
      progress.push('delivered');
      return bought;
    });
    await vi.waitFor(() => expect(progress).toEqual(['asked for the money']), { timeout: 120_000 });
    // Another whole call is served meanwhile, so there was time enough to deliver.
    expect((await paying.ask('/v1/tasks')).status).toBe(200);
    expect(progress).toEqual(['asked for the money']);
    money.open();
    await expectDelivered(chain, await buying, '9');
  });

  it.each([...LOOKUPS, ...CHECKS, ...PACKS])(
    'HEAD never takes a payment: %s',
    async (_, path, __, ___, value) => {
      const signed = await signAuthorization({ key: buyer.key, to: chain.accounts.seller.address, value });
      const sent = withPayment(paymentHeader(signed), { sent: { method: 'HEAD' } });
      const { result, taken } = await takingsOf(chain, () => paying.ask(path, sent));
      expect([taken, result.text, result.header('payment-response')]).toEqual([[], '', null]);
      expect(paying.facilitator.calls).toEqual({ verify: 0, settle: 0 });
    },
  );
});

describe('what is paid through the built-in facilitator is delivered', () => {
  const paying = usePaying({ chain, through: 'built-in' });
  const buyer = buyerOf(chain, 3);

  it.each(
    VERSIONS.flatMap((version) => [...LOOKUPS, ...CHECKS, ...PACKS].map((row) => [version, row] as const)),
  )('version %s: %s', async (version, row) => {
    await buyExactly(paying, row, { buyer, version });
  });
});
