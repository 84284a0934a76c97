import { describe, expect, it } from 'vitest';
import { checkLog } from '../../lab/chaos/check/check-log.ts';
import type { LogNote } from '../../lab/chaos/evidence.ts';
import { newJournal } from '../../lab/chaos/journal.ts';
import { strayCheckpoints } from '../../lab/chaos/read-log.ts';
import { noteKeyText } from '../../src/core/log/note.ts';
import { parsePolicy } from '../../src/core/log/policy.ts';
import { evidence, rulesOf } from '../support/chaos-evidence.ts';
import { leavesOf } from '../support/log/memory-tree.ts';
import { seededSigner } from '../support/log/seeded-signer.ts';
import { askingTree, LOG_SIGNER, WITNESSED } from '../support/log/witnessed-tree.ts';

const SOUND: LogNote = {
  size: 2,
  faults: [],
  hashes: new Map([
    ['sc-1', 'aa'],
    ['sc-2', 'bb'],
  ]),
  strays: [],
};

function found(log: Partial<LogNote>) {
  const journal = newJournal();
  for (const id of ['sc-1', 'sc-2']) journal.receipts.add(id);
  journal.promised.set('sc-1', 'aa');
  return rulesOf(checkLog(evidence({ journal, log: { ...SOUND, ...log } })));
}

describe('what became of the log', () => {
  it.each<[string, Partial<LogNote>, string[]]>([
    ['nothing is wrong', {}, []],
    ['a tile that differs', { faults: ['tile_differs tile/0/000'] }, ['the log is not sound']],
    ['a stray checkpoint', { strays: ['x'] }, ['a checkpoint that a client got is not part of the log']],
    [
      'a receipt that is missing',
      { hashes: new Map([['sc-1', 'aa']]) },
      ['a receipt that was acknowledged is not in the log'],
    ],
    [
      'another hash',
      {
        hashes: new Map([
          ['sc-1', 'ab'],
          ['sc-2', 'bb'],
        ]),
      },
      ['the log has another hash than was promised'],
    ],
  ])('%s', (_, log, rules) => {
    expect(found(log)).toEqual(rules);
  });

  it('finds the checkpoints that are no part of a log', async () => {
    const policy = parsePolicy(`log ${noteKeyText(LOG_SIGNER.key)}\nquorum none\n`);
    if ('fault' in policy) throw new Error(policy.fault);
    const [own, other] = [askingTree(), askingTree('another')];
    const good = await Promise.all([1, 7, 64, 100].map((size) => own.noteAt(size)));
    const stranger = seededSigner(WITNESSED, 1, 'a stranger');
    const bad = [await other.noteAt(64), await own.noteAt(9, { signers: [stranger] })];
    expect(strayCheckpoints([...good, ...bad], policy, leavesOf(100))).toEqual(bad);
    expect(strayCheckpoints(good, policy, leavesOf(99))).toEqual(good.slice(3));
  });
});
