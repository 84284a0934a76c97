import { describe, expect, it } from 'vitest';
import { seededSigner } from '../../../../test/support/log/seeded-signer.ts';
import { anEntry, entriesTo, testKeeper } from '../../../../test/support/log/test-log.ts';
import type { TestWitness } from '../../../../test/support/log/test-witness.ts';
import {
  BOTH,
  cosignedSize,
  policyOf,
  publishedBy,
  witnessedProcess,
  worldWithWitnesses,
} from '../../../../test/support/log/witnessed-process.ts';
import { newSqlitePlace } from '../../../../test/support/storing/stores.ts';
import { askHttpWitness } from '../../../adapters/log/http-witness.ts';
import { cosign } from '../../../core/log/note.ts';
import type { AskWitness, WitnessReply } from '../../../ports/log/ask-witness.ts';

const world = worldWithWitnesses();
const third = seededSigner('witness.example/w3', 4);
const THIRD = 'http://127.0.0.1:9/w3';
const TWO_OF_THREE = 'group most 2 w1 w2 w3\nquorum most';

/** The two honest witnesses, and a third one that answers as we like. */
function threeOf(quorum: string, answer: (note: string) => WitnessReply) {
  const asked = { third: 0 };
  const ask: AskWitness = async (url, request) => {
    if (!url.startsWith(THIRD)) return askHttpWitness(url, request);
    asked.third += 1;
    return answer(request.slice(request.indexOf('\n\n') + 2));
  };
  const one = { signer: third, address: () => THIRD } as TestWitness;
  return { asked, setting: { policy: policyOf(quorum, [world().first, world().second, one]), ask } };
}

const LIES: readonly (readonly [string, WitnessReply])[] = [
  ['a larger tree', { kind: 'conflict', size: 1_000_000 }],
  ['another tree', { kind: 'inconsistent' }],
];

describe('a witness that objects alone', () => {
  it.each(LIES)('by %s does not stop a log that a quorum of the others cosigns', async (_, lie) => {
    const { asked, setting } = threeOf(TWO_OF_THREE, () => lie);
    const { keeper, changes } = witnessedProcess(world(), setting);
    for (let second = 0; second < 120; second += 1) {
      await world().log.add([anEntry(second)]);
      await keeper.round();
      world().clock.ms += 1_000;
    }
    expect(keeper.state()).toBe('ok');
    expect(await cosignedSize(world())).toBeGreaterThan(100);
    expect(changes).toEqual(['w1 answers', 'w2 answers', 'w3 is away']);
    // Less and less often, as one that does not answer: at 0, 5, 15, 35 and 75 seconds.
    expect(asked.third).toBe(5);
    expect(await publishedBy(world())).toEqual(BOTH.slice(0, 1));
  });

  it.each([
    ['one witness is a quorum, so the one that objects may be right', 'group any any w1 w2 w3\nquorum any'],
    ['all are needed', 'group every all w1 w2 w3\nquorum every'],
    ['nobody is needed', 'quorum none'],
  ])('stops it where %s', async (_, quorum) => {
    for (const [, lie] of LIES) {
      const { keeper } = witnessedProcess(world(), threeOf(quorum, () => lie).setting);
      await world().log.add([anEntry(1)]);
      await keeper.round();
      expect(keeper.state()).toBe('behind');
    }
  });

  it('stops it while another one is away', async () => {
    await world().second.stop();
    const { keeper } = witnessedProcess(
      world(),
      threeOf(TWO_OF_THREE, () => ({ kind: 'inconsistent' })).setting,
    );
    await keeper.round();
    expect(keeper.state()).toBe('behind');
  });
});

describe('a store that was set back, and a witness that cosigns whatever it gets', () => {
  const cosigning = () =>
    threeOf(TWO_OF_THREE, (note) => ({
      kind: 'cosigned',
      lines: cosign(textOf(note), Math.floor((world().clock.ms + 1_794_744_000_000) / 1_000), third),
    }));
  const textOf = (note: string) => note.slice(0, note.indexOf('\n\n') + 1);

  it.each([
    ['both honest ones object', false],
    // Its old cosignature is still in the store that was set back.
    ['one of the honest ones is away', true],
  ])('stops the log when %s', async (_, isAway) => {
    const older = await newSqlitePlace();
    try {
      const store = (await older.open()).transparencyLog;
      for (const log of [store, world().log]) {
        await log.add(entriesTo(3));
        await testKeeper(log).keeper.round();
        const { keeper } = witnessedProcess(world(), { store: log, ...cosigning().setting });
        await keeper.round();
        await log.add(log === store ? [] : entriesTo(2, 3));
        world().clock.ms += 5_000;
        await keeper.round();
        expect(keeper.state()).toBe('ok');
      }
      expect([(await store.current())?.cosigned?.size, await cosignedSize(world())]).toEqual([3, 5]);
      if (isAway) await world().second.stop();
      const { keeper } = witnessedProcess(world(), { store, ...cosigning().setting });
      await keeper.round();
      expect(keeper.state()).toBe('behind');
    } finally {
      await older.remove();
    }
  });
});
