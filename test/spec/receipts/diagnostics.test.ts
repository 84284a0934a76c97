import { beforeAll, describe, expect, it } from 'vitest';
import { DIAGNOSTICS } from '../../../src/core/diagnose/diagnostic.ts';
import { PAYEE } from '../../../tools/samples/challenge.ts';
import { asking, checkOf, EXEMPT, sellerWith, useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { callTool } from '../../support/mcp/mcp-asking.ts';
import { BROWSER, expectUnbroken, wordsOf } from '../../support/pages.ts';
import { httpAnswer } from '../../support/probing/fake-seller.ts';
import { DOORS } from '../../support/running/running-service.ts';

const seller = sellerWith({
  dollars: asking({ amount: '0.01' }),
  plain: httpAnswer(402, [['PAYMENT-REQUIRED', '{"x402Version":2}']]),
  markup: asking({ payTo: '<b>PAY ME</b>', '<i>name</i>': 1 }),
});

const IN_DOLLARS = {
  code: 'amount_in_dollars',
  level: 'error',
  source: 'header',
  path: '$.accepts[0].amount',
  problem: 'The amount is a decimal number, as if in dollars.',
  fix: 'Send the amount in atomic units as a string of digits: "10000" is 0.01 USDC.',
};
const PLAIN_JSON = { code: 'header_plain_json', source: 'header', path: null };
const CRAWLED = { ...PLAIN_JSON } as const;

describe.each(DOORS)('what a seller has to fix, through the %s', (door) => {
  const service = useService({ door, seller });
  const { ask } = service;
  const checkedAs = async (path: string) =>
    (await ask(checkOf(`http://seller.example/${path}`), { headers: EXEMPT })).json;
  const receiptOf = async (path: string) =>
    (await ask(`/v1/receipts/${(await checkedAs(path)).receipt_id}`)).json;
  const pageOf = async (id: string) => ask(`/v1/receipts/${id}`, { headers: BROWSER });

  beforeAll(() =>
    publishCrawl(service.store.runs, 'run-1', [
      crawled('https://a.example/broken', {
        id: '00000000a1',
        code: 'bad_challenge',
        diagnostics: [{ code: 'header_plain_json', source: 'header', path: null }],
      }),
      crawled('https://b.example/dear', { id: '00000000b2' }),
    ]),
  );

  it('is in the paid shape of a check and in its receipt', async () => {
    expect((await checkedAs('dollars')).diagnostics).toContainEqual(IN_DOLLARS);
    expect((await receiptOf('dollars')).diagnostics).toContainEqual(IN_DOLLARS);
    expect((await receiptOf('plain')).diagnostics).toEqual([expect.objectContaining(PLAIN_JSON)]);
  });

  it('is left out where the terms are approved or only differ from a claim', async () => {
    expect(await checkedAs('honest')).not.toHaveProperty('diagnostics');
    const differs = await ask(checkOf('http://seller.example/thief', { pay_to: PAYEE }), { headers: EXEMPT });
    expect(differs.json.reason).toBe('pay_to_mismatch');
    expect(differs.json).not.toHaveProperty('diagnostics');
  });

  it('is not in the free shape, which is closed', async () => {
    const free = await ask(checkOf('http://seller.example/dollars', { mode: 'dry-run' }));
    expect(free.json).not.toHaveProperty('diagnostics');
  });

  it('is in the structured content of a tool', async () => {
    const result = await callTool(ask, 'endpoint_spot_check', {
      arguments: { url: 'http://seller.example/dollars' },
      sent: { headers: EXEMPT },
    });
    expect(result.structuredContent.diagnostics).toContainEqual(IN_DOLLARS);
  });

  it('is in a receipt of the crawl and in what is known of its URL, but not in lists', async () => {
    const [one, other] = [await ask('/v1/receipts/00000000a1'), await ask('/v1/receipts/00000000b2')];
    expect(one.json.diagnostics).toEqual([expect.objectContaining(CRAWLED)]);
    expect(other.json).not.toHaveProperty('diagnostics');
    const known = await ask('/v1/receipts/by-url?url=https://a.example/broken');
    expect(known.json.latest_crawl.diagnostics).toEqual([expect.objectContaining(CRAWLED)]);
    const listed = (await ask('/v1/skips.json')).json.skips;
    expect(listed.filter((row: object) => 'diagnostics' in row)).toEqual([]);
  });

  it('is a list on the page: the problem, the place and the remedy, with a link to the docs', async () => {
    const shown = await pageOf((await checkedAs('dollars')).receipt_id);
    const words = wordsOf(shown);
    expect(words).toContain('What to fix');
    expect(words).toContain(
      `${IN_DOLLARS.problem} $.accepts[0].amount in the header PAYMENT-REQUIRED, amount_in_dollars ${IN_DOLLARS.fix}`,
    );
    expect(shown.text).toContain('href="/docs#fix-amount_in_dollars"');
    expectUnbroken(shown);
    expect(wordsOf(await pageOf('00000000a1'))).toContain(DIAGNOSTICS.header_plain_json.problem);
    expect((await pageOf('00000000b2')).text).not.toContain('/docs#fix-');
  });

  it('holds nothing that the seller wrote', async () => {
    const { diagnostics } = await receiptOf('markup');
    expect(JSON.stringify(diagnostics)).not.toMatch(/PAY ME|name</);
    expect(diagnostics[0]).toMatchObject({ code: 'payee_not_address', path: '$.accepts[0].payTo' });
  });
});
