import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseCheckpoint } from '../../src/core/log/checkpoint.ts';
import { noteKeyText, noteText } from '../../src/core/log/note.ts';
import { microUsd } from '../../src/core/money/micro-usd.ts';
import { makeSnapshot } from '../../src/flows/snapshot/make-snapshot.ts';
import { openSnapshot, type SnapshotOptions } from '../../src/guard/snapshot/open-snapshot.ts';
import { BASE, PAYEE, THIEF, USDC_ON_BASE } from '../../tools/samples/challenge.ts';
import { crawlId } from '../../tools/samples/crawl-rows.ts';
import { network } from '../../tools/samples/listed.ts';
import { publishCrawl } from '../support/crawling/published-crawl.ts';
import { anEntry } from '../support/log/test-log.ts';
import { startService, type TestService } from '../support/running/running-service.ts';
import { payRow, publishSnapshot, SIGNER, snapshotPorts } from '../support/snapshot/snapshot-world.ts';

const T0 = new Date('2026-11-15T13:00:00.000Z');
const later = (hours: number) => new Date(T0.getTime() + hours * 3_600_000);
const soon = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000 });

let folder: string;
let services: TestService[];
/** Who answers, and what he answers instead of a path. */
let answering: TestService;
let lies: Map<string, (honest: Response) => Promise<Response>>;
let forks: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-buyer-'));
  [services, forks, lies] = [[], 0, new Map()];
  answering = await started();
});
afterEach(async () => {
  for (const service of services) await service.close();
  await rm(folder, { recursive: true });
});

/** All of them have one key: each shows a history of its own. */
async function started(): Promise<TestService> {
  const service = await startService({ door: 'socket' });
  services.push(service);
  return service;
}

async function crawled(service: TestService, n: number, payTo: string): Promise<void> {
  const row = payRow(0, { id: crawlId(n * 1_000), payTo });
  await publishCrawl(service.store.runs, `run-${n}`, [row], { crawledAt: later(n * 24 - 25) });
}

async function logged(service: TestService, n: number, payTo: string, entries = 0): Promise<void> {
  const others = Array.from({ length: entries }, (_, at) => anEntry(n * 10_000 + at));
  await service.store.transparencyLog.add(others);
  await crawled(service, n, payTo);
  await publishSnapshot(service);
}

const asked: typeof fetch = async (input, init) => {
  const { pathname } = new URL(new Request(input).url);
  const honest = await fetch(`${answering.address}${pathname}`, init);
  return lies.get(pathname)?.(honest) ?? honest;
};
const FILE = () => join(folder, 'below', 'memory');
const opened = (changes: Partial<SnapshotOptions> = {}) =>
  openSnapshot({
    ...{ from: 'http://assay.test', key: noteKeyText(SIGNER.key), fetch: asked, memory: FILE() },
    ...{ onFork: () => (forks += 1), ...changes },
  });
const TERMS = [PAYEE, THIEF].map((payTo) => {
  return { network: network(BASE), asset: USDC_ON_BASE, amountAtomic: microUsd(10_000n), payTo };
});
const lookAt = async (snapshot: ReturnType<typeof opened>, now: Date) => {
  const request = { url: payRow(0).receipt.url, method: 'GET', terms: TERMS };
  const answer = await snapshot.look(request, now);
  if (answer.kind === 'seen') return answer.terms.payTo;
  return answer.kind === 'unknown' ? answer.cause : answer.code;
};
const remembered = async (file = FILE()) => parseCheckpoint(noteText(await readFile(file, 'utf8')) ?? '');
const changedIndex = (index: unknown) => async (honest: Response) =>
  Response.json({ ...JSON.parse(await honest.text()), log_index: index });

describe('a snapshot counts only as an entry of the log that everybody sees', () => {
  it('is used once the log has it, and the log is remembered', async () => {
    await crawled(answering, 1, PAYEE);
    await makeSnapshot(snapshotPorts(answering.store));
    const snapshot = opened();
    expect(await lookAt(snapshot, T0)).toBe('unreadable');
    await logged(answering, 2, PAYEE, 300);
    expect(await lookAt(snapshot, later(24))).toBe(PAYEE);
    expect(await remembered()).toMatchObject({ origin: SIGNER.key.name, size: 301 });
    await logged(answering, 3, THIEF, 500);
    expect(await lookAt(opened(), later(48))).toBe(THIEF);
    expect(await remembered()).toMatchObject({ size: 802 });
    expect(forks).toBe(0);
  });

  it.each<[string, string, (honest: Response) => Promise<Response>]>([
    ['has no place', '/v1/snapshot', changedIndex(null)],
    ['has a place that is not a number', '/v1/snapshot', changedIndex('1')],
    ['has the place of another entry', '/v1/snapshot', changedIndex(0)],
    ['has a place beyond the log', '/v1/snapshot', changedIndex(4_000_000)],
    [
      'is in a log whose checkpoint is withheld',
      '/log/checkpoint',
      async () => new Response(null, { status: 404 }),
    ],
    [
      'is in a log whose tile is withheld',
      '/log/tile/0/000.p/4',
      async () => new Response(null, { status: 404 }),
    ],
    [
      'is in a log whose tile is another one',
      '/log/tile/0/000.p/4',
      async () => new Response(Buffer.alloc(4 * 32, 7)),
    ],
    [
      'is in a log that somebody else signed',
      '/log/checkpoint',
      async (honest) => new Response((await honest.text()).replace(/ [A-Za-z0-9+/]{8}/, ' AAAAAAAA')),
    ],
  ])('not one that %s', async (_, path, lie) => {
    await logged(answering, 1, PAYEE, 3);
    lies.set(path, lie);
    expect(await lookAt(opened(), T0)).toBe('unreadable');
    lies.clear();
    expect(await lookAt(opened(), T0)).toBe(PAYEE);
    expect(forks).toBe(0);
  });

  it.each([
    ['a history of the same size', 40, 40],
    ['a larger history', 40, 300],
  ])('not one of %s, and the two checkpoints are kept', async (_, before, after) => {
    await logged(answering, 1, PAYEE, before);
    const snapshot = opened();
    expect(await lookAt(snapshot, T0)).toBe(PAYEE);
    const first = await readFile(FILE(), 'utf8');
    answering = await started();
    await logged(answering, 2, THIEF, after);
    const second = await (await fetch(`${answering.address}/log/checkpoint`)).text();
    // What is held was vouched for by a log that contradicts itself.
    await soon(async () => expect(await lookAt(snapshot, later(24))).toBe('log_forked'));
    expect(forks).toBe(1);
    expect(await readFile(`${FILE()}.fork`, 'utf8')).toBe(`${first}\n${second}`);
    answering = services[0] ?? answering;
    for (const one of [snapshot, opened()]) expect(await lookAt(one, later(60))).toBe('log_forked');
  });

  it.each<[string, () => void]>([
    [
      'throws',
      () => {
        throw new Error('an observer');
      },
    ],
    ['rejects', () => Promise.reject(new Error('an observer'))],
  ])('not one of another history, also if onFork %s', async (_, onFork) => {
    await logged(answering, 1, PAYEE, 40);
    const snapshot = opened({ onFork });
    expect(await lookAt(snapshot, T0)).toBe(PAYEE);
    answering = await started();
    await logged(answering, 2, THIEF, 40);
    await soon(async () => expect(await lookAt(snapshot, later(24))).toBe('log_forked'));
    expect(await lookAt(opened({ onFork }), later(24))).toBe('log_forked');
  });

  it('not one of a log that went back; what is held stays', async () => {
    await logged(answering, 1, PAYEE, 40);
    const snapshot = opened();
    expect(await lookAt(snapshot, T0)).toBe(PAYEE);
    answering = await started();
    await logged(answering, 2, THIEF, 3);
    expect(await lookAt(opened(), later(24))).toBe('unreadable');
    expect(await lookAt(snapshot, later(24))).toBe(PAYEE);
    expect(await remembered()).toMatchObject({ size: 41 });
  });

  it('without a file the process remembers', async () => {
    await logged(answering, 1, PAYEE);
    const snapshot = opened({ memory: undefined });
    expect(await lookAt(snapshot, T0)).toBe(PAYEE);
    answering = await started();
    await logged(answering, 2, THIEF, 9);
    await soon(async () => expect(await lookAt(snapshot, later(24))).toBe('log_forked'));
    expect(await lookAt(opened({ memory: undefined }), later(24))).toBe(THIEF);
  });

  it('tiles that were spoilt on their way are no fork', async () => {
    await logged(answering, 1, PAYEE, 40);
    const snapshot = opened();
    expect(await lookAt(snapshot, T0)).toBe(PAYEE);
    await logged(answering, 2, THIEF, 600);
    lies.set('/log/tile/0/000', async () => new Response(Buffer.alloc(256 * 32, 7)));
    expect(await lookAt(opened(), later(24))).toBe('unreadable');
    lies.clear();
    expect(await lookAt(opened(), later(24))).toBe(THIEF);
    expect(forks).toBe(0);
  });

  it('a memory that cannot be read is no reason to begin anew', async () => {
    await logged(answering, 1, PAYEE);
    expect(await lookAt(opened(), T0)).toBe(PAYEE);
    await writeFile(FILE(), 'nonsense');
    expect(await lookAt(opened(), T0)).toBe('unreadable');
    expect(await readFile(FILE(), 'utf8')).toBe('nonsense');
  });
});
