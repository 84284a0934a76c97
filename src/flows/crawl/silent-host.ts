import { CRAWL_SILENT_REQUESTS } from '../../core/limits.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { HostProber } from '../../ports/prober.ts';

export interface ListeningProber extends HostProber {
  /** True after too many requests in a row without an answer (gap L22). */
  isSilent(target: TargetUrl): boolean;
}

/** A hanging host costs five seconds per URL: with many of them, publication would be delayed by days. */
export function listeningTo(prober: HostProber): ListeningProber {
  const unanswered = new Map<PortGroup, number>();
  return {
    locate: (target) => prober.locate(target),
    async probe(request, place) {
      const outcome = await prober.probe(request, place);
      const group = portGroupOf(request.target);
      // Any answer, also a late one beside others that hang, shows that the host is back.
      unanswered.set(group, outcome.kind === 'timed_out' ? (unanswered.get(group) ?? 0) + 1 : 0);
      return outcome;
    },
    close: () => prober.close(),
    isSilent: (target) => (unanswered.get(portGroupOf(target)) ?? 0) >= CRAWL_SILENT_REQUESTS,
  };
}

type PortGroup = 'http' | 'https' | 'other';

/**
 * Anybody can list URLs at a port of a seller where a firewall drops every packet: that says nothing about its web server. All other
 * ports count as one, because there are thousands.
 */
function portGroupOf({ port }: TargetUrl): PortGroup {
  if (port === 443) return 'https';
  return port === 80 ? 'http' : 'other';
}
