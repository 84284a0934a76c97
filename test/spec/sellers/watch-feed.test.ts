import { describe, expect, it } from 'vitest';
import { checkOf, expectProblem, useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import type { Script } from '../../support/probing/fake-seller.ts';
import { scriptedSeller } from '../../support/probing/scripted-seller.ts';
import { BASE_URL, DOORS, NOON } from '../../support/running/running-service.ts';

const state = { path: '/honest' };
const changing: Script = (socket, request) =>
  scriptedSeller(socket, request.replace('/changing', state.path));
const minutes = (count: number) => new Date(NOON.getTime() + count * 60_000).toISOString();

describe.each(DOORS)('GET /v1/watch.atom through the %s (gap L113)', (door) => {
  const service = useService({ door, seller: changing });
  const feed = (url: string, more = '') =>
    service.ask(`/v1/watch.atom?url=${encodeURIComponent(url)}${more}`);
  const ids = (text: string) => [...text.matchAll(/<entry>\n<id>([^<]*)<\/id>/g)].map(([, id]) => id);
  const checkAt = async (minute: number, url: string, parameters = {}) => {
    service.at(minutes(minute));
    return (await service.ask(checkOf(url, parameters))).json.receipt_url;
  };

  it('has an entry for each change, newest first, under the address of its receipt', async () => {
    const url = 'http://watched.example/changing';
    state.path = '/honest';
    await checkAt(0, url);
    await checkAt(10, url);
    state.path = '/thief';
    const thief = await checkAt(20, url);
    state.path = '/down';
    const down = await checkAt(30, url);
    const answer = await feed(url);
    expect([answer.status, answer.header('content-type')]).toEqual([
      200,
      'application/atom+xml; charset=utf-8',
    ]);
    expect(ids(answer.text)).toEqual([down, thief]);
    expect(answer.text).toContain('<title>Payee changed</title>');
    expect(answer.text).toContain(
      '<title>Verdict: pay to recheck; Price: $0.01 to no price; Payee changed</title>',
    );
    expect(answer.text).toContain(`<updated>${minutes(30)}</updated>`);
    expect(answer.text).toContain(
      `<id>${BASE_URL}/v1/watch.atom?url=http%3A%2F%2Fwatched.example%2Fchanging</id>`,
    );
    // The same again, byte by byte.
    expect((await feed(url)).text).toBe(answer.text);
  });

  it('mixes the crawl in, and leaves out claims, other methods and other spellings', async () => {
    const url = 'http://mixed.example/changing';
    state.path = '/honest';
    const terms = { claimedPrice: null, listedPayTo: null, listedNetwork: null };
    await publishCrawl(service.store.runs, 'run-1', [
      crawled(url, { id: '00000000c1', verdict: 'recheck', quotedPrice: null, payTo: null, ...terms }),
    ]);
    const pay = await checkAt(10, url, { mode: 'dry-run' });
    await checkAt(20, url, { claimed_price: '99', client: 'a' });
    await checkAt(30, url, { method: 'POST', client: 'b' });
    state.path = '/nowhere';
    await checkAt(40, `${url}/`, { client: 'c' });
    expect(ids((await feed(url)).text)).toEqual([pay]);
    expect(ids((await feed(url, '&method=GET')).text)).toEqual([pay]);
    expect(ids((await feed(url, '&method=POST')).text)).toEqual([]);
  });

  it('does not say again a verdict that was corrected', async () => {
    const url = 'http://corrected.example/changing';
    state.path = '/honest';
    await checkAt(0, url);
    state.path = '/down';
    const wrong = await checkAt(10, url);
    state.path = '/honest';
    await checkAt(20, url);
    const verdicts = async () =>
      [...(await feed(url)).text.matchAll(/Verdict: ([a-z ]*)/g)].map(([, words]) => words);
    expect(await verdicts()).toEqual(['recheck to pay', 'pay to recheck']);
    const told = { receiptId: wrong.split('/').at(-1), at: NOON, was: 'recheck', because: 'ours' } as const;
    await service.store.corrections.add({ ...told, is: 'pay' });
    expect(await verdicts()).toEqual([]);
  });

  it('is empty and valid before the first receipt, sends nothing, and shows no secret', async () => {
    const before = service.sellerRequests.length;
    const answer = await feed('http://nobody.example/x?api_key=sk_live_51H8xAbCdEfGhIjKlMnOpQrSt');
    expect([answer.status, service.sellerRequests.length]).toEqual([200, before]);
    expect(answer.text).toContain('<updated>1970-01-01T00:00:00.000Z</updated>');
    expect(answer.text).toContain('changes at http://nobody.example/x?api_key=REDACTED');
  });

  it('400 without a URL', async () => {
    expectProblem(await service.ask('/v1/watch.atom'), 400, 'bad_request', 'url');
    expectProblem(await feed('http://a.example', '&method=PUT'), 400, 'bad_request', 'method');
  });
});
