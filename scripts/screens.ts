/** Takes the pictures in docs/screens from a sandbox, so that none of them shows what the pages no longer say. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../tools/chromium.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/bundle/node/assay.js', import.meta.url));
const FOLDER = fileURLToPath(new URL('../../docs/screens/', import.meta.url));
const CHECK = '/v1/products/endpoint-spot-check';

const sandbox = spawn(process.execPath, [PROGRAM, 'sandbox', '--crawl', '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = await once(createInterface({ input: sandbox.stdout }), 'line');
const { base_url: base, sellers } = JSON.parse(String(line));
const answer = await fetch(`${base}${CHECK}?${new URLSearchParams({ url: sellers['swapped-payee'] })}`);
const { receipt_url: receipt } = JSON.parse(await answer.text());
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1_000, height: 760 } });
await page.goto(receipt);
await page.screenshot({ path: `${FOLDER}verdict.png` });
await browser.close();
sandbox.kill();
