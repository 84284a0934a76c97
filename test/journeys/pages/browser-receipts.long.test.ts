import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/core/diagnose/diagnostic.ts';
import type { LiveReceipt } from '../../../src/core/receipt/live-receipt.ts';
import { PAYEE } from '../../../tools/samples/challenge.ts';
import { aReceipt, receiptId } from '../../../tools/samples/store-receipts.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { AXE_PATH, useBrowser, violations } from '../../support/running/browser.ts';
import { NOON, startService, type TestService } from '../../support/running/running-service.ts';

const MINUTE_MS = 60_000;
const CLAIM = `claimed_price=0.01&pay_to=${PAYEE}&network=base`;
const FAULT: Diagnostic = { code: 'payee_missing', source: 'header', path: '$.accepts[0].payTo' };

let service: TestService;
const newVisitor = useBrowser();
beforeAll(async () => {
  service = await startService({ door: 'socket' });
});
afterAll(() => service.close());

const addressOf = (id: string) => `${service.address}/v1/receipts/${id}`;

async function check(query: string): Promise<string> {
  return (await service.ask(`/v1/products/endpoint-spot-check?${query}`)).json.receipt_id;
}

const ids = { last: 0 };
async function stored(changes: Partial<LiveReceipt>): Promise<string> {
  ids.last += 1;
  const id = receiptId(ids.last);
  await service.store.receipts.add({ ...aReceipt({ seen: null }), ...changes, id }, `key-${id}`);
  return id;
}

/** A receipt of each kind, by what is special about it. */
async function gallery(): Promise<ReadonlyMap<string, string>> {
  const crawl = { url: `https://a.example/${'long-part/'.repeat(40)}`, id: '00000000a1' };
  await publishCrawl(service.store.runs, 'run-1', [crawled('https://a.example/x', crawl)]);
  const corrected = await check(`url=http://wrong.example/honest&${CLAIM}`);
  const because = 'The listing was read wrongly.';
  await service.store.corrections.add({ receiptId: corrected, at: NOON, was: 'pay', is: 'skip', because });
  const refused = { verdict: 'skip', reason: 'bad_challenge', approvedPayment: null } as const;
  return new Map([
    ['pay', await check(`url=http://seller.example/honest&${CLAIM}`)],
    ['nothing compared', await check('url=http://bare.example/honest')],
    ['payee swapped', await check(`url=http://seller.example/thief&pay_to=${PAYEE}`)],
    ['challenge unreadable', await check('url=http://seller.example/broken')],
    ['many faults', await stored({ ...refused, diagnostics: Array.from({ length: 40 }, () => FAULT) })],
    ['server error', await check('url=http://seller.example/down')],
    ['needs input', await check('url=http://seller.example/careful')],
    ['dry run', await check('url=http://seller.example/honest&mode=dry-run')],
    ['long URL', await stored({ url: `https://a.example/${'x'.repeat(1_900)}` })],
    ['crawl', '00000000a1'],
    ['corrected', corrected],
    ['missing', 'sc-00000000000000ff'],
  ]);
}

const titleOf = (page: Page) => page.title();

describe('the deadline of an approval', () => {
  const open = async (page: Page, host: string) => {
    await page.goto(addressOf(await check(`url=http://${host}/honest&${CLAIM}`)));
    expect(await page.locator('.card.pay .verdict').innerText()).toBe('PAY');
    expect(await titleOf(page)).toBe(`PAY: ${host} · Assay`);
    expect(await page.locator('#sign').innerText()).toBe('Sign exactly this');
  };
  const expectGrey = async (page: Page, host: string) => {
    expect(await page.locator('.card.expired .verdict').innerText()).toBe('WAS PAY, EXPIRED');
    expect(await page.locator('.card .advice').innerText()).toContain('Check again before you pay.');
    expect(await titleOf(page)).toBe(`WAS PAY: ${host} · Assay`);
    expect(await page.locator('#sign').innerText()).toBe('Expired: do not sign');
    for (const valid of ['.card.pay', 'section.sign:not(.over)', '.payment:visible'])
      expect([valid, await page.locator(valid).count()]).toEqual([valid, 0]);
  };

  it.each([
    ['a right clock', 0],
    ['a clock that is an hour slow', -60 * MINUTE_MS],
  ])('turns the open page grey, in a browser with %s', async (_, offMs) => {
    const { page, expectQuiet } = await newVisitor();
    await page.clock.install({ time: new Date(NOON.getTime() + offMs) });
    const host = offMs === 0 ? 'right.example' : 'slow-clock.example';
    await open(page, host);
    await page.clock.fastForward('01:01');
    await expect.poll(() => titleOf(page)).toMatch(/^WAS PAY/);
    await expectGrey(page, host);
    expectQuiet();
  });

  it('turns it grey at the next request without JavaScript', async () => {
    const { page, expectQuiet } = await newVisitor({ javaScript: false });
    await open(page, 'plain.example');
    service.clock.now = new Date(NOON.getTime() + MINUTE_MS);
    await page.reload();
    service.clock.now = NOON;
    await expectGrey(page, 'plain.example');
    expectQuiet();
  });
});

describe('a receipt of every kind', () => {
  const axe = readFileSync(AXE_PATH, 'utf8');
  let kinds: ReadonlyMap<string, string>;
  beforeAll(async () => {
    kinds = await gallery();
  });

  it.each([
    [390, true],
    [1_280, false],
  ])('%i px wide, dark %s: nothing keeps anybody out, and nothing sticks out', async (width, dark) => {
    const { page, expectQuiet } = await newVisitor({ width, dark });
    await page.clock.install({ time: NOON });
    for (const [kind, id] of kinds) {
      await page.goto(addressOf(id));
      await page.evaluate(UNFOLD);
      expect([kind, await violations(page, axe)]).toEqual([kind, []]);
      expect([kind, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([kind, width]);
    }
    expectQuiet();
  });

  it('is one or two pages of A4, black on white, with what verifies it and no navigation', async () => {
    const { page, expectQuiet } = await newVisitor({ dark: true });
    await page.clock.install({ time: NOON });
    for (const [kind, id] of kinds) {
      if (kind === 'missing') continue;
      await page.goto(addressOf(id));
      await page.emulateMedia({ media: 'print' });
      for (const part of ['.card .verdict', '.card .sentence', '.card dl', '.printed', '#verify'])
        expect([kind, part, await page.locator(part).isVisible()]).toEqual([kind, part, true]);
      expect(await page.locator('.printed').innerText()).toContain(`/v1/receipts/${id}`);
      for (const part of ['header nav', 'footer', 'form', '.owner', '.share', '.evidence', '.copy'])
        expect([kind, part, await page.locator(`${part}:visible`).count()]).toEqual([kind, part, 0]);
      const colours = await page.evaluate(COLOURS);
      expect([kind, colours]).toEqual([kind, ['rgb(0, 0, 0)', 'rgb(255, 255, 255)']]);
      const pdf = await page.pdf({ preferCSSPageSize: true });
      const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g) ?? [];
      expect([kind, pages.length <= 2]).toEqual([kind, true]);
      await page.emulateMedia({ media: null });
    }
    expectQuiet();
  });

  it('a link to a folded rule unfolds it', async () => {
    const { page } = await newVisitor();
    await page.goto(`${addressOf(kinds.get('pay') ?? '')}#rule-usdc`);
    await expect.poll(() => page.locator('#rule-usdc').isVisible()).toBe(true);
  });
});

// They run in the page.
const COLOURS = `(() => {
  const colour = (part, name) => getComputedStyle(document.querySelector(part))[name];
  return [colour('.card .sentence', 'color'), colour('.card', 'backgroundColor')];
})()`;
const UNFOLD = `for (const folded of document.querySelectorAll('details')) folded.open = true`;
