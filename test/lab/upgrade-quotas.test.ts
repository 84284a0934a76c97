import { expect, it } from 'vitest';
import type { FreeUse } from '../../lab/chaos/journal.ts';
import { checkQuotas, keyOf } from '../../lab/upgrade/check-quotas.ts';

const DAY = '2026-11-18';
const USE: FreeUse = { kind: 'lookup', caller: 1, day: DAY, at: 0, remaining: 4 };
const counted = (used: number, caller = 1) => ({ key: keyOf('lookup', caller), window: DAY, used });

it('a counter that is what was granted is fine', () => {
  expect(checkQuotas([USE, USE], [counted(2)], 3)).toEqual([]);
});

it.each([
  ['a use was lost', [counted(1)]],
  ['a use was counted twice', [counted(3)]],
  ['the counter is gone', []],
  ['somebody who was granted nothing has one', [counted(2), counted(1, 2)]],
])('%s', (_, rows) => {
  expect(checkQuotas([USE, USE], rows, 3)).toMatchObject([{ rule: 'a quota is not what was granted' }]);
});
