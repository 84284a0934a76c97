/** A probe that wants to begin. The names are keyed hashes, except the host, which is compared and never kept. */
export interface AskedPlace {
  readonly host: string;
  readonly hostKey: string;
  /** Host and port. */
  readonly placeKey: string;
  /** The method and the normalised URL. */
  readonly flightKey: string;
  /** A random name, another one for every probe. */
  readonly holder: string;
}

export type PlaceAnswer =
  | 'taken'
  /** Another process is asking this very URL. */
  | 'in_flight'
  /** Other processes have all places of this host and port. */
  | 'full'
  /** The crawl has what is left of the host. It has been told that somebody wants a place. */
  | 'crawled';

/**
 * Who is asking a target right now, over all processes on one store: three at a host and port, one at a URL (gap G38), and
 * not more than three of a host together with the crawl (gap G76). A place ends by itself, by the clock of the store.
 */
export interface ProbePlaces {
  take(asked: AskedPlace, leaseMs: number): Promise<PlaceAnswer>;
  /** A place that is not held any more, or never was, is none of anybody's business. */
  giveBack(place: Pick<AskedPlace, 'hostKey' | 'holder'>): Promise<void>;
  /** How many places of each host are held by callers, on whatever ports. */
  liveAt(hostKeys: readonly string[]): Promise<readonly number[]>;
  /** Forgets hosts whose places have all run out, at most `limit`; answers how many it forgot. */
  prune(limit: number): Promise<number>;
}
