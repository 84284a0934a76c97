import { expect, it } from 'vitest';
import { afterNoon, aPurchase, NOON } from '../../../test/support/guarding/buyers/purchases.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import { countsTowards } from './counts-towards.ts';
import type { SpendingLimit } from './ledger.ts';

const HERE = 'seller.example';

it.each<[string, Omit<SpendingLimit, 'code' | 'max'>, boolean]>([
  ['everything', {}, true],
  ['its host', { host: HERE }, true],
  ['another host', { host: 'other.example' }, false],
  ['its task', { task: 'task' }, true],
  ['another task', { task: 'other' }, false],
  ['another host and its task', { host: 'other.example', task: 'task' }, false],
  ['its host and another task', { host: HERE, task: 'other' }, false],
  ['the moment of its reservation', { since: NOON }, true],
  ['a later window', { since: afterNoon(1) }, false],
  ['a later window of its host and task', { since: afterNoon(1), host: HERE, task: 'task' }, false],
])('a limit of %s', (_, limit, isCounted) => {
  const purchase = aPurchase({ id: 'a', host: HERE, task: 'task' });
  const whole: SpendingLimit = { code: 'over_day_limit', max: microUsd(0n), ...limit };
  expect(countsTowards(whole, purchase)).toBe(isCounted);
  expect(countsTowards(whole, { ...purchase, state: 'never_settled' })).toBe(false);
});
