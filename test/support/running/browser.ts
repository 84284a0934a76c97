import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchChromium } from '../../../tools/chromium.ts';

/** Somebody with a browser, and an address of their own. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** From now on another caller, whose share is untouched. */
  becomeAnother(): Promise<void>;
  /** Fails if anything went wrong in the page, or was asked of another host. */
  expectQuiet(): void;
}

export interface VisitorOptions {
  readonly javaScript?: boolean;
  readonly width?: number;
  readonly dark?: boolean;
}

/** One browser for all tests of a file; everybody who uses it has a context of their own. */
export function useBrowser(): (options?: VisitorOptions) => Promise<Visitor> {
  const running: Browser[] = [];
  beforeAll(async () => {
    running.push(await launchChromium());
  });
  afterAll(async () => {
    for (const browser of running) await browser.close();
  });
  return async (options = {}) => {
    const [browser] = running;
    if (browser === undefined) throw new Error('the browser is not started yet');
    return visit(browser, options);
  };
}

/** For what takes a moment, unless the machine is busy. */
const BUSY_MS = 120_000;

const callers = { last: 0 };

async function visit(browser: Browser, { javaScript = true, width = 1_280, dark = false }: VisitorOptions) {
  const context = await browser.newContext({
    javaScriptEnabled: javaScript,
    viewport: { width, height: 844 },
    colorScheme: dark ? 'dark' : 'light',
  });
  context.setDefaultTimeout(BUSY_MS);
  const elsewhere: string[] = [];
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol !== 'data:' && !/^127\./.test(hostname)) elsewhere.push(request.url());
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  // A page that says that something is missing is announced as an error, too.
  page.on('console', (message) => {
    if (!/status of 4\d\d/.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  const becomeAnother = async () => {
    callers.last += 1;
    const caller = `198.18.${callers.last >> 8}.${callers.last & 255}`;
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': caller });
  };
  await becomeAnother();
  const expectQuiet = () => expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] });
  return { page, context, becomeAnother, expectQuiet };
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What would keep somebody from using the page, in short. */
export async function violations(page: Page, axeSource: string): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(RUN_AXE);
}

export const AXE_PATH = AXE;

// Runs in the page, which knows axe; we do not.
const RUN_AXE = `axe.run().then(({ violations }) => violations
  .map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`;
