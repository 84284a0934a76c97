/** Some of the three slots of a host and port (gap G38). The names are keyed hashes. */
export interface SlotHolder {
  readonly targetKey: string;
  /** A random name. */
  readonly holder: string;
}

/**
 * Slots at targets, shared by all processes on one store. A slot is a lease by the clock of the store: the slot of a process
 * that died is free after a while. Checks take theirs with `CheckWrites`; these calls are the crawl's.
 */
export interface TargetSlots {
  /** Holds up to `limit` free slots for so long, those that the holder has included; answers how many. */
  hold(holder: SlotHolder, limit: number, leaseMs: number): Promise<number>;
  /** Frees all slots of the holder at this target. */
  free(holder: SlotHolder): Promise<void>;
  /** Deletes leases that have run out, at most `limit` rows; answers how many it deleted. */
  prune(limit: number): Promise<number>;
}
