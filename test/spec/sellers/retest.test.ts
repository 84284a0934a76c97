import { beforeAll, describe, expect, it } from 'vitest';
import { publicWeb } from '../../../src/core/url/gate.ts';
import { optOutsOf } from '../../../src/core/url/opt-outs.ts';
import { publicAddresses } from '../../../src/core/url/public-address.ts';
import { checkOf, expectProblem, useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { httpAnswer, type Script } from '../../support/probing/fake-seller.ts';
import { scriptedSeller } from '../../support/probing/scripted-seller.ts';
import { BASE_URL, DOORS, NOON } from '../../support/running/running-service.ts';
import { anOwner, publishing } from '../../support/signing-seller.ts';

const SELLERS = '/v1/sellers';
const owner = anOwner();
const later = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000).toISOString();
const YESTERDAY = new Date('2026-11-14T12:00:00.000Z');

const rowOf = (text: string) => /<tr id="00000000a1">.*?<\/tr>/s.exec(text)?.[0] ?? '';

/** What '/changing' does at the moment. */
const state = { path: '/honest' };
const changing: Script = (socket, request) => {
  if (/^POST \/post-only/.test(request)) return scriptedSeller(socket, 'POST /honest ');
  if (/^GET \/post-only/.test(request)) return socket.end(httpAnswer(405, []));
  if (/^GET \/never\/ /.test(request)) return scriptedSeller(socket, 'GET /honest ');
  if (/^\S+ \/wants-input/.test(request)) return socket.end(httpAnswer(422, []));
  scriptedSeller(socket, request.replace('/changing', state.path));
};

describe.each(DOORS)('a re-test through the %s (gap L111)', (door) => {
  const service = useService({ door, seller: publishing([owner.token], changing) });
  const probes = () => service.sellerRequests.filter((request) => !request.includes('assay-verify')).length;
  const retest = async (url: string, at = later(0), more: object = {}) => {
    service.at(at);
    return service.ask(SELLERS, owner.request({ action: 'retest', url, at, ...more }));
  };
  const LISTED = 'http://owned-listed.example/changing';

  beforeAll(async () => {
    const row = (url: string, id: string, changes = {}) =>
      crawled(url, {
        id,
        verdict: 'skip',
        checkedAt: YESTERDAY,
        listedPayTo: null,
        listedNetwork: null,
        ...changes,
      });
    await publishCrawl(service.store.runs, 'run-1', [
      row(LISTED, '00000000a1'),
      row('http://owned-listed.example/never', '00000000a2'),
      row('http://owned-listed.example/post-only', '00000000a3', { method: 'POST' }),
      row('http://owned-listed.example/wants-input', '00000000a4', { code: 'needs_input' }),
    ]);
  });

  it('probes although a probe is stored, and judges against the listing alone', async () => {
    state.path = '/dear';
    const url = 'http://owned-fresh.example/changing';
    expect((await service.ask(checkOf(url, { claimed_price: '0.01' }))).json.verdict).toBe('skip');
    state.path = '/honest';
    const before = probes();
    // An ordinary check still repeats the old answer.
    expect((await service.ask(checkOf(url, { claimed_price: '0.01' }))).json.verdict).toBe('skip');
    const { status, json } = await retest(url, later(20));
    expect([status, probes()]).toEqual([200, before + 1]);
    expect(json).toEqual({
      action: 'retest',
      url,
      method: 'GET',
      verdict: 'pay',
      reason: expect.stringMatching(/\$0\.01/),
      checked_at: later(20),
      receipt_url: expect.stringMatching(`^${BASE_URL}/v1/receipts/sc-`),
      skips_row: null,
    });
  });

  it('has a public receipt that is never an approval', async () => {
    state.path = '/honest';
    const { json } = await retest('http://owned-receipt.example/changing');
    const receipt = await service.ask(json.receipt_url.slice(BASE_URL.length));
    expect(receipt.json).toMatchObject({
      verdict: 'pay',
      mode: 'dry-run',
      ref: 'retest',
      approved_payment: null,
      payment_terms_sha256: null,
      expected: { source: null },
      probe: { cached: false },
    });
  });

  it('asks with the method of the listing unless the owner names one', async () => {
    const url = 'http://owned-listed.example/post-only';
    expect((await retest(url)).json).toMatchObject({ method: 'POST', verdict: 'pay' });
    expect((await retest(url, later(60), { method: 'GET' })).json).toMatchObject({
      method: 'GET',
      verdict: 'skip',
    });
  });

  it('once a minute for a URL and method', async () => {
    const url = 'http://owned-often.example/honest';
    expect((await retest(url)).status).toBe(200);
    const before = probes();
    const refused = await retest(url, later(1));
    expectProblem(refused, 429, 'retest_limit');
    expect([refused.header('retry-after'), probes()]).toEqual(['59', before]);
    // The refused statement was not used up.
    service.at(later(61));
    const again = owner.request({ action: 'retest', url, at: later(1) });
    expect((await service.ask(SELLERS, again)).status).toBe(200);
  });

  it('20 times an hour for an origin, because another port may have another owner', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) {
      // A few in each minute: the target has a budget of its own.
      const at = later(Math.floor(n / 4) * 60);
      statuses.push((await retest(`http://owned-busy.example/honest?n=${n}`, at)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
    expect((await retest('http://owned-busy.example:8080/honest', later(300))).status).toBe(200);
  });

  it('counts in the minute of the target', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const sent = owner.request({ action: 'retest', url: `http://owned-minute.example/honest?n=${n}` });
      const answer = await service.ask(SELLERS, { ...sent, from: '198.51.100.9' });
      statuses.push(answer.status);
      if (answer.status === 429) expectProblem(answer, 429, 'target_busy');
    }
    // A third of 30 for one caller: the file and nine probes.
    expect(statuses.filter((status) => status === 200)).toHaveLength(9);
  });

  it('a row on the page of skips says so, in every format', async () => {
    state.path = '/honest';
    const before = await service.ask('/v1/skips');
    expect(rowOf(before.text)).toContain('price mismatch');
    expect(rowOf(before.text)).not.toContain('Checked again since');
    const { json } = await retest(LISTED, later(0));
    expect(json.skips_row).toBe(`${BASE_URL}/v1/skips#00000000a1`);
    service.at(later(2));
    const page = await service.ask('/v1/skips');
    const row = rowOf(page.text);
    expect(row).toContain(`Checked again since: <a href="${json.receipt_url}">`);
    expect(row).toContain('class="mark pay"');
    const skips = await service.ask('/v1/skips.json');
    expect(skips.json.skips[0].checked_again).toEqual({
      verdict: 'pay',
      reason: json.reason,
      receipt: json.receipt_url,
      at: later(0),
    });
    expect(skips.json.skips[1]).not.toHaveProperty('checked_again');
    const csv = await service.ask('/v1/skips.csv');
    const [names = '', first = '', second = ''] = csv.text.split('\r\n');
    expect(names).toMatch(/,permalink,checked_again,checked_again_at,corrected$/);
    expect(first.endsWith(`,pay,${later(0)},`)).toBe(true);
    expect(second.endsWith(',,,')).toBe(true);
    const filtered = await service.ask('/v1/skips.json?host=owned-listed.example&q=changing');
    expect(filtered.json.skips[0].checked_again.verdict).toBe('pay');
  });

  it('moves the badge of its method', async () => {
    const url = 'http://owned-badge.example/post-only';
    const badge = async (method: string) => {
      const { text } = await service.ask(`/badge.svg?url=${url}${method}`);
      return /<title>([^<]*)</.exec(text)?.[1];
    };
    await retest(url, later(0), { method: 'POST' });
    expect([await badge(''), await badge('&method=POST')]).toEqual([
      'Assay: unknown',
      'Assay: pay · 2026-11-15',
    ]);
  });

  it('of another spelling says nothing about the one that was skipped (gap G99)', async () => {
    state.path = '/honest';
    const url = 'http://owned-listed.example/never';
    const { json } = await retest(`${url}/`, later(60));
    expect(json).toMatchObject({ verdict: 'pay', skips_row: null });
    service.at(later(62));
    const badge = async (of: string) =>
      /<title>([^<]*)</.exec((await service.ask(`/badge.svg?url=${of}`)).text)?.[1];
    expect([await badge(url), await badge(`${url}/`)]).toEqual([
      'Assay: skip · 2026-11-14',
      'Assay: pay · 2026-11-15',
    ]);
    const [row] = (await service.ask('/v1/skips.json?q=never')).json.skips;
    expect(row).not.toHaveProperty('checked_again');
  });

  it('an endpoint that wants input first still does: nothing was found against it', async () => {
    const url = 'http://owned-listed.example/wants-input';
    const badge = async () => (await service.ask(`/badge.svg?url=${url}`)).text;
    expect(await badge()).toContain('<title>Assay: needs input · 2026-11-14</title>');
    const { json } = await retest(url, later(120));
    expect(await badge()).toContain('<title>Assay: needs input · 2026-11-15</title>');
    service.at(later(130));
    const again = `Checked again since: <a href="${json.receipt_url}">needs input</a>`;
    expect((await service.ask('/v1/skips')).text).toContain(again);
    const [found] = (await service.ask('/v1/skips.json?q=wants-input')).json.skips;
    expect(found.checked_again).toMatchObject({ verdict: 'skip', needs_input: true });
    const csv = await service.ask('/v1/skips.csv?q=wants-input');
    expect(csv.text).toContain(`,needs_input,${later(120)},\r\n`);
  });

  it('a newer crawl makes the re-test history', async () => {
    await retest(LISTED, later(200));
    const rows = [crawled(LISTED, { id: '00000000b1', verdict: 'skip', checkedAt: new Date(later(400)) })];
    await publishCrawl(service.store.runs, 'run-2', rows, { crawledAt: new Date(later(400)) });
    service.at(later(500));
    const { json } = await service.ask('/v1/skips.json');
    expect(json.skips.map(({ id }: { id: string }) => id)).toEqual(['00000000b1']);
    expect(json.skips[0]).not.toHaveProperty('checked_again');
  });
});

describe('a host that opted out', () => {
  const service = useService({
    seller: publishing([owner.token]),
    world: {
      policy: publicWeb({
        addresses: publicAddresses([]),
        ownHosts: new Set(),
        optOuts: optOutsOf(['owned.example']),
      }),
    },
  });
  it('is not asked, not even for its proof', async () => {
    const answer = await service.ask(
      SELLERS,
      owner.request({ action: 'retest', url: 'http://owned.example/honest' }),
    );
    expectProblem(answer, 400, 'ssrf_blocked', 'statement.url');
    expect(service.sellerRequests).toEqual([]);
  });
});
