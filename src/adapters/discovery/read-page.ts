import type { Clock } from '../../ports/clock.ts';
import { deadlineIn } from '../probe/deadline.ts';
import { type Failed, type ListFetch, permanent } from './ask-list.ts';
import { type NextPage, type PageRead, readAttempt } from './read-attempt.ts';
import type { ReadingLimits } from './reading-limits.ts';
import { retryDelayMs } from './retry-delay.ts';

export interface ReadingParts extends Pick<Clock, 'now'> {
  readonly fetch: ListFetch;
  /** Resolves after this time, or earlier on the signal. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly limits: ReadingLimits;
}

/** One reading of one list, with its remaining limits. */
export interface Reading {
  readonly parts: ReadingParts;
  readonly signal: AbortSignal;
  readonly endsAtMs: number;
  readonly room: { entries: number; pages: number };
}

export interface Patience {
  readonly requestMs: number;
  readonly tries: number;
}

/** A page with its retries. A retry passes on all entries again; only the last attempt counts. */
export async function* readPage<T>(
  reading: Reading,
  request: NextPage<T>,
  patience: Patience,
): AsyncGenerator<readonly T[], PageRead | Failed> {
  const { parts, room } = reading;
  for (let tries = 1; ; tries += 1) {
    const end = yield* tryOnce(reading, request, patience.requestMs);
    if (end.kind === 'page') {
      room.pages -= 1;
      room.entries -= end.used;
      return end;
    }
    if (reading.signal.aborted) return permanent('cancelled');
    if (!end.isTransient || tries >= patience.tries) return end;
    const delayMs = retryDelayMs({ tries, retryAfterMs: end.retryAfterMs, random: parts.random });
    if (delayMs === null) return permanent('busy');
    if (leftMs(reading) <= delayMs) return permanent('too_slow');
    await parts.wait(delayMs, reading.signal);
  }
}

async function* tryOnce<T>(
  reading: Reading,
  request: NextPage<T>,
  requestMs: number,
): AsyncGenerator<readonly T[], PageRead | Failed> {
  const { parts, room, signal } = reading;
  const ms = Math.min(requestMs, leftMs(reading));
  if (ms <= 0) return permanent('too_slow');
  const deadline = deadlineIn(ms, signal);
  try {
    return yield* readAttempt({
      ...request,
      fetch: parts.fetch,
      nowMs: parts.now().getTime(),
      signal: deadline.signal,
      maxBytes: parts.limits.pageBytes,
      maxEntries: room.entries,
    });
  } finally {
    deadline.close();
  }
}

function leftMs({ parts, endsAtMs }: Reading): number {
  return endsAtMs - parts.now().getTime();
}
