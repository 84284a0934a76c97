import type { Store } from '../../../src/adapters/store/store.ts';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { EVERY_SKIP, type SkipFacet, type SkipFilter } from '../../../src/core/receipt/skip-filter.ts';
import { aCall } from '../../../tools/samples/catalog.ts';
import { aCrawlReceipt, aRun, crawlRow } from '../../../tools/samples/crawl-rows.ts';
import { afterNoon, NOON } from '../../../tools/samples/store-receipts.ts';
import { done, list, receiptOf, urlsOf } from '../crawling/crawl-work.ts';
import { ANSWER, aClaim, FIRST, NAMED, prepared } from '../paying/payments.ts';
import { checkEnd, probeAt, probeStart } from '../probing/probe-start.ts';
import { aKeptSnapshot, everyPart } from './kept-snapshots.ts';
import { LOG_USES } from './log-uses.ts';
import { RECEIPT_USES } from './receipt-uses.ts';

const PROBE = { urlKey: 'key', method: 'GET' } as const;

const SKIP_FILTERS: readonly (readonly [SkipFilter, SkipFacet | null])[] = [
  [EVERY_SKIP, null],
  [{ ...EVERY_SKIP, search: 'x' }, null],
  [{ ...EVERY_SKIP, reason: 'no_paywall', list: 'list', network: 'network', host: 'host' }, 'reason'],
  [{ ...EVERY_SKIP, reason: 'no_paywall', list: 'list', network: 'network', host: 'host' }, 'list'],
  [{ ...EVERY_SKIP, reason: 'no_paywall', list: 'list', network: 'network', host: 'host' }, 'network'],
  [{ ...EVERY_SKIP, reason: 'no_paywall', list: 'list', network: 'network', host: 'host' }, 'host'],
  [{ ...EVERY_SKIP, sort: 'price_gap', list: 'list' }, 'list'],
];

/** Every method of the store, at least once, and twice where it has two ways to go. */
export const STORE_USES: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  counters: async ({ counters }) => {
    const counter = { key: 'key', window: '2026-11-15', limit: 1 };
    await counters.reserve([counter]);
    await counters.giveBack(counter);
    // Once as a new row, and once in the row that is there.
    await counters.reserve([counter]);
    await counters.prune(NOON, 9);
  },
  probes: async ({ probes }) => {
    await probes.keep(PROBE, { observation: { kind: 'timed_out' }, probedAt: NOON, spelling: 'x' });
    await probes.find(PROBE, NOON);
    await probes.prune(NOON, 9);
  },
  openEndpoints: async ({ openEndpoints }) => {
    await openEndpoints.remember('x', NOON);
    await openEndpoints.isOpen('x');
  },
  checks: async ({ checks }) => {
    const minute = { key: 'minute', window: '2026-11-15T12:00', limit: 3 };
    const together = { ...minute, together: true } as const;
    const counters = [minute, together];
    for (const url of ['a/1', 'a/2', 'a/3', 'a/4', 'a/1'])
      await checks.start(probeStart(url, { counters }), 9_000);
    await checks.finish(probeStart('a/1'), probeAt(afterNoon(1)), checkEnd(901, { givenBack: counters }));
    await checks.abandon(probeStart('a/2'), counters);
    // Once with a newer probe, once at the limit, and once on a lease that has run out.
    await checks.start(probeStart('a/1'), 9_000);
    for (const url of ['b/1', 'b/2', 'b/3', 'b/4']) await checks.start(probeStart(url, { counters }), 0);
    await checks.start(probeStart('b/1'), 9_000);
    await checks.record([], checkEnd(902));
    await checks.record(counters, checkEnd(903));
  },
  slots: async ({ slots }) => {
    const holder = { targetKey: 'target c', holder: 'crawl' };
    for (let time = 0; time < 2; time += 1) await slots.hold(holder, { most: 2, upTo: 3 }, 9_000);
    await slots.free(holder);
    await slots.prune(9);
  },
  ...RECEIPT_USES,
  runs: async ({ runs }) => {
    for (const run of ['run', 'other']) await runs.begin(run, NOON);
    for (const run of ['run', 'other']) await runs.add(run, [crawlRow(1), crawlRow(2)]);
    for (const after of [null, aCrawlReceipt()]) await runs.rows('run', after, 9);
    await runs.publish(aRun('run'), { all: [aCrawlReceipt()], skip: [aCrawlReceipt()] });
    await runs.latest();
    await runs.recent(9);
    for (const page of [1, 2]) await runs.page('run', 'all', page);
    for (const page of [1, 2]) await runs.page('run', 'skip', page);
    await runs.byId('id');
    await runs.statement('id');
    await runs.byIds(['id']);
    for (const [filter, lead] of SKIP_FILTERS) {
      await runs.countSkips('run', { filter, lead });
      for (const after of [null, { gap: 0, url: 'url', id: 'id' }])
        await runs.skips('run', { filter, lead }, { after, limit: 9 });
    }
    await runs.inLatestRun('key');
    await runs.latestOf('key', 9);
    for (const by of ['host', 'payee', 'replaced_payee'] as const) {
      await runs.partRows('run', { by, value: 'x' }, 9);
      await runs.countPart('run', { by, value: 'x' }, 9);
      await runs.sharesOf('run', { by, value: 'x' }, { rows: 9, shares: 9 });
    }
    await runs.countableRuns(9);
    await runs.discard('other', 9);
  },
  payments: async ({ payments }) => {
    for (const claimedAt of [NOON, afterNoon(9_000)]) await payments.claim(aClaim({ claimedAt }));
    await payments.claim(aClaim({ ...NAMED, claimedAt: afterNoon(9_000) }));
    for (const names of [{}, NAMED]) {
      await payments.look(aClaim(names), NOON);
      await payments.lookAndEnd(aClaim(names), NOON);
    }
    await payments.prepare(FIRST, prepared(2), 'payment', NOON);
    await payments.leaveOpen(FIRST, NOON);
    await payments.open(afterNoon(9), 9);
    await payments.takeSend(FIRST, NOON);
    await payments.endSends(FIRST);
    await payments.settle(FIRST, ANSWER, '0xtx', NOON);
    await payments.deliver(FIRST.key, 'network', NOON);
    await payments.reject({ ...FIRST, key: 'another' }, NOON);
    await payments.release(FIRST);
    await payments.prune(afterNoon(9), 9);
  },
  quotes: async ({ quotes }) => {
    const quote = { key: 'key', amount: microUsd(1n) };
    await quotes.remember(quote, NOON);
    await quotes.isOpen(quote, NOON);
    await quotes.prune(NOON, 9);
  },
  paidCalls: async ({ paidCalls }) => {
    const [amount, perDay, total] = [microUsd(1n), microUsd(9n), microUsd(9n)];
    const call = { id: 'a', serviceId: 'service', calledAt: NOON, amount, payTo: '0x' };
    await paidCalls.begin(call, { perDay, total });
    await paidCalls.finish('a', aCall(), { bodySha256: null, body: null });
    await paidCalls.unfinished(NOON, 9);
    await paidCalls.spent(NOON);
    await paidCalls.callsOf(['service', 'other'], 9);
    await paidCalls.keepCheck('service', {
      checkedAt: NOON,
      reachable: true,
      x402Challenge: true,
      quotedPrice: null,
      priceMatchesListing: null,
    });
    await paidCalls.checksOf(['service', 'other']);
  },
  jobs: async ({ jobs }) => {
    const claim = { name: 'job', holder: 'a', now: NOON, leaseMs: 0 };
    await jobs.claim(claim);
    await jobs.read('job');
    await jobs.save(claim, '{}');
    await jobs.finish(claim, '{}');
  },
  attribution: async ({ attribution }) => {
    const lookup = { subject: { kind: 'task', name: 'task' }, client: null, ref: null, payer: null } as const;
    for (let flush = 0; flush < 2; flush += 1) {
      attribution.note(lookup, NOON);
      await attribution.flush();
    }
    await attribution.total(NOON);
    for (const by of ['client', 'ref', 'payer'] as const) await attribution.tally(by, NOON, 9);
    await attribution.subjects(NOON, 9);
    await attribution.prune(NOON, 9);
  },
  crawlWork: async ({ crawlWork: work, runs }) => {
    await runs.begin('work', NOON);
    for (const name of ['first-list', 'second-list'])
      await list(work, 'work', urlsOf('a', 3, { list: name }));
    await work.seal('work');
    const hold = { runId: 'work', host: 'a.example', owner: 'me' };
    await work.take('work', 'me', 9, 9_000);
    await work.renew(hold, 0);
    await work.take('work', 'me', 9, 9_000);
    for (let time = 0; time < 2; time += 1) {
      await done(
        work,
        hold,
        [receiptOf('https://a.example/1', 901), receiptOf('https://a.example/2', 902)],
        9,
      );
    }
    await work.renew(hold, 9);
    await work.left('work', 'a.example', null, 9);
    await work.release(hold);
    await work.progress('work');
    for (const after of [null, 'key']) await work.listed('work', 'first-list', after, 9);
    for (const limit of [1, 2, 3, 9]) await work.forget('work', limit);
  },
  sellers: async ({ sellers }) => {
    const retest = {
      spellingKey: 'a',
      method: 'GET',
      verdict: 'pay',
      reason: 'x',
      receiptId: 'sc-1',
    } as const;
    for (const needsInput of [false, true]) {
      await sellers.keepRetest({ ...retest, needsInput, checkedAt: NOON });
    }
    await sellers.retestsOf(['a', 'b'], NOON);
    const signed = { statement: '{}', key: 'k', signature: 's' };
    for (let time = 0; time < 2; time += 1) {
      await sellers.keepReply({ urlKey: 'a', note: 'x', at: NOON, signed });
    }
    await sellers.repliesOf(['a', 'b']);
    await sellers.withdrawReply('a', NOON);
    await sellers.revision();
  },
  watches: async ({ watches }) => {
    const seen = { verdict: 'pay', price: null, payTo: null, at: NOON } as const;
    const watch = {
      id: 'w',
      urlKey: 'a',
      originKey: 'h',
      ownerKey: 'o',
      url: 'https://a.example',
      method: null,
      seen,
    };
    const most = { ofOrigin: 5, ofOwner: 9, inAll: 9 };
    const until = new Date('2100-01-01T00:00:00Z');
    const add = (id: string, end = until) =>
      watches.add({ ...watch, id, webhook: `https://b.example/${id}`, until: end }, most);
    for (const id of ['w', 'w', 'x']) await add(id);
    await add('ended', NOON);
    const [taken] = await watches.take(0, NOON, 9);
    if (taken !== undefined) await watches.note(taken, seen, { id: 'e', watchId: taken.id, body: '{}' });
    await watches.takeEvents(9, 9);
    await watches.retry('e', 1, 0);
    await watches.drop('e');
    await watches.giveUp({ id: 'e', watchId: 'x', body: '{}' });
    await watches.remove('a');
  },
  snapshots: async ({ snapshots }) => {
    await snapshots.latest();
    for (const n of [1, 2, 3]) {
      await snapshots.add(`file ${n}`, everyPart());
      await snapshots.publish(aKeptSnapshot(n), n === 1 ? null : `file ${n - 1}`);
    }
    await snapshots.find('file 3');
    await snapshots.part('file 3', 'head');
    await snapshots.replaceAll(aKeptSnapshot(3, { deltaFrom: null }));
  },
  ...LOG_USES,
  health: async ({ health }) => {
    await Promise.all([
      health.write(),
      health.schema(),
      health.clock(),
      health.payments(9),
      health.crawlLeft('work'),
    ]);
  },
  secretMark: async ({ secretMark }) => {
    await secretMark.keep('fingerprint');
    await secretMark.replace('fingerprint');
  },
};
