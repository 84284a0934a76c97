import { createInspector } from '../../adapters/probe/create-inspector.ts';
import { createProber } from '../../adapters/probe/create-prober.ts';
import { dialDirectly } from '../../adapters/probe/dial.ts';
import { dnsResolver } from '../../adapters/probe/resolve.ts';
import { systemResolver } from '../../adapters/probe/system-resolver.ts';
import type { LintOutbound } from '../../cli/lint/look-around.ts';
import { CRAWL_TIMEOUT_MS } from '../../core/limits.ts';
import { localGate, publicGate } from '../../core/lint/local-gate.ts';
import { packageVersion } from '../build/runtime.ts';

/** The public web; with 'local' also this machine and its networks, which is for the command line alone. */
export function createLintOutbound(gate: 'public' | 'local'): LintOutbound {
  const parts = {
    policy: gate === 'local' ? localGate() : publicGate(),
    resolve: gate === 'local' ? systemResolver : dnsResolver(),
    dial: dialDirectly,
    timeoutMs: CRAWL_TIMEOUT_MS,
    userAgent: `Assay-Lint/${packageVersion()}`,
  };
  return { prober: createProber(parts), inspect: createInspector(parts) };
}
