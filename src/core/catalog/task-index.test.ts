import { describe, expect, it } from 'vitest';
import { aService } from '../../../tools/samples/catalog.ts';
import { microUsd } from '../money/micro-usd.ts';
import { slug } from './slug.ts';
import { atOrBelow, buildTaskIndex, matchEndpoint, matchTask, taskNames } from './task-index.ts';

const index = buildTaskIndex([
  aService({ id: 'rain-now', tasks: ['weather', 'rain-forecast'], price_usd: '0.02' }),
  aService({ id: 'plain-weather', tasks: ['weather'] }),
  aService({
    id: 'deep-search',
    name: 'Deep Search',
    category: 'search',
    description: 'Finds web pages.',
    tasks: ['web-search'],
    endpoint: 'https://search.example.com/v1/query',
  }),
]);
const ids = (services: readonly { id: string }[]) => services.map(({ id }) => id);

describe('a task (G21)', () => {
  it.each<[string, string | null]>([
    ['Web Search', 'web-search'],
    ['  web -- search!! ', 'web-search'],
    ['!!!', null],
    ['', null],
    ['Ünïcode', 'n-code'],
    [`${'a'.repeat(63)}-b`, 'a'.repeat(63)],
    ['a'.repeat(100_000), 'a'.repeat(64)],
  ])('%j is %j', (text, expected) => {
    expect(slug(text)).toBe(expected);
  });

  it.each<[string, string, string[]]>([
    ['an exact name', 'weather', ['rain-now', 'plain-weather']],
    ['another exact name', 'web-search', ['deep-search']],
    ['words of the description, in any order', 'pages-web', ['deep-search']],
    ['parts of words', 'temp', ['rain-now', 'plain-weather']],
    ['words that no service has together', 'weather-pages', []],
  ])('finds services by %s', (_, task, expected) => {
    expect(ids(matchTask(index, task).services)).toEqual(expected);
  });

  it('suggests the nearest names when nothing matches', () => {
    expect(matchTask(index, 'wether')).toEqual({ services: [], suggestions: ['weather'] });
    expect(matchTask(index, 'zzz').suggestions).toEqual([]);
    expect(matchTask(index, 'q').suggestions).toEqual([]);
    expect(matchTask(index, 'weather').suggestions).toEqual([]);
  });

  it('is listed with its services', () => {
    expect([...taskNames(index)]).toEqual([
      ['rain-forecast', ['rain-now']],
      ['weather', ['plain-weather', 'rain-now']],
      ['web-search', ['deep-search']],
    ]);
  });
});

describe('an endpoint (G22)', () => {
  it.each<[string, string, string[]]>([
    ['an id', 'deep-search', ['deep-search']],
    ['an id in capitals', 'Deep-Search', ['deep-search']],
    ['a URL', 'https://SEARCH.example.com/v1/query/', ['deep-search']],
    ['a URL of two services', 'https://weather.example.com/v1/now', ['rain-now', 'plain-weather']],
    ['the beginning of a URL', 'https://search.example.com/v1', []],
    ['a scheme', 'http', []],
    ['an inherited name', 'constructor', []],
  ])('%s', (_, endpoint, expected) => {
    expect(ids(matchEndpoint(index, endpoint))).toEqual(expected);
  });
});

it('keeps services at or below a price', () => {
  expect(ids(atOrBelow(index.services, microUsd(10_000n)))).toEqual(['plain-weather', 'deep-search']);
  expect(atOrBelow(index.services, null)).toHaveLength(3);
});
