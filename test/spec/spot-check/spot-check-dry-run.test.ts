import { describe, expect, it } from 'vitest';
import { checkOf, EXEMPT, expectProblem, useService } from '../../support/asking.ts';
import {
  BASE_URL,
  CROWDED,
  DOORS,
  freshAddress,
  type Received,
  type Sent,
} from '../../support/running/running-service.ts';

const HONEST = checkOf('http://seller.example/honest');
const DRY_RUN = `${HONEST}&mode=dry-run`;

describe.each(DOORS)('a dry run through the %s', (door) => {
  const service = useService({ door, settings: CROWDED });
  const together = (count: number, path: string, sent: Sent): Promise<Received[]> =>
    Promise.all(Array.from({ length: count }, () => service.ask(path, sent)));

  it('200 in the free shape, never an approval (G09)', async () => {
    const { status, json, header } = await service.ask(`${DRY_RUN}&claimed_price=0.01`);
    expect([status, header('cache-control')]).toEqual([200, 'no-store']);
    expect(json).toEqual({
      verdict: 'pay',
      reason: 'The live 402 asks $0.01 in USDC on eip155:8453, as expected.',
      payment_terms_sha256: null,
      receipt_id: expect.stringMatching(/^sc-[0-9a-f]{16}$/),
      receipt_url: `${BASE_URL}/v1/receipts/${json.receipt_id}`,
      access: {
        tier: 'free',
        free_per_day: 50,
        free_used_today: 1,
        free_remaining_today: 49,
        // biome-ignore lint/suspicious/noThenProperty: the interface names this field.
        then: expect.stringMatching(/./),
      },
    });
    const receipt = await service.ask(`/v1/receipts/${json.receipt_id}`);
    expect(receipt.json).toMatchObject({
      mode: 'dry-run',
      check_type: 'dry-run',
      verdict: 'pay',
      approved_payment: null,
      payment_terms_sha256: null,
    });
  });

  it.each<[string, string, string]>([
    ['mode=dry-run', '&mode=dry-run', 'dry-run'],
    ['ref=dry-run-<caller>', '&ref=dry-run-me', 'dry-run'],
    ['that ref in capitals', '&ref=DRY-RUN-Me', 'dry-run'],
    ['that ref beside mode=live (G09)', '&ref=dry-run-me&mode=live', 'dry-run'],
    ['mode=dry-run with another ref', '&ref=me&mode=dry-run', 'dry-run'],
    ['no mode', '', 'live'],
    ['mode=live', '&mode=live', 'live'],
    ['a ref without a caller', '&ref=dry-run-', 'live'],
    ['a ref that only contains it', '&ref=my-dry-run-me', 'live'],
  ])('is asked for by %s', async (_, extra, mode) => {
    const { json } = await service.ask(HONEST + extra);
    expect((await service.ask(`/v1/receipts/${json.receipt_id}`)).json.mode).toBe(mode);
    expect(json.access.free_per_day).toBe(mode === 'live' ? 1 : 50);
  });

  it('is stored under its ref, where everybody finds it', async () => {
    const { json } = await service.ask(`${HONEST}&ref=Dry-Run-Finder`);
    const list = (await service.ask('/v1/receipts?type=dry-run&ref=dry-run-finder')).json;
    expect(list.receipts.map(({ id, ref }: never) => [id, ref])).toEqual([
      [json.receipt_id, 'dry-run-finder'],
    ]);
  });

  it('counts a recheck, too: it was answered and it is stored', async () => {
    const from = freshAddress();
    await service.ask(checkOf('http://seller.example/down', { mode: 'dry-run' }), { from });
    expect((await service.ask(DRY_RUN, { from })).json.access.free_used_today).toBe(2);
  });

  it('ignores a payment (G07)', async () => {
    const headers = { 'payment-signature': 'e30=' };
    const { status, header } = await service.ask(DRY_RUN, { headers });
    expect([status, header('payment-response')]).toEqual([200, null]);
  });

  it('is there when the free check is used up, and takes nothing from it', async () => {
    const from = freshAddress();
    expect((await service.ask(HONEST, { from })).status).toBe(200);
    expect((await service.ask(HONEST, { from })).status).toBe(402);
    expect((await service.ask(DRY_RUN, { from })).json.access.free_used_today).toBe(1);
  });

  describe('429 over 50 a day', () => {
    it('with the time to wait, and nothing is probed', async () => {
      const from = freshAddress();
      expect((await together(50, DRY_RUN, { from })).every(({ status }) => status === 200)).toBe(true);
      const answer = await service.ask(checkOf('http://over.example/honest', { mode: 'dry-run' }), { from });
      expectProblem(answer, 429, 'dry_run_limit');
      expect(answer.header('retry-after')).toBe('43200');
      expect(answer.header('ratelimit')).toBe('"dry-runs";r=0;t=43200');
      expect(answer.header('ratelimit-policy')).toBe('"dry-runs";q=50;w=86400');
      expect(service.sellerRequests.filter((request) => request.includes('over.example'))).toEqual([]);
      expect((await service.ask(HONEST, { from })).status).toBe(200);
      service.at('2026-11-16T00:00:00.000Z');
      expect((await service.ask(DRY_RUN, { from })).json.access.free_used_today).toBe(1);
    });

    it.each<[string, string, string, number]>([
      ['the same ref from elsewhere: the ref is the caller', '&ref=dry-run-a', '&ref=dry-run-a', 429],
      ['the same ref with another client', '&ref=dry-run-b&client=x', '&ref=dry-run-b&client=y', 429],
      ['another ref', '&ref=dry-run-c', '&ref=dry-run-d', 200],
      ['the same client from elsewhere', '&mode=dry-run&client=c1', '&mode=dry-run&client=C1', 429],
      ['another client', '&mode=dry-run&client=c2', '&mode=dry-run&client=c3', 200],
      ['a client called like a ref', '&ref=dry-run-e', '&mode=dry-run&client=dry-run-e', 200],
      ['no name, from elsewhere', '&mode=dry-run', '&mode=dry-run', 200],
    ])('by ref, else client, else address (G09): %s', async (_, first, second, status) => {
      const answers = await together(50, HONEST + first, { from: freshAddress() });
      expect(answers.every((answer) => answer.status === 200)).toBe(true);
      expect((await service.ask(HONEST + second)).status).toBe(status);
    });

    it('and over 200 for all names of one address (G02)', async () => {
      const from = freshAddress();
      for (const n of [1, 2, 3, 4]) {
        const answers = await together(50, `${HONEST}&ref=dry-run-many-${n}`, { from });
        expect(answers.every(({ status }) => status === 200)).toBe(true);
      }
      expectProblem(await service.ask(`${HONEST}&ref=dry-run-many-5`, { from }), 429, 'dry_run_limit');
      expect((await service.ask(`${HONEST}&ref=dry-run-many-5`)).json.access.free_used_today).toBe(1);
    });

    it('but not for the self-test key, whose dry runs are labelled (G05)', async () => {
      const from = freshAddress();
      const answers = await together(60, DRY_RUN, { from, headers: EXEMPT });
      for (const { status, json } of answers) {
        expect([status, json.access.tier, json.payment_terms_sha256]).toEqual([200, 'free', null]);
      }
      const receipt = await service.ask(`/v1/receipts/${answers[0]?.json.receipt_id}`);
      expect(receipt.json).toMatchObject({
        mode: 'dry-run',
        check_type: 'self-checked',
        approved_payment: null,
      });
      expect((await service.ask(DRY_RUN, { from })).json.access.free_used_today).toBe(1);
    });
  });
});
