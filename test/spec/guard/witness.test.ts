import { describe, expect, it } from 'vitest';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { type AskOptions, askService, type Question } from '../../../src/guard/witness/ask-service.ts';
import { PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { checkOf, EXEMPT, useService } from '../../support/asking.ts';
import { fetchOf } from '../../support/asking-fetch.ts';
import { BASE_URL, NOON } from '../../support/running/running-service.ts';

const HONEST_SHA256 = '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b';
const OTHER_SHA256 = '0'.repeat(64);
const RECEIPT_ID = /^sc-[0-9a-f]{16}$/;
const now = () => NOON;

function question(path: string, changes: Partial<Question> = {}): Question {
  return {
    url: `http://seller.example/${path}`,
    method: 'GET',
    termsSha256s: [OTHER_SHA256, HONEST_SHA256],
    ...changes,
  };
}

describe('asking the real service', () => {
  const service = useService({ door: 'app', settings: { PROBES_PER_HOST_MINUTE: '1000' } });
  const asked: string[] = [];
  const asking = (changes: Partial<AskOptions> = {}): AskOptions => {
    const through = fetchOf(service.ask);
    asked.length = 0;
    const fetch: typeof globalThis.fetch = (input, init) => {
      asked.push(new URL(String(input)).pathname);
      return through(input, init);
    };
    return { service: BASE_URL, fetch, now, ...changes };
  };
  const BY_URL = '/v1/receipts/by-url';
  const CHECK = '/v1/products/endpoint-spot-check';

  it('a free check of the same terms agrees', async () => {
    const answer = await askService(asking({ service: `${BASE_URL}/` }), question('honest?1'));
    const receiptId = answer.kind === 'agrees' ? answer.witness.receiptId : '';
    expect(receiptId).toMatch(RECEIPT_ID);
    expect(answer).toEqual({
      kind: 'agrees',
      witness: {
        service: BASE_URL,
        receiptId,
        permalink: `${BASE_URL}/v1/receipts/${receiptId}`,
        termsSha256: HONEST_SHA256,
        checkedAt: '2026-11-15T12:00:00.000Z',
      },
    });
    expect(asked).toEqual([BY_URL, CHECK]);
  });

  it('a receipt of somebody else, younger than five minutes, is enough', async () => {
    const url = 'http://seller.example/honest?2';
    const { json } = await service.ask(checkOf(url), { headers: EXEMPT });
    const soon = { now: () => new Date('2026-11-15T12:04:59.999Z') };
    const answer = await askService(asking(soon), question('honest?2'));
    expect(answer).toMatchObject({ kind: 'agrees', witness: { receiptId: json.receipt_id } });
    expect(asked).toEqual([BY_URL]);
    const later = { now: () => new Date('2026-11-15T12:05:00.000Z') };
    await askService(asking(later), question('honest?2'));
    expect(asked).toEqual([BY_URL, CHECK]);
  });

  it.each<[string, Partial<Question>]>([
    ['of another method', { method: 'POST' }],
    ['of other terms', { termsSha256s: [OTHER_SHA256] }],
  ])('a receipt %s is not', async (_, changes) => {
    await service.ask(checkOf('http://seller.example/honest?3'), { headers: EXEMPT });
    await askService(asking(), question('honest?3', changes));
    expect(asked.slice(0, 2)).toEqual([BY_URL, CHECK]);
  });

  it('a receipt that a thief ordered, expecting himself, is not', async () => {
    const { json } = await service.ask(`${checkOf('http://seller.example/thief?4')}&pay_to=${THIEF}`, {
      headers: EXEMPT,
    });
    expect(json).toMatchObject({ verdict: 'pay', pay_to: THIEF });
    const terms = { termsSha256s: [String(json.payment_terms_sha256)], expected: { payTo: PAYEE } };
    const answer = await askService(asking(), question('thief?4', terms));
    expect(answer).toMatchObject({ kind: 'disagrees', reason: 'pay_to_mismatch' });
    expect(asked.slice(0, 2)).toEqual([BY_URL, CHECK]);
  });

  it('the receipt of its own last check is, with the claim that it was compared with', async () => {
    const options = asking();
    const own = question('honest?5', { method: 'POST', expected: { payTo: PAYEE } });
    const first = await askService(options, own);
    expect(first).toMatchObject({ kind: 'agrees' });
    expect(asked).toEqual([BY_URL, CHECK]);
    expect(await askService(options, own)).toEqual(first);
    expect(asked).toEqual([BY_URL, CHECK, BY_URL]);
    await askService(options, { ...own, expected: { payTo: PAYEE, price: microUsd(10_000n) } });
    expect(asked).toEqual([BY_URL, CHECK, BY_URL, BY_URL, CHECK]);
  });

  it.each<[string, Question, object]>([
    ['other terms', question('thief'), { verdict: 'pay', reason: 'other_terms' }],
    [
      'another payee than expected',
      question('thief', { expected: { payTo: PAYEE } }),
      { verdict: 'skip', reason: 'pay_to_mismatch' },
    ],
    [
      'another price than expected',
      question('honest', { expected: { price: microUsd(1_000n) } }),
      { verdict: 'skip', reason: 'price_mismatch' },
    ],
    ['no paywall', question('no-paywall'), { verdict: 'skip', reason: 'no_paywall' }],
    ['a seller that is down', question('down'), { verdict: 'recheck', reason: 'server_error' }],
  ])('%s: it disagrees, with our code', async (_, about, answer) => {
    expect(await askService(asking(), about)).toEqual({
      kind: 'disagrees',
      ...answer,
      receiptId: expect.stringMatching(RECEIPT_ID),
    });
  });

  it("a seller that wants input first: it cannot tell, because the input is the buyer's", async () => {
    expect(await askService(asking(), question('careful'))).toEqual({
      kind: 'unavailable',
      cause: 'needs_input',
    });
  });

  it('a private address: it disagrees without a receipt', async () => {
    expect(await askService(asking(), question('', { url: 'http://127.0.0.1/x' }))).toEqual({
      kind: 'disagrees',
      verdict: 'skip',
      reason: 'ssrf_blocked',
      receiptId: null,
    });
  });

  it('the free share of the day is used up', async () => {
    const options = asking();
    expect((await askService(options, question('honest?4'))).kind).toBe('agrees');
    expect(await askService(options, question('honest?5'))).toEqual({
      kind: 'unavailable',
      cause: 'costs_money',
    });
  });

  it('a URL that is too long for the service', async () => {
    expect(await askService(asking(), question(`honest?${'x'.repeat(3_000)}`))).toEqual({
      kind: 'unavailable',
      cause: 'refused',
    });
  });
});
