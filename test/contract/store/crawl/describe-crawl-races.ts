import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
import type { CrawlWork, HeldHost } from '../../../../src/ports/crawl-work.ts';
import { NOON } from '../../../../tools/samples/store-receipts.ts';
import {
  done,
  holdOf,
  LONG_MS,
  receiptOf,
  sealedRun,
  urlsLeft,
} from '../../../support/crawling/crawl-work.ts';
import { sized } from '../../../support/sized.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const url = (n: number) => `https://a.example/${n}`;

/** What every store of crawl work promises to several workers at once. */
export function describeCrawlRaces(name: string, newPlace: NewPlace): void {
  describe(`workers of a crawl on ${name}`, () => {
    let place: Place;
    let store: Store;
    let work: CrawlWork;

    beforeEach(async () => {
      place = await newPlace();
      store = await place.open();
      work = store.crawlWork;
      await store.runs.begin('run', NOON);
    });
    afterEach(() => place.remove());

    const receipts = async (runId = 'run') => store.runs.rows(runId, null, 1_000);

    it('inherit the hosts of one that dies: what it had done stays, and the rest is left', async () => {
      await sealedRun(work, 'run', { a: 3, b: 2 });
      const dying = await place.open();
      const from = performance.now();
      expect(await dying.crawlWork.take('run', 'dead', 9, 300)).toHaveLength(2);
      await done(dying.crawlWork, holdOf('dead'), [receiptOf(url(1), 1)], 300);
      await dying.close();
      const found: HeldHost[] = [];
      while (found.length < 2) {
        found.push(...(await work.take('run', 'heir', 9, LONG_MS)));
        await wait(5);
      }
      // A little less, because the two clocks tick apart.
      expect(performance.now() - from).toBeGreaterThan(290);
      expect(found.toSorted((one, other) => (one.host < other.host ? -1 : 1))).toEqual([
        { host: 'a.example', left: 2 },
        { host: 'b.example', left: 2 },
      ]);
      expect(await urlsLeft(work, 'run', 'a.example')).toEqual([url(2), url(3)]);
    });

    it('get each host once, when 10 of them ask 100 times at the same moment', async () => {
      const other = (await place.open()).crawlWork;
      for (let round = 0; round < sized(3, 10); round += 1) {
        const runId = `race-${round}`;
        const hosts = Array.from({ length: 50 }, (_, n) => `h${n}`);
        await sealedRun(work, runId, Object.fromEntries(hosts.map((host) => [host, 1])));
        const answers = await Promise.all(
          Array.from({ length: 100 }, (_, n) =>
            (n % 2 === 0 ? work : other).take(runId, `worker-${n % 10}`, 1, LONG_MS),
          ),
        );
        const given = answers.flat().map(({ host }) => host);
        expect(given.sort()).toEqual(hosts.map((host) => `${host}.example`).sort());
      }
    });

    // SQLite has one writer at a time: nobody is ever just taking a host.
    it.runIf(name === 'PostgreSQL')(
      'pass over a host that another is just taking, and do not wait',
      async () => {
        await sealedRun(work, 'run', { a: 2, b: 1 });
        await place.ask('begin');
        await place.ask("select host from crawl_hosts where host = 'a.example' for update");
        expect(await work.take('run', 'me', 1, LONG_MS)).toEqual([{ host: 'b.example', left: 1 }]);
        await place.ask('commit');
        expect(await work.take('run', 'me', 1, LONG_MS)).toEqual([{ host: 'a.example', left: 2 }]);
      },
    );

    it('either keep a host too late or lose it, never both', async () => {
      const other = (await place.open()).crawlWork;
      for (let round = 0; round < sized(6, 20); round += 1) {
        const runId = `duel-${round}`;
        await store.runs.begin(runId, NOON);
        await sealedRun(work, runId, { a: 2 });
        await work.take(runId, 'late', 1, 0);
        const rows = [receiptOf(url(1), round + 1)];
        const late = () => done(work, holdOf('late', 'a.example', runId), rows, LONG_MS);
        const next = () => other.take(runId, 'next', 1, LONG_MS);
        const [kept, given] = await (round % 2 === 0
          ? Promise.all([late(), next()])
          : Promise.all([next(), late()]).then(([first, second]) => [second, first] as const));
        expect(given).toEqual(kept === false ? [{ host: 'a.example', left: 2 }] : []);
        expect(await receipts(runId)).toHaveLength(kept === false ? 0 : 1);
      }
    });

    it('come and die, and together do every URL once', async () => {
      const works = [work, ...(await Promise.all([place.open(), place.open()])).map((one) => one.crawlWork)];
      const hosts = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`h${n}`, 1 + (n % 5)]));
      await sealedRun(work, 'run', hosts);
      const done: string[] = [];
      for (let round = 0; round < 200 && (await work.progress('run')).urlsLeft > 0; round += 1) {
        const turns = works.flatMap((mine, n) =>
          [0, 1].map((lane) => workOnce(mine, `worker-${round}-${n}-${lane}`, (round + n + lane) % 3 === 0)),
        );
        done.push(...(await Promise.all(turns)).flat());
      }
      expect(await work.progress('run')).toEqual({ hosts: 20, hostsLeft: 0, urls: 60, urlsLeft: 0 });
      expect(done).toHaveLength(60);
      expect(new Set(done).size).toBe(60);
      expect(await receipts()).toHaveLength(60);
    });
  });
}

/** Two URLs each of two hosts; answers those that were kept. Whoever dies has held its hosts for no time and lets go of none. */
async function workOnce(work: CrawlWork, owner: string, dies: boolean): Promise<string[]> {
  const leaseMs = dies ? 0 : LONG_MS;
  const kept: string[] = [];
  for (const { host } of await work.take('run', owner, 2, leaseMs)) {
    const urls = (await work.left('run', host, null, 2)).map(({ endpoint }) => endpoint.target.href);
    const rows = urls.map((one) => receiptOf(one, numberOf(one)));
    if ((await done(work, holdOf(owner, host), rows, leaseMs)) !== false) kept.push(...urls);
    if (!dies) await work.release(holdOf(owner, host));
  }
  return kept;
}

/** The id of a receipt: https://h7.example/3 is the 703rd. */
function numberOf(href: string): number {
  const [, host, path] = /h(\d+)\.example\/(\d+)/.exec(href) ?? [];
  return Number(host) * 100 + Number(path);
}
