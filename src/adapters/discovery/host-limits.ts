import { LIST_HOST_AT_ONCE, LIST_HOST_SITES_MAX } from '../../core/crawl/list-limits.ts';

/**
 * Admits the addresses of the first two sites of a host name. A document chooses the sites, and every port makes another one: without
 * a limit it could direct thousands of requests to one machine.
 */
export function siteLimit(): (address: string) => boolean {
  const sitesOf = new Map<string, Set<string>>();
  return (address) => {
    const { hostname, origin } = new URL(address);
    const sites = sitesOf.get(hostname) ?? new Set();
    sitesOf.set(hostname, sites);
    if (sites.size < LIST_HOST_SITES_MAX) sites.add(origin);
    return sites.has(origin);
  };
}

/** Consecutive addresses that are requested together: at most `size`, and at most two of one host name (gap G76). */
export function hostBatches(addresses: readonly string[], size: number): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let inBatch = new Map<string, number>();
  for (const address of addresses) {
    const { hostname } = new URL(address);
    const ofHost = inBatch.get(hostname) ?? 0;
    if (batch.length === 0 || batch.length === size || ofHost === LIST_HOST_AT_ONCE) {
      batch = [address];
      inBatch = new Map([[hostname, 1]]);
      batches.push(batch);
    } else {
      batch.push(address);
      inBatch.set(hostname, ofHost + 1);
    }
  }
  return batches;
}
