import { describe, expect, it } from 'vitest';
import { buildTaskIndex } from '../../../src/core/catalog/task-index.ts';
import { aService } from '../../../tools/samples/catalog.ts';
import { useService } from '../../support/asking.ts';
import { DOORS } from '../../support/running/running-service.ts';

const listed = (id: string, changes: object = {}) =>
  aService({ id, tasks: [id], endpoint: `https://${id}.example.com/x`, ...changes });

const INDEX = buildTaskIndex([
  listed('plain'),
  listed('by-query', { example: { query: { q: 'a b', page: '2' } } }),
  listed('by-body', { method: 'POST', example: { body: { place: 'Berlin' } } }),
  listed('by-path', {
    endpoint: 'https://names.example.com/v1/vitalik.eth/records?chain=1',
    path_parameters: [{ name: 'name', example: 'vitalik.eth' }],
  }),
]);

describe.each(DOORS)('how to call a service, through the %s', (door) => {
  const service = useService({ door, world: { index: INDEX } });
  const itemOf = async (id: string) => (await service.ask(`/v1/lookup?endpoint=${id}`)).json.results[0];

  it.each<[string, string, object]>([
    [
      'a query',
      'by-query',
      { method: 'GET', url: 'https://by-query.example.com/x?q=a+b&page=2', body: null },
    ],
    [
      'a body',
      'by-body',
      { method: 'POST', url: 'https://by-body.example.com/x', body: { place: 'Berlin' } },
    ],
    [
      'a path',
      'by-path',
      { method: 'GET', url: 'https://names.example.com/v1/vitalik.eth/records?chain=1', body: null },
    ],
  ])('has an example with %s, in a lookup and in the catalog', async (_, id, example) => {
    const item = await itemOf(id);
    expect(item.example).toEqual(example);
    const { json } = await service.ask(`/v1/services?query=${id}`);
    expect(json.results[0].example).toEqual(example);
    expect((await service.ask(`/v1/services/${id}`)).json.example).toEqual(example);
  });

  it('marks the arguments in a path', async () => {
    const { json } = await service.ask('/v1/services?query=by-path');
    for (const item of [await itemOf('by-path'), json.results[0]]) {
      expect(item).toMatchObject({
        endpoint: 'https://names.example.com/v1/vitalik.eth/records?chain=1',
        endpoint_template: 'https://names.example.com/v1/{name}/records?chain=1',
        path_parameters: [{ name: 'name', example: 'vitalik.eth' }],
      });
    }
    expect(await itemOf('plain')).not.toHaveProperty('path_parameters');
  });
});
