import { randomBytes } from 'node:crypto';
import { rankLists } from '../../src/core/crawl/merge-listed.ts';
import { urlKeyOf } from '../../src/core/keyed-hash.ts';
import type { CrawlReceipt } from '../../src/core/receipt/crawl-receipt.ts';
import { isSetAside } from '../../src/core/verdict/skip-codes.ts';
import { crawl } from '../../src/flows/crawl/crawl.ts';
import type { Behaviour } from './behaviour.ts';
import { listsOf } from './lists.ts';
import type { Finding } from './outcome.ts';
import { NOW, type World } from './world.ts';

const HOSTS_AT_ONCE = 20;

/** One crawl of all that is listed; it publishes its run, so that the service knows the listings afterwards. */
export async function checkByCrawl(
  corpus: readonly Behaviour[],
  { store, openHost }: World,
  secret: string,
): Promise<ReadonlyMap<Behaviour, Finding>> {
  const listed = corpus.filter(({ rows }) => rows.length > 0);
  const now = () => NOW;
  const lists = listsOf(
    listed.flatMap(({ rows }) => rows),
    now,
  );
  const receipts = new Map<string, CrawlReceipt>();
  const ids = { last: 0 };
  const crawled = await crawl(
    { always: true, publishAnyway: true },
    {
      jobs: store.jobs,
      runs: store.runs,
      runLog: null,
      work: store.crawlWork,
      slots: store.slots,
      openEndpoints: store.openEndpoints,
      entropy: randomBytes,
      lists,
      openHost,
      keyOf: urlKeyOf(secret),
      rank: rankLists(lists.map(({ name }) => name)),
      isBlocked: () => false,
      limit: null,
      hostsAtOnce: HOSTS_AT_ONCE,
      now,
      wait: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
      stopwatch: () => performance.now(),
      newId: () => `calibrate-${++ids.last}`,
      onPhase: () => {},
      onReceipt: (receipt, host) => receipts.set(host, receipt),
      isStopped: () => false,
    },
  );
  if (crawled.kind !== 'published') throw new Error(`the crawl was not published: ${crawled.kind}`);
  return new Map(listed.map((behaviour) => [behaviour, findingOf(receipts.get(behaviour.host), behaviour)]));
}

function findingOf(receipt: CrawlReceipt | undefined, { name, group }: Behaviour): Finding {
  if (receipt === undefined) throw new Error(`the crawl did not check "${name}" (${group})`);
  const { verdict, code, payTo } = receipt;
  return { outcome: isSetAside(code) ? 'aside' : verdict, code, payTo: verdict === 'pay' ? payTo : null };
}
