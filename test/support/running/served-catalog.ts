import { aService } from '../../../tools/samples/catalog.ts';

/** The catalog of the service of the tests. */
export const SERVICES = [
  aService(),
  aService({
    id: 'dear-weather',
    name: 'Dear Weather',
    price_usd: '0.05',
    endpoint: 'https://dear.example.com/v1/now',
  }),
  aService({
    id: 'search-one',
    name: 'Search One',
    tasks: ['web-search'],
    endpoint: 'https://search.example.com/q',
  }),
];
