import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { askingTree, LOG_SIGNER, WITNESSED } from '../../../test/support/log/witnessed-tree.ts';
import { witnessFiles } from '../../adapters/log/witness-files.ts';
import { openNote } from '../../core/log/note.ts';
import { originHash } from '../../core/log/witness/origin-hash.ts';
import { createWitness, type Witness } from '../../flows/log/witness/witness-logs.ts';
import { listenOn, stopListening } from '../serve/listen.ts';
import { createWitnessServer } from './witness-server.ts';

const SIGNER = seededSigner('witness.example/w1', 4);
const tree = askingTree();
const clock = { ms: 0 };
const faults: unknown[] = [];

let folder: string;
let server: Server;
let address: string;

async function start(witness?: Witness) {
  const state = witnessFiles(folder);
  const usual = createWitness({ logs: [LOG_SIGNER.key], signer: SIGNER, state, now: () => new Date() });
  server = createWitnessServer({
    witness: witness ?? usual,
    stopwatch: () => clock.ms,
    onFault: (fault) => faults.push(fault),
  });
  address = await listenOn(server, '127.0.0.1', 0);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'witness-'));
  await start();
});
afterEach(async () => {
  await stopListening(server);
  rmSync(folder, { recursive: true });
});

async function post(body: string | Uint8Array<ArrayBuffer>) {
  const response = await fetch(`${address}/add-checkpoint`, { method: 'POST', body });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}
const get = (path: string, method = 'GET') => fetch(address + path, { method });
const OWN = `/${originHash(WITNESSED)}/checkpoint`;

describe('the server of a witness', () => {
  it('cosigns, and gives monitors what it has cosigned', async () => {
    expect((await get(OWN)).status).toBe(404);
    const { status, text } = await post(await tree.ask(0, 9));
    expect(status).toBe(200);
    const shown = await (await get(OWN)).text();
    expect(shown).toBe((await tree.noteAt(9)) + text);
    expect(openNote(shown, [SIGNER.key, LOG_SIGNER.key])).toMatchObject({ signedBy: [{}, {}] });
  });

  it('takes a checkpoint with sixteen signatures of almost 5 kB, as every verifier must', async () => {
    const line = (n: number) => `— other.example/${n} ${Buffer.alloc(5_000, n + 1).toString('base64')}\n`;
    const others = Array.from({ length: 15 }, (_, n) => line(n)).join('');
    expect((await post((await tree.ask(0, 9)) + others)).status).toBe(200);
  });

  it('answers every refusal with the status of the specification', async () => {
    await post(await tree.ask(0, 9));
    const stranger = seededSigner(WITNESSED, 1, 'a stranger');
    const rows: [number, string][] = [
      [400, 'nonsense'],
      [400, await tree.ask(9, 8)],
      [403, await tree.ask(9, 20, { signers: [stranger] })],
      [404, await tree.ask(9, 20, { origin: 'other.example/log' })],
      [422, await tree.ask(9, 20, { proof: [] })],
    ];
    for (const [status, body] of rows) expect((await post(body)).status).toBe(status);
    expect(await post(await tree.ask(0, 20))).toEqual({
      status: 409,
      type: 'text/x.tlog.size',
      text: '9\n',
    });
  });

  it('refuses what is no request of the protocol', async () => {
    expect((await post(Uint8Array.of(0xff, 0xfe))).status).toBe(400);
    expect((await post('x'.repeat(262_145))).status).toBe(413);
    expect((await get('/add-checkpoint')).status).toBe(405);
    expect((await get(OWN, 'DELETE')).status).toBe(405);
    for (const path of [
      '/',
      `${OWN}x`,
      `/../${OWN}`,
      `/${'A'.repeat(64)}/checkpoint`,
      `/${'0'.repeat(64)}/checkpoint`,
    ]) {
      expect((await get(path)).status).toBe(404);
    }
  });

  it('bounds a body without a length, too', async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(0x61)),
    });
    const sent = fetch(`${address}/add-checkpoint`, { method: 'POST', body: endless, duplex: 'half' });
    const status = await sent.then((response) => response.status).catch(() => 413);
    expect(status).toBe(413);
  });

  it('bounds the requests of an address in a second', async () => {
    const statuses: number[] = [];
    for (let nth = 0; nth < 52; nth += 1) statuses.push((await get('/')).status);
    expect(statuses.slice(49)).toEqual([404, 429, 429]);
    clock.ms += 1_000;
    expect((await get('/')).status).toBe(404);
  });

  it('lets one of two growths win that are sent at once', async () => {
    await post(await tree.ask(0, 9));
    const answers = await Promise.all(
      [tree.ask(9, 20), tree.ask(9, 30)].map(async (body) => post(await body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('says that it cannot, when its state is damaged', async () => {
    await stopListening(server);
    const broken = () => {
      throw new Error('disk full');
    };
    await start({ add: broken, checkpoint: broken });
    expect((await post('x')).status).toBe(500);
    expect((await get(OWN)).status).toBe(500);
    expect(faults.map(String)).toEqual(['Error: disk full', 'Error: disk full']);
  });
});
