import { entryText } from '../../core/log/entry.ts';
import { isSameBytes } from '../../core/log/tree-hash.ts';
import type { LogMark } from '../../ports/log/log-mark.ts';
import type { LogHead, LogStore } from '../../ports/log/transparency-log.ts';
import { epochName, epochOf } from './epoch-name.ts';
import { rebuildTree } from './rebuild-tree.ts';

/** Ends the newest epoch where it is. The first entry of the next one says where that was. */
export async function beginEpoch(log: LogStore, key: string): Promise<LogHead | null> {
  const epochs = await log.epochs();
  const [first] = epochs;
  if (first === undefined) return null;
  const number = epochs.length + 1;
  return log.beginEpoch({ origin: epochName(first.origin, number), key }, (last) => {
    const { origin, size, root } = last ?? first;
    return { id: `epoch:${inOrder(number)}`, entry: entryText({ kind: 'epoch', origin, size, root }) };
  });
}

/** Never one that was given out: a database that was set back does not know of it, and clients would see two histories. */
export async function beginNewEpoch(
  log: LogStore,
  key: string,
  mark: Pick<LogMark, 'read'>,
): Promise<LogHead | null> {
  const note = await mark.read();
  for (;;) {
    const head = await beginEpoch(log, key);
    if (head === null || note === null) return head;
    if (Number(head.tree) > Number(epochOf(note, head)?.tree ?? 0)) return head;
  }
}

const DIGITS = 6;

/**
 * Entries that wait get their places in the order of their ids. Of several epochs that no service has signed, the first one has to come
 * first: it names the last one that clients know.
 */
function inOrder(number: number): string {
  return String(number).padStart(DIGITS, '0');
}

/** The tiles of a restored store. Answers the logs that are damaged: their entries do not give their signed root. */
export async function restoreTiles(log: LogStore): Promise<readonly string[]> {
  const damaged: string[] = [];
  for (const head of [...(await log.epochs()), ...(await log.runHeads())]) {
    const root = await rebuildTree(head, log, (tiles) => log.keepTiles(head.tree, tiles));
    if (root === null || !isSameBytes(root, head.root)) damaged.push(head.origin);
  }
  return damaged;
}
