/** The largest checkpoint that this machine has given out, kept outside the database, which may be restored to an older state. */
export interface LogMark {
  read(): Promise<string | null>;
  /** Durable when it resolves. */
  keep(checkpoint: string): Promise<void>;
}
