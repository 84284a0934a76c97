import { memoizeFor } from '../../core/concurrency/memoize-for.ts';
import type { SellerStore } from '../../ports/seller.ts';

const FRESH_MS = 1_000;

/** At most a second old; the last known one while the store is away, so that what is rendered is still served. */
export function createSellerRevision(
  sellers: Pick<SellerStore, 'revision'>,
  now: () => Date,
): () => Promise<string | null> {
  let last: string | null = null;
  const read = memoizeFor(
    () => sellers.revision(),
    FRESH_MS,
    () => now().getTime(),
  );
  return async () => {
    try {
      last = await read();
    } catch {
      // Whatever is not rendered yet fails by itself.
    }
    return last;
  };
}
