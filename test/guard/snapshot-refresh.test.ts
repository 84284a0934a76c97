import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteKeyText } from '../../src/core/log/note.ts';
import { microUsd } from '../../src/core/money/micro-usd.ts';
import { openSnapshot } from '../../src/guard/snapshot/open-snapshot.ts';
import { BASE, PAYEE, THIEF, USDC_ON_BASE } from '../../tools/samples/challenge.ts';
import { crawlId } from '../../tools/samples/crawl-rows.ts';
import { network } from '../../tools/samples/listed.ts';
import { publishCrawl } from '../support/crawling/published-crawl.ts';
import { startService, type TestService } from '../support/running/running-service.ts';
import { payRow, publishSnapshot, SIGNER } from '../support/snapshot/snapshot-world.ts';

const KEY = noteKeyText(SIGNER.key);
const HOUR_MS = 3_600_000;
const T0 = new Date('2026-11-15T13:00:00.000Z');
const later = (hours: number) => new Date(T0.getTime() + hours * HOUR_MS);

/** A busy machine may need longer than a second. */
const soon = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000 });

let service: TestService;
let asked: string[];
let isAway: boolean;

beforeEach(async () => {
  service = await startService({ door: 'socket' });
  [asked, isAway] = [[], false];
});
afterEach(() => service.close());

const heard: typeof fetch = (input, init) => {
  const { pathname } = new URL(new Request(input).url);
  if (!pathname.startsWith('/log/')) asked.push(pathname.replaceAll(/[0-9a-f]{64}/g, 'H'));
  return isAway ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init);
};
const opened = (by = heard) => openSnapshot({ from: `${service.address}/`, key: KEY, fetch: by });

/** The n-th run, an hour before T0 plus a day for each; it asks for the payment to this payee. */
const crawl = async (n: number, payTo: string) => {
  const rows = Array.from({ length: 400 }, (_, index) => payRow(index, { id: crawlId(n * 1_000 + index) }));
  const first = payRow(0, { id: crawlId(n * 1_000), payTo });
  const crawledAt = later(n * 24 - 25);
  await publishCrawl(service.store.runs, `run-${n}`, [first, ...rows.slice(1)], { crawledAt });
  await publishSnapshot(service);
};
const termsTo = (payTo: string) => {
  return { network: network(BASE), asset: USDC_ON_BASE, amountAtomic: microUsd(10_000n), payTo };
};
/** Which of the two payees passed, or why it is not known. */
const lookAt = async (snapshot: ReturnType<typeof opened>, now: Date) => {
  const terms = [termsTo(PAYEE), termsTo(THIEF)];
  const answer = await snapshot.look({ url: payRow(0).receipt.url, method: 'GET', terms }, now);
  if (answer.kind === 'seen') return answer.terms.payTo;
  return answer.kind === 'unknown' ? answer.cause : answer.code;
};

describe('a snapshot of a service', () => {
  it('is replaced a day later, in the background and by its delta', async () => {
    await crawl(1, PAYEE);
    const snapshot = opened();
    expect(await lookAt(snapshot, T0)).toBe(PAYEE);
    await crawl(2, THIEF);
    expect(await lookAt(snapshot, later(23))).toBe(PAYEE);
    expect(asked).toEqual(['/v1/snapshot', '/snapshot/H.bin']);
    // The purchase that notices it does not wait.
    expect(await lookAt(snapshot, later(24))).toBe(PAYEE);
    await soon(async () => expect(await lookAt(snapshot, later(24))).toBe(THIEF));
    expect(asked.slice(2)).toEqual(['/v1/snapshot', '/snapshot/H-H.delta']);
  });

  it('is read whole where there is no delta from what is held', async () => {
    await crawl(1, PAYEE);
    const snapshot = opened();
    await lookAt(snapshot, T0);
    for (const n of [2, 3]) await crawl(n, THIEF);
    await soon(async () => expect(await lookAt(snapshot, later(48))).toBe(THIEF));
    expect(asked.slice(2)).toEqual(['/v1/snapshot', '/snapshot/H-H.delta', '/snapshot/H.bin']);
  });

  it('is read whole when its delta is longer than it can be, and that is not read to its end', async () => {
    await crawl(1, PAYEE);
    let pieces = 0;
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          pieces += 1;
          controller.enqueue(new Uint8Array(65_536));
        },
      });
    const snapshot = opened((input, init) =>
      String(input).endsWith('.delta') ? Promise.resolve(new Response(endless())) : heard(input, init),
    );
    await lookAt(snapshot, T0);
    await crawl(2, THIEF);
    await soon(async () => expect(await lookAt(snapshot, later(24))).toBe(THIEF));
    // A head and 400 rows are less than 17 kB.
    expect(pieces).toBeLessThan(10);
  });

  it('stays as it is when nothing is new', async () => {
    await crawl(1, PAYEE);
    const snapshot = opened();
    for (const hours of [0, 24, 25]) expect(await lookAt(snapshot, later(hours))).toBe(PAYEE);
    await soon(() => expect(asked).toEqual(['/v1/snapshot', '/snapshot/H.bin', '/v1/snapshot']));
  });

  it('counts until it expires while the service is away, and not a moment longer', async () => {
    await crawl(1, PAYEE);
    const snapshot = opened();
    await lookAt(snapshot, T0);
    isAway = true;
    const end = later(14 * 24 - 1).getTime();
    expect(await lookAt(snapshot, new Date(end - 1))).toBe(PAYEE);
    expect(await lookAt(snapshot, new Date(end))).toBe('expired');
    isAway = false;
    await crawl(9, THIEF);
    await soon(async () => expect(await lookAt(snapshot, new Date(end + 60_000))).toBe(THIEF));
  });

  it('is looked for once a minute while there is none', async () => {
    const snapshot = opened();
    for (const seconds of [0, 1, 59])
      expect(await lookAt(snapshot, new Date(T0.getTime() + seconds * 1_000))).toBe('unreadable');
    expect(asked).toEqual(['/v1/snapshot']);
    await crawl(1, PAYEE);
    expect(await lookAt(snapshot, new Date(T0.getTime() + 60_000))).toBe(PAYEE);
  });

  it.each([
    ['is read, where there was none', false],
    ['is replaced', true],
  ])('%s once a clock that was ahead is set back', async (_, isHeld) => {
    if (isHeld) await crawl(1, PAYEE);
    const snapshot = opened();
    const ahead = later(isHeld ? 24 * 10 : 24 * 365);
    expect(await lookAt(snapshot, ahead)).toBe(isHeld ? PAYEE : 'unreadable');
    await crawl(2, THIEF);
    await soon(async () => expect(await lookAt(snapshot, later(24))).toBe(THIEF));
  });

  it('never goes back to an older one, however well that is signed', async () => {
    await crawl(1, PAYEE);
    const old = await (await fetch(`${service.address}/v1/snapshot`)).text();
    await crawl(2, THIEF);
    let [isOld, shown] = [false, 0];
    const snapshot = opened((input, init) => {
      if (!isOld || !String(input).endsWith('/v1/snapshot')) return heard(input, init);
      shown += 1;
      return Promise.resolve(new Response(old));
    });
    expect(await lookAt(snapshot, later(24))).toBe(THIEF);
    isOld = true;
    await lookAt(snapshot, later(48));
    // It was refused: otherwise nothing would be looked for an hour later.
    await soon(async () => {
      await lookAt(snapshot, later(49));
      expect(shown).toBe(2);
    });
    expect(await lookAt(snapshot, later(49))).toBe(THIEF);
    // Neither its delta nor its file was downloaded.
    expect(asked).toEqual(['/v1/snapshot', '/snapshot/H.bin']);
  });

  it('is given up after ten seconds', async () => {
    vi.useFakeTimers();
    try {
      const looking = lookAt(
        opened(() => new Promise(() => {})),
        T0,
      );
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await looking).toBe('unreadable');
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['an answer that is no JSON', () => new Response('<html>')],
    ['no manifest', () => Response.json({})],
    ['a manifest that is a number', () => Response.json({ manifest: 1 })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: '/' } })],
    ['an endless answer', () => new Response('x'.repeat(200_000))],
  ])('is not used with %s', async (_, answer) => {
    expect(
      await lookAt(
        opened(() => Promise.resolve(answer())),
        T0,
      ),
    ).toBe('unreadable');
  });
});
