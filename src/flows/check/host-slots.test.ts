import { expect, it } from 'vitest';
import { createHostSlots } from './host-slots.ts';

it('a place that is given back twice counts once', () => {
  const slots = createHostSlots({ perHost: 1, total: 9 });
  const giveBack = slots.take('a:443');
  giveBack?.();
  giveBack?.();
  expect(slots.take('a:443')).not.toBeNull();
  expect(slots.take('a:443')).toBeNull();
});

it('all places together have a limit, too', () => {
  const slots = createHostSlots({ perHost: 3, total: 2 });
  const first = slots.take('a:443');
  slots.take('b:443');
  expect(slots.take('c:443')).toBeNull();
  first?.();
  expect(slots.take('c:443')).not.toBeNull();
});
