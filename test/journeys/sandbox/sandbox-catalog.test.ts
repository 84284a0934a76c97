import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../../tools/project-file.ts';

/** The built program; `npm test` builds it first. */
const PROGRAM = projectFile('dist/bundle/node/sandbox.js');
const folder = mkdtempSync(join(tmpdir(), 'assay-sandbox-catalog-'));
let child: ChildProcess;
let base = '';
let complaints: Promise<string>;

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever an answer holds.
const ask = async (path: string): Promise<any> => (await fetch(base + path)).json();

beforeAll(async () => {
  const started = spawn(process.execPath, [PROGRAM, '--port', '0', '--json'], {
    env: { PATH: process.env['PATH'], TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  complaints = text(started.stderr);
  const [line] = await once(createInterface({ input: started.stdout }), 'line');
  base = JSON.parse(String(line)).base_url;
});

afterAll(async () => {
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
  rmSync(folder, { recursive: true });
});

describe('a sandbox that has paid its sellers and crawled its lists', () => {
  it('ranks who delivers what was asked for above who delivers junk', async () => {
    const { results } = await ask('/v1/lookup?task=text-hash');
    expect(results.map((one: { id: string; pass_rate: number }) => [one.id, one.pass_rate])).toEqual([
      ['sandbox-hash', 1],
      ['sandbox-junk', 0],
    ]);
    expect(results[0].receipts[0]).toMatchObject({
      tx: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      charged_usd: '0.01',
      delivered: true,
      quality: 'pass',
    });
  });

  it('shows a service with its receipts', async () => {
    expect(await ask('/v1/services/sandbox-junk')).toMatchObject({ id: 'sandbox-junk', pass_rate: 0 });
  });

  it('publishes what to skip, and every reason is true', async () => {
    const { skips, endpoints_covered, pay, recheck, sources } = await ask('/v1/skips.json');
    expect([endpoints_covered, pay, recheck]).toEqual([19, 8, 4]);
    const reasons = skips.map((one: { url: string; reason: string }) => [
      new URL(one.url).pathname.slice(1),
      one.reason.split(':')[0],
    ]);
    expect(Object.fromEntries(reasons)).toEqual({
      malformed: 'bad challenge (HTTP 402)',
      'raised-price': 'price mismatch',
      'swapped-payee': 'pay_to mismatch',
      'wrong-network': 'network mismatch',
      testnet: 'network not a supported mainnet (eip155',
      'other-token': 'asset not canonical USDC (eip155',
      'no-paywall': 'no 402 challenge (HTTP 200)',
    });
    expect(Object.keys(sources)).toEqual(['bazaar', 'x402index']);
  });

  it('compares a check with what the lists claim', async () => {
    const { skips } = await ask('/v1/skips.json');
    const [swapped] = skips.filter((one: { url: string }) => one.url.endsWith('/swapped-payee'));
    const check = `/v1/products/endpoint-spot-check?mode=dry-run&url=${encodeURIComponent(swapped.url)}`;
    expect(await ask(check)).toMatchObject({ verdict: 'skip' });
    expect((await ask(`/v1/receipts/by-url?url=${encodeURIComponent(swapped.url)}`)).latest_crawl.id).toBe(
      swapped.id,
    );
  });

  it('tells on standard error what it did', async () => {
    child.kill('SIGINT');
    const said = await complaints;
    expect(said).toMatch(/^sandbox: paying from 0x[0-9a-fA-F]{40}, 100 USDC left$/m);
    expect(said).toMatch(/^sandbox: 12 checked, 12 paid, 9 passed; spent 0\.21 USD today/m);
    expect(said).toMatch(/^sandbox: published: 19 endpoints, 8 pay, 7 skip, 4 recheck, 19 new$/m);
  });
});
