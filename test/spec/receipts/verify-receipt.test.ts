import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawlId, statedRow } from '../../../tools/samples/crawl-rows.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { BASE_URL, NOON, startService, type TestService } from '../../support/running/running-service.ts';

const CHECK = '/v1/products/endpoint-spot-check?mode=dry-run&url=http%3A%2F%2Fseller.example%2Fhonest';
const HTML = { headers: { accept: 'text/html' } };

describe('verifying a receipt from its page', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ door: 'socket' });
  });
  afterAll(() => service.close());
  const checked = async (): Promise<string> => (await service.ask(CHECK)).json.receipt_id;
  const page = async (id: string) => {
    service.clock.now = new Date(service.clock.now.getTime() + 2_000);
    return service.ask(`/v1/receipts/${id}`, HTML);
  };

  it('shows the hash of the statement, and its place once it has one', async () => {
    const id = await checked();
    const statement = (await service.ask(`/v1/receipts/${id}/statement`)).text;
    const sha256 = createHash('sha256').update(statement).digest('base64');
    const waiting = (await page(id)).text.replaceAll('<wbr>', '');
    expect(waiting).toContain('Verify this receipt');
    expect(waiting).toContain(sha256);
    expect(waiting).toContain('Not proved yet:</strong> that we said this. It waits for its place');
    await service.logKeeper.round();
    const { index } = Object(await service.store.transparencyLog.place(id));
    const { text } = await page(id);
    expect(text).toContain(
      `It is entry ${index} of the log: <a href="/v1/receipts/${id}/proof">proof file</a>`,
    );
    expect(text).toContain('<a href="/log/policy">');
    expect(text).toContain(`assay receipt ${id} --verify --server ${BASE_URL}`);
    expect(text).toMatch(/<strong>Our word only:<\/strong> that the endpoint sent this response/);
  });

  it('has commands that work as they are printed', async () => {
    const id = await checked();
    const block =
      /aria-label="the downloads to verify it"><code>([^<]+)<\/code>/.exec((await page(id)).text)?.[1] ?? '';
    const commands = block
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .replaceAll(BASE_URL, service.address ?? '');
    expect(commands.split('\n')).toHaveLength(3);
    const folder = await mkdtemp(join(tmpdir(), 'assay-verify-'));
    const { stdout } = await promisify(execFile)('sh', ['-ec', commands], { cwd: folder });
    await rm(folder, { recursive: true });
    const statement = (await service.ask(`/v1/receipts/${id}/statement`)).text;
    expect(stdout).toBe(`${createHash('sha256').update(statement).digest('base64')} []\n`);
  });

  it('says of the receipt of a crawl that its run is in the log, or not', async () => {
    const { receipt } = statedRow(1);
    const stated = crawled('http://seller.example/crawled', {
      ...receipt,
      url: 'http://seller.example/crawled',
    });
    await publishCrawl(service.store.runs, 'run', [stated]);
    expect((await page(crawlId(1))).text).toContain(
      'Not proved:</strong> that we said this. The log has no entry of its run.',
    );
  });

  it('says of a receipt from before there were statements that there is nothing to verify', async () => {
    await publishCrawl(service.store.runs, 'old', [crawled('http://old.example/', { id: crawlId(7) })]);
    const { text } = await page(crawlId(7));
    expect(text).toContain('This receipt is older than the log.');
    expect(text).not.toContain('--verify');
  });

  it('answers 410 with the reason and the hash for a withdrawn receipt', async () => {
    const id = await checked();
    await page(id);
    const { sha256 } = (await service.store.withdrawals.withdraw(id, 'personal', NOON)) ?? {};
    const { status, text, header } = await page(id);
    expect([status, header('content-type'), header('cache-control')]).toEqual([
      410,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(text).toContain('It contained personal data.');
    expect(text).toContain(sha256);
    expect(text).not.toContain('seller.example');
  });
});
