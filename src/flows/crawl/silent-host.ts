import { CRAWL_SILENT_REQUESTS } from '../../core/limits.ts';
import type { HostProber } from '../../ports/prober.ts';

export interface ListeningProber extends HostProber {
  /** So many requests in a row went without an answer that the next one would wait in vain, too (gap L22). */
  isSilent(): boolean;
}

/** A host that hangs takes five seconds a URL: with many of them, all others would wait for days to be published. */
export function listeningTo(prober: HostProber): ListeningProber {
  let unanswered = 0;
  return {
    async probe(request) {
      const outcome = await prober.probe(request);
      // Whatever else it says, also late and beside others that hang, it is there again.
      unanswered = outcome.kind === 'timed_out' ? unanswered + 1 : 0;
      return outcome;
    },
    close: () => prober.close(),
    isSilent: () => unanswered >= CRAWL_SILENT_REQUESTS,
  };
}
