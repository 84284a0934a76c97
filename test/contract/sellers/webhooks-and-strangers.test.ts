import { describe, expect, it } from 'vitest';
import { utcHour } from '../../../src/core/access/utc-window.ts';
import { urlKeyOf } from '../../../src/core/keyed-hash.ts';
import { checkOf } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { NOON, SECRET } from '../../support/running/running-service.ts';
import { HOOK, URL_WATCHED, useWatching } from '../../support/watching.ts';

describe('webhooks, whatever others ask and watch (gap L113)', () => {
  const watching = useWatching();
  const { send, check, changed, round } = watching;

  it('are not told about the first receipt, nor about checks with claims', async () => {
    await send({ action: 'watch', webhook: HOOK });
    await check();
    expect(await round()).toEqual({ events: 0, delivered: 0 });
    watching.pass(10);
    await watching.service.ask(checkOf(URL_WATCHED, { claimed_price: '99', client: 'somebody' }));
    expect(await round()).toEqual({ events: 0, delivered: 0 });
  });

  it('are never told about what was before that which they know', async () => {
    const lastWeek = new Date(NOON.getTime() - 7 * 86_400_000);
    const terms = { claimedPrice: null, listedPayTo: null, listedNetwork: null };
    await publishCrawl(watching.service.store.runs, 'run-1', [
      crawled(URL_WATCHED, { verdict: 'skip', checkedAt: lastWeek, ...terms }),
    ]);
    await send({ action: 'watch', webhook: HOOK });
    await send({ action: 'retest' });
    expect(await round()).toEqual({ events: 1, delivered: 1 });
    watching.pass(2);
    await send({ action: 'retest' });
    expect(await round()).toEqual({ events: 0, delivered: 0 });
    watching.pass(1);
    // As many dry runs as are looked at, all with another method: only the crawl of last week is in sight.
    for (let n = 0; n < 20; n += 1) {
      await watching.service.ask(checkOf(URL_WATCHED, { mode: 'dry-run', method: 'POST' }));
    }
    expect(await round()).toEqual({ events: 0, delivered: 0 });
  });

  it('a host gets at most 60 an hour about one watched host, and those of others come all the same', async () => {
    await send({ action: 'watch', webhook: HOOK });
    const [taken] = await watching.service.store.watches.take(0, watching.service.clock.now, 9);
    if (taken === undefined) throw new Error('no watch is due');
    const url = 'http://owned-too.example/changing';
    await watching.service.ask(checkOf(url));
    await send({ action: 'watch', webhook: HOOK, url });
    for (let version = 0; version < 62; version += 1) {
      const event = { id: `evt_${version}`, watchId: taken.id, body: '{}' };
      const seen = { verdict: 'pay', price: null, payTo: null, at: NOON } as const;
      await watching.service.store.watches.note({ ...taken, version }, seen, event);
    }
    for (let n = 0; n < 5; n += 1) await round();
    expect(watching.receiver.requests).toHaveLength(60);
    watching.pass(10);
    watching.path = '/dear';
    await watching.service.ask(checkOf(url));
    await round();
    expect(watching.receiver.requests).toHaveLength(61);
    watching.pass(60);
    for (let n = 0; n < 2; n += 1) await round();
    expect(watching.receiver.requests).toHaveLength(63);
  });

  it('a host gets at most 600 an hour about all watched hosts', async () => {
    await check();
    await send({ action: 'watch', webhook: HOOK });
    await changed();
    const key = `webhooks:${urlKeyOf(SECRET)('seller.example.net')}`;
    const window = utcHour(watching.service.clock.now);
    for (let n = 0; n < 600; n += 1)
      await watching.service.store.counters.reserve([{ key, window, limit: 600 }]);
    expect(await round()).toEqual({ events: 1, delivered: 0 });
    watching.pass(60);
    expect(await round()).toEqual({ events: 0, delivered: 1 });
  });
});
