import { type NoteSigner, noteText, openNote } from '../../core/log/note.ts';
import { runOfTree, runOrigin } from '../../core/log/run-tree.ts';
import type { Epoch, LogHead, LogStore } from '../../ports/log/transparency-log.ts';
import { signCheckpoint } from './grow-log.ts';

export interface SignRunsPorts {
  readonly log: Pick<LogStore, 'runHeads' | 'publish'>;
  readonly signersOf: (epoch: Epoch) => readonly NoteSigner[];
  readonly runSignersOf: (epoch: Epoch, runId: string) => readonly NoteSigner[];
}

/**
 * Adds the signatures of today's keys to the runs of an epoch. Their trees never grow, so that nothing else would sign them again:
 * once a rotation has ended, they would be signed by a key that the policy no longer names.
 */
export async function signRuns(epoch: Epoch, ports: SignRunsPorts): Promise<void> {
  for (const head of await ports.log.runHeads()) {
    const runId = runOfTree(head.tree);
    if (runId === null || head.origin !== runOrigin(epoch.origin, runId)) continue;
    const signers = [...ports.signersOf(epoch), ...ports.runSignersOf(epoch, runId)];
    const lines = missingLines(head, signers);
    if (head.published === null || lines === '') continue;
    const { size, note } = head.published;
    await ports.log.publish(head.tree, { size, note: note + lines }, false);
  }
}

function missingLines(head: LogHead, signers: readonly NoteSigner[]): string {
  const { note = '' } = head.published ?? {};
  const missing = signers.filter(({ key }) => typeof openNote(note, [key]) === 'string');
  if (missing.length === 0) return '';
  const signed = signCheckpoint(head, missing);
  const text = noteText(signed) ?? '';
  // Of another tree than this one nothing is signed.
  return text === noteText(note) ? signed.slice(text.length + 1) : '';
}
