import { Resolver } from 'node:dns/promises';
import { PROOF_FILE_MAX_BYTES, PROOF_RECORDS_MAX } from '../../core/seller/seller-limits.ts';
import type { ProofSource } from '../../ports/seller.ts';
import { deadlineIn, unlessAborted } from './deadline.ts';
import type { GatedFetchParts } from './gated-fetch.ts';

/** The TXT records of a name, each in one piece. May reject: then nothing was found out. */
export type ResolveText = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface ProofParts extends Omit<GatedFetchParts, 'maxBytes' | 'resolve'> {
  readonly resolveText: ResolveText;
}

/** Reads no more than a token needs: a small file without a redirect, and a few records. */
export function createProofSource({ resolveText, ...parts }: ProofParts): ProofSource {
  return {
    async file(target, place) {
      if (place.kind === 'nowhere') return null;
      const { addresses } = place;
      // The place that was counted is the one that is dialled; the gate checks it once more.
      const resolve = async () => ({ kind: 'addresses', addresses }) as const;
      const { createGatedFetch } = await import('./gated-fetch.ts');
      const fetchFile = createGatedFetch({ ...parts, resolve, maxBytes: PROOF_FILE_MAX_BYTES });
      try {
        const answer = await fetchFile(target.href, { headers: { accept: 'text/plain, */*;q=0.1' } });
        return answer.status === 200 ? await answer.text() : null;
      } catch {
        return null;
      }
    },
    async records(name) {
      const deadline = deadlineIn(parts.timeoutMs);
      try {
        const records = await unlessAborted(deadline.signal, resolveText(name, deadline.signal));
        return (records ?? []).slice(0, PROOF_RECORDS_MAX);
      } catch {
        return [];
      } finally {
        deadline.close();
      }
    },
  };
}

/** Asks DNS itself, once. */
export function dnsTextResolver(servers?: readonly string[]): ResolveText {
  return async (name, signal) => {
    const resolver = new Resolver({ tries: 1 });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}
