import { describe, expect, it } from 'vitest';
import type { SchemaState } from '../../ports/store-health.ts';
import type { LogState } from '../log/log-state.ts';
import { createReadiness } from './readiness.ts';

interface Told {
  write: () => Promise<void>;
  schema: () => Promise<SchemaState>;
  isStopping: boolean;
  log: LogState;
}

/** A process whose store does what it is told to, at a time that stands still. */
function world(changes: Partial<Told> = {}) {
  const told: Told = {
    write: async () => {},
    schema: async () => 'ok',
    isStopping: false,
    log: 'ok',
    ...changes,
  };
  const clock = { ms: 0 };
  const counts = { writes: 0 };
  const late: (() => void)[] = [];
  const readiness = createReadiness({
    health: {
      write() {
        counts.writes += 1;
        return told.write();
      },
      schema: () => told.schema(),
    },
    isStopping: () => told.isStopping,
    logState: () => told.log,
    stopwatch: () => clock.ms,
    wait: () => new Promise((resolve) => void late.push(resolve)),
  });
  return { readiness, told, clock, counts, beLate: () => late.splice(0).map((resolve) => resolve()) };
}

const fail = () => Promise.reject(new Error('disk I/O error at /var/lib'));
const ok = { store: 'ok', schema: 'ok', process: 'ok', log: 'ok' } as const;

describe('a process is ready', () => {
  it.each<[string, Partial<Told>, boolean, object]>([
    ['when all is well', {}, true, ok],
    ['also when the log is not continued', { log: 'behind' }, true, { ...ok, log: 'behind' }],
    ['not when the store cannot be written to', { write: fail }, false, { ...ok, store: 'failed' }],
    ['not when it was told to stop', { isStopping: true }, false, { ...ok, process: 'stopping' }],
    ['not when tables are missing', { schema: async () => 'older' }, false, { ...ok, schema: 'older' }],
    ['not when nobody can tell', { schema: fail }, false, { ...ok, schema: 'unknown' }],
    [
      'when a newer version has added tables: both serve while one takes over',
      { schema: async () => 'newer' },
      true,
      { ...ok, schema: 'newer' },
    ],
  ])('%s', async (_, changes, isReady, checks) => {
    const { readiness } = world(changes);
    expect(await readiness()).toEqual({ isReady, checks });
  });

  it('and says so to a thousand at the cost of one write a second', async () => {
    const { readiness, clock, counts } = world();
    await Promise.all(Array.from({ length: 1_000 }, () => readiness()));
    clock.ms = 999;
    await readiness();
    expect(counts.writes).toBe(1);
    clock.ms = 1_000;
    await readiness();
    expect(counts.writes).toBe(2);
  });

  it('no longer at the very moment it is told to stop', async () => {
    const { readiness, told } = world();
    expect((await readiness()).isReady).toBe(true);
    told.isStopping = true;
    expect((await readiness()).isReady).toBe(false);
  });

  it('not when the store takes too long, which is asked only once until it has answered', async () => {
    const answer = { now: () => {} };
    const { readiness, told, clock, counts, beLate } = world({
      write: () =>
        new Promise((resolve) => {
          answer.now = resolve;
        }),
    });
    const asked = readiness();
    beLate();
    const slow = { isReady: false, checks: { store: 'slow', schema: 'unknown', process: 'ok', log: 'ok' } };
    expect(await asked).toEqual(slow);
    clock.ms = 5_000;
    expect([await readiness(), counts.writes]).toEqual([slow, 1]);
    answer.now();
    told.write = async () => {};
    clock.ms = 6_000;
    await new Promise(setImmediate);
    expect(await readiness()).toEqual({ isReady: true, checks: ok });
  });
});
