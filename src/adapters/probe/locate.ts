import { dialable } from '../../core/url/address-group.ts';
import { type GatePolicy, mayDial } from '../../core/url/gate.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import { unlessAborted } from './deadline.ts';
import type { Resolution, Resolve } from './resolve.ts';

export interface LocateParts {
  readonly resolve: Resolve;
  readonly policy: GatePolicy;
}

export type Located =
  | { readonly kind: 'located'; readonly addresses: readonly string[] }
  | Extract<ProbeOutcome, { readonly kind: 'timed_out' | 'unreachable' | 'blocked' }>;

/**
 * Where a target that the gate has let pass is to be dialled. The name is asked once; all addresses are classified before
 * any is dialled, and one that is not public refuses them all.
 */
export async function locate(
  { host, hostKind, port }: TargetUrl,
  { resolve, policy }: LocateParts,
  signal: AbortSignal,
): Promise<Located> {
  if (hostKind === 'address') return { kind: 'located', addresses: [host] };
  const resolution = await unlessAborted(signal, asked(resolve, host, signal));
  if (resolution === null) return { kind: 'timed_out' };
  if (resolution.kind === 'not_found') return { kind: 'unreachable', cause: 'name_not_found' };
  if (resolution.kind === 'failed') {
    return signal.aborted ? { kind: 'timed_out' } : { kind: 'unreachable', cause: 'name_lookup_failed' };
  }
  return mayDial(resolution.addresses, port, policy)
    ? { kind: 'located', addresses: dialable(resolution.addresses) }
    : { kind: 'blocked' };
}

/** A resolver that breaks has found nothing out about the target. */
async function asked(resolve: Resolve, host: string, signal: AbortSignal): Promise<Resolution> {
  try {
    return await resolve(host, signal);
  } catch {
    return { kind: 'failed' };
  }
}
