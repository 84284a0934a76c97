import type { ListOutcome } from '../core/crawl/list-outcome.ts';
import type { ListedEndpoint } from '../core/crawl/listed-endpoint.ts';

/** The output of a reading: batches of endpoints, then its outcome. */
export type ListPart =
  | { readonly kind: 'endpoints'; readonly endpoints: readonly ListedEndpoint[] }
  | { readonly kind: 'ended'; readonly outcome: ListOutcome };

/** A public list of endpoints. */
export interface DiscoverySource {
  readonly name: string;
  /**
   * Reads the current list in bounded batches, with back-pressure. Never throws: every fault is an outcome. A retried page yields
   * its endpoints again, and a list may repeat a URL, so treat them as a set. Leaving the loop ends the reading.
   */
  read(signal?: AbortSignal): AsyncIterable<ListPart>;
}
