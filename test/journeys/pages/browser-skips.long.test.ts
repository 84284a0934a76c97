import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/adapters/store/sqlite/open.ts';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { projectFile } from '../../../tools/project-file.ts';
import { crawlId, crawlRow } from '../../../tools/samples/crawl-rows.ts';
import { publishCrawl } from '../../support/crawling/published-crawl.ts';
import { AXE_PATH, useBrowser, violations } from '../../support/running/browser.ts';
import { layoutFaults } from '../../support/running/page-faults.ts';

const PROGRAM = projectFile('dist/bundle/node/serve.js');
/** Two full pages and a short one. */
const SKIPS = 1_050;

/** One in three has another price, few have another payee or a host of their own; some carry what no page should show. */
const ROWS = Array.from({ length: SKIPS }, (_, n) => {
  const differs = n % 3 === 0;
  return crawlRow(n, {
    verdict: 'skip',
    code: differs ? 'price_mismatch' : 'no_paywall',
    reason: differs ? 'price mismatch: listed $0.01, 402 asks $0.05' : 'no paywall (HTTP 200)',
    claimedPrice: microUsd(10_000n),
    quotedPrice: differs ? microUsd(10_000n + BigInt(n) * 1_000n) : null,
    ...(n % 400 === 1 ? { url: `https://rare.example/${n}` } : {}),
    ...(n === 2 ? { url: 'https://a.example/"><script>document.title=1</script>' } : {}),
    ...(n % 300 === 4
      ? { code: 'pay_to_mismatch', reason: `pay_to mismatch: listed 0x${'2'.repeat(40)}` }
      : {}),
    ...(n % 21 === 16 ? { code: 'needs_input', sourceList: `list-${'y'.repeat(300)}` } : {}),
    ...(n === 5 ? { url: `https://a.example/\u202egnp.${'x'.repeat(2_000)}` } : {}),
  });
});

/** Words of the rows above that are no words: they may break anywhere. */
const JUNK = /(?:xxxx|yyyy|<script>).* breaks in /;

const newVisitor = useBrowser();
const running: { base: string; child: ChildProcess | null } = { base: '', child: null };
const dataDir = mkdtempSync(join(tmpdir(), 'assay-skips-'));

beforeAll(async () => {
  const store = await openSqlite({ file: join(dataDir, 'assay.db') });
  await publishCrawl(store.runs, 'run-1', ROWS);
  await store.close();
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: dataDir, TRUSTED_PROXIES: '127.0.0.1' };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  running.child = child;
  const [line] = await once(createInterface({ input: child.stderr }), 'line');
  running.base = /http:\S+$/.exec(String(line))?.[0] ?? '';
});
afterAll(async () => {
  running.child?.kill();
  if (running.child !== null) await once(running.child, 'exit');
  rmSync(dataDir, { recursive: true });
});

async function rowsOf(page: Page): Promise<number> {
  await page.waitForLoadState();
  return page.locator('table.skips tbody tr').count();
}

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('the skips %s', (_, javaScript) => {
  it('can be paged to the end', async () => {
    const { page, expectQuiet } = await newVisitor({ javaScript });
    await page.goto(`${running.base}/v1/skips`);
    expect(await rowsOf(page)).toBe(500);
    for (const rows of [500, 50]) {
      await page.locator('a[rel=next]').first().click();
      expect(await rowsOf(page)).toBe(rows);
    }
    expect(await page.locator('a[rel=next]').count()).toBe(0);
    expectQuiet();
  });

  it('can be filtered, and the address is the view', async () => {
    const { page, context, expectQuiet } = await newVisitor({ javaScript, width: 390 });
    await page.goto(`${running.base}/v1/skips`);
    await page.selectOption('select[name=reason]', 'price_mismatch');
    await page.click('.filters button[type=submit]');
    expect(await rowsOf(page)).toBe(350);
    await page.fill('input[name=host]', 'rare.example');
    await page.selectOption('select[name=reason]', '');
    await page.click('.filters button[type=submit]');
    expect(await rowsOf(page)).toBe(3);
    const shared = await context.newPage();
    await shared.goto(page.url());
    expect(await rowsOf(shared)).toBe(3);
    expectQuiet();
  });

  it('can be searched, and lead from a row to its receipt', async () => {
    const { page, expectQuiet } = await newVisitor({ javaScript });
    await page.goto(`${running.base}/v1/skips?q=000300`);
    expect(await rowsOf(page)).toBe(1);
    await page.locator('table.skips tbody th a').first().click();
    expect(await page.locator('.card').innerText()).toMatch(/skip/i);
    expectQuiet();
  });

  it('with the widest gap first', async () => {
    const { page } = await newVisitor({ javaScript });
    await page.goto(`${running.base}/v1/skips?sort=price_gap`);
    const first = await page.locator('table.skips tbody tr').first().innerText();
    expect(first).toContain('$1.057');
  });
});

describe('the page of the skips', () => {
  it('has the gravest first: a panel, then the groups, and a row stays on the page that its receipt names', async () => {
    const { page, expectQuiet } = await newVisitor({});
    await page.goto(`${running.base}/v1/skips`);
    const panel = page.locator('.gravest li');
    expect(await panel.count()).toBe(5);
    expect(await panel.first().innerText()).toContain('asks to pay another address than listed');
    expect(await panel.last().innerText()).toMatch(/asks \$1\.\d+ instead of \$0\.01/);
    expect(await page.locator('h3').allInnerTexts()).toEqual([
      'Asks for other terms than listed',
      'Not an endpoint',
      'Set aside',
    ]);
    const receipt = await (await fetch(`${running.base}/v1/receipts/${crawlId(900)}.json`)).text();
    await page.goto(/"on_page":"([^"]+)"/.exec(receipt)?.[1] ?? '');
    expect(new URL(page.url()).search).toBe('?page=2');
    expect(await page.locator('tr:target').innerText()).toContain('https://a.example/000900');
    expectQuiet();
  });

  it('shows what strangers wrote as text, and stays as wide as a phone', async () => {
    const { page, expectQuiet } = await newVisitor({ width: 390 });
    await page.goto(`${running.base}/v1/skips`);
    expect(await page.title()).not.toBe('1');
    expect(await page.content()).not.toContain('\u202e');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expectQuiet();
  });

  it.each([
    [390, false],
    [768, true],
    [1_280, true],
  ])('keeps nobody out, at %i px, dark %s', async (width, dark) => {
    const { page } = await newVisitor({ width, dark });
    const found: Record<string, readonly string[]> = {};
    for (const path of ['/v1/skips', '/method']) {
      await page.goto(`${running.base}${path}`);
      // Rows are alike, and looking at each takes long.
      await page.evaluate(
        `document.querySelectorAll('.skips tr:nth-child(n + 30)').forEach((row) => row.remove());
        for (const folded of document.querySelectorAll('details')) folded.open = true;`,
      );
      const broken = (await layoutFaults(page)).filter((fault) => !JUNK.test(fault));
      const faults = [...broken, ...(await violations(page, readFileSync(AXE_PATH, 'utf8')))];
      if (faults.length > 0) found[path] = faults;
    }
    expect(found).toEqual({});
    await page.goto(`${running.base}/v1/skips?reason=price_mismatch&host=rare.example`);
    expect(await violations(page, readFileSync(AXE_PATH, 'utf8'))).toEqual([]);
    await page.goto(`${running.base}/v1/skips?page=3`);
    expect(await violations(page, readFileSync(AXE_PATH, 'utf8'))).toEqual([]);
  });
});
