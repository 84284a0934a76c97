import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCorrect } from '../../../src/main/commands/log/correct.ts';
import { operate } from '../../support/running/command-line.ts';
import { BASE_URL, NOON, startService, type TestService } from '../../support/running/running-service.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

const CHECK = '/v1/products/endpoint-spot-check?url=http%3A%2F%2Fseller.example%2Fhonest';
const HTML = { headers: { accept: 'text/html' } };
const WHY = 'The payee was <changed> by a thief.';

describe('corrections', () => {
  let service: TestService;
  let place: Place;
  let id: string;
  beforeAll(async () => {
    place = await newSqlitePlace();
    service = await startService({ place });
    id = (await service.ask(CHECK)).json.receipt_id;
  });
  afterAll(() => service.close());
  const correct = (...argv: string[]) => {
    const file = 'file' in place.settings ? place.settings.file : '';
    return operate(['correct', ...argv], (given, output) =>
      runCorrect(given, output, { DATA_DIR: dirname(file) }),
    );
  };

  it('are none at first, on a page and as JSON', async () => {
    const { status, json, header } = await service.ask('/v1/corrections');
    expect([status, header('cache-control')]).toEqual([200, 'public, max-age=60']);
    const withdrawals = { secret: 0, personal: 0, legal: 0, error: 0 };
    expect(json).toEqual({ page: 1, count: 0, corrections: [], withdrawals, next: null });
    expect((await service.ask('/corrections')).text).toContain('No verdict has been corrected yet.');
  });

  it('are refused with one line where they say nothing, or nothing that can be published', async () => {
    const refused = async (...argv: string[]) => {
      const { code, printed, notes } = await correct(...argv);
      expect([code, printed]).toEqual([notes[0]?.endsWith('--help') ? 2 : 1, []]);
      return notes.at(-1);
    };
    expect(await refused(id, '--verdict', 'maybe', '--because', 'x')).toContain('--verdict must be one of');
    expect(await refused(id, '--verdict', 'skip')).toContain('--because must be 1 to 500');
    for (const words of [' x', 'x'.repeat(501)]) {
      expect(await refused(id, '--verdict', 'skip', '--because', words)).toContain('must be 1 to 500');
    }
    for (const words of ['a\nb', 'a\u202eb', 'a\u200bb']) {
      expect(await refused(id, '--verdict', 'skip', '--because', words)).toContain('printable');
    }
    expect(await refused(id, '--verdict', 'skip', '--because', 'see https://a.example/')).toContain(
      'address',
    );
    expect(await refused('sc-0000000000000000', '--verdict', 'skip', '--because', 'x')).toBe(
      'no published receipt has the id sc-0000000000000000',
    );
    expect(await refused(id, '--verdict', 'pay', '--because', 'x')).toContain('is that already');
    expect(await service.store.corrections.of(id)).toEqual([]);
  });

  it('are on the page of the receipt, in the list and in the log', async () => {
    expect((await service.ask(`/v1/receipts/${id}`, HTML)).text).toContain('Sign exactly this');
    const { code, printed } = await correct(id, '--verdict', 'skip', '--because', WHY);
    expect([code, printed[0]?.split('\n')[0]]).toEqual([0, `corrected  ${id}: pay was wrong, skip is right`]);
    service.clock.now = new Date(NOON.getTime() + 5_000);
    const { corrections } = (await service.ask('/v1/corrections')).json;
    expect(corrections).toHaveLength(1);
    const [{ text, sha256, ...said }] = corrections;
    expect(said).toMatchObject({ id: `${id}:1`, receipt_id: id, was: 'pay', is: 'skip', because: WHY });
    expect(said.receipt_url).toBe(`${BASE_URL}/v1/receipts/${id}`);
    expect(JSON.parse(text)).toEqual({
      assay: 'correction/1',
      ...{ at: said.at, because: WHY, id, is: 'skip', was: 'pay' },
    });
    expect(createHash('sha256').update(text).digest('base64')).toBe(sha256);
    await service.logKeeper.round();
    expect(await service.store.transparencyLog.place(`correction:${id}:1`)).toMatchObject({
      entry: `assay correction v1\n${id}\n${sha256}\n`,
    });
    const receipt = (await service.ask(`/v1/receipts/${id}`, HTML)).text;
    const escaped = 'The payee was &lt;changed&gt; by a thief.';
    expect(receipt).toContain('<strong>This verdict was wrong.</strong>');
    expect(receipt.indexOf(escaped)).toBeLessThan(receipt.indexOf('aria-label="Verdict"'));
    expect(receipt).toContain('href="/corrections"');
    expect(receipt).toContain('Do not act on this verdict');
    expect(receipt).not.toContain('Sign exactly');
    const list = (await service.ask('/corrections')).text;
    expect(list).toContain(escaped);
    expect(list).toContain(`href="/v1/receipts/${id}"`);
  });

  it('can be corrected, from what stands', async () => {
    await correct(id, '--verdict', 'recheck', '--because', 'It could not be told.');
    const [last] = await service.store.corrections.of(id);
    expect(last).toMatchObject({ id: `${id}:2`, was: 'skip', is: 'recheck' });
  });

  it('come in pages of 100, and withdrawals are counted', async () => {
    for (let n = 0; n < 100; n += 1) {
      const at = new Date(NOON.getTime() - n);
      await service.store.corrections.add({ receiptId: id, at, was: 'pay', is: 'skip', because: String(n) });
    }
    const first = await service.ask('/v1/corrections');
    expect([first.json.count, first.json.next]).toEqual([100, `${BASE_URL}/v1/corrections?page=2`]);
    expect(first.header('link')).toBe(`<${BASE_URL}/v1/corrections?page=2>; rel="next"`);
    const second = (await service.ask('/v1/corrections?page=2')).json;
    expect([second.count, second.next]).toEqual([2, null]);
    expect((await service.ask('/corrections')).text).toContain('<a href="/corrections?page=2" rel="next">');
    for (const page of ['0', 'x', '10001']) {
      expect((await service.ask(`/v1/corrections?page=${page}`)).json.field).toBe('page');
    }
    await service.store.withdrawals.withdraw(id, 'legal', NOON);
    expect((await service.ask('/v1/corrections')).json.withdrawals.legal).toBe(1);
    const { code, notes } = await correct(id, '--verdict', 'pay', '--because', 'x');
    expect([code, notes.at(-1)]).toEqual([1, expect.stringContaining('there is nothing to correct')]);
  });
});
