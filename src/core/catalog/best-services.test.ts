import { describe, expect, it } from 'vitest';
import { aCall, aService } from '../../../tools/samples/catalog.ts';
import type { Quality } from '../known-answer/paid-call.ts';
import { selectBest } from './best-services.ts';
import { rankServices } from './rank-services.ts';

const record = (id: string, price: string, ...qualities: Quality[]) => ({
  service: aService({ id, price_usd: price }),
  calls: qualities.map((quality) => aCall({ quality })),
});
const times = (quality: Quality, count: number): Quality[] => Array.from({ length: count }, () => quality);

describe('the best services', () => {
  const { ranked } = rankServices(
    [
      record('once', '0.01', 'pass'),
      record('thrice', '0.01', ...times('pass', 3)),
      record('often-but-once', '0.01', ...times('pass', 19), 'fail'),
      record('always', '0.02', ...times('pass', 20)),
      record('always-cheaper', '0.01', ...times('pass', 20)),
      record('never', '0.01', ...times('fail', 9)),
      record('half', '0.01', ...times('pass', 5), ...times('fail', 5)),
      record('ungraded', '0.01', ...times('not_graded', 9)),
    ],
    { n: 20, limit: 500, now: new Date('2026-11-15T12:00:00.000Z') },
  );

  it('come by the lower bound of their pass rate, and only those that pass', () => {
    expect(selectBest(ranked, 10).map(({ service }) => service.id)).toEqual([
      'always-cheaper',
      'always',
      'often-but-once',
      'thrice',
    ]);
  });

  it('are as many as are wanted', () => {
    expect(selectBest(ranked, 1).map(({ service }) => service.id)).toEqual(['always-cheaper']);
    expect(selectBest([], 3)).toEqual([]);
  });
});
