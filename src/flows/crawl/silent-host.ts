import { CRAWL_SILENT_REQUESTS } from '../../core/limits.ts';
import type { HostProber } from '../../ports/prober.ts';

export interface ListeningProber extends HostProber {
  /** True after too many requests in a row without an answer (gap L22). */
  isSilent(): boolean;
}

/** A hanging host costs five seconds per URL: with many of them, publication would be delayed by days. */
export function listeningTo(prober: HostProber): ListeningProber {
  let unanswered = 0;
  return {
    locate: (target) => prober.locate(target),
    async probe(request, place) {
      const outcome = await prober.probe(request, place);
      // Any answer, also a late one beside others that hang, shows that the host is back.
      unanswered = outcome.kind === 'timed_out' ? unanswered + 1 : 0;
      return outcome;
    },
    close: () => prober.close(),
    isSilent: () => unanswered >= CRAWL_SILENT_REQUESTS,
  };
}
