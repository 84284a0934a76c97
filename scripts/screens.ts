/** Takes the pictures in docs/screens from a sandbox, so that none of them shows what the pages no longer say. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../tools/chromium.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/bundle/node/assay.js', import.meta.url));
const FOLDER = fileURLToPath(new URL('../../docs/screens/', import.meta.url));
const CHECK = '/v1/products/endpoint-spot-check';

const sandbox = spawn(process.execPath, [PROGRAM, 'sandbox', '--json'], {
  stdio: ['ignore', 'pipe', 'pipe'],
});
const reports = createInterface({ input: sandbox.stdout });
const report = once(reports, 'line');
const said: string[] = [];
// The pages are worth a picture once the crawl is published.
for await (const line of createInterface({ input: sandbox.stderr })) {
  said.push(line);
  if (/published:/.test(line)) break;
}
if (!/published:/.test(said.at(-1) ?? '')) throw new Error(`the sandbox did not start: ${said.join(' ')}`);
const [line] = await report;
const { base_url: base, sellers, self_test_key: key } = JSON.parse(String(line));

async function receiptOf(seller: string): Promise<string> {
  const query = new URLSearchParams({ url: sellers[seller] });
  const answer = await fetch(`${base}${CHECK}?${query}`, { headers: { authorization: `Bearer ${key}` } });
  const { receipt_url } = JSON.parse(await answer.text());
  return new URL(receipt_url).pathname;
}

const approved = await receiptOf('honest');
const swapped = await receiptOf('swapped-payee');
await receiptOf('raised-price');
const { pay_to: payee } = JSON.parse(await (await fetch(`${base}/v1/services/sandbox-hash`)).text());

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly width?: number;
  readonly dark?: true;
  /** In pixels; the whole page where it is left out. */
  readonly height?: number;
}

const PICTURES: readonly Picture[] = [
  { name: 'verdict', path: swapped, width: 1_000, height: 760 },
  { name: 'front', path: '/' },
  { name: 'front-phone', path: '/', width: 390, dark: true },
  { name: 'receipt-pay', path: approved },
  { name: 'receipt-skip-phone', path: swapped, width: 390, dark: true },
  { name: 'skips', path: '/v1/skips' },
  { name: 'skips-phone', path: '/v1/skips', width: 390 },
  { name: 'catalog', path: '/catalog' },
  { name: 'service-junk', path: '/v1/services/sandbox-junk', dark: true },
  { name: 'host', path: '/hosts/127.0.1.5' },
  { name: 'payee', path: `/payees/${payee[0]}` },
  { name: 'method', path: '/method' },
];

const browser = await launchChromium();
for (const { name, path, width = 1_280, dark, height } of PICTURES) {
  const page = await browser.newPage({
    viewport: { width, height: height ?? 800 },
    colorScheme: dark ? 'dark' : 'light',
  });
  await page.goto(`${base}${path}`);
  await page.screenshot({ path: `${FOLDER}${name}.png`, fullPage: height === undefined });
  await page.close();
}
await browser.close();
const card = await fetch(`${base}${swapped}.png`);
writeFileSync(`${FOLDER}card.png`, Buffer.from(await card.arrayBuffer()));
sandbox.kill();
