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
   * Reads the list as it is now, a bounded number of endpoints at a time, and waits for whoever takes them. It never throws:
   * whatever the list does is an outcome. A page that has to be read again brings its endpoints again, and a list may have
   * a URL twice, so take them as a set. Leaving the loop ends the reading.
   */
  read(signal?: AbortSignal): AsyncIterable<ListPart>;
}
