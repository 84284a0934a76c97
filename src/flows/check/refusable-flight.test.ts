import { describe, expect, it } from 'vitest';
import { type Joining, refusableFlight } from './refusable-flight.ts';

type Result = { readonly by: string; readonly found: string | null } | { readonly busy: true };
type Busy = { readonly busy: true };

/** Flights that find something and end when they are told to. */
function world() {
  const joinOrStart = refusableFlight<string, Busy>();
  const started: { find(found: string): void; end(result: Result): void; fail(fault: Error): void }[] = [];
  const ask = (by: string, changes: Partial<Joining<string, Result, Busy>> = {}) =>
    joinOrStart<Result>('url', {
      join: (found) => ({ by: `${by} joined`, found }),
      start: (find) =>
        new Promise((end, fail) => {
          started.push({ find, end, fail });
        }),
      share: (result) => ('busy' in result ? result : null),
      tooMany: () => ({ busy: true }),
      ...changes,
    });
  const settle = () => new Promise((done) => setImmediate(done));
  return { joinOrStart, started, ask, settle };
}

const refuse = { join: () => null };

describe('flights', () => {
  it('hand their finding to concurrent callers before they end', async () => {
    const { ask, started } = world();
    const first = ask('a');
    const second = ask('b');
    started[0]?.find('it');
    expect(await second).toEqual({ by: 'b joined', found: 'it' });
    // Before the flight has ended, a new caller has it as well.
    expect(await ask('c')).toEqual({ by: 'c joined', found: 'it' });
    started[0]?.end({ by: 'a', found: 'it' });
    expect(await first).toEqual({ by: 'a', found: 'it' });
    expect(started).toHaveLength(1);
  });

  it('are started anew by a caller that refuses the finding, once the first has ended', async () => {
    const { ask, started, settle } = world();
    void ask('a');
    const picky = ask('b', refuse);
    started[0]?.find('it');
    await settle();
    expect(started).toHaveLength(1);
    started[0]?.end({ by: 'a', found: 'it' });
    await settle();
    started[1]?.end({ by: 'b', found: 'other' });
    expect(await picky).toEqual({ by: 'b', found: 'other' });
  });

  it('are one for all who refused the same finding', async () => {
    const { ask, started, settle } = world();
    void ask('a');
    const picky = ['b', 'c', 'd'].map((by) =>
      ask(by, { join: (found) => (found === 'it' ? null : { by, found }) }),
    );
    started[0]?.find('it');
    started[0]?.end({ by: 'a', found: 'it' });
    await settle();
    started[1]?.find('other');
    started[1]?.end({ by: 'b', found: 'other' });
    expect(await Promise.all(picky)).toEqual(['b', 'c', 'd'].map((by) => ({ by, found: 'other' })));
    expect(started).toHaveLength(2);
  });

  it('are waited for twice by a caller that refuses, and not a third time', async () => {
    const { ask, started, settle } = world();
    void ask('a');
    const picky = ['b', 'c', 'd'].map((by) => ask(by, refuse));
    for (let n = 0; n < 3; n += 1) {
      started[n]?.find('it');
      started[n]?.end({ by: String(n), found: 'it' });
      await settle();
    }
    expect(await Promise.all(picky)).toEqual([
      { by: '1', found: 'it' },
      { by: '2', found: 'it' },
      { busy: true },
    ]);
    expect(started).toHaveLength(3);
  });

  it('share a busy target with all who wait', async () => {
    const { ask, started } = world();
    const calls = ['a', 'b', 'c'].map((by) => ask(by));
    started[0]?.end({ busy: true });
    expect(await Promise.all(calls)).toEqual([{ busy: true }, { busy: true }, { busy: true }]);
  });

  it('share nothing else without a finding: the next caller starts its own', async () => {
    const { ask, started, settle } = world();
    const [first, second] = [ask('a'), ask('b')];
    started[0]?.end({ by: 'a has no quota', found: null });
    await settle();
    started[1]?.end({ by: 'b', found: 'it' });
    expect([await first, await second]).toEqual([
      { by: 'a has no quota', found: null },
      { by: 'b', found: 'it' },
    ]);
  });

  it('fail for their owner alone', async () => {
    const { ask, started, settle } = world();
    const [first, second, third] = [ask('a'), ask('b'), ask('c')];
    const failing = expect(first).rejects.toThrow('our own fault');
    started[0]?.fail(new Error('our own fault'));
    await failing;
    await settle();
    started[1]?.find('it');
    started[1]?.end({ by: 'b', found: 'it' });
    expect([await second, await third]).toEqual([
      { by: 'b', found: 'it' },
      { by: 'c joined', found: 'it' },
    ]);
  });

  it('that fail after their finding have handed it over', async () => {
    const { ask, started } = world();
    const [first, second] = [ask('a'), ask('b')];
    const failing = expect(first).rejects.toThrow('the store failed');
    started[0]?.find('it');
    started[0]?.fail(new Error('the store failed'));
    await failing;
    expect(await second).toEqual({ by: 'b joined', found: 'it' });
  });

  it.each([
    ['for a finding', {}, false],
    ['for the end of a flight whose finding they refused', refuse, true],
  ])('have a hundred callers that wait %s, and send the others away', async (_, changes, isFoundFirst) => {
    const { ask, started, settle } = world();
    void ask('a');
    const waiting = Array.from({ length: 100 }, () => ask('b', changes));
    if (isFoundFirst) started[0]?.find('it');
    await settle();
    expect(await ask('late')).toEqual({ busy: true });
    started[0]?.end({ busy: true });
    await settle();
    started[1]?.end({ busy: true });
    await Promise.all(waiting);
  });

  it('leave nothing behind', async () => {
    const { ask, started, settle } = world();
    for (let round = 0; round < 3; round += 1) {
      const call = ask('a');
      started[round]?.end({ by: 'a', found: null });
      await call;
      await settle();
    }
    expect(started).toHaveLength(3);
  });

  it('of other keys do not meet', async () => {
    const { joinOrStart } = world();
    const joining = (by: string): Joining<string, Result, Busy> => ({
      join: () => null,
      start: async () => ({ by, found: null }),
      share: () => null,
      tooMany: () => ({ busy: true }),
    });
    expect(await Promise.all(['x', 'y'].map((key) => joinOrStart(key, joining(key))))).toEqual([
      { by: 'x', found: null },
      { by: 'y', found: null },
    ]);
  });
});
