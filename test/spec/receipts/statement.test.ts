import { hash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { statementOfCrawl } from '../../../src/core/statement/stated-crawl.ts';
import { ENTRY, header } from '../../../tools/samples/challenge.ts';
import { statedRow } from '../../../tools/samples/crawl-rows.ts';
import { aReceipt, receiptId } from '../../../tools/samples/store-receipts.ts';
import { SPOT_CHECK, useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { httpAnswer, type Script } from '../../support/probing/fake-seller.ts';
import { DOORS } from '../../support/running/running-service.ts';

const seller: Script = (socket, request) => {
  if (request.includes('/wants-post')) socket.end(httpAnswer(400, []));
  else socket.end(httpAnswer(402, [header({ x402Version: 2, accepts: [ENTRY] })]));
};

interface RulesFile {
  readonly version: string;
  judgeAgain(statement: string): unknown;
}

describe.each(DOORS)('GET /v1/receipts/{id}/statement through the %s', (door) => {
  const service = useService({ door, seller });
  const stated = statedRow(1);

  beforeAll(() =>
    publishCrawl(service.store.runs, 'run', [
      stated,
      crawled('http://seller.example/wants-post', { id: '00000000a2', method: 'POST' }),
    ]),
  );

  /** The rules as a stranger gets them. */
  async function rulesOf(version: string): Promise<RulesFile> {
    const { status, text } = await service.ask(`/log/rules/${version}.mjs`);
    expect(status).toBe(200);
    return import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
  }

  async function statementOf(check: string, caller: string) {
    const { json } = await service.ask(`${SPOT_CHECK}?${check}&client=${caller}`);
    const { status, text, header } = await service.ask(`/v1/receipts/${json.receipt_id}/statement`);
    expect(status).toBe(200);
    return { text, header, receipt: json, statement: JSON.parse(text) };
  }

  it('the bytes of a check, with their hash as ETag, for ever', async () => {
    const { text, header, receipt } = await statementOf(
      'url=http://seller.example/a&ref=order-17',
      'secret-name',
    );
    expect(header('content-type')).toBe('application/json; charset=utf-8');
    expect(header('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(header('etag')).toBe(`"${hash('sha256', text, 'hex')}"`);
    expect(text).toMatch(/^\{"approved":\{"amount":"10000",/);
    expect(text).not.toContain('secret-name');
    const path = `/v1/receipts/${receipt.receipt_id}/statement`;
    const again = await service.ask(path, { headers: { 'if-none-match': header('etag') ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each([
    ['a payment that is approved', 'url=http://seller.example/b', 'pay'],
    ['a dry run', 'url=http://seller.example/c&mode=dry-run', 'pay'],
    ['a price that differs', 'url=http://seller.example/d&claimed_price=0.02', 'skip'],
    ['a method that a listing names', 'url=http://seller.example/wants-post', 'skip'],
  ])('judged again by the rules file of its version: %s', async (name, check, verdict) => {
    const { text, statement } = await statementOf(check, hash('sha256', name, 'hex').slice(0, 20));
    expect(statement.verdict).toBe(verdict);
    const rules = await rulesOf(statement.rules);
    expect(rules.judgeAgain(text)).toEqual([]);
    const forged = text.replace(`"verdict":"${verdict}"`, '"verdict":"recheck"');
    expect(rules.judgeAgain(forged)).toEqual([{ member: 'verdict', stated: 'recheck', judged: verdict }]);
  });

  it('every statement has a salt of its own', async () => {
    const [one, other] = [
      await statementOf('url=http://seller.example/e&mode=dry-run', 'one'),
      await statementOf('url=http://seller.example/e&mode=dry-run', 'other'),
    ];
    expect(one.statement.salt).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(one.statement.salt).not.toBe(other.statement.salt);
  });

  it('the bytes of a receipt of the crawl, without what is not public', async () => {
    const { text } = await service.ask(`/v1/receipts/${stated.receipt.id}/statement`);
    expect(text).toBe(statementOfCrawl(stated.receipt));
    expect(text).not.toContain('a-secret-example');
  });

  it.each([
    ['an unknown id', `/v1/receipts/${receiptId(99)}/statement`, 'not_found'],
    ['an unknown id of the crawl', '/v1/receipts/00000000ff/statement', 'not_found'],
    ['an id that cannot exist', '/v1/receipts/nothing/statement', 'not_found'],
    ['a receipt of the crawl from before statements', '/v1/receipts/00000000a2/statement', 'no_statement'],
    ['a check from before statements', `/v1/receipts/${receiptId(7)}/statement`, 'no_statement'],
    ['rules that do not exist', '/log/rules/999999.mjs', 'not_found'],
    ['rules without their ending', '/log/rules/4', 'not_found'],
    ['another file', '/log/rules/..%2f4.mjs', 'not_found'],
    ['an inherited name', '/log/rules/constructor.mjs', 'not_found'],
  ])('404: %s', async (_, path, code) => {
    const older = aReceipt({ id: receiptId(7), seen: null, salt: null });
    if (path.includes(older.id)) await service.store.receipts.add(older, 'key');
    const { status, json } = await service.ask(path);
    expect([status, json.code]).toEqual([404, code]);
  });

  it('the rules file is a module for ever', async () => {
    const { header, text } = await service.ask('/log/rules/4.mjs');
    expect(header('content-type')).toBe('text/javascript; charset=utf-8');
    expect(header('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(text).toContain('export {');
  });
});
