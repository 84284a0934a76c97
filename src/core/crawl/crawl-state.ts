import { z } from 'zod';
import { parseJson } from '../x402/read-json.ts';

/** How far the crawl has come; kept with its job, so that whoever goes on with it knows. */
export interface CrawlState {
  readonly runId: string;
  /** Reading lists, probing what is on them, or everything is published. */
  readonly phase: 'listing' | 'probing' | 'published';
  readonly startedAt: number;
  /** The lists that were read in this run, with their line in its summary. */
  readonly sources: Readonly<Record<string, SourceState>>;
  /** The published run before, whose rows take the place of a list that is ill. */
  readonly previousRunId: string | null;
  /** How many endpoints each list had when it was last read whole. */
  readonly goodSizes: Readonly<Record<string, number>>;
}

const source = z.strictObject({
  ok: z.boolean(),
  items: z.int().nullable(),
  skipped: z.boolean(),
  note: z.string(),
});

export type SourceState = Readonly<z.infer<typeof source>>;

const crawlState = z.strictObject({
  runId: z.string(),
  phase: z.enum(['listing', 'probing', 'published']),
  startedAt: z.number(),
  sources: z.record(z.string(), source),
  previousRunId: z.string().nullable(),
  goodSizes: z.record(z.string(), z.int()),
});

export function encodeCrawlState(state: CrawlState): string {
  return JSON.stringify(state);
}

/** Null for a job that never ran, and for a state that nobody can read any more: then the next run begins anew. */
export function decodeCrawlState(text: string | null): CrawlState | null {
  const parsed = crawlState.safeParse(text === null ? undefined : parseJson(text));
  return parsed.success ? parsed.data : null;
}
