import { CRAWL_TIMEOUT_MS } from '../core/limits.ts';
import type { AskedPlace, PlaceAnswer, ProbePlaces } from '../ports/probe-places.ts';
import type { RefusalParts } from './check/refused.ts';

export interface PlaceParts extends RefusalParts {
  readonly places: Pick<ProbePlaces, 'take' | 'giveBack'>;
  readonly newHolder: () => string;
  /** Milliseconds that never jump. */
  readonly stopwatch: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Told of what could not be written after the answer: what was found, or that its place is free, which it becomes by itself. */
  readonly onLateFault: (fault: unknown) => void;
}

/** Our own bounds, not what the target did: nothing was sent. */
export interface TargetBusy {
  readonly kind: 'rate_limited';
  readonly retryAfterSeconds: number;
  readonly by: 'target';
}

export function targetBusy({ onRefused }: RefusalParts, retryAfterSeconds = 1): TargetBusy {
  onRefused?.('target_places');
  return { kind: 'rate_limited', retryAfterSeconds, by: 'target' };
}

/** A probe, and the calls of the store around it; after so long the place of a process that died is free. */
const PLACE_MS = 15_000;
/** A probe begins only when its place outlives it. */
const LATEST_BEGIN_MS = PLACE_MS - CRAWL_TIMEOUT_MS - 1_000;
/** Most probes are over in a moment, and a target that hangs must not make us hammer the store. */
const LOOKS_MS = { least: 5, most: 75 } as const;
/** Nobody waits for much more than a quarter longer than need be. */
function nextLookMs(waitedMs: number): number {
  return Math.min(Math.max(LOOKS_MS.least, Math.round(waitedMs / 4)), LOOKS_MS.most);
}

/** For how long each is worth waiting for. */
const PATIENCE_MS: Readonly<Record<Exclude<PlaceAnswer, 'taken'>, number>> = {
  // Longer than any probe: by then what it found is there, or its process is dead.
  in_flight: CRAWL_TIMEOUT_MS + 2_000,
  // The crawl looks once a second whether somebody wants a place, and lets a lane finish what it is at.
  crawled: 2_500,
  // Places are given back after the answer: whoever asks one thing after the other need not hear that this takes a moment.
  full: 500,
};
/** Who asks this very URL nearly always finds something, so that is looked for more often than whether its place is free. */
const LOOKS_PER_TRY: Readonly<Record<keyof typeof PATIENCE_MS, number>> = {
  in_flight: 4,
  crawled: 1,
  full: 1,
};
const RETRY_SECONDS: Readonly<Record<keyof typeof PATIENCE_MS, number>> = {
  in_flight: 1,
  crawled: 5,
  full: 1,
};

export interface Landed<T> {
  readonly result: T;
  /** Until the store has it; nobody who has the result waits for that (gap L79). It never fails. Null: nothing is written. */
  readonly kept: Promise<void> | null;
}

export function landed<T>(result: T): Landed<T> {
  return { result, kept: null };
}

export interface AtTarget<T> {
  /** What is known by now, however it came there. */
  readonly look: () => Promise<T | null>;
  /**
   * Looks once more before anything is sent: whoever was at this URL before us kept what it found, and left after that. May
   * send nothing once `mayBegin` says no.
   */
  readonly probe: (mayBegin: () => boolean) => Promise<Landed<T>>;
}

/** Probes while a place of the target is held, over all processes (gap G38), or waits for whoever asks the same. */
export async function atTarget<T>(
  asked: Omit<AskedPlace, 'holder'>,
  { look, probe }: AtTarget<T>,
  parts: PlaceParts,
): Promise<Landed<T | TargetBusy>> {
  const place = { ...asked, holder: parts.newHolder() };
  const begun = parts.stopwatch();
  for (let waitedMs = 0; ; ) {
    const from = parts.stopwatch();
    const answer = await parts.places.take(place, PLACE_MS);
    if (answer === 'taken') return inPlace(place, () => probe(mayBeginAfter(from, parts)), parts);
    // By both, so that neither a clock that stands still nor a slow store makes it endless.
    if (Math.max(waitedMs, from - begun) >= PATIENCE_MS[answer]) {
      return landed(targetBusy(parts, RETRY_SECONDS[answer]));
    }
    for (let looks = 0; looks < LOOKS_PER_TRY[answer]; looks += 1) {
      const pauseMs = nextLookMs(waitedMs);
      await parts.wait(pauseMs);
      waitedMs += pauseMs;
      const found = await look();
      if (found !== null) return landed(found);
    }
  }
}

function mayBeginAfter(from: number, { stopwatch }: PlaceParts): () => boolean {
  return () => stopwatch() - from <= LATEST_BEGIN_MS;
}

async function inPlace<T>(
  place: AskedPlace,
  probe: () => Promise<Landed<T>>,
  { places, onLateFault }: PlaceParts,
): Promise<Landed<T>> {
  let kept: Promise<void> | null = null;
  try {
    const probed = await probe();
    kept = probed.kept;
    return probed;
  } finally {
    Promise.resolve(kept)
      .then(() => places.giveBack(place))
      .catch(onLateFault);
  }
}
