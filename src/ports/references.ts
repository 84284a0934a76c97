import type { Reference } from '../core/known-answer/known-answer-test.ts';

/** The value of a free and independent source at the time of a call. */
export interface ReferenceSource {
  /** Null when it is unavailable or its answer is unusable. Never throws. */
  ask(reference: Reference): Promise<string | number | boolean | null>;
}
