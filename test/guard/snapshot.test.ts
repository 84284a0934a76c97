import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteKeyText } from '../../src/core/log/note.ts';
import type { CrawlReceipt } from '../../src/core/receipt/crawl-receipt.ts';
import { type GuardOptions, GuardRefused } from '../../src/guard/index.ts';
import { guardOfPolicy } from '../../src/guard/policy-file.ts';
import { openSnapshot, type SnapshotOptions } from '../../src/guard/snapshot/open-snapshot.ts';
import { ENTRY, THIEF } from '../../tools/samples/challenge.ts';
import { publishCrawl } from '../support/crawling/published-crawl.ts';
import { GOODS, guardFor, LIMITS, payer } from '../support/guarding/sellers/in-process-seller.ts';
import { type LoopbackSeller, startLoopbackSeller } from '../support/guarding/sellers/loopback-seller.ts';
import { seededSigner } from '../support/log/seeded-signer.ts';
import { startService, type TestService } from '../support/running/running-service.ts';
import {
  ORIGIN,
  payRow,
  publishedFile,
  publishSnapshot,
  SIGNER,
} from '../support/snapshot/snapshot-world.ts';

const KEY = noteKeyText(SIGNER.key);
const DAY_MS = 86_400_000;

let service: TestService;
let seller: LoopbackSeller;
/** The paths that the service was asked for, without those of its log. */
let asked: string[];

beforeEach(async () => {
  service = await startService({ door: 'socket' });
  seller = await startLoopbackSeller();
  asked = [];
});
afterEach(async () => {
  await seller.close();
  await service.close();
});

const heard: typeof fetch = (input, init) => {
  const { origin, pathname } = new URL(new Request(input).url);
  const isCounted = origin === service.address && !pathname.startsWith('/log/');
  if (isCounted) asked.push(pathname.replaceAll(/[0-9a-f]{64}/g, 'H'));
  return fetch(input, init);
};
const crawl = async (changes: Partial<CrawlReceipt> = {}, ageMs = 3_600_000) => {
  const crawledAt = new Date(Date.now() - ageMs);
  await publishCrawl(service.store.runs, 'run-1', [payRow(1, { url: seller.url, ...changes })], {
    crawledAt,
  });
  await publishSnapshot(service);
  return crawledAt;
};
const opened = (changes: Partial<SnapshotOptions> = {}) =>
  openSnapshot({ from: service.address ?? '', key: KEY, fetch: heard, ...changes });
const guardWith = (options: Partial<GuardOptions> = {}) =>
  guardFor({ fetch: heard }, { snapshot: opened(), ...options });
const buy = (options: Partial<GuardOptions> = {}) =>
  payer(guardWith(options).fetch)(seller.url).then(
    (answer) => answer.text(),
    (fault: unknown) => (fault instanceof GuardRefused ? fault.code : String(fault)),
  );

describe('a guard with a snapshot', () => {
  it('buys what passed in the crawl, and tells nobody which URL it pays', async () => {
    const crawledAt = await crawl();
    const guard = guardWith({ ask: service.address });
    expect(await (await payer(guard.fetch)(seller.url)).text()).toBe(GOODS);
    expect(asked).toEqual(['/v1/snapshot', '/snapshot/H.bin']);
    const [purchase] = await guard.purchases();
    const { sha256 } = (await service.store.snapshots.latest()) ?? {};
    const { witness } = await guard.evidence(purchase?.id ?? '');
    expect(witness).toEqual({
      service: ORIGIN,
      receipt_id: null,
      permalink: null,
      payment_terms_sha256: purchase?.termsSha256,
      checked_at: crawledAt.toISOString(),
      snapshot_sha256: sha256,
    });
  });

  it('reads it once for many purchases', async () => {
    await crawl();
    const guard = guardWith({ repeatAfterMs: 0 });
    for (let time = 0; time < 3; time += 1) await payer(guard.fetch)(seller.url);
    expect(asked).toEqual(['/v1/snapshot', '/snapshot/H.bin']);
  });

  it.each<[string, object]>([
    ['another payee', { payTo: THIEF }],
    ['another price', { amount: '10001' }],
  ])('asks the service about %s', async (_, changes) => {
    await crawl();
    seller.entry = { ...ENTRY, ...changes };
    // The service does not look at private addresses, which is a skip.
    expect(await buy({ ask: service.address })).toBe('service_disagrees');
    expect(asked).toContain('/v1/receipts/by-url');
    expect(await buy()).toBe('service_unavailable');
    expect(await buy({ onUnavailable: 'local' })).toBe(GOODS);
  });

  it.each(['price_mismatch', 'pay_to_mismatch', 'asset_not_usdc'] as const)(
    'refuses what the crawl says to skip: %s',
    async (code) => {
      await crawl({ verdict: 'skip', code });
      expect(await buy({ ask: service.address, onUnavailable: 'local' })).toBe('service_disagrees');
      expect(asked).toEqual(['/v1/snapshot', '/snapshot/H.bin']);
      expect(seller.seen).toEqual(['GET /paid']);
    },
  );

  it("has the buyer's own listing over that of the crawl", async () => {
    await crawl({ verdict: 'skip', code: 'pay_to_mismatch' });
    const expect402 = { onUnavailable: 'local', expect: () => ({ payTo: ENTRY.payTo }) } as const;
    expect(await buy(expect402)).toBe(GOODS);
    expect(await buy({ onUnavailable: 'local', expect: () => ({ price: '0.01' }) })).toBe(
      'service_disagrees',
    );
  });

  it.each<[string, Partial<CrawlReceipt>, number]>([
    ['an endpoint that it does not have', { url: 'https://other.example/' }, 0],
    ['another method', { method: 'POST' }, 0],
    ['an endpoint that had no paywall', { verdict: 'skip', code: 'no_paywall' }, 0],
    ['an endpoint that did not answer', { verdict: 'recheck', code: 'timeout' }, 0],
    ['everything once it has expired', {}, 14 * DAY_MS],
    ['everything of a crawl that a wrong clock has dated a year ahead', {}, -365 * DAY_MS],
  ])('knows nothing about %s', async (_, changes, ageMs) => {
    await crawl(changes, ageMs);
    expect(await buy()).toBe('service_unavailable');
    expect(await buy({ onUnavailable: 'local' })).toBe(GOODS);
  });

  it('goes by a crawl that is a minute ahead of its clock', async () => {
    await crawl({}, -60_000);
    expect(await buy()).toBe(GOODS);
  });

  it.each<[string, Partial<SnapshotOptions>]>([
    ['a key that has not signed it', { key: noteKeyText(seededSigner(ORIGIN, 1, 'other').key) }],
    ['another origin', { origin: 'other.example/log' }],
    ['a service that is away', { from: 'http://127.0.0.1:1' }],
    ['a file that is not there', { from: '/nowhere/snapshot.bin' }],
  ])('uses none with %s', async (_, changes) => {
    await crawl();
    expect(await buy({ snapshot: opened(changes) })).toBe('service_unavailable');
  });

  it('is not asked about what it cannot see, such as a tool of an MCP server', async () => {
    await crawl();
    const { fetch: tool } = guardWith().for({ hasWitness: false });
    await expect(payer(tool)(seller.url)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(asked).toEqual([]);
  });
});

describe('a snapshot in a file', () => {
  let folder: string;
  const file = () => join(folder, 'snapshot.bin');
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-snapshot-'));
    await crawl();
    await writeFile(file(), (await publishedFile(service.store.snapshots)).bytes);
    await writeFile(`${file()}.note`, (await service.store.snapshots.latest())?.manifest ?? '');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('needs no service at all', async () => {
    expect(await buy({ snapshot: opened({ from: file() }) })).toBe(GOODS);
    expect(asked).toEqual([]);
  });

  it('is named in a policy file', async () => {
    const snapshot = { from: file(), key: KEY };
    const guard = guardOfPolicy({ ledger: join(folder, 'purchases.db'), limits: LIMITS, snapshot });
    expect(await (await payer(guard.fetch)(seller.url)).text()).toBe(GOODS);
    // Through the ledger and back.
    expect((await guard.purchases())[0]?.witness).toMatchObject({ service: ORIGIN, receiptId: null });
    await guard.close();
  });

  it('is not used with a flipped bit', async () => {
    const { bytes } = await publishedFile(service.store.snapshots);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await writeFile(file(), bytes);
    expect(await buy({ snapshot: opened({ from: file() }) })).toBe('service_unavailable');
  });

  it('is not used when it is larger than any snapshot', async () => {
    await writeFile(file(), Buffer.alloc(64_000_001));
    expect(await buy({ snapshot: opened({ from: file() }) })).toBe('service_unavailable');
  });
});

describe('options that cannot be meant', () => {
  it.each<[string, object, string]>([
    ['no key', { from: 'x' }, 'key is not an Ed25519 verifier key'],
    ['a broken key', { from: 'x', key: `${KEY}x` }, 'key is not an Ed25519 verifier key'],
    [
      'a key of a cosigner',
      { from: 'x', key: noteKeyText(seededSigner('w', 4).key) },
      'key is not an Ed25519',
    ],
    ['no place', { key: KEY }, 'from is not the URL'],
    ['a broken URL', { key: KEY, from: 'https://' }, 'from is not a URL'],
  ])('%s', (_, options, message) => {
    expect(() => openSnapshot({ from: '', key: '', ...options })).toThrow(message);
  });

  it('a guard takes nothing but an opened one', () => {
    // As a program without types may write it.
    const snapshot = Object({ from: 'x', key: KEY });
    expect(() => guardFor({ fetch }, { snapshot })).toThrow('snapshot is not what openSnapshot returns');
  });
});
