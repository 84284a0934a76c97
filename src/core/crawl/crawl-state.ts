import * as z from 'zod';
import { parseJson } from '../x402/read-json.ts';

/** Progress of the crawl. Stored with its job, so that another process can resume it. */
export interface CrawlState {
  readonly runId: string;
  /** Reading lists, probing what is on them, everything is published, or the run is not fit to be (gap L81). */
  readonly phase: 'listing' | 'probing' | 'published' | 'held';
  /** When the next run may begin, in UTC milliseconds; only of a held run. */
  readonly retryAt?: number | undefined;
  /** The pause after the last hold; of a held run and of the one that follows it. */
  readonly pauseMs?: number;
  readonly startedAt: number;
  /** The lists already read in this run, with their entries in its summary. */
  readonly sources: Readonly<Record<string, SourceState>>;
  /** The previous published run, whose rows replace those of a failed list. */
  readonly previousRunId: string | null;
  /** The number of endpoints of each list when it was last read completely. */
  readonly goodSizes: Readonly<Record<string, number>>;
}

const source = z.strictObject({
  ok: z.boolean(),
  items: z.int().nullable(),
  skipped: z.boolean(),
  note: z.string(),
  // Absent in states of older releases.
  sha256: z.string().exactOptional(),
});

export type SourceState = Readonly<z.infer<typeof source>>;

const crawlState = z.strictObject({
  runId: z.string(),
  phase: z.enum(['listing', 'probing', 'published', 'held']),
  retryAt: z.number().optional(),
  pauseMs: z.int().exactOptional(),
  startedAt: z.number(),
  sources: z.record(z.string(), source),
  previousRunId: z.string().nullable(),
  goodSizes: z.record(z.string(), z.int()),
});

/** The run that another leader resumes; null when there is none. */
export function openRun(state: CrawlState | null): CrawlState | null {
  return state?.phase === 'listing' || state?.phase === 'probing' ? state : null;
}

export function encodeCrawlState(state: CrawlState): string {
  return JSON.stringify(state);
}

/** Null for a job that never ran and for an unreadable state; then a new run starts. */
export function decodeCrawlState(text: string | null): CrawlState | null {
  const parsed = crawlState.safeParse(text === null ? undefined : parseJson(text));
  return parsed.success ? parsed.data : null;
}
