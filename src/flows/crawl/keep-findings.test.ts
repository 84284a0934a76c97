import { describe, expect, it } from 'vitest';
import { listed } from '../../../tools/samples/listed.ts';
import { crawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import { type Finding, findingsKeeper } from './keep-findings.ts';

async function settle() {
  for (let turn = 0; turn < 50; turn += 1) await null;
}

/** A keeper whose store and whose waits take as long as they are told to. */
function world() {
  const written: number[] = [];
  const waits: { readonly ms: number; readonly end: () => void }[] = [];
  const store = { isSlow: false, goOn: async () => {} };
  const keeper = findingsKeeper(
    { runId: 'run', owner: 'me' },
    {
      done: async (_holder, findings) => {
        written.push(findings.reduce((sum, { rows }) => sum + rows.length, 0));
        if (store.isSlow) {
          store.isSlow = false;
          await new Promise<void>((resolve) => {
            store.goOn = async () => {
              resolve();
              await settle();
            };
          });
        }
        return findings.map(() => []);
      },
    },
    { stopwatch: () => 0, wait: (ms) => new Promise((resolve) => waits.push({ ms, end: resolve })) },
  );
  const state = { begun: 0, answered: 0 };
  /** Begins so many; each call of what it answers lets so many of them be found. */
  const begin = (count: number) => {
    const found: (() => void)[] = [];
    for (let n = 0; n < count; n += 1) {
      const finding = findingOf(state.begun);
      state.begun += 1;
      const kept = keeper.keep(new Promise((resolve) => found.push(() => resolve(finding))));
      void kept.then(() => {
        state.answered += 1;
      });
    }
    return async (some: number) => {
      for (const find of found.splice(0, some)) find();
      await settle();
    };
  };
  /** Begins one that ends without a finding. */
  const fail = () => {
    let end = () => {};
    keeper.keep(new Promise((_, reject) => (end = () => reject(new Error('no answer'))))).catch(() => {});
    return async () => {
      end();
      await settle();
    };
  };
  const endWait = async () => {
    waits.at(-1)?.end();
    await settle();
  };
  return { written, waits, begin, fail, endWait, state, store };
}

function findingOf(n: number): Finding {
  const endpoint = listed(`https://host-${n % 4}.example/${n}`);
  const receipt = crawlReceipt({
    id: `id-${n}`,
    listed: endpoint,
    finding: { kind: 'path_template' },
    offer: null,
    observation: null,
    checkedAt: new Date(0),
  });
  const { host, normalized } = endpoint.target;
  return { host, normalized, row: { urlKey: `key-${n}`, receipt } };
}

describe('what the hosts of a worker bring', () => {
  it('is written at once when nothing else is under way', async () => {
    const { begin, written, waits, state } = world();
    await begin(1)(1);
    expect([written, waits.length, state.answered]).toEqual([[1], 0, 1]);
  });

  it('is written together when all of it has come, however early that is', async () => {
    const { begin, written, waits } = world();
    const find = begin(60);
    await find(1);
    expect([written, waits.map(({ ms }) => ms)]).toEqual([[], [10]]);
    await find(59);
    expect(written).toEqual([60]);
  });

  it.each<[string, readonly number[], readonly number[]]>([
    ['no more comes', [0], [2]],
    ['too few come', [12], [14]],
    ['some come, but not enough of those still under way', [20, 10], [32]],
    ['enough come, so that more is waited for', [20, 15], []],
    ['it never stops, for the longest time', [16, 16, 16, 16, 16], [82]],
  ])('is written after a wait in which %s', async (_, coming, expected) => {
    const { begin, written, endWait } = world();
    const find = begin(120);
    await find(2);
    for (const some of coming) {
      await find(some);
      await endWait();
    }
    expect(written).toEqual(expected);
  });

  it('waits for those who were just answered and begin again, so that they do not take turns for ever', async () => {
    const { begin, written, endWait, store } = world();
    const [one, other] = [begin(30), begin(30)];
    store.isSlow = true;
    await one(30);
    await endWait();
    await endWait();
    expect(written).toEqual([30]);
    await other(30);
    await store.goOn();
    const again = begin(30);
    await again(30);
    expect(written).toEqual([30, 60]);
  });

  it('that is not found does not keep the others waiting', async () => {
    const { begin, written, fail } = world();
    const find = begin(2);
    const failed = fail();
    await find(2);
    expect(written).toEqual([]);
    await failed();
    expect(written).toEqual([2]);
  });
});
