import { describe, expect, it } from 'vitest';
import { seededSigner } from '../../../../test/support/log/seeded-signer.ts';
import { anEntry, entriesTo } from '../../../../test/support/log/test-log.ts';
import {
  ALL,
  BOTH,
  cosignedSize,
  LOG_KEYS,
  policyOf,
  publishedBy,
  START_MS,
  witnessedProcess,
  worldWithWitnesses,
} from '../../../../test/support/log/witnessed-process.ts';
import { cosign, openNote } from '../../../core/log/note.ts';
import { openCheckpoint } from '../../../core/log/open-checkpoint.ts';

const world = worldWithWitnesses();

describe('a checkpoint with witnesses', () => {
  it('is published with the cosignatures of all, and opens with the policy that clients have', async () => {
    const { keeper, publisher, changes } = witnessedProcess(world());
    await world().log.add(entriesTo(700));
    await keeper.round();
    world().clock.ms += 5_000;
    await keeper.round();
    expect(await publishedBy(world())).toEqual(BOTH);
    expect(await cosignedSize(world())).toBe(700);
    const policy = {
      ...policyOf(ALL, [world().first, world().second]),
      logs: LOG_KEYS.map((key) => ({ key, url: null })),
    };
    const note = (await world().log.current())?.published?.note ?? '';
    expect(openCheckpoint(note, policy)).toMatchObject({ head: { size: 700 }, cosigned: [{}, {}] });
    expect(changes).toEqual(['w1 answers', 'w2 answers']);
    world().clock.ms += 7_000;
    expect([...publisher.ages()]).toEqual([
      ['w1', 7],
      ['w2', 7],
    ]);
  });

  it('grows with every round, is cosigned every five seconds, and keeps the last cosigned one', async () => {
    const { keeper } = witnessedProcess(world());
    const rows: unknown[] = [];
    for (let second = 0; second < 12; second += 1) {
      await world().log.add([anEntry(second)]);
      await keeper.round();
      const head = await world().log.current();
      rows.push([head?.published?.size, head?.cosigned?.size ?? null]);
      world().clock.ms += 1_000;
    }
    // The witnesses were asked about the empty tree when the process began.
    expect(rows.slice(3)).toEqual([
      [4, null],
      [5, null],
      [6, 6],
      [7, 6],
      [8, 6],
      [9, 6],
      [10, 6],
      [11, 11],
      [12, 11],
    ]);
  });

  it('is published without the line of a witness that is away, and with it once that is back', async () => {
    const { keeper, changes } = witnessedProcess(world());
    await keeper.open();
    await world().second.stop();
    world().clock.ms += 5_000;
    await world().log.add(entriesTo(3));
    await keeper.round();
    expect(await publishedBy(world())).toEqual(BOTH.slice(0, 2));
    expect(await cosignedSize(world())).toBeNull();
    await world().second.start();
    world().clock.ms += 5_000;
    await keeper.round();
    expect(await publishedBy(world())).toEqual(BOTH);
    expect(await cosignedSize(world())).toBe(3);
    expect(changes).toEqual(['w1 answers', 'w2 answers', 'w2 is away', 'w2 answers']);
  });

  it('asks a witness that stays away less and less often', async () => {
    let asked = 0;
    const { keeper } = witnessedProcess(world(), {
      policy: policyOf('quorum w1', [world().first]),
      ask: async () => {
        asked += 1;
        return { kind: 'failed', why: 'no' };
      },
    });
    await world().log.add(entriesTo(3));
    for (let second = 0; second < 300; second += 1) {
      await keeper.round();
      world().clock.ms += 1_000;
    }
    // At 0, 5, 15, 35, 75, and then every minute.
    expect(asked).toBe(8);
    expect(await publishedBy(world())).toEqual(BOTH.slice(0, 1));
  });

  it('is cosigned again after a minute without growth', async () => {
    const { keeper, publisher } = witnessedProcess(world(), {
      policy: policyOf('quorum w1', [world().first]),
    });
    await world().log.add(entriesTo(3));
    await keeper.round();
    world().clock.ms += 5_000;
    await keeper.round();
    for (let second = 0; second < 90; second += 1) {
      world().clock.ms += 1_000;
      await keeper.round();
    }
    expect(publisher.ages().get('w1')).toBe(30);
    const note = (await world().log.current())?.published?.note ?? '';
    expect(openNote(note, [world().first.signer.key])).toMatchObject({
      signedBy: [{ time: START_MS / 1_000 + 65 }],
    });
  });

  it('gets nothing from lines that do not verify, of another key, time or text', async () => {
    const forger = seededSigner('witness.example/w1', 4, 'a forger');
    for (const lines of [
      '',
      'nonsense',
      cosign('log.example/log\n4\nAAAA\n', 1_794_744_000, forger),
      cosign('log.example/log\n4\nAAAA\n', 1_794_744_000, world().first.signer),
    ]) {
      const { keeper, changes } = witnessedProcess(world(), {
        policy: policyOf('quorum w1', [world().first]),
        ask: async () => ({ kind: 'cosigned', lines }),
      });
      await world().log.add([anEntry(1)]);
      await keeper.round();
      expect(keeper.state()).toBe('ok');
      expect(changes).toEqual(['w1 is away']);
      expect(await publishedBy(world())).toEqual(BOTH.slice(0, 1));
    }
  });
});

describe('several processes with the same witnesses', () => {
  it('correct each other, and none of them takes the speed of another for a store that went back', async () => {
    const stores = await Promise.all([1, 2, 3].map(() => world().place.open()));
    const all = stores.map(({ transparencyLog }) => witnessedProcess(world(), { store: transparencyLog }));
    for (let round = 0; round < 8; round += 1) {
      await world().log.add(entriesTo(5, round * 5));
      await Promise.all(all.map(({ keeper }) => keeper.round()));
      world().clock.ms += 5_000;
    }
    for (const { keeper } of all) await keeper.round();
    expect(all.map(({ keeper }) => keeper.state())).toEqual(['ok', 'ok', 'ok']);
    expect(await publishedBy(world())).toEqual(BOTH);
    expect(await cosignedSize(world())).toBe(40);
  });
});
