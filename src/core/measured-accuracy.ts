export interface MeasuredRate {
  readonly count: number;
  readonly of: number;
}

/** The rates of docs/accuracy.md, for pages; a test compares them with the document. */
export const MEASURED_ACCURACY = {
  falsePay: { count: 0, of: 468 },
  falseSkip: { count: 5, of: 512 },
  honestPaid: { count: 464, of: 512 },
} as const satisfies Readonly<Record<string, MeasuredRate>>;
