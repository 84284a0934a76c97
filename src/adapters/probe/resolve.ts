import { Resolver } from 'node:dns/promises';

/** What a name leads to. A name that does not exist is a fact about the target, a failed look-up is not. */
export type Resolution =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'failed' };

export type Resolve = (name: string, signal: AbortSignal) => Promise<Resolution>;

/** How long the second family may keep a name waiting that the first has answered. */
const GRACE_MS = 500;

/**
 * Asks DNS itself, A and AAAA together and each once. The system's resolver would also read local files, run in a small
 * pool of threads and not be cancelled. Addresses that come too late are never dialled.
 */
export function dnsResolver(servers?: readonly string[]): Resolve {
  return async (name, signal) => {
    const resolver = new Resolver({ tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    const families = [resolver.resolve4(name), resolver.resolve6(name)];
    let grace: NodeJS.Timeout | undefined;
    const hurry = () => {
      grace ??= setTimeout(cancel, GRACE_MS);
    };
    signal.addEventListener('abort', cancel, { once: true });
    for (const family of families) family.then(hurry, () => {});
    try {
      const answers = await Promise.allSettled(families);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return { kind: 'addresses', addresses };
      return answers.every(saysNothingThere) ? { kind: 'not_found' } : { kind: 'failed' };
    } finally {
      clearTimeout(grace);
      signal.removeEventListener('abort', cancel);
    }
  };
}

const NOTHING_THERE: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

function saysNothingThere(answer: PromiseSettledResult<unknown>): boolean {
  return answer.status === 'rejected' && NOTHING_THERE.has(codeOf(answer.reason));
}

function codeOf(fault: unknown): unknown {
  return fault instanceof Error && 'code' in fault ? fault.code : undefined;
}
