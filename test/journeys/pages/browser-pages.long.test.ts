import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../../support/running/browser.ts';
import { useSandbox } from '../../support/running/running-sandbox.ts';
import { IS_LONG } from '../../support/sized.ts';

const sandbox = useSandbox();
const newVisitor = useBrowser();
const urlOf = (seller: string) => sandbox().sellers[seller] ?? '';
const open = (page: Page, path: string) => page.goto(sandbox().base_url + path);

/** Types a URL into the front page and presses a button. */
async function check(page: Page, url: string, mode: 'live' | 'dry-run' = 'live'): Promise<void> {
  await open(page, '/');
  await page.fill('#url', url);
  await page.click(`form.check button[value="${mode}"]`);
  await page.waitForLoadState();
}

/** Every seller of the sandbox, and what the card must say of it. */
const SELLERS: readonly [seller: string, verdict: string, reason: string][] = [
  ['honest', 'pay', 'price_ok'],
  ['honest-v1', 'pay', 'price_ok'],
  ['honest-v2', 'pay', 'price_ok'],
  ['raised-price', 'skip', 'price_mismatch'],
  ['swapped-payee', 'skip', 'pay_to_mismatch'],
  ['wrong-network', 'skip', 'network_mismatch'],
  ['testnet', 'skip', 'network_unsupported'],
  ['other-token', 'skip', 'asset_not_usdc'],
  ['no-paywall', 'skip', 'no_paywall'],
  ['free-trial', 'recheck', 'free_trial_active'],
  ['slow', 'recheck', 'timeout'],
  ['server-error', 'recheck', 'server_error'],
  ['malformed', 'skip', 'bad_challenge'],
  ['gone', 'recheck', 'unreachable'],
  // It was honest when the crawl looked, more than ten seconds ago or not.
  ['drifting', 'pay|skip', 'price_ok|price_mismatch'],
  ['currency', 'pay', 'price_ok'],
  ['hash', 'pay', 'price_ok'],
  ['factors', 'pay', 'price_ok'],
  ['junk', 'pay', 'price_ok'],
];

/** Checked without JavaScript, too; in a long run all are. */
const WITHOUT: ReadonlySet<string> = new Set(['honest', 'swapped-payee', 'free-trial', 'malformed']);

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScript) => {
  it('every seller of the sandbox gets the card that it deserves', async () => {
    expect(SELLERS.map(([seller]) => seller)).toEqual(Object.keys(sandbox().sellers));
    const left = SELLERS.filter(([seller]) => javaScript || IS_LONG || WITHOUT.has(seller));
    const wrong: string[] = [];
    const visitors = await Promise.all([1, 2, 3, 4].map(() => newVisitor({ javaScript })));
    await Promise.all(
      visitors.map(async ({ page, becomeAnother }) => {
        for (let next = left.pop(); next !== undefined; next = left.pop()) {
          const [seller, verdict, reason] = next;
          await becomeAnother();
          await check(page, urlOf(seller));
          const said = (await page.locator('.card').innerText()).toLowerCase();
          const isRight = new RegExp(`^(?:${verdict})\\s[^]*reason\\s+(?:${reason})$`).test(said.trim());
          if (!isRight) wrong.push(`${seller}: ${said}`);
        }
      }),
    );
    expect(wrong).toEqual([]);
    for (const { expectQuiet } of visitors) expectQuiet();
  });

  it('the share of the day: shown, spent, then a price, and a dry run instead', async () => {
    const { page, expectQuiet } = await newVisitor({ javaScript });
    await open(page, '/');
    expect(await page.locator('.quota').innerText()).toContain('1 of 1 free checks and 50 of 50 dry runs');
    await check(page, urlOf('honest'));
    await open(page, '/');
    expect(await page.locator('.quota').innerText()).toContain("Today's free check is used");
    await check(page, urlOf('currency'));
    expect(await page.locator('.notice').innerText()).toContain('This check costs $0.01.');
    await page.click('text=Free dry run');
    await page.waitForURL('**/v1/receipts/sc-*');
    expect(await page.locator('.card').innerText()).toContain('A dry run is never an approval');
    expectQuiet();
  });

  it('what you expect is one click away, and decides', async () => {
    const { page, expectQuiet } = await newVisitor({ javaScript });
    await open(page, '/');
    await page.fill('#url', urlOf('hash'));
    await page.click('summary');
    await page.fill('#claimed_price', '0.03');
    await page.selectOption('#method', 'POST');
    await page.click('button[value="live"]');
    await page.waitForURL('**/v1/receipts/sc-*');
    expect(await page.locator('.diff tr.different').allInnerTexts()).toEqual([
      expect.stringMatching(/^Price\s+\$0\.03\s+\$0\.01\s+different/),
    ]);
    expectQuiet();
  });

  it('a mistake is said beside its field; a blocked address is a skip', async () => {
    const { page, expectQuiet } = await newVisitor({ javaScript });
    await check(page, 'ftp://example.com/');
    expect(await page.locator('#url-fault').innerText()).toBe('url must be an http or https URL.');
    expect(await page.locator('#url').inputValue()).toBe('ftp://example.com/');
    await check(page, 'http://169.254.169.254/');
    expect(await page.locator('.card.skip').innerText()).toContain('ssrf_blocked');
    expectQuiet();
  });
});

describe('a permalink', () => {
  it('shows anybody the same decision, and programs get JSON', async () => {
    const first = await newVisitor();
    await check(first.page, urlOf('raised-price'));
    const address = first.page.url();
    const sentence = await first.page.locator('.sentence').innerText();
    const second = await newVisitor({ javaScript: false, width: 390 });
    await second.page.goto(address);
    expect(await second.page.locator('.sentence').innerText()).toBe(sentence);
    expect(await second.page.locator('meta[property="og:title"]').getAttribute('content')).toMatch(
      /^SKIP: 127/,
    );
    expect(await (await fetch(address)).json()).toMatchObject({ verdict: 'skip', reason: 'price_mismatch' });
    await first.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await first.page.locator(`button[data-copy="${address}"]`).click();
    expect(await first.page.evaluate('navigator.clipboard.readText()')).toBe(address);
    second.expectQuiet();
    first.expectQuiet();
  });
});

const WATCH_PROGRESS = `(() => {
  const panel = document.querySelector('.progress');
  new MutationObserver(() => noteProgress(panel.hidden)).observe(panel, { attributeFilter: ['hidden'] });
})()`;

describe('the script', () => {
  it('counts a deadline down, and says when it is over', async () => {
    const { page, expectQuiet } = await newVisitor();
    await page.clock.install();
    await check(page, urlOf('honest-v2'));
    await expect.poll(() => page.locator('[data-left]').innerText()).toMatch(/^, (?:\d+ min )?\d+ s left$/);
    await page.clock.fastForward('05:00');
    expect(await page.locator('[data-left]').innerText()).toBe(': expired, check again');
    expect(await page.locator('button[data-until]').isEnabled()).toBe(true);
    expectQuiet();
  });

  it('shows that something goes on while an endpoint is asked', async () => {
    const { page, expectQuiet } = await newVisitor();
    await open(page, '/');
    const seen: unknown[] = [];
    // From inside: while the next page is awaited, nobody can ask this one anything.
    await page.exposeFunction('noteProgress', (hidden: unknown) => seen.push(hidden));
    await page.evaluate(WATCH_PROGRESS);
    await page.fill('#url', urlOf('factors'));
    await page.click('button[value="live"]');
    await page.waitForURL('**/v1/receipts/sc-*');
    expect(seen).toEqual([false]);
    expectQuiet();
  });

  it('is not needed for the keyboard: from the address bar to the verdict', async () => {
    const { page, expectQuiet } = await newVisitor({ javaScript: false });
    await open(page, '/');
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('Tab');
      if ((await page.locator('#url:focus').count()) === 1) break;
    }
    await page.keyboard.type(urlOf('honest'));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/v1/receipts/sc-*');
    expect(await page.locator('.card.pay').count()).toBe(1);
    expectQuiet();
  });
});

describe('another site', () => {
  it('cannot spend the free check of a visitor', async () => {
    const { page, context } = await newVisitor();
    await context.route('http://127.9.9.9/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<img src="${sandbox().base_url}/check?url=${urlOf('honest')}">
<form method="post" action="${sandbox().base_url}/check"><input name="url" value="${urlOf('honest')}"><button>go</button></form>`,
      }),
    );
    await page.goto('http://127.9.9.9/');
    await page.click('button');
    await page.waitForURL('**/check');
    expect(await page.locator('.notice').innerText()).toContain('The request came from another site');
    expect(await page.locator('.quota').innerText()).toContain('1 of 1 free checks');
  });
});
