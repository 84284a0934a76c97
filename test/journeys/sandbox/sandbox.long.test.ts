import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../tools/free-port.ts';
import { projectFile } from '../../../tools/project-file.ts';
import { httpAnswer, startSeller } from '../../support/probing/fake-seller.ts';

/** The built program, as `npm run sandbox` runs it. `npm test` builds it first. */
const PROGRAM = projectFile('dist/bundle/node/sandbox.js');
const PROJECT = projectFile('.');
const CHECK = '/v1/products/endpoint-spot-check';
/** Where the program makes its temporary folder, so that a test can see whether it is gone. */
const folder = mkdtempSync(join(tmpdir(), 'assay-journey-'));
const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  for (const left of readdirSync(folder)) rmSync(join(folder, left), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(...words: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    env: { PATH: process.env['PATH'], TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const said = { text: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    said.text += chunk;
  });
  const complaints = text(child.stderr);
  const exitCode = once(child, 'exit').then(([code]) => code);
  /** Everything that it has said once it has said this. */
  const output = async (awaited: RegExp) => {
    await expect.poll(() => said.text).toMatch(awaited);
    return said.text;
  };
  return { child, output, complaints, exitCode };
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever an answer holds.
type Json = any;

async function start(...words: string[]) {
  const program = run('--port', '0', '--json', '--bare', ...words);
  const report: Json = JSON.parse(await program.output(/\n/));
  const check = async (parameters: Record<string, string>): Promise<Json> => {
    const url = `${report.base_url}${CHECK}?${new URLSearchParams(parameters)}`;
    return (await fetch(url, { headers: { authorization: `Bearer ${report.self_test_key}` } })).json();
  };
  return { ...program, report, check };
}

describe('a sandbox for programs', () => {
  it('says in one line where everything is, and everything is there', async () => {
    const { child, report, output, complaints, exitCode } = await start();
    expect(Object.keys(report)).toEqual([
      'base_url',
      'alt_url',
      'legacy_url',
      'rpc_url',
      'facilitator_url',
      'usdc',
      'pay_to',
      'buyer_keys',
      'self_test_key',
      'sellers',
      'discovery_lists',
    ]);
    expect(report.usdc).toBe('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913');
    expect(report.buyer_keys).toHaveLength(10);
    for (const address of [report.base_url, report.alt_url, report.legacy_url]) {
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
      // Whoever uses an address finds links under it.
      expect(await (await fetch(`${address}/llms.txt`)).text()).toContain(`${address}/v1/`);
    }
    const chainId = await fetch(report.rpc_url, { method: 'POST', body: '{"id":1,"method":"eth_chainId"}' });
    expect(await chainId.json()).toMatchObject({ result: '0x2105' });
    expect((await fetch(`${report.facilitator_url}/supported`)).status).toBe(200);
    const { items } = Object(await (await fetch(report.discovery_lists.bazaar)).json());
    expect(items.map(({ resource }: Json) => resource)).toEqual(Object.values(report.sellers));
    child.kill('SIGINT');
    expect([await exitCode, await complaints]).toEqual([0, '']);
    expect(await output(/\n/)).toBe(`${JSON.stringify(report)}\n`);
  });

  it('knocks at what it was told to, and not at the port beside it', async () => {
    const [allowed, other] = [
      await startSeller((socket) => socket.end(httpAnswer(200, []))),
      await startSeller((socket) => socket.end(httpAnswer(200, []))),
    ];
    const { check } = await start('--allow-target', `127.0.0.1:${allowed.port}`);
    expect(await check({ url: `http://127.0.0.1:${allowed.port}/` })).toMatchObject({ reason: 'no_paywall' });
    expect(await check({ url: `http://127.0.0.1:${other.port}/` })).toMatchObject({ reason: 'ssrf_blocked' });
    expect([allowed.requests.length, other.requests.length]).toEqual([1, 0]);
    await Promise.all([allowed.close(), other.close()]);
  });

  it('lets one machine play many callers', async () => {
    const { report } = await start();
    const statusFor = async (caller: string) => {
      const url = `${report.base_url}${CHECK}?url=${report.sellers.honest}`;
      return (await fetch(url, { headers: { 'x-forwarded-for': caller } })).status;
    };
    const statuses = [];
    for (const caller of ['198.51.100.1', '198.51.100.1', '198.51.100.2'])
      statuses.push(await statusFor(caller));
    expect(statuses).toEqual([200, 402, 200]);
  });
});

describe('a sandbox for people', () => {
  it('has a command for every verdict, and one that pays', async () => {
    const { child, output, exitCode } = run('--port', '0', '--bare');
    const guide = await output(/See docs\/sandbox\.md\.\n\nSTART HERE\n(?:.+\n){5}$/);
    expect(guide).toMatch(/^Assay's sandbox is running/);
    const commands = [...guide.matchAll(/^# (\w+), (\w+): .+\ncurl -sGw '\\n' (\S+) (.+)$/gm)];
    expect(commands.map(([, verdict, reason]) => `${verdict} ${reason}`)).toEqual([
      'pay price_ok',
      'skip price_mismatch',
      'skip pay_to_mismatch',
      'skip network_mismatch',
      'skip network_unsupported',
      'skip asset_not_usdc',
      'skip no_paywall',
      'recheck free_trial_active',
      'recheck timeout',
      'recheck server_error',
      'skip bad_challenge',
      'recheck unreachable',
      'skip ssrf_blocked',
    ]);
    await Promise.all(
      commands.map(async ([, verdict, , address, parameters = '']) => {
        const answer = await fetch(`${address}?${parameters.replaceAll('-d ', '').replaceAll(' ', '&')}`);
        expect(await answer.json()).toMatchObject({ verdict });
      }),
    );
    const [, script = ''] = /^node --input-type=module <<'END'\n([\s\S]+?)\nEND$/m.exec(guide) ?? [];
    const buying = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: PROJECT });
    expect(await text(buying.stdout)).toMatch(/^200 \{.*"charged_usd":"0\.02".*\}\n$/);
    child.kill('SIGINT');
    expect(await exitCode).toBe(0);
  });
});

describe('a sandbox that ends', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('with %s leaves nothing behind', async (signal) => {
    const { child, exitCode, complaints } = await start();
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^assay-sandbox-/)]);
    child.kill(signal);
    // npm passes on what the terminal has already sent.
    child.kill(signal);
    expect([await exitCode, await complaints, readdirSync(folder)]).toEqual([0, '', []]);
  });

  it('with a check under way finishes that, and does not wait for a connection that is only kept open', async () => {
    const waiting: Socket[] = [];
    const seller = await startSeller((socket) => waiting.push(socket));
    const { child, exitCode, check } = await start('--allow-target', `127.0.0.1:${seller.port}`);
    const checking = check({ url: `http://127.0.0.1:${seller.port}/` });
    await expect.poll(() => waiting.length).toBe(1);
    child.kill('SIGINT');
    waiting[0]?.end(httpAnswer(200, []));
    const answeredAt = Date.now();
    expect(await checking).toMatchObject({ reason: 'no_paywall' });
    expect(await exitCode).toBe(0);
    // Otherwise it would be ten seconds.
    expect(Date.now() - answeredAt).toBeLessThan(8_000);
    await seller.close();
  });

  it('while it is still starting leaves nothing behind', async () => {
    const { child, exitCode } = run('--port', '0', '--json', '--bare');
    await expect.poll(() => readdirSync(folder).length, { interval: 1 }).toBe(1);
    child.kill('SIGINT');
    expect([await exitCode, readdirSync(folder)]).toEqual([0, []]);
  });
});

describe('a sandbox that cannot start says why in one line:', () => {
  const refused = async (line: string, ...words: string[]) => {
    const { exitCode, complaints, output } = run(...words);
    const code = line.endsWith('--help') ? 2 : 1;
    expect([await exitCode, await complaints, await output(/^$/)]).toEqual([code, `${line}\n`, '']);
    expect(readdirSync(folder)).toEqual([]);
  };
  const usage = 'see assay sandbox --help';

  it('a target elsewhere', () =>
    refused(
      `assay sandbox: --allow-target must be an address of 127.0.0.0/8 and a port, such as 127.0.0.1:8080; ${usage}`,
      '--allow-target',
      'example.com:80',
    ));

  it('an unknown option', () =>
    refused(`assay sandbox: unknown option '--prot' (Did you mean --port?); ${usage}`, '--prot', '80'));

  it.each(['127.0.0.3', '127.0.1.7'])(
    'a port that is taken, of the service or a seller: %s',
    async (host) => {
      const port = await freePort();
      const occupant = createServer().listen(port, host);
      await once(occupant, 'listening');
      await refused(
        `sandbox: cannot listen on ${host}:${port}: EADDRINUSE, another process has the port; stop it or change --port`,
        '--port',
        String(port),
      );
      occupant.close();
    },
  );

  it('a target that is the sandbox itself', async () => {
    const port = await freePort();
    await refused(
      `sandbox: --allow-target 127.0.0.2:${port} is a part of the sandbox itself`,
      ...['--port', String(port), '--allow-target', `127.0.0.2:${port}`],
    );
  });
});
