import { describe, expect, it } from 'vitest';
import { RULES } from '../../../src/core/verdict/rules.ts';
import { SKIP_WORDS } from '../../../src/core/verdict/skip-codes.ts';
import { useService } from '../../support/asking.ts';
import { expectUnbroken, wordsOf } from '../../support/pages.ts';
import { BASE_URL } from '../../support/running/running-service.ts';

const PARTS = [
  'request',
  'rules',
  'severity',
  'paid',
  'limits',
  'accuracy',
  'frequency',
  'corrections',
  'independence',
  'verify',
];

describe('/method', () => {
  const service = useService({});

  it('has a table of contents that leads to every part, in order', async () => {
    const page = await service.ask('/method');
    expectUnbroken(page);
    expect([...page.text.matchAll(/<h2 id="([a-z-]+)"/g)].map(([, id]) => id)).toEqual(PARTS);
    const contents = /<nav class="contents"[\s\S]*?<\/nav>/.exec(page.text)?.[0] ?? '';
    expect([...contents.matchAll(/href="#([a-z-]+)"/g)].map(([, id]) => id)).toEqual(PARTS);
    expect(page.text).toContain(`<link rel="canonical" href="${BASE_URL}/method">`);
    expect(page.text).toMatch(/<meta name="description" content="[^"]{40,}">/);
  });

  it('has every rule, the version and the frozen file, which exists', async () => {
    const { text } = await service.ask('/method');
    for (const { id } of RULES) expect(text).toContain(`<tr id="${id}">`);
    const [, file = ''] = /href="(\/log\/rules\/\d+\.mjs)"/.exec(text) ?? [];
    expect(file).toBe('/log/rules/6.mjs');
    expect((await service.ask(file)).status).toBe(200);
  });

  it('has the groups of skips, the gravest first, and every reason', async () => {
    const words = wordsOf(await service.ask('/method'));
    const order = ['Asks for other terms than listed', 'Cannot be paid', 'Not an endpoint', 'Set aside'];
    const places = order.map((title) => words.indexOf(title));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    for (const reason of Object.values(SKIP_WORDS)) expect(words).toContain(reason);
  });

  it('says how accurate verdicts were, and what that is a share of', async () => {
    const words = wordsOf(await service.ask('/method'));
    expect(words).toContain('A dishonest seller is paid 0 of 468 0.00 %');
    expect(words).toContain('An honest seller is skipped 5 of 512 0.98 %');
    expect(words).toContain('An honest seller is paid 464 of 512 90.63 %');
    expect(words).toContain('These rates say nothing about the share of dishonest sellers on the web');
    expect(words).toContain('authors of the rules made the corpus');
  });

  it('names the interval of a pass rate, and what nobody can buy', async () => {
    const words = wordsOf(await service.ask('/method'));
    expect(words).toContain('95 % Wilson');
    expect(words).toContain('Payment never changes a result');
  });

  it.each(['/corrections', '/sellers', '/docs', '/prober', '/v1/skips', '/catalog', '/log/policy'])(
    'leads to %s, which is there',
    async (path) => {
      expect((await service.ask('/method')).text).toContain(`href="${path}"`);
      expect((await service.ask(path, { headers: { accept: 'text/html' } })).status).toBe(200);
    },
  );
});
