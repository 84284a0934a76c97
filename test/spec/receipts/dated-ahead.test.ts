import { beforeEach, describe, expect, it } from 'vitest';
import { checkOf, useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import type { Script } from '../../support/probing/fake-seller.ts';
import { scriptedSeller } from '../../support/probing/scripted-seller.ts';
import { NOON } from '../../support/running/running-service.ts';
import { anOwner, publishing } from '../../support/signing-seller.ts';

const owner = anOwner();
const NEXT_YEAR = '2027-11-15T12:00:00.000Z';
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000).toISOString();

const state = { path: '/honest' };
const changing: Script = (socket, request) =>
  scriptedSeller(socket, request.replace('/changing', state.path));

/** A process had a clock that was a year ahead, and has the right time again. */
describe('after a clock that was wrong (gap L76)', () => {
  const service = useService({ seller: publishing([owner.token], changing) });
  const about = async (path: string, url: string) =>
    (await service.ask(`${path}?url=${encodeURIComponent(url)}`)).text;
  const checkAt = async (moment: string, url: string, parameters = {}): Promise<string> => {
    service.at(moment);
    return (await service.ask(checkOf(url, parameters))).json.receipt_id;
  };
  beforeEach(() => {
    state.path = '/honest';
  });

  it('the check that counts is the last one by the right time', async () => {
    const url = 'http://ahead.example/changing';
    const wrong = await checkAt(NEXT_YEAR, url);
    service.at(later(0));
    expect(JSON.parse(await about('/v1/receipts/by-url', url)).code).toBe('no_receipt');
    const honest = await checkAt(later(1), url);
    state.path = '/down';
    const down = await checkAt(later(15), url);
    expect(JSON.parse(await about('/v1/receipts/by-url', url)).latest_live.id).toBe(down);
    expect(await about('/badge.svg', url)).toContain('Assay: recheck · 2026-11-15');
    const feed = await about('/v1/watch.atom', url);
    expect([feed.includes(down), feed.includes(wrong)]).toEqual([true, false]);
    const listed = await service.ask('/v1/receipts?type=live');
    expect(listed.json.receipts.map(({ id }: { id: string }) => id)).toEqual([down, honest]);
    expect((await service.ask('/')).text).not.toContain(wrong);
    expect((await service.ask(`/v1/receipts/${wrong}`)).status).toBe(200);
  });

  it('a crawl with that date neither moves the badge nor the feed', async () => {
    const url = 'http://crawled-ahead.example/changing';
    const row = { verdict: 'skip', claimedPrice: null, listedPayTo: null, listedNetwork: null } as const;
    const crawledAt = new Date(NEXT_YEAR);
    const wrong = crawled(url, { ...row, id: '00000000f1', checkedAt: crawledAt });
    await publishCrawl(service.store.runs, 'wrong', [wrong], { crawledAt });
    await checkAt(later(0), url);
    expect(await about('/badge.svg', url)).toContain('Assay: pay · 2026-11-15');
    expect(await about('/v1/watch.atom', url)).not.toContain('00000000f1');
  });

  it('a re-test with that date gives way to the next check and the next re-test', async () => {
    const url = 'http://owned-ahead.example/changing';
    const retest = (at: string) => {
      service.at(at);
      return service.ask('/v1/sellers', owner.request({ action: 'retest', url, at }));
    };
    await retest(NEXT_YEAR);
    state.path = '/down';
    await checkAt(later(0), url);
    expect(await about('/badge.svg', url)).toContain('Assay: recheck');
    state.path = '/thief';
    expect((await retest(later(15))).status).toBe(200);
    state.path = '/honest';
    expect((await retest(later(30))).json.verdict).toBe('pay');
    expect(await about('/badge.svg', url)).toContain('Assay: pay · 2026-11-15');
  });
});
