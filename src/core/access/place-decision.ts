import { CRAWL_REQUESTS_PER_HOST, PROBES_IN_FLIGHT_PER_HOST } from '../limits.ts';

/** A caller's probe that is under way; the names are keyed hashes. */
export interface LivePlace {
  /** The method and the normalised URL. */
  readonly flightKey: string;
  /** Host and port. */
  readonly placeKey: string;
}

export type PlaceDecision =
  | 'taken'
  /** Somebody is asking this very URL. */
  | 'in_flight'
  /** Callers have all places of this host and port. */
  | 'full'
  /** The crawl is at this host and leaves nothing free. */
  | 'crawled';

/**
 * Callers share three places of a host and port (gap G38). Where the crawl is at work they share its three of the whole
 * host, on whatever ports (gap G76). `live` are the probes under way at the host, `lanes` those that the crawl may have.
 */
export function decidePlace(asked: LivePlace, live: readonly LivePlace[], lanes: number): PlaceDecision {
  if (live.some(({ flightKey }) => flightKey === asked.flightKey)) return 'in_flight';
  const atPlace = live.filter(({ placeKey }) => placeKey === asked.placeKey).length;
  if (atPlace >= PROBES_IN_FLIGHT_PER_HOST) return 'full';
  return lanes > 0 && lanes + live.length >= CRAWL_REQUESTS_PER_HOST ? 'crawled' : 'taken';
}
