import type { TargetUrl } from '../url/target-url.ts';

/** All URLs of one host: whoever holds the batch alone keeps the limit of requests in flight to it (gap G76). */
export interface HostBatch<T> {
  readonly host: string;
  readonly endpoints: readonly T[];
}

/** Largest hosts first, because the last batch to finish decides when the crawl does. */
export function hostBatches<T extends { readonly target: TargetUrl }>(
  endpoints: Iterable<T>,
): HostBatch<T>[] {
  const byHost = new Map<string, T[]>();
  for (const endpoint of endpoints) {
    const batch = byHost.get(endpoint.target.host);
    if (batch === undefined) byHost.set(endpoint.target.host, [endpoint]);
    else batch.push(endpoint);
  }
  return [...byHost]
    .map(([host, batch]) => ({ host, endpoints: batch }))
    .sort((left, right) => right.endpoints.length - left.endpoints.length);
}
