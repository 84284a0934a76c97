import { describe, expect, it } from 'vitest';
import { readViews } from './read-views.ts';

const view = (vantage: string) => ({
  at: '2026-11-15T12:00:00.000Z',
  request: 'a'.repeat(64),
  seen: { kind: 'timed_out' },
  signature: `${'A'.repeat(86)}==`,
  vantage,
});
const read =
  (...vantages: string[]) =>
  () =>
    readViews({ needed: 1, views: vantages.map(view) });
const KEY = `AU89zf${'x'.repeat(37)}+`;

describe('the views of a statement', () => {
  it('are of different keys, also where both end in the same letters after a plus', () => {
    expect(read(`a.example/v1+e5cc35ad+${KEY}`, `b.example/v1+d16515d8+AQ${KEY.slice(2)}`)).not.toThrow();
  });

  it('are not twice of one key, under whatever name', () => {
    expect(read(`a.example/v1+e5cc35ad+${KEY}`, `b.example/v1+d16515d8+${KEY}`)).toThrow('one vantage twice');
  });
});
