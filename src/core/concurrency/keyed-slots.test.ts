import { expect, it } from 'vitest';
import { createKeyedSlots } from './keyed-slots.ts';

it('a place that is given back twice counts once', () => {
  const slots = createKeyedSlots({ perKey: 1, total: 9 });
  const giveBack = slots.take('a:443');
  giveBack?.();
  giveBack?.();
  expect(slots.take('a:443')).not.toBeNull();
  expect(slots.take('a:443')).toBeNull();
});

it('all places together have a limit, too', () => {
  const slots = createKeyedSlots({ perKey: 3, total: 2 });
  const first = slots.take('a:443');
  slots.take('b:443');
  expect(slots.take('c:443')).toBeNull();
  first?.();
  expect(slots.take('c:443')).not.toBeNull();
});

it('a key with all of its slots taken leaves the others theirs', () => {
  const slots = createKeyedSlots({ perKey: 2 });
  const [first, second] = [slots.take('a'), slots.take('a')];
  expect([first, second, slots.take('a')].map((leave) => leave !== null)).toEqual([true, true, false]);
  expect(slots.take('b')).not.toBeNull();
  first?.();
  expect(slots.take('a')).not.toBeNull();
});
