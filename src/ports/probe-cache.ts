import type { View } from '../core/vantage/view.ts';
import type { Observation } from '../core/verdict/observation.ts';
import type { ProbeMethod } from '../core/verdict/probe-outcome.ts';

/** Which probe: a keyed hash of the normalised URL, so that the cache holds no URL that could carry a secret. */
export interface ProbeKey {
  readonly urlKey: string;
  readonly method: ProbeMethod;
}

export interface StoredProbe {
  /** A keyed hash of the URL exactly as it was requested: several spellings share one normalised URL. */
  readonly spelling: string;
  readonly observation: Observation;
  readonly probedAt: Date;
  /** What others saw; absent where nobody was asked. */
  readonly views?: readonly View[];
}

/**
 * What was served without payment, and is not sent again (gap G100): by the key of a URL all input to it, by the key of a URL and
 * an input that input alone.
 */
export interface OpenEndpoints {
  isOpen(key: string): Promise<boolean>;
  remember(key: string, at: Date): Promise<void>;
}

/** Probes that every process on the same store reuses. */
export interface ProbeCache {
  /** The latest probe made at or after `since`. */
  find(key: ProbeKey, since: Date): Promise<StoredProbe | null>;
  /** Keeps the newer of what is there and this one, unless a wrong clock dated that one (gap L76). */
  keep(key: ProbeKey, probe: StoredProbe): Promise<void>;
  /** Forgets probes made before this moment, at most `limit` rows; answers how many it forgot. */
  prune(before: Date, limit: number): Promise<number>;
}
