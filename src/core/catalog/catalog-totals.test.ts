import { expect, it } from 'vitest';
import { aCall, aService } from '../../../tools/samples/catalog.ts';
import { microUsd } from '../money/micro-usd.ts';
import { catalogTotals } from './catalog-totals.ts';
import { rankServices } from './rank-services.ts';

it('sums up what the paid calls of services cost and showed', () => {
  const records = [
    { service: aService({ id: 'a' }), calls: [aCall(), aCall({ quality: 'fail', charged: microUsd(5n) })] },
    { service: aService({ id: 'b' }), calls: [aCall({ quality: 'not_graded', charged: null })] },
    { service: aService({ id: 'c' }), calls: [] },
  ];
  const { ranked } = rankServices(records, { n: 20, limit: 9, now: new Date('2026-11-15T12:00:00.000Z') });
  expect(catalogTotals(ranked)).toEqual({ services: 3, paid: 2, graded: 2, passed: 1, charged: 10_005n });
  expect(catalogTotals([])).toEqual({ services: 0, paid: 0, graded: 0, passed: 0, charged: 0n });
});
