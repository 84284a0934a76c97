import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RacingBuyer,
  startRacingBuyer,
  startTakingSeller,
} from '../../support/guarding/buyers/racing-buyers.ts';
import { sized } from '../../support/sized.ts';

const ROUNDS = sized(200, 2_000);
/** Fewer: the one that comes second waits for two seconds before it gives up. */
const SHARED_ROUNDS = sized(8, 400);
/** Three of them fit into a day. */
const PRICE = 10_000n;
const PER_DAY = '0.035';

describe('two processes that buy on one ledger file', () => {
  const open: { buyers: readonly RacingBuyer[]; seller?: Awaited<ReturnType<typeof startTakingSeller>> } = {
    buyers: [],
  };
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'two-buyers-'));
    const seller = await startTakingSeller();
    const race = { seller: seller.url, file: join(folder, 'purchases.db'), perDay: PER_DAY };
    open.buyers = await Promise.all([startRacingBuyer(race), startRacingBuyer(race)]);
    open.seller = seller;
  });
  afterAll(async () => {
    await Promise.all(open.buyers.map((buyer) => buyer.end()));
    await open.seller?.stop();
    await rm(folder, { recursive: true });
  });

  it('never pay more than the limit of a day, and use all of it', async () => {
    const rounds = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const ends = await Promise.all(
        open.buyers.map((buyer, at) => buyer.buy(round, [`${at}-a`, `${at}-b`, `${at}-c`, `${at}-d`])),
      );
      const received = open.seller?.receivedIn(round) ?? [];
      const spent = received.reduce((sum, { value }) => sum + value, 0n);
      const outcome = `${spent} for ${received.length}: ${ends.flat().sort().join(' ')}`;
      rounds.set(outcome, (rounds.get(outcome) ?? 0) + 1);
    }
    const refused = Array.from({ length: 5 }, () => 'over_day_limit').join(' ');
    expect(rounds).toEqual(new Map([[`${3n * PRICE} for 3: 200 200 200 ${refused}`, ROUNDS]]));
  });

  it('pay once at most when both want the same', async () => {
    const counts = new Set<string>();
    for (let round = ROUNDS; round < ROUNDS + SHARED_ROUNDS; round += 1) {
      await Promise.all(open.buyers.map((buyer) => buyer.buy(round, ['the same'])));
      const paths = (open.seller?.receivedIn(round) ?? []).map(({ path }) => path);
      counts.add(paths.length === new Set(paths).size ? 'once at most' : paths.join(' '));
    }
    expect(counts).toEqual(new Set(['once at most']));
  });
});
