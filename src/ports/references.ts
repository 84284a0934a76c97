import type { Reference } from '../core/known-answer/known-answer-test.ts';

/** What a free and independent source says at the time of a call. */
export interface ReferenceSource {
  /** Null when it could not be asked, or said nothing that can be used. Never throws. */
  ask(reference: Reference): Promise<string | number | boolean | null>;
}
