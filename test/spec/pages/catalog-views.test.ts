import { beforeAll, describe, expect, it } from 'vitest';
import { buildTaskIndex } from '../../../src/core/catalog/task-index.ts';
import { aService } from '../../../tools/samples/catalog.ts';
import { expectProblem, storeCalls, useService } from '../../support/asking.ts';
import { BROWSER, expectUnbroken, wordsOf } from '../../support/pages.ts';
import { DOORS, NOON } from '../../support/running/running-service.ts';

const idsIn = ({ text }: { readonly text: string }) =>
  [...text.matchAll(/href="\/v1\/services\/([a-z0-9-]+)"/g)].map(([, id]) => id);
const hoursAgo = (hours: number) => ({ calledAt: new Date(NOON.getTime() - hours * 3_600_000) });
const SIX = Array.from({ length: 6 }, (_, minute) => hoursAgo(2 + minute / 60));

describe.each(DOORS)('views of the catalog, through the %s', (door) => {
  const service = useService({
    door,
    world: {
      index: buildTaskIndex([
        aService({ id: 'alpha', name: 'Alpha', price_usd: '0.03', tasks: ['maps', 'weather'] }),
        aService({ id: 'beta', name: 'beta', price_usd: '0.02', provider: 'Beta <b>Works</b>' }),
        aService({ id: 'gamma', name: 'Gamma', price_usd: '0.01', description: 'Rain in Zürich.' }),
        aService({ id: 'delta', name: 'Delta', price_usd: '0.001', tasks: ['maps'] }),
        aService({ id: 'omega', name: 'Omega', facts_only: 'asks for a login' }),
      ]),
    },
  });

  beforeAll(async () => {
    await storeCalls(service.store, 'alpha', SIX);
    await storeCalls(service.store, 'beta', [hoursAgo(50)]);
    await storeCalls(service.store, 'gamma', [hoursAgo(1), { ...hoursAgo(3), quality: 'fail' }]);
  });

  it.each<[string, string, string[]]>([
    ['of a lookup', '/catalog', ['beta', 'alpha', 'gamma', 'delta', 'omega']],
    ['of a lookup, said', '/catalog?sort=rank&dir=asc', ['beta', 'alpha', 'gamma', 'delta', 'omega']],
    ['by price', '/catalog?sort=price', ['delta', 'gamma', 'beta', 'alpha', 'omega']],
    ['by price, highest first', '/catalog?sort=price&dir=desc', ['alpha', 'beta', 'gamma', 'delta', 'omega']],
    ['by the bound of the pass rate', '/catalog?sort=passed', ['alpha', 'beta', 'gamma', 'delta', 'omega']],
    ['by last call', '/catalog?sort=last', ['gamma', 'alpha', 'beta', 'delta', 'omega']],
    ['by name', '/catalog?sort=name', ['alpha', 'beta', 'delta', 'gamma', 'omega']],
    ['of one task by price', '/catalog/maps?sort=price', ['delta', 'alpha']],
    ['of one task, as a parameter', '/catalog?task=maps', ['alpha', 'delta']],
    ['with paid calls', '/catalog?paid=1&sort=name', ['alpha', 'beta', 'gamma']],
    ['with a text in the name', '/catalog?q=ALPH', ['alpha']],
    ['with a text in the provider', '/catalog?q=works', ['beta']],
    ['with a text in the description', '/catalog?q=z%C3%BCrich', ['gamma']],
    [
      'of a form that is empty',
      '/catalog?task=&q=&sort=&dir=&paid=',
      ['beta', 'alpha', 'gamma', 'delta', 'omega'],
    ],
    ['with a parameter that means nothing', '/catalog?utm=1', ['beta', 'alpha', 'gamma', 'delta', 'omega']],
    ['of a task, which the query cannot change', '/catalog/maps?task=weather', ['alpha', 'delta']],
  ])('%s', async (_, path, ids) => {
    const page = await service.ask(path, { headers: BROWSER });
    expect([page.status, idsIn(page)]).toEqual([200, ids]);
    expectUnbroken(page);
  });

  it.each<[string, string, string]>([
    ['sort=best', 'sort', 'sort must be one of rank, price, passed, last, name.'],
    ['sort=price&sort=name', 'sort', 'sort must be sent once.'],
    ['sort=__proto__', 'sort', 'sort must be one of rank, price, passed, last, name.'],
    ['dir=up', 'dir', 'dir must be asc or desc.'],
    ['paid=yes', 'paid', 'paid must be 1.'],
    ['paid=0', 'paid', 'paid must be 1.'],
    ['task=nothing', 'task', 'task must be a task of the catalog; /v1/tasks lists them.'],
    ['task=constructor', 'task', 'task must be a task of the catalog; /v1/tasks lists them.'],
    ['task=%21', 'task', 'task must contain a letter or a digit.'],
    [`task=${'a'.repeat(257)}`, 'task', 'task must have at most 256 characters.'],
    [`q=${'a'.repeat(101)}`, 'q', 'q must have at most 100 characters.'],
    ['q=a%00b', 'q', 'q must not contain control characters.'],
  ])('400: %s', async (query, field, detail) => {
    for (const path of ['/catalog', '/catalog/maps']) {
      const answer = await service.ask(`${path}?${query}`);
      expectProblem(answer, 400, 'bad_request', field);
      expect(answer.json.detail).toBe(detail);
    }
  });

  it('has a mistake as a page for people', async () => {
    const page = await service.ask('/catalog?sort=best', { headers: BROWSER });
    expect([page.status, page.header('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(wordsOf(page)).toContain('sort must be one of rank, price, passed, last, name.');
  });

  it('links its headers to the orders, and says which one it is in', async () => {
    const plain = (await service.ask('/catalog/maps')).text;
    expect(plain).toContain('<th scope="col" class="number"><a href="/catalog/maps?sort=price">Price</a>');
    expect(plain).not.toContain('aria-sort');
    const sorted = (await service.ask('/catalog?sort=price&q=a')).text;
    expect(sorted).toContain(
      '<th scope="col" class="number" aria-sort="ascending"><a href="/catalog?q=a&amp;sort=price&amp;dir=desc">Price',
    );
    const turned = (await service.ask('/catalog?sort=price&dir=desc')).text;
    expect(turned).toContain('aria-sort="descending"><a href="/catalog?sort=price">Price');
    expect(turned).toContain('sorted by price, reversed');
  });

  it.each([
    ['/catalog?q=alpha', 'noindex'],
    ['/catalog?task=maps', 'noindex'],
    ['/catalog/maps?sort=name', 'noindex'],
    ['/catalog/maps', null],
    ['/catalog?sort=rank', null],
  ])('%s: robots %s', async (path, robots) => {
    expect((await service.ask(path)).header('x-robots-tag')).toBe(robots);
  });

  it('names the view and the figures for previews of a link', async () => {
    const { text } = await service.ask('/catalog/maps?sort=name');
    expect(text).toContain('<link rel="canonical" href="https://assay.example.org/catalog/maps?sort=name">');
    expect(text).toContain(
      'content="2 known x402 services for maps; 1 called with our own money, 6 of 6 graded answers right."',
    );
  });

  it('keeps what was asked for in the form', async () => {
    const { text } = await service.ask('/catalog?task=maps&q=%22%3E%3Cscript%3E&sort=name&paid=1');
    expect(text).toContain('<option value="maps" selected>maps: 2</option>');
    expect(text).toContain('name="q" value="&quot;&gt;&lt;script&gt;"');
    expect(text).toContain('<option value="name" selected>');
    expect(text).toContain('value="1" checked');
    expectUnbroken({ text });
  });

  it('says so where nothing matches or nothing was paid for', async () => {
    const none = wordsOf(await service.ask('/catalog?q=nothing-of-this-kind'));
    expect(none).toContain('0 services with “nothing-of-this-kind”');
    expect(none).toContain('No service matches.');
    const unpaid = wordsOf(await service.ask('/catalog?q=delta'));
    expect(unpaid).toContain('None of these has a paid call yet.');
    expect(unpaid).not.toContain('assay verify');
  });

  it('marks a last call of over 36 hours ago as stale', async () => {
    const words = wordsOf(await service.ask('/catalog'));
    expect(words).toContain('2 days ago stale');
    expect(words).toContain('1 hour ago ');
    expect(words).not.toContain('1 hour ago stale');
  });

  it('is read once for many views of one second, and shows a new call after it', async () => {
    const before = wordsOf(await service.ask('/catalog?q=delta'));
    expect(before).toContain('not graded yet');
    await storeCalls(service.store, 'delta', [hoursAgo(0)]);
    expect(wordsOf(await service.ask('/catalog?q=delt'))).toContain('not graded yet');
    service.at('2026-11-15T12:00:01.000Z');
    expect(wordsOf(await service.ask('/catalog?q=delta'))).toContain('1 of 1, 21–100 %');
  });
});

describe('a catalog', () => {
  const many = Array.from({ length: 620 }, (_, n) =>
    aService({ id: `s${n}`, name: `Service ${n}`, tasks: [n < 600 ? 'many' : 'few'] }),
  );
  const service = useService({ world: { index: buildTaskIndex(many) } });

  it('of hundreds shows 500, says so, and finds the others', async () => {
    const page = await service.ask('/catalog?sort=name');
    expect(idsIn(page)).toHaveLength(500);
    expect(wordsOf(page)).toContain('620 services The first 500 are shown; a filter shows the others.');
    expect(Buffer.byteLength(page.text)).toBeLessThan(600_000);
    expect(idsIn(await service.ask('/catalog?q=service+619'))).toEqual(['s619']);
    expect(idsIn(await service.ask('/catalog/few'))).toHaveLength(20);
  });
});

describe('an empty catalog', () => {
  const service = useService({ world: { index: buildTaskIndex([]) } });

  it('says so', async () => {
    const page = await service.ask('/catalog');
    expect(page.status).toBe(200);
    expect(wordsOf(page)).toContain('The catalog is empty.');
    expect(page.text).not.toMatch(/<form|<table/);
    expectUnbroken(page);
  });
});
