import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem, useService } from '../../support/asking.ts';
import { INDEX, storePasts } from '../../support/known-services.ts';
import { DOORS } from '../../support/running/running-service.ts';

describe.each(DOORS)('GET /v1/services through the %s', (door) => {
  const service = useService({ door, world: { index: INDEX } });
  const ids = async (query: string) => {
    const { json } = await service.ask(`/v1/services${query}`);
    return json.results.map(({ id }: { id: string }) => id);
  };

  beforeAll(() => storePasts(service.store));

  it('200: what is asked for, with its last check and nothing else (G90)', async () => {
    const { status, header, json } = await service.ask('/v1/services?query=plain%20weather&limit=1');
    expect(status).toBe(200);
    expect(header('cache-control')).toBe('public, max-age=60');
    expect(json.count).toBe(1);
    expect(Object.keys(json.results[0])).toEqual([
      'id',
      'name',
      'provider',
      'category',
      'description',
      'endpoint',
      'method',
      'example',
      'price_usd',
      'tasks',
      'last_check',
    ]);
  });

  it('all of them in the order of their ids, so that nobody takes the order for a ranking', async () => {
    const all = await ids('');
    expect(all).toEqual([...all].sort());
    expect(all.length).toBe(INDEX.services.length);
  });

  it.each([
    ['?query=in-full', 'an id is a word too'],
    ['?query=INSTRUMENTS', 'the letter case does not matter'],
    ['?category=weather', 'an exact category'],
  ])('%s finds something: %s', async (query) => {
    expect(await ids(query)).toContain('in-full');
  });

  it.each([
    ['?query=nothing-of-this-kind', 'no service has these words'],
    ['?category=weathe', 'part of a category is no category'],
    ['?max_price=0.000001', 'everything costs more'],
    ['?max_price=0.0099999', 'the cheapest costs a cent'],
  ])('%s finds nothing, which is no error: %s', async (query) => {
    const { status, json } = await service.ask(`/v1/services${query}`);
    expect([status, json]).toEqual([200, { count: 0, total: 0, results: [] }]);
  });

  it('says how many there are beyond the limit', async () => {
    const { json } = await service.ask('/v1/services?limit=2');
    expect([json.count, json.total]).toEqual([2, INDEX.services.length]);
    const reachable = await service.ask('/v1/services?reachable_only=true&limit=1');
    const all = await service.ask('/v1/services?reachable_only=true');
    expect([reachable.json.count, reachable.json.total]).toEqual([1, all.json.count]);
  });

  it('reachable_only leaves out what was never reached', async () => {
    const { json } = await service.ask('/v1/services?reachable_only=true');
    expect(json.count).toBeGreaterThan(0);
    for (const { last_check } of json.results) expect(last_check).toMatchObject({ reachable: true });
    expect(json.count).toBeLessThan(INDEX.services.length);
  });

  it.each([
    ['limit=0', 'limit', 'limit must be a whole number from 1 to 100.'],
    ['limit=101', 'limit', 'limit must be a whole number from 1 to 100.'],
    [
      'max_price=cheap',
      'max_price',
      'max_price must be a plain decimal from 0 to 999999999999, such as 0.01.',
    ],
    ['reachable_only=yes', 'reachable_only', 'reachable_only must be true or false.'],
    ['category=!', 'category', 'category must contain a letter or a digit.'],
    [`query=${'a'.repeat(201)}`, 'query', 'query must have at most 200 characters.'],
    [`query=${'a+'.repeat(13)}`, 'query', 'query must have at most 12 words.'],
    ['limit=1&limit=2', 'limit', 'limit must be sent once.'],
  ])('400: %s', async (query, field, detail) => {
    const answer = await service.ask(`/v1/services?${query}`);
    expectProblem(answer, 400, 'bad_request', field);
    expect(answer.json.detail).toBe(detail);
  });
});
