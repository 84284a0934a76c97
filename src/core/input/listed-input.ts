import type { ProbeMethod } from '../verdict/probe-outcome.ts';

export type NamedValue = readonly [name: string, value: string];

/** The parameters of one request. */
export interface InputValues {
  readonly query: readonly NamedValue[];
  /** JSON; only with POST. */
  readonly body: string | null;
}

/**
 * What a listing says about the request that its endpoint wants. Values built from a schema are kept instead of the schema, so
 * that strangers' schemas are read once, when the list is.
 */
export interface ListedInput {
  /** The method that the description of the input names, which may differ from the entry's. */
  readonly method: ProbeMethod | null;
  readonly example: InputValues | null;
  /** From the schema; null where it has nothing to build from, or where the request may do something (gap G100). */
  readonly built: InputValues | null;
  /** Values for the placeholders of a path template. */
  readonly path: readonly NamedValue[];
  /** The names that the schema requires. */
  readonly required: readonly string[];
}

/** Where the input of a request comes from. */
export type InputSource = 'caller' | 'listing_example' | 'listing_schema';

/** The input that was sent. A receipt keeps its hash and never the input. */
export interface UsedInput {
  readonly source: InputSource;
  readonly sha256: string;
}
