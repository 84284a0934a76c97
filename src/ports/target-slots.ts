/** Some of the slots of a host and port (gap G38), or of an address (gap G101). The names are keyed hashes. */
export interface SlotHolder {
  readonly targetKey: string;
  /** A random name. */
  readonly holder: string;
}

/** How many slots a holder may have, and up to which number: higher ones are left to others. */
export interface SlotShare {
  readonly most: number;
  readonly upTo: number;
}

/**
 * Slots at targets, shared by all processes on one store. A slot is a lease by the clock of the store: the slot of a process
 * that died is free after a while. Checks take theirs with `CheckWrites`; these calls are the crawl's.
 */
export interface TargetSlots {
  /** Holds as many free slots as the share allows, those that the holder has included; answers how many. */
  hold(holder: SlotHolder, share: SlotShare, leaseMs: number): Promise<number>;
  /** Frees all slots of the holder at this target. */
  free(holder: SlotHolder): Promise<void>;
  /** Deletes leases that have run out, at most `limit` rows; answers how many it deleted. */
  prune(limit: number): Promise<number>;
}
