import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { derivedSeed, ed25519Signer } from '../../src/adapters/log/ed25519-signer.ts';
import { noteKeyText, parseNoteKey } from '../../src/core/log/note.ts';
import { isSignedView, openRequest, viewOf } from '../../src/core/vantage/messages.ts';
import { projectFile } from '../../tools/project-file.ts';
import { seededSigner } from '../support/log/seeded-signer.ts';
import { postNote, requestNote } from '../support/vantage/running-vantage.ts';

/** The built programs. `npm test` builds them first. */
const ASSAY = projectFile('dist/bundle/node/assay.js');
const folder = mkdtempSync(join(tmpdir(), 'assay-vantage-'));
const SECRET = 'the-secret-of-the-journey';
const SETTINGS = {
  DATA_DIR: join(folder, 'data'),
  PORT: '0',
  SECRET,
  BASE_URL: 'https://assay.example.org',
};
const CLIENTS = join(folder, 'clients');
const VANTAGES = join(folder, 'vantages');
const KEY = join(folder, 'key');
const NAME = 'vantage.example/v1';
const SERVICE = ed25519Signer('assay.example.org/vantages', derivedSeed(SECRET, 'assay vantages v1'));
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function start(argv: readonly string[], settings: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [ASSAY, ...argv], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
  });
  running.push(child);
  const said: string[] = [];
  const printed: string[] = [];
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      said.push(line);
      const [, at] = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(line) ?? [];
      if (at !== undefined) resolve(at);
    });
  });
  createInterface({ input: child.stdout }).on('line', (line) => printed.push(line));
  const exited = once(child, 'close').then(([code]) => code);
  const stop = async () => {
    child.kill('SIGTERM');
    return exited;
  };
  return { said, printed, exited, stop, listening };
}

type Program = Awaited<ReturnType<typeof vantage>>;

async function vantage() {
  const argv = ['vantage', '--key', KEY, '--name', NAME, '--clients', CLIENTS, '--listen', '127.0.0.1:0'];
  const settings = { BASE_URL: 'https://vantage.example', CONTACT: 'mailto:ops@vantage.example' };
  const program = await start(argv, settings);
  return { ...program, address: await program.listening };
}

describe('a vantage in a process of its own', () => {
  let program: Program;
  const note = (changes: Parameters<typeof requestNote>[0] = {}, signer = SERVICE) =>
    requestNote({ at: new Date(), to: NAME, ...changes }, signer);

  beforeAll(async () => {
    const key = await start(['vantage-key'], SETTINGS);
    expect(await key.exited).toBe(0);
    expect(key.printed).toEqual([`client ${noteKeyText(SERVICE.key)}`]);
    writeFileSync(CLIENTS, `# the service\n${key.printed[0]}\n`);
    program = await vantage();
  });

  it('has a key of its own that others cannot read, and prints the public part', async () => {
    expect(statSync(KEY).mode & 0o777).toBe(0o600);
    await expect.poll(() => program.printed).toHaveLength(1);
    expect(parseNoteKey(program.printed[0] ?? '')).toMatchObject({ name: NAME, type: 1 });
    expect(await (await fetch(`${program.address}/healthz`)).text()).toBe('ok\n');
    expect(await (await fetch(`${program.address}/prober`)).text()).toContain('mailto:ops@vantage.example');
  });

  it('reaches nothing on this machine, and signs that', async () => {
    const reached: string[] = [];
    const target = createServer((request, response) => {
      reached.push(request.url ?? '');
      response.writeHead(402).end();
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    // A server that listens on TCP answers with an AddressInfo.
    const { port } = target.address() as AddressInfo;
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', 'vantage.example']) {
      const sent = note({ url: `http://${host}:${port}/${host}` });
      const { status, text } = await postNote(program.address, sent);
      const opened = openRequest(sent, [SERVICE.key]);
      const key = parseNoteKey(program.printed[0] ?? '');
      if (typeof opened === 'string' || key === null) throw new Error('both should be readable');
      const view = viewOf(text, key, opened.hash);
      expect([status, view?.seen]).toEqual([200, { kind: 'blocked' }]);
      expect(view !== null && isSignedView(view)).toBe(true);
    }
    target.close();
    expect(reached).toEqual([]);
  });

  it('answers nobody else, and nothing twice', async () => {
    const stranger = seededSigner('assay.example.org/vantages');
    const url = 'http://127.0.0.1/';
    const once = note({ url });
    const rows: [string, number][] = [
      [once, 200],
      [once, 409],
      [note({ url }, stranger), 403],
      [note({ url, to: 'vantage.example/v2' }), 403],
      [note({ url, at: new Date(Date.now() - 60_000) }), 400],
      ['nonsense', 400],
    ];
    for (const [body, status] of rows) {
      expect((await postNote(program.address, body)).status).toBe(status);
    }
  });

  it('says nothing about requests, whatever they are', async () => {
    await postNote(program.address, note({ url: 'http://127.0.0.1/a-secret-path' }));
    await postNote(program.address, 'a-secret-body');
    await fetch(`${program.address}/a-secret-path`);
    expect([program.said.length, program.printed.length]).toEqual([1, 1]);
    expect(program.said[0]).toMatch(/; clients assay\.example\.org\/vantages$/);
  });

  it('is the same one after a restart', async () => {
    const [key] = program.printed;
    expect(await program.stop()).toBe(0);
    program = await vantage();
    await expect.poll(() => program.printed).toEqual([key]);
  });

  it('is named in the settings of a service, which says so when it starts', async () => {
    writeFileSync(VANTAGES, `vantage v1 ${program.printed[0]} ${program.address}\nquorum 1\n`);
    const service = await start(['serve'], { ...SETTINGS, VANTAGES, LOG_FORMAT: 'text' });
    await service.listening;
    await expect.poll(() => service.printed).toContain('  vantages    on   1, it must agree from $0.10');
    expect(await service.stop()).toBe(0);
  });

  it('is refused with a file that cannot be read', async () => {
    writeFileSync(VANTAGES, `vantage v1 ${program.printed[0]} http://vantage.example\nquorum 1\n`);
    const service = await start(['serve'], { ...SETTINGS, VANTAGES });
    expect(await service.exited).toBe(1);
    expect(service.said).toEqual([
      `assay: invalid setting: VANTAGES ${VANTAGES}: vantage v1 needs an https address (http on this machine only), without a query`,
    ]);
  });
});
