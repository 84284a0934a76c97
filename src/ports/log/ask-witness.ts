/** One request for a cosignature (c2sp.org/tlog-witness); bounded in time, and it never rejects. */
export type AskWitness = (url: string, body: string) => Promise<WitnessReply>;

export type WitnessReply =
  /** Lines that nobody has verified yet. */
  | { readonly kind: 'cosigned'; readonly lines: string }
  /** The witness has another size than the one that was named. */
  | { readonly kind: 'conflict'; readonly size: number }
  /** The checkpoint does not continue what the witness has. */
  | { readonly kind: 'inconsistent' }
  | { readonly kind: 'failed'; readonly why: string };
