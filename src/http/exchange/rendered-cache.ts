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

/** Least recently used bodies are dropped first. What is not a body, such as null for not found, is never kept. */
export function createRenderedCache<T extends Rendered | string | null>({
  maxBytes,
  fresh,
}: RenderedCacheLimits): RenderedCache<T> {
  const kept = new LRUCache<string, Rendered>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => body.byteLength + key.length + ENTRY_BYTES,
    // The library still serves an entry whose age is its ttl.
    ...(fresh === undefined
      ? {}
      : { ttl: fresh.forMs - 1, ttlResolution: 0, perf: { now: () => fresh.now().getTime() } }),
  });
  const keep = (key: string, value: Rendered) => {
    if (fresh === undefined || value.until === undefined) return kept.set(key, value);
    const ttl = Math.min(fresh.forMs, value.until.getTime() - fresh.now().getTime()) - 1;
    // To the library, no time to live is eternity.
    return ttl > 0 ? kept.set(key, value, { ttl }) : kept;
  };
  const once = singleFlight<string, T>();
  const renderAndKeep = async (key: string, render: () => Promise<T>) => {
    const made = await render();
    const value: Rendered | string | null = made;
    if (value !== null && typeof value !== 'string') keep(key, value);
    return made;
  };
  return async (key, render) => kept.get(key) ?? once(key, () => renderAndKeep(key, render));
}

/** Approximate size of headers and entry. */
const ENTRY_BYTES = 1_000;
