/** The part of the package pg that a ledger uses, so that its types are complete where that package is not installed. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>;
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
  /** A connection that is spent is closed, and not used again. */
  release(spent?: boolean): void;
}
