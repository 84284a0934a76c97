import { describe, expect, it } from 'vitest';
import { type Networks, networksOf } from '../../core/access/networks.ts';
import { type AdmissionLimits, createAdmission, type Work } from './admission.ts';
import { createMinuteLimit } from './minute-limit.ts';
import { createUnderWay } from './under-way.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');
const LIMITS: AdmissionLimits = {
  pools: { read: 3, check: 2, purchase: 1, message: 3 },
  underWayPerAddress: 2,
  readsPerAddressMinute: 5,
};
const address = (n: number) => networksOf(`192.0.2.${n}`);

function world(limits: Partial<AdmissionLimits> = {}) {
  const clock = { now: NOON };
  const { enter, leave } = createAdmission({ ...LIMITS, ...limits }, () => clock.now);
  const codeOf = (work: Work, networks: Networks) => enter(work, networks)?.code ?? 'admitted';
  return { clock, enter, leave, codeOf };
}

describe('the pools of a process (G102)', () => {
  it('a full one refuses its own kind and no other', () => {
    const { enter, leave, codeOf } = world();
    expect([1, 2].map((n) => codeOf('check', address(n)))).toEqual(['admitted', 'admitted']);
    expect(enter('check', address(3))).toEqual({
      code: 'overloaded',
      detail: 'Too many requests in progress; try again shortly.',
      retryAfterSeconds: 1,
    });
    expect(codeOf('read', address(3))).toBe('admitted');
    expect(codeOf('purchase', address(3))).toBe('admitted');
    for (const n of [1, 2]) leave('check', address(n), 1);
    expect(codeOf('check', address(3))).toBe('address_busy');
    expect(codeOf('check', address(4))).toBe('admitted');
  });
});

describe('the requests of one address (G102)', () => {
  it('so many at once, of all kinds together, and again when they are answered', () => {
    const { enter, leave, codeOf } = world();
    expect([codeOf('read', address(1)), codeOf('check', address(1))]).toEqual(['admitted', 'admitted']);
    expect(enter('purchase', address(1))).toMatchObject({ code: 'address_busy', retryAfterSeconds: 1 });
    expect(codeOf('read', address(2))).toBe('admitted');
    leave('read', address(1), 1);
    expect(codeOf('purchase', address(1))).toBe('admitted');
  });

  it('so many in a minute, and more in the next', () => {
    const { enter, leave, codeOf, clock } = world();
    for (let n = 0; n < 5; n += 1) {
      expect(codeOf('read', address(1))).toBe('admitted');
      leave('read', address(1), 1);
    }
    clock.now = new Date('2026-11-15T12:00:20.500Z');
    expect(enter('read', address(1))).toMatchObject({ code: 'read_limit', retryAfterSeconds: 40 });
    expect(codeOf('read', address(2))).toBe('admitted');
    clock.now = new Date('2026-11-15T12:01:00.000Z');
    expect(codeOf('read', address(1))).toBe('admitted');
  });

  it.each<[Work, others: readonly Work[]]>([
    ['read', ['check', 'purchase', 'message']],
    ['check', ['read', 'purchase', 'message']],
    ['purchase', ['read', 'check', 'message']],
    ['message', ['read', 'check', 'purchase']],
  ])('each kind has a minute of its own: a used one of %s', (work, others) => {
    const { enter, leave, codeOf } = world();
    for (let n = 0; n < 5; n += 1) {
      expect(enter(work, address(1))).toBeNull();
      leave(work, address(1), 1);
    }
    expect(codeOf(work, address(1))).toBe('read_limit');
    for (const other of others) {
      expect(codeOf(other, address(1))).toBe('admitted');
      leave(other, address(1), 1);
    }
  });

  it('what counts for nothing in the end is given back to its own minute', () => {
    const { enter, leave } = world();
    for (let n = 0; n < 20; n += 1) {
      expect(enter('check', address(1))).toBeNull();
      leave('check', address(1), 0);
    }
  });

  it('an answer that costs as much as many counts as many', () => {
    const { enter, leave, codeOf } = world();
    expect(enter('read', address(1))).toBeNull();
    leave('read', address(1), 5);
    expect([codeOf('read', address(1)), codeOf('read', address(2))]).toEqual(['read_limit', 'admitted']);
  });

  it('messages have as many places as routes, and none of theirs', () => {
    const { leave, codeOf } = world();
    const entering = (work: Work) => [1, 2, 3].map(() => codeOf(work, address(1)));
    expect(entering('message')).toEqual(['admitted', 'admitted', 'address_busy']);
    expect(entering('read')).toEqual(['admitted', 'admitted', 'address_busy']);
    leave('message', address(1), 1);
    expect([codeOf('read', address(1)), codeOf('message', address(1))]).toEqual(['address_busy', 'admitted']);
  });
});

describe('a whole IPv6 /48 (G102)', () => {
  const inside = (n: number) => networksOf(`2001:db8:1:${n.toString(16)}::1`);

  it('has ten times the requests under way of one address', () => {
    const { enter, leave: out } = createUnderWay(2);
    const entered = Array.from({ length: 25 }, (_, n) => enter(inside(n)));
    expect(entered.filter(Boolean)).toHaveLength(20);
    expect(enter(networksOf('2001:db8:2:1::1'))).toBe(true);
    out(inside(0));
    expect([enter(inside(99)), enter(inside(98))]).toEqual([true, false]);
  });

  it('has ten times the minute of one address', () => {
    const { take, giveBack } = createMinuteLimit(2);
    const taken = Array.from({ length: 25 }, (_, n) => take(inside(n), NOON));
    expect(taken.filter(Boolean)).toHaveLength(20);
    giveBack(inside(0), NOON);
    expect([take(inside(99), NOON), take(inside(98), NOON)]).toEqual([true, false]);
  });
});

it('no more networks are remembered than the bound: all of them begin again', () => {
  const { take } = createMinuteLimit(1, 3);
  const answers = [1, 1, 2, 3, 1, 2, 2].map((n) => take(address(n), NOON));
  // 3 fills the memory, so 1 and 2 begin again.
  expect(answers).toEqual([true, false, true, true, true, true, false]);
});
