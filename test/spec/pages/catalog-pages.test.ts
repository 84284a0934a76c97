import { beforeAll, describe, expect, it } from 'vitest';
import { buildTaskIndex } from '../../../src/core/catalog/task-index.ts';
import { aService } from '../../../tools/samples/catalog.ts';
import { storeCalls, useService } from '../../support/asking.ts';
import { pass } from '../../support/known-services.ts';
import { BROWSER, expectUnbroken, wordsOf } from '../../support/pages.ts';
import { DOORS, NOON } from '../../support/running/running-service.ts';

const TURNED = 'Weather \u202egnp';
const INDEX = buildTaskIndex([
  aService({ id: 'never-called', name: 'Never Called', price_usd: '0.001' }),
  aService({ id: 'dear-and-good', name: 'Dear and Good', price_usd: '0.05' }),
  aService({ id: 'cheap-and-good', name: 'Cheap and Good', price_usd: '0.01' }),
  aService({ id: 'bad', name: 'Bad' }),
  aService({ id: 'broken', name: 'Broken', facts_only: 'asks for a login' }),
  aService({
    id: 'markup',
    name: '"><script>alert(1)</script>',
    tasks: ['strange'],
    description: '<img src=x>',
  }),
  aService({ id: 'turned', name: TURNED, provider: TURNED, tasks: ['strange'] }),
  aService({ id: 'long', name: 'x'.repeat(80), description: 'y'.repeat(500), tasks: ['strange'] }),
]);
const fail = { quality: 'fail', qualityReason: '<b>wrong</b> \u202e'.padEnd(2_000, 'z') } as const;

describe.each(DOORS)('the catalog for people, through the %s', (door) => {
  const service = useService({ door, world: { index: INDEX } });

  beforeAll(async () => {
    const calledAt = new Date(NOON.getTime() - 2 * 3_600_000);
    for (const id of ['dear-and-good', 'cheap-and-good'])
      await storeCalls(service.store, id, [{ ...pass, calledAt }]);
    await storeCalls(service.store, 'bad', [{ ...fail, calledAt }]);
    await storeCalls(
      service.store,
      'long',
      [fail, pass, { quality: 'not_graded' } as const].map((call, n) => ({
        ...call,
        calledAt: new Date(calledAt.getTime() + n),
        latencyMs: n * 100,
      })),
    );
  });

  it('/catalog has every task and how many services it has', async () => {
    const page = await service.ask('/catalog');
    expect([page.status, page.header('cache-control')]).toEqual([200, 'public, max-age=60']);
    expect(wordsOf(page)).toContain('strange 3 services');
    expect(page.text).toContain('<a href="/catalog/weather">weather</a>');
    expect(page.header('x-robots-tag')).toBeNull();
    expect(page.text).toContain('<link rel="canonical" href="https://assay.example.org/catalog">');
    expectUnbroken(page);
  });

  it('/catalog/{task} has its services in the order of a lookup', async () => {
    const page = await service.ask('/catalog/weather');
    const shown = shownIds(page);
    const { results, facts_only } = (await service.ask('/v1/lookup?task=weather&n=20')).json;
    const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);
    expect(shown).toEqual([...ids(results), ...ids(facts_only)]);
    expect(shown).toEqual(['cheap-and-good', 'dear-and-good', 'bad', 'never-called', 'broken']);
    const words = wordsOf(page);
    for (const text of [
      '$0.01 1 of 1, 21–100 % 100 % 2 hours ago',
      '0 of 1, 0–79 %',
      '$0.001 not graded yet none yet',
      'Not ranked',
      'asks for a login',
    ]) {
      expect(words).toContain(text);
    }
  });

  it('looking at it costs nobody a lookup', async () => {
    const from = '100.64.3.3';
    for (let look = 0; look < 8; look += 1) await service.ask('/catalog/weather', { from });
    expect((await service.ask('/v1/lookup?task=weather', { from })).json.access.free_used_today).toBe(1);
  });

  it.each(['nothing', '__proto__', 'constructor', '%3Cscript%3E', 'x'.repeat(3_000)])(
    '404: %s',
    async (task) => {
      expect((await service.ask(`/catalog/${task}`)).json.code).toBe('not_found');
    },
  );

  it('strange names break neither the list nor the pages of the services', async () => {
    const list = await service.ask('/catalog/strange');
    expectUnbroken(list);
    expect(list.text).toContain('&quot;&gt;&lt;script&gt;');
    for (const id of ['markup', 'turned', 'long']) {
      const page = await service.ask(`/v1/services/${id}`, { headers: BROWSER });
      expect(page.status).toBe(200);
      expectUnbroken(page);
    }
  });

  it('shows the newest calls as marks with words for each grade', async () => {
    const { text } = await service.ask('/catalog/strange');
    expect(text).toContain('aria-label="Oldest first: wrong, right, not graded"');
    for (const grade of ['pass', 'fail', 'not_graded']) expect(text).toContain(`<path class="${grade}"`);
  });

  it('sums up what was paid and what came back', async () => {
    const words = wordsOf(await service.ask('/catalog'));
    expect(words).toContain('Services paid 4 Answers graded 5 Right answers 60.0 % Spent $0.06');
  });
});

const shownIds = ({ text }: { readonly text: string }) =>
  [...text.matchAll(/href="\/v1\/services\/([a-z0-9-]+)"/g)].map(([, id]) => id);
