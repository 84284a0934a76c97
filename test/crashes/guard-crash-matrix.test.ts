import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Death } from '../support/guarding/buyers/dying-buyers.ts';
import { type Crashed, type Crashing, crashAll } from '../support/guarding/buyers/guard-crashes.ts';
import { useGuardingWorld } from '../support/guarding/guarding-world.ts';
import type { SellerName } from '../support/guarding/sellers/seller-scripts.ts';
import { chainOfTheFile } from '../support/paying/paying-chain.ts';
import { sized } from '../support/sized.ts';

const chain = await chainOfTheFile();
const ROUNDS = sized(1, 5);

const GOODS = '200 with 18 characters';
const MUCH = '200 with 2621440 characters';

/**
 * Where the process dies and what that leaves: the state of the purchase and the transfers on the chain. Then how two tries of the
 * next process end. A delivery that was written down is not bought again within a minute, whoever got to read the goods.
 */
type Row = readonly [
  seller: SellerName,
  death: Death,
  left: string,
  paid: number,
  ends: readonly [string, string],
];

const before = (write: Death['write'], nth = 1): Death => ({ when: 'before', write, nth });
const after = (write: Death['write'], nth = 1): Death => ({ when: 'after', write, nth });

const ROWS: readonly Row[] = [
  ['honest', before('reserved'), 'none', 0, [GOODS, 'bought_already']],
  ['honest', after('reserved'), 'reserved', 0, [GOODS, 'bought_already']],
  ['honest', before('signed'), 'reserved', 0, [GOODS, 'bought_already']],
  ['honest', after('signed'), 'signed', 0, [GOODS, 'bought_already']],
  ['honest', before('delivered'), 'signed', 1, [GOODS, 'bought_already']],
  ['honest', after('delivered'), 'delivered', 1, ['bought_already', 'bought_already']],
  ['deliversMuch', after('delivering'), 'delivering', 1, [MUCH, 'bought_already']],
  ['deliversMuch', before('delivered'), 'delivering', 1, [MUCH, 'bought_already']],
  ['losesAnswer', after('reserved'), 'reserved', 0, [GOODS, 'bought_already']],
  ['losesAnswer', before('signed'), 'reserved', 0, [GOODS, 'bought_already']],
  ['losesAnswer', after('signed'), 'signed', 0, [GOODS, 'bought_already']],
  ['losesAnswer', before('sent'), 'signed', 1, [GOODS, 'bought_already']],
  ['losesAnswer', after('sent'), 'sent', 1, [GOODS, 'bought_already']],
  ['losesAnswer', before('delivered'), 'sent', 1, [GOODS, 'bought_already']],
  ['losesAnswer', after('delivered'), 'delivered', 1, ['bought_already', 'bought_already']],
  // Sellers that give no goods for a payment they have: the purchase stays open, and counted.
  [
    'losesAnswerForGood',
    before('sent'),
    'signed',
    1,
    ['asked_again_after_payment', 'asked_again_after_payment'],
  ],
  ['losesEveryAnswer', before('unknown'), 'sent', 1, ['outcome_unknown', 'outcome_unknown']],
];

describe.each(Array.from({ length: ROUNDS }, (_, round) => [round + 1]))('round %i:', () => {
  const world = useGuardingWorld(chain);
  const state: { folder?: string; crashed: readonly Crashed[]; transfers: number } = {
    crashed: [],
    transfers: 0,
  };

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'guard-crashes-'));
    state.folder = folder;
    const crashes = ROWS.map(([seller, death], at): Crashing => {
      return { stall: world.open(seller), death, file: join(folder, `${at}.db`) };
    });
    const { result, payments } = await world.moved(() => crashAll(world, crashes));
    Object.assign(state, { crashed: result, transfers: payments });
  });
  afterAll(() => rm(state.folder ?? '', { recursive: true, force: true }));

  it.each(ROWS.map((row, at) => [row[0], `${row[1].when} ${row[1].write} ${row[1].nth}`, at, row] as const))(
    'a buyer from %s is killed %s, and a new process asks again',
    (_seller, _death, at, [, , left, paid, ends]) => {
      const crashed = state.crashed[at];
      expect(crashed?.signal).toBe('SIGKILL');
      expect(crashed?.left).toMatchObject({ states: left === 'none' ? [] : [left], paid });
      expect(crashed?.ends).toEqual(ends);
      const [end] = ends;
      // A reservation that was replaced stays behind as expired; nothing was signed for it.
      const open = ENDS_OPEN[end];
      const concluded = left === 'reserved' ? ['delivered', 'expired'] : ['delivered'];
      expect(crashed?.finally).toMatchObject({ states: open === undefined ? concluded : [open], paid: 1 });
      for (const { counted, paid: taken } of [crashed?.left, crashed?.finally].flatMap((one) => one ?? [])) {
        expect(counted).toBeGreaterThanOrEqual(BigInt(taken) * 10_000n);
      }
    },
  );

  it('nothing else was paid', () => {
    expect(state.transfers).toBe(ROWS.length);
  });
});

/** What such an end leaves open, as documented. */
const ENDS_OPEN: Readonly<Record<string, string>> = {
  asked_again_after_payment: 'asked_again',
  outcome_unknown: 'unknown',
};
