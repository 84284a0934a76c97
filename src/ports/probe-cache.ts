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
}

/** Endpoints that answered input without asking for payment: they never get input again (gap G100). */
export interface OpenEndpoints {
  isOpen(urlKey: string): Promise<boolean>;
  remember(urlKey: string, at: Date): Promise<void>;
}

/** Probes that every process on the same store reuses. */
export interface ProbeCache {
  /** The latest probe made at or after `since`. */
  find(key: ProbeKey, since: Date): Promise<StoredProbe | null>;
  /** Keeps the newer of what is there and this one. */
  keep(key: ProbeKey, probe: StoredProbe): Promise<void>;
  /** Forgets probes made before this moment, at most `limit` rows; answers how many it forgot. */
  prune(before: Date, limit: number): Promise<number>;
}
