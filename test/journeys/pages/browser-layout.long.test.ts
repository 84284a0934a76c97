import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { AXE_PATH, useBrowser, violations } from '../../support/running/browser.ts';
import { layoutFaults } from '../../support/running/page-faults.ts';
import { useSandbox } from '../../support/running/running-sandbox.ts';
import { sized } from '../../support/sized.ts';

const sandbox = useSandbox();
const newVisitor = useBrowser();
const axe = readFileSync(AXE_PATH, 'utf8');

/** One receipt of each kind that looks different. */
const SELLERS = ['honest', 'swapped-payee', 'raised-price', 'malformed', 'slow', 'no-paywall'];
const paths: string[] = [];

beforeAll(async () => {
  const { base_url, sellers } = sandbox();
  const receiptOf = async (url: string, from: string) => {
    const query = new URLSearchParams({ url, mode: 'dry-run' });
    const response = await fetch(`${base_url}/v1/products/endpoint-spot-check?${query}`, {
      headers: { 'x-forwarded-for': from },
    });
    const { receipt_url }: { receipt_url: string } = JSON.parse(await response.text());
    return new URL(receipt_url).pathname;
  };
  const receipts = await Promise.all(
    SELLERS.map((name, n) => receiptOf(sellers[name] ?? '', `198.19.0.${n + 1}`)),
  );
  const long = `${sellers['honest']}?q=${'x'.repeat(900)}`;
  const crawl: { receipts: { id: string; pay_to?: string }[] } = JSON.parse(
    await (await fetch(`${base_url}/v1/receipts`)).text(),
  );
  const [crawled] = crawl.receipts;
  const payee = crawl.receipts.find(({ pay_to }) => pay_to !== undefined)?.pay_to;
  paths.push(
    ...['/', '/?url=https://a.example/x&pay_to=0x0', ...receipts, await receiptOf(long, '198.19.0.9')],
    ...[`/v1/receipts/${crawled?.id}`, '/v1/receipts/sc-0000000000000000', '/v1/skips'],
    ...['/v1/skips?reason=price_mismatch', '/catalog', '/catalog/text-hash', '/catalog?sort=price&q=hash'],
    ...['/v1/services/sandbox-hash', '/v1/services/sandbox-junk', '/hosts/127.0.1.5', `/payees/${payee}`],
    ...['/method', '/docs', '/sellers', '/mcp', '/problems', '/prober', '/corrections', '/nothing'],
  );
});

async function unfold(page: Page): Promise<void> {
  await page.evaluate('for (const folded of document.querySelectorAll("details")) folded.open = true;');
}

/** Dark on a telephone, light elsewhere, and in full both everywhere: the theme changes colours, not the layout. */
const themesAt = (width: number) => [width === 390, width !== 390].slice(0, sized(1, 2));

const CASES = [390, 768, 1_280].flatMap((width) =>
  themesAt(width).flatMap((dark) => [true, false].map((javaScript) => ({ width, dark, javaScript }))),
);

/** Every theme once and both ends of the widths: colours do not depend on the width, the tree of the page hardly does. */
function needsAxe({ width, dark, javaScript }: (typeof CASES)[number]): boolean {
  return javaScript && ((width === 390 && dark) || (width === 1_280 && !dark));
}

describe('every page', () => {
  it.each(CASES)(
    '$width px, dark $dark, JavaScript $javaScript: nothing is broken, cut off or shut',
    async (look) => {
      const { page, expectQuiet } = await newVisitor(look);
      const found: Record<string, readonly string[]> = {};
      for (const path of paths) {
        await page.goto(sandbox().base_url + path);
        const folded = await layoutFaults(page);
        await unfold(page);
        const shut = needsAxe(look) ? await violations(page, axe) : [];
        const faults = [...new Set([...folded, ...(await layoutFaults(page)), ...shut])];
        if (faults.length > 0) found[path] = faults;
      }
      expect(found).toEqual({});
      expectQuiet();
    },
  );

  it('the front page is light without its fonts, and asks nobody else', async () => {
    const { page, expectQuiet } = await newVisitor();
    const sizes = new Map<string, number>();
    page.on('response', async (response) => {
      sizes.set(new URL(response.url()).pathname, (await response.body()).byteLength);
    });
    await page.goto(sandbox().base_url);
    await page.waitForLoadState('networkidle');
    const counted = [...sizes].filter(([path]) => !path.startsWith('/fonts/'));
    expect(counted.length).toBeGreaterThanOrEqual(3);
    expect(counted.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(60_000);
    expectQuiet();
  });
});

describe('the search for broken layout', () => {
  it.each([
    ['a page that is too wide', '<div style="width:900px">x</div>', /^the page is 9\d\d px wide/],
    [
      'text that is cut off',
      '<p style="width:60px;overflow:hidden;white-space:nowrap">a long sentence</p>',
      /cuts off/,
    ],
    [
      'a broken word',
      '<p style="width:60px;overflow-wrap:anywhere">incomprehensibilities</p>',
      /breaks in p/,
    ],
    [
      'a word in a drawing',
      '<svg width="40" height="20"><text x="20" y="15">beyond</text></svg>',
      /a drawing cuts off/,
    ],
  ])('finds %s', async (_, body, words) => {
    const { page } = await newVisitor({ width: 390 });
    await page.setContent(`<!doctype html><body>${body}</body>`);
    expect((await layoutFaults(page)).join()).toMatch(words);
  });

  it('has nothing against words that may break, and boxes that scroll', async () => {
    const { page } = await newVisitor({ width: 390 });
    await page.setContent(`<!doctype html><body><p style="width:60px">https://<wbr>exam<wbr>ple.<wbr>com/<wbr>x</p>
<pre style="width:60px;overflow-x:auto">a line of a program that is long</pre></body>`);
    expect(await layoutFaults(page)).toEqual([]);
  });
});
