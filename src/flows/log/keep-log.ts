import { parseCheckpoint } from '../../core/log/checkpoint.ts';
import { type NoteKey, type NoteSigner, noteKeyText, noteText } from '../../core/log/note.ts';
import { rootOf } from '../../core/log/prove.ts';
import { isSameBytes } from '../../core/log/tree-hash.ts';
import type { LogMark } from '../../ports/log/log-mark.ts';
import type { Epoch, LogHead, LogStore } from '../../ports/log/transparency-log.ts';
import { growLog } from './grow-log.ts';
import { keyChange, keysText } from './log-keys.ts';
import { type LogState, type LogStatePorts, stateOfLog } from './log-state.ts';
import { makePromise } from './make-promise.ts';
import { tileReader } from './read-tiles.ts';
import { signRuns } from './sign-runs.ts';

/** Bounds how long one round blocks the embedded store. */
const ENTRIES_A_ROUND = 512;
/** A crash forgets at most this much of what was given out; witnesses know better. */
const MARK_EVERY_MS = 10_000;

export interface KeepLogPorts extends LogStatePorts {
  readonly log: LogStore;
  readonly mark: LogMark;
  readonly runSignersOf: (epoch: Epoch, runId: string) => readonly NoteSigner[];
  readonly promiseSignerOf: (epoch: Epoch) => NoteSigner;
  readonly stopwatch: () => number;
  /** What a checkpoint has to pass before clients get it, asked in every round; null publishes at once. */
  readonly publish: ((head: LogHead) => Promise<'published' | 'behind'>) | null;
}

export interface LogKeeper {
  /** Looks whether this process may sequence the log, and may promise. */
  open(): Promise<void>;
  /** Gives everything that waits its place in the log. */
  round(): Promise<void>;
  state(): LogState;
  /** The key of promises; null before the log is open. */
  promiseKey(): NoteKey | null;
  /** Our signed word that a receipt will be in the log; null while we cannot give it. */
  promise(id: string, sha256: Uint8Array, now: Date): string | null;
  /** Keeps the mark of what was given out. */
  stop(): Promise<void>;
}

/** One for each process: any number of them may sequence the same log. */
export function createLogKeeper(ports: KeepLogPorts): LogKeeper {
  const { log, mark, stopwatch } = ports;
  const kept: Kept = {
    state: 'starting',
    epoch: null,
    marked: null,
    markedAt: Number.NEGATIVE_INFINITY,
    seen: null,
  };
  /** The note that clients can get now; null when a larger one was seen. */
  const see = ({ origin, published }: LogHead): string | null => {
    if (published === null || (kept.seen?.origin === origin && kept.seen.size > published.size)) return null;
    kept.seen = { origin, ...published };
    return published.note;
  };
  const keepMark = async (note: string) => {
    kept.markedAt = stopwatch();
    await mark.keep(note);
    kept.marked = note;
  };
  const appendAll = async (): Promise<void> => {
    for (let isMore = true; isMore; ) {
      const appended = await log.append(ENTRIES_A_ROUND, (waiting) => {
        const { head } = waiting;
        if (isBehind(head, kept.seen)) throw new LogStopped('behind');
        if (!isOurs(head, kept.epoch, ports)) throw new LogStopped('other_keys');
        return growLog(waiting, ports.signersOf(head));
      });
      isMore = appended.kind === 'appended' && appended.isMore;
    }
  };
  // In a write of its own: the embedded store shows a commit before it is durable, and a power cut must not take back what a client has seen.
  const publish = async (): Promise<void> => {
    const head = await log.current();
    if (head === null || isBehind(head, kept.seen)) throw new LogStopped('behind');
    if (!isOurs(head, kept.epoch, ports)) throw new LogStopped('other_keys');
    if (!(await continuesSeen(head, kept.seen, log))) throw new LogStopped('behind');
    if ((await publishHead(head, ports)) === 'behind') throw new LogStopped('behind');
    const note = see((await log.current()) ?? head);
    const isDue = note !== kept.marked && stopwatch() - kept.markedAt >= MARK_EVERY_MS;
    if (note !== null && isDue) await keepMark(note);
  };
  const open = async () => {
    if (kept.state !== 'starting') return;
    const { state, epoch } = await openLog(ports);
    kept.epoch = epoch;
    kept.state = state;
  };
  return {
    open,
    async round() {
      await open();
      if (kept.state !== 'ok') return;
      try {
        await appendAll();
        await publish();
      } catch (fault) {
        if (!(fault instanceof LogStopped)) throw fault;
        kept.state = fault.state;
      }
    },
    state: () => kept.state,
    promiseKey: () => (kept.epoch === null ? null : ports.promiseSignerOf(kept.epoch).key),
    promise(id, sha256, now) {
      const { epoch } = kept;
      if (kept.state !== 'ok' || epoch === null) return null;
      return makePromise({ origin: epoch.origin, id, sha256 }, now, ports.promiseSignerOf(epoch));
    },
    async stop() {
      const head = kept.state === 'ok' ? await log.current() : null;
      const note = head === null ? null : see(head);
      if (note !== null) await keepMark(note);
    },
  };
}

interface Kept {
  state: LogState;
  epoch: Epoch | null;
  /** The note in the mark. */
  marked: string | null;
  markedAt: number;
  seen: Seen | null;
}

interface Seen {
  readonly origin: string;
  readonly size: number;
  readonly note: string;
}

class LogStopped extends Error {
  readonly state: LogState;
  constructor(state: LogState) {
    super(`the log is ${state}`);
    this.state = state;
  }
}

function isBehind(head: LogHead, seen: Seen | null): boolean {
  return seen !== null && seen.origin === head.origin && head.size < seen.size;
}

/** A process has the keys of the epoch that it has opened: another epoch may have begun because a key was stolen. */
function isOurs(head: LogHead, epoch: Epoch | null, { signersOf }: KeepLogPorts): boolean {
  const known = head.key.split(' ');
  return head.origin === epoch?.origin && signersOf(head).some(({ key }) => known.includes(noteKeyText(key)));
}

/** Another process may have grown a database that was set back. */
async function continuesSeen(head: LogHead, seen: Seen | null, log: LogStore): Promise<boolean> {
  const before = seen === null || seen.origin !== head.origin ? null : noteText(seen.note);
  const checkpoint = before === null ? null : parseCheckpoint(before);
  if (checkpoint === null) return true;
  const root = await rootOf(checkpoint.size, tileReader(log, head.tree));
  return isSameBytes(root, checkpoint.root);
}

async function publishHead(head: LogHead, { log, publish }: KeepLogPorts): Promise<'published' | 'behind'> {
  const { tree, size, checkpoint, published } = head;
  if (checkpoint === null) return 'published';
  if (publish !== null) return publish(head);
  if ((published?.size ?? 0) < size) await log.publish(tree, { size, note: checkpoint }, false);
  return 'published';
}

/** The first look of a process at the log: is it ours, and does it continue what was given out? */
async function openLog(ports: KeepLogPorts): Promise<{ readonly epoch: Epoch; readonly state: LogState }> {
  const { log, signersOf } = ports;
  const first = { tree: '1', origin: ports.origin };
  const head = await log.open({ origin: ports.origin, key: keysText(signersOf(first)) });
  const state = await stateOfLog(head, ports);
  if (state !== 'ok') return { state, epoch: head };
  // A store that was set back together with its mark: only the witnesses know.
  if ((await ports.publish?.(head)) === 'behind') return { state: 'behind', epoch: head };
  const { tree, key } = head;
  const change = keyChange(head, signersOf(head));
  if (change.kind === 'first') await log.changeKeys(tree, key, change.keys, null);
  if (change.kind === 'rotation') await log.changeKeys(tree, key, change.keys, change.entry);
  await signRuns(head, ports);
  return { state: 'ok', epoch: head };
}
