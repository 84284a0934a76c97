import { LRUCache } from 'lru-cache';
import { singleFlight } from '../../core/concurrency/single-flight.ts';
import type { Rendered } from './answer.ts';

/** Rendered at most once per key while it is kept. Concurrent callers share one rendering; a failure is not kept. */
export type RenderedCache<T> = (key: string, render: () => Promise<T>) => Promise<T | Rendered>;

export interface RenderedCacheLimits {
  readonly maxBytes: number;
  /** Omitted for bodies that never change. */
  readonly fresh?: { readonly forMs: number; readonly now: () => Date };
}

interface Kept {
  readonly value: Rendered;
  readonly atMs: number;
  readonly forMs: number;
}

/** Least recently used bodies are dropped first. What is not a body, such as null for not found, is never kept. */
export function createRenderedCache<T extends Rendered | string | null>({
  maxBytes,
  fresh,
}: RenderedCacheLimits): RenderedCache<T> {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ value: { body } }, key) => body.byteLength + key.length + ENTRY_BYTES,
  });
  const nowMs = () => fresh?.now().getTime() ?? 0;
  const keep = (key: string, value: Rendered) => {
    const atMs = nowMs();
    const trueForMs = (value.until?.getTime() ?? Number.POSITIVE_INFINITY) - atMs;
    const forMs = fresh === undefined ? Number.POSITIVE_INFINITY : Math.min(fresh.forMs, trueForMs);
    kept.set(key, { value, atMs, forMs });
  };
  const find = (key: string): Rendered | null => {
    const known = kept.get(key);
    // Also when the clock was set back: a body must not be kept until it has caught up.
    return known !== undefined && Math.abs(nowMs() - known.atMs) < known.forMs ? known.value : null;
  };
  const once = singleFlight<string, T>();
  const renderAndKeep = async (key: string, render: () => Promise<T>) => {
    const made = await render();
    const value: Rendered | string | null = made;
    if (value !== null && typeof value !== 'string') keep(key, value);
    return made;
  };
  return async (key, render) => find(key) ?? once(key, () => renderAndKeep(key, render));
}

/** Approximate size of headers and entry. */
const ENTRY_BYTES = 1_000;
