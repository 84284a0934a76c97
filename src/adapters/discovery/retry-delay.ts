import {
  LIST_BACKOFF_MAX_MS,
  LIST_BACKOFF_MS,
  LIST_RETRY_AFTER_MAX_MS,
} from '../../core/crawl/list-limits.ts';

export interface Retry {
  /** Tries so far, from 1. */
  readonly tries: number;
  /** Retry-After of the list; null without one. */
  readonly retryAfterMs: number | null;
  readonly random: () => number;
}

/** Exponential back-off with jitter in the upper half, never less than Retry-After. Null: longer than we wait. */
export function retryDelayMs({ tries, retryAfterMs, random }: Retry): number | null {
  if (retryAfterMs !== null && retryAfterMs > LIST_RETRY_AFTER_MAX_MS) return null;
  const backoffMs = Math.min(LIST_BACKOFF_MS * 2 ** (tries - 1), LIST_BACKOFF_MAX_MS);
  return Math.max(retryAfterMs ?? 0, Math.round(backoffMs * (0.5 + random() / 2)));
}

/** Seconds or an HTTP date. */
export function readRetryAfterMs(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  if (/^[0-9]{1,9}$/.test(value.trim())) return Number(value) * 1_000;
  const at = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
