import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeOf } from '../../src/sandbox/open-places.ts';
import { projectFile } from '../../tools/project-file.ts';
import { ENTRY, header } from '../../tools/samples/challenge.ts';

const PROGRAM = projectFile('dist/bundle/node/assay.js');
const run = promisify(execFile);

/** The owner of an endpoint on loopback, from its key to its reply, with the built program and nothing else. */
describe('a seller at its terminal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-seller-journey-'));
  const key = join(folder, 'assay.pem');
  const seller = { token: '', amount: '50000' };
  let server: Server;
  let sandbox: ChildProcess;
  let endpoint: string;
  let base: string;

  const assay = async (...words: string[]) => {
    const env = { PATH: process.env['PATH'] ?? '' };
    try {
      const { stdout } = await run(process.execPath, [PROGRAM, ...words], { env, timeout: 120_000 });
      return { code: 0, out: stdout, notes: '' };
    } catch (fault) {
      // What execFile rejects with when a program ends with a code.
      const { code, stdout, stderr } = fault as { code: number; stdout: string; stderr: string };
      return { code, out: stdout, notes: stderr };
    }
  };
  const signed = (command: string, ...more: string[]) =>
    assay('seller', command, endpoint, '--key', key, '--server', base, ...more);

  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      if (url === '/.well-known/assay-verify.txt') {
        response.end(`${seller.token}\n`);
        return;
      }
      const [name, value] = header({ x402Version: 2, accepts: [{ ...ENTRY, amount: seller.amount }] });
      response.writeHead(402, { [name]: value }).end('{}');
    });
    server.listen(0, '127.0.9.9');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the seller has no port');
    endpoint = `http://127.0.9.9:${address.port}/data`;
    const { port } = placeOf(endpoint);
    const words = ['sandbox', '--port', '0', '--json', '--bare', '--allow-target', `127.0.9.9:${port}`];
    sandbox = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    if (sandbox.stdout === null) throw new Error('the sandbox has no output');
    const [line] = await once(createInterface({ input: sandbox.stdout }), 'line');
    base = JSON.parse(String(line)).base_url;
  });
  afterAll(async () => {
    sandbox.kill('SIGINT');
    await once(sandbox, 'exit');
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('proves control, re-tests after a fix, replies, and reads what changed', async () => {
    const { out: token } = await assay('seller', 'key', key);
    const early = await signed('retest');
    expect([early.code, early.notes]).toEqual([2, expect.stringContaining(token.trim())]);

    seller.token = token.trim();
    const first = await signed('retest');
    expect([first.code, first.out]).toEqual([0, expect.stringMatching(/^PAY .*\$0\.05/)]);
    const again = await signed('retest', '--json');
    expect([again.code, JSON.parse(again.out).code]).toEqual([5, 'retest_limit']);

    seller.amount = '10000';
    const post = await signed('retest', '--method', 'POST', '--json');
    expect(JSON.parse(post.out)).toMatchObject({ method: 'POST', verdict: 'pay' });

    expect((await signed('reply', '--note', 'We lowered our price.')).code).toBe(0);
    const { receipt_url } = JSON.parse(post.out);
    const page = await (await fetch(receipt_url, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('We lowered our price.');
    expect((await signed('withdraw-reply')).out).toBe('withdrawn\n');

    const feed = await (
      await fetch(`${base}/v1/watch.atom?url=${encodeURIComponent(endpoint)}&method=POST`)
    ).text();
    expect(feed).toContain(`changes at ${endpoint}`);
    const refused = await signed('watch', '--webhook', 'https://127.0.0.1/hook', '--json');
    expect(JSON.parse(refused.out)).toMatchObject({ status: 400, field: 'statement.webhook' });
    expect((await signed('unwatch')).out).toBe('ended: 0\n');
  });
});
